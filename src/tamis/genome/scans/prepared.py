"""Scans whose arguments are in order, and that only have to be computed: at once, or in parts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from json import dumps
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

import numpy as np

from ..._core.array_file import array_file, parsed_array_file
from ..._core.checked_json import fitting_together
from ..._core.errors import PlanError, counted_noun
from ..._core.parts import PART_NAME, Division, Part, PartResult, Unit, begin_part, folders_of_parts
from ..._core.result_folder import IfExists, ResultFolder
from ..._core.seal import is_of_place, open_seal, sealed
from ..._core.versions import library_versions
from ..readers.genotypes import Genotypes

Arrays = Mapping[str, np.ndarray]
U = TypeVar("U")
R = TypeVar("R", covariant=True)
Record = dict[str, object]
RECORD_NAME = "scan.json"
N_UNITS = 500  # of a scan that can be cut anywhere: five of each of a hundred parts
ADVICE = "run the parts that lack them to their end, which keeps what they have, and join again"


class PreparedScan(Protocol[U, R]):
    """A scan, whose units are computed apart from one another.

    Attributes
    ----------
    noun : str
        What a unit is.
    """

    noun: ClassVar[str]

    def units(self) -> Sequence[U]:
        """All units, which follow from the genotypes and the options alone."""
        ...

    def costs(self) -> Sequence[float]:
        """Of each unit, in any measure."""
        ...

    def compute(self, units: Sequence[U]) -> Iterator[Arrays]:
        """What is found in each of some units, in their order; it depends on no other unit. A part
        stores it as float64."""
        ...

    def run(self) -> R:
        """The scan, computed at once."""
        ...

    def result(self, found: Iterable[tuple[U, Arrays]]) -> R:
        """The scan, of what was found in all units."""
        ...

    def digest(self) -> str:
        """A hash of all that is scanned."""
        ...


class ScanPart(ResultFolder):
    """The folder of a part of a scan: what the scan is, and a file of each unit."""

    noun = "part of a scan"
    joined_noun = "scan"
    origin = "a part of a scan"
    record_files = (RECORD_NAME,)
    own_files = ("units/*.npz", PART_NAME)

    def require_same_scan(self, old: Record, new: Record) -> None:
        """Refuse a part of another scan.

        Raises
        ------
        StoreError
            With what differs: the options, the genotypes and samples, or the versions.
        """
        settings = new["settings"]
        assert isinstance(settings, Mapping)
        self.require_same_settings(old.get("settings"), settings, "the options differ")
        self.require_same_data(old, new)
        versions = new["versions"]
        assert isinstance(versions, Mapping)
        self.require_same_versions(old.get("versions"), versions)


def scan_record(scan: PreparedScan[U, R], settings: Record) -> Record:
    """What a part says of its scan: two of the same record have the same units."""
    return {"versions": library_versions(), "digest": scan.digest(), "settings": settings}


def compute_part(
    scan: PreparedScan[U, R],
    record: Record,
    folder: str | os.PathLike[str],
    part: Part,
    if_exists: IfExists = "resume",
) -> PartResult:
    """Compute what is missing of a part, in a folder of its own.

    Raises
    ------
    PlanError
        There are more parts than units.
    StoreError
        The folder holds something else, or another part.
    """
    division = _division(scan, record)
    if part.count > len(division.units):
        raise PlanError(
            f"part {part}: the scan has {counted_noun(len(division.units), scan.noun)}, each of "
            f"which is computed at once: give K/N with N up to {len(division.units):,}"
        )
    units, own = scan.units(), division.shares(part.count)[part.number - 1]
    with ScanPart(folder) as store:
        old = store.claim({RECORD_NAME: record}, if_exists)
        if old is not None:
            store.require_same_scan(old[RECORD_NAME], record)
            store.remove_partial_files()
        begin_part(store, part)
        places = {k: division.units[k].files[0] for k in own}
        todo = [
            k
            for k, (path, place) in places.items()
            if not (store.has(path) and is_of_place(store.get(path), place))
        ]
        store.log(event="begin", units=len(own), open=len(todo))
        for k, found in zip(todo, scan.compute([units[k] for k in todo]), strict=True):
            path, place = places[k]
            store.put(path, _content_of(found, place), synced=False)  # it has a checksum
        store.log(event="part done")
    return PartResult(Path(folder), part, len(own), len(units), scan.noun)


def join_parts(
    scan: PreparedScan[U, R],
    record: Record,
    paths: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
) -> R:
    """The scan whose parts are in these folders, as one run would have found it.

    Raises
    ------
    StoreError
        A part is of another scan, or a unit is missing or differs between parts.
    """
    folders = []
    for folder, records in folders_of_parts(ScanPart, paths, out):
        folder.require_same_scan(records[RECORD_NAME], record)
        folders.append(folder)
    units, division = scan.units(), _division(scan, record)
    with fitting_together(os.fspath(paths[0])):
        found = division.joined(folders)
        return scan.result((units[k], _arrays_of(content)) for k, _, content in found)


def digest_of(genotypes: Genotypes, *others: np.ndarray) -> str:
    """A hash of genotypes, and of numbers of their samples or variants."""
    found = blake2b(genotypes.digest().encode(), digest_size=16)
    for other in others:
        found.update(repr((other.dtype.str, other.shape)).encode() + other.tobytes())
    return found.hexdigest()


def _division(scan: PreparedScan[U, R], record: Record) -> Division:
    mark = blake2b(dumps(record, sort_keys=True).encode(), digest_size=16).hexdigest()
    units = [
        Unit(cost, [(f"units/{k:06}.npz", f"{mark} {k}")]) for k, cost in enumerate(scan.costs())
    ]
    return Division(scan.noun, units, ADVICE)


def _content_of(arrays: Arrays, place: str) -> bytes:
    numbers = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()}
    return sealed(array_file({}, numbers) + open_seal(place))


def _arrays_of(content: bytes) -> Arrays:
    return parsed_array_file(content, "a file of a part")[1]
