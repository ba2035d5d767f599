"""Cells that are no numbers and stand among numbers: how they are read, or what is said of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .._core.errors import DataError, counted_noun, listed_names, shorten_text
from .faults import Fault
from .missing_marks import MissingMarks
from .names import GROUPS_REASON, names_samples
from .raw import FOREIGN_NUMBER_PATTERN, NO_LABEL, parse_number

LIMIT_CHOICES = ("value", "half", "missing")  # what a value below a limit of detection is taken for
UNIT_CHOICES = ("remove",)
LIMIT_PATTERN = re.compile(r"(<=?|>=?|[≤≥])\s*(.+)")
UNIT_PATTERN = re.compile(  # but for factors: k, x10^3, e-3
    r"([-+]?[\d.,]+(?:[eE][-+]?\d+)?)\s*(?![kKMGT]$|[x×*]\s*\d|[eE]\s*[-+]?\d)"
    r"(%|[^\W\d_][\w/^%·.-]*|°\s?\w+)"
)
MOST_TEXTS = 1000  # different ones that are counted of a column
FEW_TEXTS = 0.2  # of a column's cells: beyond, it is no column of numbers
Bad = list[tuple[int, int, str]]  # row, column, text


@dataclass
class CellRules:
    """How cells are read that are no numbers as they stand: what the user said.

    Attributes
    ----------
    missing : MissingMarks
        What else stands for a missing value.
    decimal : str
        What stands before decimals, a point or a comma.
    thousands : str or None
        What stands between thousands.
    limits : {"value", "half", "missing"} or None
        What ``<0.5`` is: the limit, half of it, or missing; of ``>200`` it is never half.
    units : {"remove"} or None
        Whether ``5 mg`` is 5, in columns with one unit.
    points : bool
        Numbers of the first rows have a point: commas are hardly before decimals.
    """

    missing: MissingMarks = field(default_factory=MissingMarks)
    decimal: str = "."
    thousands: str | None = None
    limits: str | None = None
    units: str | None = None
    points: bool = False
    units_of: dict[str, Counter[str]] = field(default_factory=dict)  # removed, by column
    limits_of: Counter[str] = field(default_factory=Counter)  # read, by column

    def __post_init__(self) -> None:
        if self.decimal not in (".", ","):
            raise DataError(f"decimal={self.decimal!r}: give '.' or ','")
        if self.limits is not None and self.limits not in LIMIT_CHOICES:
            raise DataError(f"limits={self.limits!r}: give one of {', '.join(LIMIT_CHOICES)}")
        if self.units is not None and self.units not in UNIT_CHOICES:
            raise DataError(f"units={self.units!r}: give 'remove'")
        if self.thousands is not None and (
            len(self.thousands) != 1 or self.thousands in "0123456789-+eE" + self.decimal
        ):
            raise DataError(
                f"thousands={self.thousands!r}: give the one character that stands between "
                "thousands, which is not that before decimals"
            )

    @cached_property
    def _groups(self) -> re.Pattern[str]:
        """Numbers whose thousands are set apart, three digits each."""
        mark = re.escape(self.thousands or "")
        return re.compile(rf"[-+]?\d{{1,3}}(?:{mark}\d{{3}})+(?:{re.escape(self.decimal)}\d+)?")

    @property
    def swaps(self) -> bool:
        """Whether decimals stand behind a comma."""
        return self.decimal == ","

    @property
    def any(self) -> bool:
        """Whether a cell that is no number may be one by these."""
        return bool(self.missing or self.thousands or self.limits or self.units)

    def number(self, text: str) -> float | None:
        """A text as a number, as it stands."""
        return parse_number(swapped_decimals(text) if self.swaps else text)

    def read(self, text: str, column: str) -> float | None:
        """A text that is no number as it stands, NaN if missing; None if it remains text."""
        return self.parts(text, column)[0]

    def parts(self, text: str, column: str) -> tuple[float | None, bool, str]:
        """The same, whether it is a limit, and its unit."""
        if self.missing.has(text, column):
            return np.nan, False, ""
        limit = LIMIT_PATTERN.fullmatch(text) if self.limits else None
        if limit is None:
            value, unit = self._plain(text)
            return value, False, unit
        value, unit = self._plain(limit[2].strip())
        if value is not None and self.limits == "missing":
            value = np.nan
        elif value is not None and self.limits == "half" and limit[1][0] in "<≤" and value > 0:
            value /= 2
        return value, True, unit

    def _plain(self, text: str) -> tuple[float | None, str]:
        """Without what stands between thousands, and a unit, which comes behind."""
        value = self.number(text)
        if value is None and self.thousands and self._groups.fullmatch(text):
            value = self.number(text.replace(self.thousands, ""))
        if value is None and self.units and (parts := UNIT_PATTERN.fullmatch(text)):
            return self._plain(parts[1])[0], parts[2]
        return value, ""

    def count(self, column: str, limit: bool, unit: str, times: int = 1) -> None:
        """Note what was taken away from cells that were read."""
        if limit:
            self.limits_of[column] += times
        if unit:
            self.units_of.setdefault(column, Counter())[unit] += times

    def settle(self, values: np.ndarray, known: np.ndarray, bad: Bad, names: Sequence[str]) -> Bad:
        """Put cells that these rules read into their places; the others."""
        if not self.any:
            return bad
        left, seen = [], dict[tuple[str, str], tuple[float | None, bool, str]]()
        for row, column, text in bad:
            key = text, names[column]
            if key not in seen:
                seen[key] = self.parts(*key)
            value, limit, unit = seen[key]
            if value is None:
                left.append((row, column, text))
                continue
            values[row, column], known[row, column] = value, value == value
            self.count(key[1], limit, unit)
        return left

    def faults(self, column_of: Callable[[str], np.ndarray | None]) -> list[Fault]:
        """Columns that are hardly of numbers of one kind: of several units, of per cent and bare
        numbers, of limits alone. `column_of` gives the numbers of a column that is used."""
        found = []
        for name in dict.fromkeys([*self.units_of, *self.limits_of]):
            values = column_of(name)
            if values is None:
                continue
            known, units = values[~np.isnan(values)], self.units_of.get(name, Counter())
            several = sorted(units)
            if several == ["%"] and len(known) > units["%"]:
                several.append("none")
            if len(several) > 1:
                found.append(
                    Fault(
                        f"column {name!r} has several units, {listed_names(several)}: write its "
                        f"numbers in one of them, leave it out with drop=[{name!r}], or declare "
                        f"it with categorical=[{name!r}] if these are classes",
                        alike=("units", name),
                    )
                )
            bare = len(known) - (self.limits != "missing") * self.limits_of[name]
            alone = not bare or (self.limits != "missing" and known.min() == known.max())
            if self.limits_of[name] and alone:
                found.append(
                    Fault(
                        f"column {name!r} holds limits and no other numbers: declare it with "
                        f"categorical=[{name!r}] if these are classes, or leave it out with "
                        f"drop=[{name!r}]",
                        self.limits_of[name],
                        {"categorical": (name,)},
                        ("limits alone", name),
                    )
                )
        return found


def swapped_decimals(text: str) -> str:
    """Comma for point and point for comma, so that a point is none before decimals."""
    return text.translate(SWAPPED_SEPARATORS)


SWAPPED_SEPARATORS = str.maketrans(".,", ",.")
SWAP_BYTES = bytes.maketrans(b".,", b",.")


@dataclass
class Odd:
    """Texts among the numbers of a column: how often each stands there, and where first."""

    texts: Counter[str] = field(default_factory=Counter)
    rows: dict[str, str] = field(default_factory=dict)
    doubt: str | None = None

    def add(self, text: str, row: str) -> None:
        """Count a text of a row, as a message calls it."""
        if text in self.texts or len(self.texts) < MOST_TEXTS:
            self.texts[text] += 1
            self.rows.setdefault(text, row)


def kind_of(text: str, swaps: bool = False) -> str:
    """What a text among numbers is: a missing value, a limit, ...; `swaps` if those have decimal
    commas.

    Examples
    --------
    >>> [kind_of(text) for text in ("n/a", "<0.5", "5 mg", "1,5", "pending")]
    ['missing', 'limit', 'unit', 'comma', 'text']
    """
    if NO_LABEL.fullmatch(text):
        return "missing"
    if (limit := LIMIT_PATTERN.fullmatch(text)) and any(c.isdigit() for c in limit[2]):
        return "limit"
    if FOREIGN_NUMBER_PATTERN.fullmatch(text) or (swaps and parse_number(text) is not None):
        return "comma"
    return "unit" if UNIT_PATTERN.fullmatch(text) else "text"


def odd_faults(
    odd: Mapping[str, Odd], rows: int, rules: CellRules, columns: int = 0
) -> list[Fault]:
    """What keeps columns of numbers with text in some cells from being read, kind by kind.

    A row with text in more than half of the `columns` of numbers, or with the name of one, is
    reported by itself: it is no sample.
    """
    words_at = [
        dict.fromkeys(at for text, at in one.rows.items() if kind_of(text, rules.swaps) == "text")
        for one in odd.values()
    ]
    lines = Counter(row for rows_of_one in words_at for row in rows_of_one)
    again = next((one.rows[name] for name, one in odd.items() if name in one.rows), None)
    suspects = lines.most_common(1) if again is None else [(again, lines[again])]
    for row, times in suspects if columns else ():
        if again is not None or times > columns / 2 > 0.5:
            some = [text for one in odd.values() for text, at in one.rows.items() if at == row]
            words = sum(kind_of(text, rules.swaps) == "text" for text in some)
            if 2 * words < len(some):  # what can be read
                break
            return [
                Fault(
                    f"row {row} has text in {counted_noun(times, 'column')} of numbers, such as "
                    f"{listed_names(some, 3)}: is it a second header, a line of units or a "
                    "footnote? take it out of the file",
                    columns * rows,
                )
            ]
    by_kind: dict[str, dict[str, Counter[str]]] = {}
    for name, one in odd.items():
        for text, times in one.texts.items():
            of_kind = by_kind.setdefault(kind_of(text, rules.swaps), {})
            of_kind.setdefault(name, Counter())[text] += times
    faults = []
    for kind, found in by_kind.items():
        texts = sum(found.values(), Counter())
        where = f"in {counted_noun(len(found), 'column')} ({listed_names(found, 3)})"
        cells = f"{counted_noun(texts.total(), 'cell')}, such as {value_text(texts)},"
        reader = CELL_READERS.get(kind)
        if reader is not None:
            what, advice, remedy = reader(texts, rules)
            faults.append(Fault(f"{what}: {cells} {where}: {advice}", texts.total(), remedy))
            continue
        for name, own in found.items():
            alone = odd[name]
            few = own.total() < FEW_TEXTS * rows and len(alone.texts) < MOST_TEXTS
            cure = {"missing": tuple(f"{name}={t}" for t in own)} if few else {"drop": (name,)}
            text = next(iter(own))
            row = alone.rows[text]
            faults.append(mixed_column(name, row, text, alone.doubt, own.total(), cure))
    return faults


def value_text(texts: Counter[str]) -> str:
    """The commonest texts."""
    return listed_names([text for text, _ in texts.most_common(3)], 3)


def _of_missing(texts: Counter[str], rules: CellRules) -> tuple[str, str, dict]:
    codes = tuple(text for text, _ in texts.most_common(5))
    return (
        "what may stand for missing values is among numbers",
        f"say missing=[{', '.join(map(repr, codes))}]",
        {"missing": codes},
    )


def _of_limit(texts: Counter[str], rules: CellRules) -> tuple[str, str, dict]:
    return (
        "limits of detection stand among numbers",
        "limits='value' takes the limit itself, 'half' half of it, and 'missing' neither",
        {"limits": "value"},
    )


def _of_unit(texts: Counter[str], rules: CellRules) -> tuple[str, str, dict]:
    return "numbers are followed by a unit", "units='remove' reads them", {"units": "remove"}


def _of_comma(texts: Counter[str], rules: CellRules) -> tuple[str, str, dict]:
    marks = Counter(mark for text in texts for mark in THOUSANDS_PATTERN.findall(text))
    long = any(text[0] in "\u2212\u2013" for text in texts)
    what = "numbers have a decimal comma, a long minus or marks between thousands"
    if long or not marks:
        return what, "write numbers all alike, as -1234.5, or say decimal=',' if all have one", {}
    mark = marks.most_common(1)[0][0]
    if mark == "." and not rules.swaps:
        return what, "say decimal=',' and thousands='.' if they stand so in all numbers", {}
    if rules.swaps or rules.points or mark != ",":
        return what, f"say thousands={mark!r} if that stands between thousands", {}
    return (
        what,
        f"say decimal=',' if decimals stand behind a comma, or thousands={mark!r} if that stands "
        "between thousands",
        {},
    )


THOUSANDS_PATTERN = re.compile(r"(?<=\d)([,.\s'\u2019])(?=\d{3}(?:\D|$))")
CELL_READERS = {"missing": _of_missing, "limit": _of_limit, "unit": _of_unit, "comma": _of_comma}


def mixed_column(
    name: str,
    row: object,
    value: str,
    doubt: str | None = None,
    count: int = 1,
    remedy: Mapping | None = None,
) -> Fault:
    """Text among the numbers of a column; `doubt` is what else it may be."""
    hint, value = "", shorten_text(value)
    if doubt:
        hint = f" ({doubt});"
    elif names_samples(name):
        hint = f"; if it names patients, study them with group={name!r} ({GROUPS_REASON}); else"
    return Fault(
        f"column {name!r} holds numbers, but row {row} has {value!r}{hint or ';'} "
        f"correct it, declare the column with categorical=[{name!r}], leave it out with "
        f"drop=[{name!r}], or say missing=[{f'{name}={value}'!r}]",
        count,
        remedy,
        ("text among numbers", name),
    )
