"""What every reader hands to `read_table`: a matrix, the text columns beside it, the names."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from .._core.errors import DataError, listed_names, nearest_hint
from .faults import Fault
from .ranks import STACKED_RANKS, stacked_names

MISSING_TEXTS = ("", "NA", "NaN", "nan", "null", "NULL", "?", "N/A", ".")  # every reader's markers
# others' markers, VCF's and TCGA's among them; "none" in small letters is rather an answer
NO_LABEL = re.compile(
    r"(?i:n/?a|n\.a\.?|nan|null|missing|\[?unknown\]?|#.*[!?/].*|<na>|'?-+|\.[/|]\."
    r"|\[?not[ _](?:available|reported|applicable|evaluated|recorded|known)\]?)|None|NONE"
)
# numbers with a long minus, decimal commas, or something between thousands
FOREIGN_NUMBER_PATTERN = re.compile(
    r"[\u2212\u2013]\d+(?:[.,]\d+)?|-?\d+,\d+(?:[eE][-+]?\d+)?"
    r"|-?\d{1,3}(?:(?:[,\s'\u2019]\d{3})+|(?:\.\d{3}){2,})"
    r"|-?\d{1,3}(?:[.\s'\u2019]\d{3})+,\d+|-?\d{1,3}(?:[,\s'\u2019]\d{3})+\.\d+"
)
ROW_NAMES = "(row names)"  # our name for a first column that has none
# 100000 is 1e+05 in R
PLAIN_NUMBER_PATTERN = re.compile(r"-?(0|[1-9]\d*)(\.\d*)?([eE]\+\d+)?", re.ASCII)
MOST_EXACT = 1 << 53  # of whole numbers beyond it a float loses the last digits
# columns that nobody can name: "" is behind a last delimiter
RESERVED_COLUMNS = frozenset([ROW_NAMES, ""])


def parse_number(text: str) -> float | None:
    """The text as a float, or None; ``1_000`` is text here although Python takes it."""
    if "_" in text:
        return None
    try:
        return float(text)
    except ValueError:
        return None


@dataclass
class Text:
    """A text column: codes into the distinct values, -1 for missing."""

    codes: np.ndarray
    values: Sequence[str]

    @classmethod
    def of(cls, cells: Iterable[str | None]) -> Text:
        """Code a column of strings; None and the missing markers become -1."""
        index: dict[str, int] = {}
        codes = []
        for cell in cells:
            cell = None if cell is None else cell.strip()
            missing = cell is None or cell in MISSING_TEXTS
            codes.append(-1 if missing else index.setdefault(str(cell), len(index)))
        return cls(np.array(codes, dtype=np.int32), list(index))

    @classmethod
    def of_labels(cls, labels: Iterable[object]) -> Text:
        """Of labels as they are, None for missing."""
        index: dict[str, int] = {}
        codes = [-1 if x is None else index.setdefault(str(x), len(index)) for x in labels]
        return cls(np.array(codes, dtype=np.int32), list(index))

    @classmethod
    def of_codes(cls, codes: np.ndarray, values: Iterable[str | None]) -> Text:
        """Of codes, -1 for missing, into values that may be missing, padded or the same again."""
        known = cls.of(values)
        return cls(np.append(known.codes, np.int32(-1))[codes], known.values)

    @classmethod
    def of_numbers(cls, values: np.ndarray) -> Text:
        """Of numbers in full, integers without a point; NaN is missing."""
        return cls.of(
            None if v != v else repr(v) if v % 1 else str(int(v)) for v in values.tolist()
        )

    @property
    def labels(self) -> list[str | None]:
        """The cells, None for missing."""
        return [None if c < 0 else self.values[c] for c in self.codes.tolist()]

    def take(self, rows: np.ndarray) -> Text:
        """The same column with its rows in another order."""
        return Text(self.codes[rows], self.values)

    def without(self, gone: Collection[str]) -> Text:
        """The same column with some values missing."""
        codes = [k for k, value in enumerate(self.values) if value in gone]
        return Text(np.where(np.isin(self.codes, codes), -1, self.codes), self.values)

    def distinct(self) -> list[str]:
        """The values that occur, sorted; as numbers if all of them are numbers."""
        used = np.unique(self.codes)
        return sort_levels([self.values[c] for c in used if c >= 0])


def sort_levels(values: Iterable[str]) -> list[str]:
    """Sorted as numbers if all are numbers ('2' before '10'), else as text.

    Examples
    --------
    >>> sort_levels(["10", "2"]), sort_levels(["b", "a"])
    (['2', '10'], ['a', 'b'])
    """
    values = list(values)
    numbers = {v: parse_number(v) for v in values}
    if any(x is None or x != x for x in numbers.values()):
        return sorted(values)
    return sorted(values, key=lambda v: (numbers[v], v))


def integer_names(values: Sequence[str]) -> list[str]:
    """'1.0' -> '1' if every value is a whole number as programs write them, one of them as a float.

    Names that may be read as numbers stay: '1E5' of a plate, '007', more digits than a float has.

    Examples
    --------
    >>> integer_names(["1.0", "2", "1e+05"]), integer_names(["1.5", "2.0"])
    (['1', '2', '100000'], ['1.5', '2.0'])
    >>> integer_names(["1E5", "2.0"]), integer_names(["007", "8.0"])
    (['1E5', '2.0'], ['007', '8.0'])
    """
    if not all(map(PLAIN_NUMBER_PATTERN.fullmatch, values)) or not any(
        "." in v or "+" in v for v in values
    ):
        return list(values)
    numbers = list(map(float, values))
    fine = all(x % 1 == 0 and abs(x) <= MOST_EXACT for x in numbers)
    return [str(int(x)) for x in numbers] if fine else list(values)


def plain_integers(column: Text) -> Text:
    """'1.0' -> '1' if every value is a whole number written out as a float."""
    used = np.unique(column.codes[column.codes >= 0])
    values = [column.values[c] for c in used]
    names = integer_names(values)
    if names == values:
        return column
    integers = dict(zip(used.tolist(), names, strict=True))
    return Text.of(integers.get(int(c)) for c in column.codes)


@dataclass
class Wanted:
    """What `read_table` wants of a reader.

    `text` columns are kept outside X (target, id, ...), `categorical` ones inside it,
    `drop` holds names or shell patterns, `reserve` are covariates: those the table lacks
    get an empty column at the end of X. With `all_text` (a sample sheet) nothing is a
    feature. `only`, if given, leaves out every other column but the first, which may hold
    the ids; so does `keep`, the names of a panel, whatever is `categorical`. `layer` and `modality`
    are of .h5ad and .h5mu.
    """

    text: frozenset[str] = frozenset()
    categorical: frozenset[str] = frozenset()
    drop: tuple[str, ...] = ()
    reserve: tuple[str, ...] = ()
    all_text: bool = False
    only: frozenset[str] | None = None
    layer: str | None = None
    modality: str | None = None
    keep: frozenset[str] | None = None

    def dropped(
        self, names: Sequence[str], where: str, again: Mapping[str, str] | None = None
    ) -> set[str]:
        """The names to leave out; every entry of `drop` has to match something. A column of `again`
        goes or stays with that whose name it had, unless it is requested itself."""
        if self.only is None and self.keep is None and not self.drop:
            return set()
        again = again or {}
        nameless = (
            "" in names and "" in self.drop
        )  # a row without a name, or such a column of Parquet
        names = [name for name in names if name not in RESERVED_COLUMNS]
        known: set[str] = set(names)
        out: set[str] = set()
        if self.only is not None:
            out = known - self.only - self.categorical - set(self.reserve) - {*names[:1]}
        if self.keep is not None:
            out |= known - self.keep - set(self.reserve) - {*names[:1]}
        for given in (self.only, self.keep):
            out -= {name for name, old in again.items() if given is not None and old in given}
        for entry in self.drop:
            if entry == STACKED_RANKS:
                held = stacked_names(names)[0]
                if not held:
                    raise DataError(f"drop={[STACKED_RANKS]}: no feature of {where!r} holds others")
                out.update(held)
                continue
            if entry in known or (nameless and not entry):
                out.update([entry, *(name for name, old in again.items() if old == entry)])
                continue
            hits = fnmatch.filter(names, entry) if set(entry) & set("*?[") else []
            if not hits:
                raise DataError(
                    f"drop names the column {entry!r}, which {where!r} does not have: "
                    f"{nearest_hint(entry, names)}"
                )
            out.update(hits)
        return out - self.text


@dataclass
class Raw:
    """A table as read: nothing decided yet about classes, levels or ids.

    Attributes
    ----------
    columns : list of str
        Names of the columns of X.
    X : ndarray (n, len(columns)), float64, C order
        NaN where missing, and in the columns that `text` holds.
    text : dict of name to Text
        Text columns, outside X or still to be coded into it.
    header : list of str
        Every column of the file, for "did you mean".
    index : str or None
        The text column that holds the sample ids, if the file says so.
    maybe_index : str or None
        The first column, if it is text: the ids, should they be all different.
    levels : dict of name to tuple
        Levels the file itself declares (ARFF nominal, Parquet dictionary).
    sheet : dict of name to Text, or None
        Sample attributes that are not features (h5ad ``obs``), if the format has such.
    typed : set of str
        Text columns that the file declares to be text: their numbers are labels.
    aside : dict of name to Text
        Dropped columns that may distinguish patients (`repeats`).
    faults : list of Fault
        What keeps it from being used, reported with whatever else there is.
    labels : dict of name to str
        What features are called where people look, such as the symbol of a gene.
    repeated : dict of str to str
        Columns whose name stood there before, under the name that distinguishes them.
    written : Text, or None
        The cells of a first column of numbers that may be ids, as they are written.
    rows : ndarray of int, or None
        The numbers of the rows in the file, where some are left out.
    comma : bool
        Decimals stand behind a comma.
    corner : str
        What the file calls the column of the names of features in rows.
    """

    columns: list[str]
    X: np.ndarray
    text: dict[str, Text]
    header: list[str]
    index: str | None = None
    maybe_index: str | None = None
    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sheet: dict[str, Text] | None = None
    typed: set[str] = field(default_factory=set)
    aside: dict[str, Text] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    repeated: dict[str, str] = field(default_factory=dict)
    written: Text | None = None
    rows: np.ndarray | None = None
    comma: bool = False
    corner: str = ""

    def row(self, place: int) -> str:
        """The number of a row in the file."""
        return f"{place + 1 if self.rows is None else int(self.rows[place])}"

    def take(self, rows: np.ndarray) -> Raw:
        """The same of some rows, in that order."""
        text, sheet, aside = (
            {name: one.take(rows) for name, one in part.items()}
            for part in (self.text, self.sheet or {}, self.aside)
        )
        given = None if self.sheet is None else sheet
        numbers = None if self.rows is None else self.rows[rows]
        cells = None if self.written is None else self.written.take(rows)
        return replace(
            self,
            X=self.X[rows],
            text=text,
            sheet=given,
            aside=aside,
            written=cells,
            rows=numbers,
        )


class Modalities(DataError):
    """Said of an .h5mu where one table is requested: it has several.

    Attributes
    ----------
    path : Path
    names : list of str
    sheet : Raw
        `obs` of the file and of its modalities, without any feature.
    """

    def __init__(self, path: Path, names: list[str], sheet: Raw):
        self.path, self.names, self.sheet = path, names, sheet
        super().__init__(
            f"{path.name!r} has several tables of the same samples ({listed_names(names)}): give "
            "it as the table itself, whose blocks they are"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.names, self.sheet)
