"""Work in parts, for machines that share nothing but the data: each computes some of the units in
a folder of its own, and whoever joins the folders has what one run would have computed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, TypeVar

from .errors import (
    PlanError,
    StoreError,
    counted_noun,
    listed_names,
    listed_parts,
    shorten_text,
    value_text,
)
from .files import write_json
from .first_screen import FirstScreen
from .result_folder import ResultFolder
from .seal import is_of_place

Folder = TypeVar("Folder", bound=ResultFolder)
MOST_PARTS = 10_000
PART_NAME = "part.json"


@dataclass(frozen=True)
class Part:
    """The k-th of so many parts of what is computed, ``Part(3, 10)`` or ``Part.of("3/10")``."""

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count <= MOST_PARTS:
            raise PlanError(
                f"part {self.number}/{self.count}: give K/N with K from 1 to N, and N up to "
                f"{MOST_PARTS:,}"
            )

    @classmethod
    def of(cls, text: object) -> Self:
        """From ``"3/10"``.

        Raises
        ------
        PlanError
            It is no part.

        Examples
        --------
        >>> Part.of("3/10")
        Part(number=3, count=10)
        """
        found = re.fullmatch(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", str(text), re.ASCII)
        if found is None:
            raise PlanError(f"part {value_text(text)}: give K/N, such as 3/10")
        return cls(*map(int, found.groups()))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def shares_of_equal_cost(costs: Sequence[float], count: int) -> list[list[int]]:
    """Which of these are in each of so many parts, in their order.

    The dearest first, each goes to the part with the least so far: no part costs more than the
    mean and one of them (Graham 1969, "Bounds on multiprocessing timing anomalies").

    Examples
    --------
    >>> shares_of_equal_cost([3, 1, 1, 1], 2)
    [[0], [1, 2, 3]]
    """
    load, own = [0.0] * count, [list[int]() for _ in range(count)]
    for k in sorted(range(len(costs)), key=lambda k: -costs[k]):
        least = load.index(min(load))
        load[least] += costs[k]
        own[least].append(k)
    return [sorted(share) for share in own]


@dataclass(frozen=True)
class Unit:
    """What is computed, stored and joined as one.

    Attributes
    ----------
    cost : float
        In any measure that all units share.
    files : sequence of (path, place)
        In the folder, and what each is sealed for (`seal`).
    """

    cost: float
    files: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Division:
    """All units, of which each part has some.

    Attributes
    ----------
    noun : str
        What a unit is.
    units : sequence of Unit
        Which follow from the data and the options alone.
    advice : str
        What to do where some are missing, as the last words of a message.
    """

    noun: str
    units: Sequence[Unit] = field(repr=False)
    advice: str

    def shares(self, count: int) -> list[list[int]]:
        """Units of each of so many parts."""
        return shares_of_equal_cost([unit.cost for unit in self.units], count)

    def joined(self, folders: Sequence[ResultFolder]) -> Iterator[tuple[int, str, bytes]]:
        """Unit, path and content of every file, in the order of the units.

        Raises
        ------
        StoreError
            A file differs between folders; or, once all that is there was given, units are missing.
        """
        missing, damaged = list[int](), list[str]()
        for k, unit in enumerate(self.units):
            for path, place in unit.files:
                content = None
                for folder in folders:
                    if not folder.has(path):
                        continue
                    found = folder.get(path)
                    if not is_of_place(found, place):
                        damaged.append(str(folder.folder / path))
                    elif content is None:
                        content = found
                    elif content != found:
                        raise StoreError(
                            f"{str(folder.folder / path)!r} differs from the same {self.noun} of "
                            "another part: they come from machines that compute differently, so "
                            "run both parts on one"
                        )
                if content is not None:
                    yield k, path, content
                elif k not in missing[-1:]:
                    missing.append(k)
        if missing:
            raise StoreError(self._missing_words(missing, damaged, folders))

    def _missing_words(
        self, missing: Sequence[int], damaged: Sequence[str], folders: Sequence[ResultFolder]
    ) -> str:
        """Which units are missing, and what to do."""
        given = [part for folder in folders if (part := part_in(folder)) is not None]
        counts, why, lost = {part.count for part in given}, list[str](), set(missing)
        if len(counts) > 1:
            why.append(f"the folders hold parts {listed_parts(map(str, given))}")
        elif counts:
            (count,), there = counts, {part.number for part in given}
            absent = list[str]()
            for number, share in enumerate(self.shares(count), 1):
                n_lost = len(lost.intersection(share))
                if n_lost and number not in there:
                    absent.append(f"{number}/{count}")
                elif n_lost:
                    why.append(f"part {number}/{count} lacks {n_lost:,} of {len(share):,}")
            if absent:
                what, verb = ("part", "is") if len(absent) == 1 else ("parts", "are")
                why.append(f"{what} {listed_parts(absent)} {verb} not among the folders")
        if damaged:
            more = f" and {len(damaged) - 1} more" if len(damaged) > 1 else ""
            why.append(f"{damaged[0]!r} is damaged{more}")
        reasons = f" ({listed_parts(why)})" if why else ""
        return (
            f"{counted_noun(len(missing), self.noun)} of {len(self.units):,} missing{reasons}: "
            f"{self.advice}"
        )


@dataclass(frozen=True, repr=False)
class PartResult(FirstScreen):
    """What a part has computed.

    Attributes
    ----------
    folder : Path
    part : Part
    units, of : int
        Of the part, and of all parts.
    noun : str
        What a unit is.
    """

    folder: Path
    part: Part
    units: int
    of: int
    noun: str

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "part": self.part.number,
            "of": self.part.count,
            "folder": str(self.folder),
            "unit": self.noun,
            "units": self.units,
            "units_of_all": self.of,
        }

    def summary(self) -> str:
        """One line."""
        share = f"{self.units:,} of {counted_noun(self.of, self.noun)}"
        return f"part {self.part} in {str(self.folder)!r}: {share}"


def begin_part(folder: ResultFolder, part: Part) -> None:
    """Write which part a folder has.

    Raises
    ------
    StoreError
        It holds another one.
    """
    if (before := part_in(folder)) not in (None, part):
        raise StoreError(
            f"{folder.quoted} holds part {before}, not {part}: choose another folder with --out"
        )
    write_json(folder.inside(PART_NAME), {"part": str(part)})


def part_in(folder: ResultFolder) -> Part | None:
    """Which part a folder says that it holds; None if it says nothing.

    Raises
    ------
    StoreError
        What it says is no part.
    """
    found = folder.get_object(PART_NAME)
    if found is None:
        return None
    try:
        return Part.of(found.get("part"))
    except PlanError as error:
        path = shorten_text(folder.folder / PART_NAME, 200)
        raise StoreError(f"{path!r}: {error}, or run the part again") from error


def folders_of_parts(
    kind: type[Folder],
    paths: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
) -> Iterator[tuple[Folder, dict[str, dict[str, object]]]]:
    """Folders of parts and their records; of a folder that is none, those that lie in it.

    Raises
    ------
    StoreError
        A path has no part in it, one that lacks a record, or is `out`.
    """
    for folder in [kind(place) for path in map(Path, paths) for place in _places(kind, path)]:
        if folder.folder.resolve() == Path(out).resolve():
            raise StoreError(
                f"{folder.quoted} is one of the parts: choose another folder with --out"
            )
        folder.other_folder = f"join the parts of one {kind.joined_noun}"
        records = {name: folder.get_object(name) for name in folder.record_files}
        lacking = [name for name, record in records.items() if record is None]
        if lacking:
            raise StoreError(
                f"{folder.quoted} has no {listed_names(lacking)}: copy that part again, or run it "
                "again"
            )
        part_in(folder)
        yield folder, {name: record or {} for name, record in records.items()}


def _places(kind: type[ResultFolder], path: Path) -> list[Path]:
    """A folder of a part, or those of the parts that lie in it."""
    try:
        os.listdir(path)  # whether it can be read
        places = [path]
        if not (path / kind.record_files[-1]).exists():
            places = sorted(one.parent for one in path.glob(f"*/{PART_NAME}"))
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreError(f"cannot read {shorten_text(path, 200)!r}: {why}") from error
    if not places:
        raise StoreError(
            f"{shorten_text(path, 200)!r} holds no part of a {kind.joined_noun}: give folders that "
            "--part wrote, or one that they lie in"
        )
    return places
