"""What stands in a table, drawn at random: samples, classes, features, and what each cell means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

MARKS = ("", "NA", "NaN", "nan", "null", "NULL", "?", "N/A", ".")  # missing, whoever wrote them
ROWS = ("{:02d}", "{:03d}", "{}")
IDS = ("S{:02d}", "P-{:02d}", "TCGA-A1-{:04d}", "pt {}", "{:03d}", "1{:02d}", "GSM{}", "10{}.50")
NAMES = (
    "TP53", "EGFR", "BRCA1", "MYC", "KRAS", "CD3 T", "HLA-A,2", "1007_s_at", "10317", "a=b",
    "[Na+]", "p*", "β-actin", 'x"y', "5'-NT", "ENSG00000141510.12", "miR 21", "Q9Y6K9;Q8", "rs12|T",
    "a long name of a metabolite, with its adduct [M+H]+", "SEPT2",
    "age", "weight", "crp", "n", "x", "1.5", "007", "NA.1", "logFC", "g_1", "%fat", "a/b", "T:1",
)  # fmt: skip
PAIRS = (("ill", "well"), ("AML", "ALL"), ("1", "2"), ("case", "control"), ("yes", "no"))


class Cell(NamedTuple):
    """A cell: its number or text, and what it says beside."""

    kind: str  # number, text, missing, limit, unit
    value: float = np.nan
    text: str = ""  # of text; the mark of a missing value, the sign of a limit, the unit


@dataclass
class Column:
    """A column of the truth.

    Attributes
    ----------
    role : str
        id, class, sample (known of the samples: a group, a batch), feature, or other: what stands
        there beside, and may be read or left out.
    """

    name: str
    cells: list[Cell]
    role: str = "feature"


@dataclass
class Truth:
    """The columns of a table in their order, and what is true of how it is written."""

    columns: list[Column]
    tells: dict[str, Any] = field(default_factory=dict)

    def of_role(self, role: str) -> list[Column]:
        return [column for column in self.columns if column.role == role]

    @property
    def ids(self) -> list[str]:
        return [cell.text for cell in self.of_role("id")[0].cells]

    @property
    def n(self) -> int:
        return len(self.columns[0].cells)


def number(value: float) -> Cell:
    return Cell("number", float(value))


def word(text: str) -> Cell:
    return Cell("text", text=text)


MISSING = Cell("missing")


def random_truth(rng: np.random.Generator) -> Truth:
    """Samples of two classes with a handful of features."""
    n, p = int(rng.integers(10, 17)), int(rng.integers(3, 8))
    of_id = IDS[rng.integers(len(IDS))]
    columns = [Column(pick(rng, ("id", "sample", "Sample ID", "name")), [
        word(of_id.format(k + 1)) for k in range(n)
    ], "id")]  # fmt: skip
    pair = PAIRS[rng.integers(len(PAIRS))]
    labels = [pair[k] for k in np.append([0, 1, 0, 1], rng.integers(0, 2, n - 4))]
    columns.append(Column("class", [word(one) for one in labels], "class"))
    if rng.random() < 0.3:
        columns.append(Column("batch", [word(f"b{k % 3}") for k in range(n)], "sample"))
    names = rng.choice(len(NAMES), p, replace=False)
    for k in names.tolist():
        columns.append(Column(NAMES[k], random_cells(rng, n)))
    if rng.random() < 0.3:
        levels = pick(rng, (("red", "blue"), ("AA", "AG", "GG"), ("m", "f"), ("low", "high")))
        cells = [word(levels[k % len(levels)]) for k in rng.permutation(n)]
        columns.append(Column("kind", cells))
    if rng.random() < 0.3:
        features = columns[-p:]
        rng.shuffle(features)  # type: ignore[arg-type]
        columns[-p:] = features
    return Truth(columns)


def random_cells(rng: np.random.Generator, n: int) -> list[Cell]:
    """Measurements, counts, or small numbers; some are missing."""
    way = rng.integers(5)
    values: Any
    if way == 0:
        values = rng.integers(0, 900, n)
    elif way == 1:
        values = rng.normal(0, 1, n).round(4)
    elif way == 2:
        values = rng.lognormal(7, 2, n).round(2)
    elif way == 3:
        values = rng.integers(0, 3, n)
    else:
        values = rng.normal(7, 3, n).round(int(rng.integers(1, 4)))
    cells = [number(v) for v in values]
    if rng.random() < 0.3:
        for k in rng.choice(n, 2, replace=False):
            cells[k] = MISSING
    return cells


def pick(rng: np.random.Generator, values: Sequence[Any]) -> Any:
    return values[rng.integers(len(values))]


@dataclass(frozen=True)
class Style:
    """How numbers are written."""

    decimal: str = "."
    thousands: str = ""
    minus: str = "-"
    missing: str = ""


def cell_text(cell: Cell, style: Style) -> str:
    """A cell as a file has it."""
    if cell.kind == "text":
        return cell.text
    if cell.kind == "missing":
        return cell.text or style.missing
    number = number_text(cell.value, style)
    if cell.kind == "limit":
        return f"{cell.text}{number}"
    return f"{number} {cell.text}" if cell.kind == "unit" else number


def number_text(value: float, style: Style) -> str:
    if np.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    text = f"{value:,.10f}".rstrip("0").rstrip(".") if abs(value) < 1e9 else repr(value)
    swap = {",": style.thousands, ".": style.decimal, "-": style.minus}
    return "".join(swap.get(letter, letter) for letter in text)


def meaning(cell: Cell, name: str, style: Style, how: Mapping[str, Any]) -> float | str | None:
    """What a cell is, once the reader has been told so much."""
    text = cell_text(cell, style)
    if cell.kind == "missing" and text in MARKS:
        return None
    for mark in how.get("missing", ()):
        value = mark.removeprefix(f"{name}=")
        if (value == mark and "=" in mark and mark != text) or not value:
            continue  # of another column
        measured = how.get("units") and name not in how.get("categorical", ())
        numeric = cell.kind == "number" or (cell.kind == "unit" and measured)
        if value == text or (numeric and mark_number(value, style) == cell.value):
            return None
    if cell.kind in ("text", "missing") or name in how.get("categorical", ()):
        return text
    if cell.kind == "limit":
        way = how.get("limits")
        if way is None:
            return text
        if way == "missing":
            return None
        half = way == "half" and cell.text[0] in "<≤" and cell.value > 0
        return cell.value / 2 if half else cell.value
    if cell.kind == "unit" and how.get("units") is None:
        return text
    return cell.value


def mark_number(text: str, style: Style) -> float | None:
    try:
        return float(text.replace(style.decimal, "."))
    except ValueError:
        return None
