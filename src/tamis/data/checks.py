"""What a table must be before it is studied, and what the user should know about it."""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from .._core.errors import DataError, counted_noun, listed_names, nearest_hint
from .._core.tables import Columns
from .cells import UNIT_PATTERN
from .circumstances import MONTH_NAMES, names_nobody
from .event_names import EVENT_PATTERN, SURVIVAL_MESSAGE, UNSUPPORTED_MESSAGE, as_words, names_time
from .faults import Fault
from .leak_detection.interface import TABLE_KINDS
from .names import GROUPS_REASON, names_rows, names_samples, some_name_has
from .raw import FOREIGN_NUMBER_PATTERN, NO_LABEL, Text, parse_number
from .spellings import alike_names, spelled_names
from .walks import each_block

MOST_CLASSES = 20  # a numeric target with more distinct values is a measurement
MOST_OFFERED, SAMPLES_EACH = 50, 10  # whole numbers that may be classes, and samples of each
MOST_LEVELS = 50
MAX_ABS_VALUE = 1e150  # the square of anything larger overflows
FEWEST_CATEGORY_ROWS = 10  # rows: in fewer, categories may be all different, as names are
FEWEST_COUNTED = 5  # rows: fewer may be numbered by chance
STAND_INS = (-99.0, -999.0, -9999.0, -99999.0)
LONE_STAND_INS = (-9.0, 99.0, 999.0, 9999.0)
MOST_LOOKED_AT = 1000  # columns
# as spreadsheets write them, here and in German, and as Python reads them there
DATE_PATTERN = re.compile(
    rf"(?i)\d{{1,2}}-(?:{MONTH_NAMES})|(?:{MONTH_NAMES})-\d{{2}}|\d\d\. (?:mrz|sep|okt|dez)"
    r"|\d{4}-\d\d-\d\d(?: 00:00:00)?"
)
TALLY_PATTERN = re.compile(  # what HTSeq and STAR write below the genes
    r"__(?:no_feature|ambiguous|too_low_aQual|not_aligned|alignment_not_unique)"
    r"|N_(?:unmapped|multimapping|noFeature|ambiguous)"
)
DEGREE_PATTERN = re.compile(r"(?i:mild|minimal|minor|slight|light|weak|low|some|partial)")
MOST_REMARKS = 3  # on the labels of one column
CHUNK_VALUES = 1 << 18  # numbers looked at together: 2 MB, which stay in the cache


@dataclass
class Summary:
    """Column extremes (NaN where a column has no value) and missing counts."""

    low: np.ndarray
    high: np.ndarray
    missing: np.ndarray


def summarize_columns(X: np.ndarray | Columns) -> Summary:
    """One pass over X by blocks of rows; of columns where it is no matrix."""
    if not isinstance(X, np.ndarray):
        parts = each_block(X, lambda _, block: astuple(summarize_columns(block)))
        return Summary(*(np.concatenate(one) for one in zip(*parts, strict=True)))
    n, p = X.shape
    low, high = np.full(p, np.nan), np.full(p, np.nan)
    missing = np.zeros(p, np.int64)
    step = max(1, CHUNK_VALUES // max(p, 1))
    for start in range(0, n, step):
        block = X[start : start + step]
        least, most = block.min(axis=0), block.max(axis=0)
        if np.isnan(least).any():
            missing += np.isnan(block).sum(axis=0)
            least, most = np.fmin.reduce(block, axis=0), np.fmax.reduce(block, axis=0)
        np.fmin(low, least, out=low)
        np.fmax(high, most, out=high)
    return Summary(low, high, missing)


def refuse_infinite(X: np.ndarray, found: Summary, names: Sequence[str], rows: Sequence[str]):
    """Values that are infinite, or whose squares are, are named by column and sample."""
    with np.errstate(invalid="ignore"):
        bad = np.flatnonzero((found.low < -MAX_ABS_VALUE) | (found.high > MAX_ABS_VALUE)).tolist()
    if bad:
        row = int(np.flatnonzero(np.abs(X[:, bad[0]]) > MAX_ABS_VALUE)[0])
        value = X[row, bad[0]]
        what = "infinite value" if np.isinf(value) else f"value {value:g} (its square overflows)"
        others = f" ({len(bad):,} columns have some)" if len(bad) > 1 else ""
        advice, remedy = "replace it by a number or leave it empty (missing)", {}
        if np.isinf(value):
            remedy = {"missing": ("inf", "-inf")}
            advice += "; missing=['inf', '-inf'] takes it as missing"
        raise Fault(
            f"{what} in column {names[bad[0]]!r}, sample {rows[row]!r}{others}; {advice}",
            len(bad),
            remedy,
        )


def refuse_empty(found: Summary, names: Sequence[str]) -> None:
    """Columns without any value are named."""
    empty = [names[j] for j in map(int, np.flatnonzero(np.isnan(found.low)))]
    if empty:
        have = counted_noun(len(empty), "column has", "columns have")
        raise Fault(
            f"{have} no value at all: {listed_names(empty)}; leave them out with drop=[...], or "
            "all of them with drop=['<empty>']",
            len(empty),
            {"drop": ("<empty>",)},
        )


def refuse_unknown(names: Iterable[str], role: str, path: Path, *headers: Iterable[str]) -> None:
    """Of columns that an argument names, those that a table does not have."""
    requested = list(names)
    header = {name for one in headers for name in one} if requested else set()
    for name in requested:
        if name not in header:
            raise DataError(
                f"{role} names the column {name!r}, which {path.name!r} does not have: "
                f"{nearest_hint(name, sorted(header))}"
            )


def refuse_unknown_spelled(
    unify: Iterable[str], allow: Iterable[str], part: bool, path: Path, *headers: Iterable[str]
) -> None:
    """Of columns whose spellings are united or allowed, those that nothing has; patterns are of
    columns that look like leaks, and of a `part` they may be of another. What is said of the full
    table (`TABLE_KINDS`) is allowed by its kind."""
    names = {name for one in headers for name in one} if unify or allow else set()
    refuse_unknown(unify, "unify", path, names)
    exact = []
    for entry in allow:
        pattern = bool(set(entry) & set("*?["))
        found = pattern and (part or fnmatch.filter(names, entry))
        if entry not in TABLE_KINDS and not found:
            exact.append(entry)
    refuse_unknown(exact, "allow", path, names)


def refuse_double_roles(roles: Iterable[tuple[str, str]]) -> None:
    """Of roles and columns: a column may have one role."""
    seen: dict[str, str] = {}
    for role, column in roles:
        if seen.setdefault(column, role) != role:
            raise DataError(
                f"column {column!r} is named both as {seen[column]} and as {role}; choose one"
            )


def refuse_one_class(classes: Sequence[str], target: str) -> None:
    """A study needs two classes."""
    if len(classes) == 1:
        raise Fault(f"column {target!r} has one class only, {classes[0]!r}; two or more are needed")


def refuse_gaps(column: Text, name: str, what: str, rows: Sequence[str]) -> None:
    """Class labels, groups and folds may not be missing."""
    gaps = [rows[i] for i in map(int, np.flatnonzero(column.codes < 0))]
    if gaps:
        label = what in ("class label", "value") and len(gaps) < len(rows)
        leave_out = ", or leave them out with drop_unlabelled=True" if label else ""
        raise Fault(
            f"column {name!r} has no {what} for {len(gaps):,} of {len(rows):,} samples: "
            f"{listed_names(gaps)}; remove these rows or fill in the {what}{leave_out}",
            len(gaps),
            {"drop_unlabelled": True} if label else None,
        )


def refuse_regression(column: Text, name: str, others: Iterable[str] = ()) -> None:
    """A target of many different numbers is a measurement, not a class; `others` are the names of
    other columns.

    Refused: more than 20 different numbers, or numbers with decimals of which more than
    half are different. Classes are offered of few whole numbers, each in several samples.
    """
    values = column.distinct()
    numbers = [parse_number(v) for v in values]
    if any(x is None for x in numbers):
        return
    n = len(column.codes)
    decimals = any(x != np.floor(x) for x in numbers if x is not None)
    if len(values) <= MOST_CLASSES and not (decimals and len(values) > n / 2):
        return
    what = f"target {name!r} has {len(values):,} different numbers"
    if names_time(name, vague=any(EVENT_PATTERN.fullmatch(as_words(one)) for one in others)):
        raise Fault(
            f"{what} and {SURVIVAL_MESSAGE}: {UNSUPPORTED_MESSAGE}; choose a column of classes"
        )
    few = not decimals and len(values) <= MOST_OFFERED and n >= SAMPLES_EACH * len(values)
    offer = (
        f"declare it with categorical=[{name!r}] if they are classes"
        if few
        else "for classes give a column of them, such as one cut at a threshold"
    )
    raise Fault(f"{what}: say regression=True to predict a number; {offer}")


def refuse_free_text(levels: Sequence[str], column: Text, name: str) -> None:
    """Text that is not a handful of categories is probably a name or a remark."""
    n = len(column.codes)
    drop = {"drop": (name,)}
    bare = [level.lstrip("<>=≤≥ ") for level in levels]  # <0,5 is a limit in decimal commas
    foreign = [
        level
        for level, one in zip(levels, bare, strict=True)
        if FOREIGN_NUMBER_PATTERN.fullmatch(one)
    ]
    if foreign and all(
        FOREIGN_NUMBER_PATTERN.fullmatch(one) or parse_number(one) is not None for one in bare
    ):
        raise Fault(
            f"column {name!r} has decimal commas, a long minus or marks between thousands, for "
            f"instance {listed_names(foreign, 2)}: say decimal=',' or thousands= what stands "
            f"between them, write numbers like -1234.5, or declare it with categorical=[{name!r}]",
            n,
            None,
            ("commas", name),
        )
    measured = len(levels) > min(MOST_CLASSES, n / 2)
    if measured and all(UNIT_PATTERN.fullmatch(level.lstrip("<>")) for level in levels):
        raise Fault(
            f"column {name!r} has numbers followed by a unit, for instance "
            f"{listed_names(levels, 2)}: read them with units='remove', leave it out with "
            f"drop=[{name!r}], or declare it with categorical=[{name!r}]",
            n,
            {"units": "remove"},
            ("units behind", name),
        )
    if len(levels) > MOST_LEVELS or len(levels) > max(n / 2, 2):
        if all(parse_number(level) is not None for level in levels):
            raise Fault(
                f"column {name!r} has numbers written as text, for instance "
                f"{listed_names(levels, 2)}: turn them into numbers (of a frame pandas.to_numeric "
                f"does, or .astype(float)), or declare it with categorical=[{name!r}]",
                n,
                None,
                ("numbers as text", name),
            )
        few = ", too few to distinguish names from categories" if n < FEWEST_CATEGORY_ROWS else ""
        found = (
            f"text column {name!r} has {len(levels):,} different values in {n:,} rows{few}, for "
            f"instance {listed_names(levels, 2)}; "
        )
        if names_nobody(name, levels):
            raise Fault(
                f"{found}leave it out with drop=[{name!r}], write it as numbers (a date as days "
                f"since a first one), or declare it with categorical=[{name!r}]",
                n,
                drop,
                ("dates", name),
            )
        if len(levels) == np.count_nonzero(column.codes >= 0):
            ids = names_samples(name)
            raise Fault(
                f"{found}leave it out with drop=[{name!r}], name it as id={name!r}, or declare it "
                f"with categorical=[{name!r}]",
                n,
                {"id": name} if ids else drop,
                None if ids else ("free text", name),
            )
        raise Fault(
            f"{found}if they are patients, study them with group={name!r} ({GROUPS_REASON}); else "
            f"leave it out with drop=[{name!r}], or declare it with categorical=[{name!r}]",
            n,
            drop,
            ("free text", name),
        )


def notes_on(X: np.ndarray, found: Summary, all_columns: bool = True) -> list[str]:
    """Missing values, constant columns and repeated rows, in sentences; of rows nothing is said
    where X has not all columns."""
    notes = []
    if missing := int(found.missing.sum()):
        columns = int((found.missing > 0).sum())
        share = f"{missing / X.size:.2%}"
        values, where = counted_noun(missing, "missing value"), counted_noun(columns, "column")
        notes.append(f"{values} ({share}), in {where}")
    if all_columns and missing and (empty := _empty_rows(X)):
        are = "row has" if len(empty) == 1 else "rows have"
        notes.append(
            f"{len(empty):,} {are} no value at all ({listed_names(empty, 3)}): a footnote?"
        )
    if len(X) > 1 and (constant := int((found.low == found.high).sum())):
        notes.append(counted_noun(constant, "constant column"))
    if all_columns and (repeated := count_repeated_rows(X)):
        notes.append(
            f"{counted_noun(repeated, 'row')} the same as another row: a split may put copies on "
            "both sides (in a study a group column keeps them together)"
        )
    return notes


def _empty_rows(X: np.ndarray) -> list[int]:
    """Numbers, from 1, of the rows without any value."""
    maybe = np.flatnonzero(np.isnan(X[:, 0]))
    return (maybe[np.isnan(X[maybe]).all(axis=1)] + 1).tolist()


def notes_on_counters(X: np.ndarray, names: Sequence[str]) -> list[str]:
    """Columns that number the rows: they tell the order of the file, and so perhaps the class."""
    n = len(X)
    if n < 2:
        return []
    maybe = np.flatnonzero((X[1] - X[0] == 1) & (X[-1] - X[0] == n - 1))
    found = [names[j] for j in maybe.tolist() if (np.diff(X[:, j]) == 1).all()]
    if n < FEWEST_COUNTED:
        found = [name for name in found if names_rows(name) or names_samples(name)]
    if not found:
        return []
    what = f"column {found[0]!r} numbers the rows and is used as a feature"
    if len(found) > 1:
        what = f"{len(found):,} columns number the rows and are used as features"
        what += f" ({listed_names(found, 3)})"
    return [f"{what}: leave out with drop=[{found[0]!r}] what shows nothing but their order"]


def notes_on_dates(names: Sequence[str]) -> list[str]:
    """Names such as ``1-Mar``, which a spreadsheet makes of the gene MARCH1."""
    if not some_name_has(names, "-", ". "):
        return []
    dates = [
        name for name in names if ("-" in name or ". " in name) and DATE_PATTERN.fullmatch(name)
    ]
    if not dates:
        return []
    are = "feature is" if len(dates) == 1 else "features are"
    return [
        f"{len(dates):,} {are} called like dates ({listed_names(dates, 3)}): a spreadsheet may "
        "have changed names of genes, such as MARCH1 or SEPT2"
    ]


def notes_on_tallies(names: Sequence[str]) -> list[str]:
    """Rows below the genes of a table of counts, such as ``__no_feature``: no genes."""
    if not some_name_has(names, "\0__", "\0N_"):
        return []
    found = [name for name in names if TALLY_PATTERN.fullmatch(name)]
    if not found:
        return []
    return [
        f"{counted_noun(len(found), 'feature')} named like what HTSeq and STAR count outside of "
        f"genes ({listed_names(found, 3)}): leave out with drop=[{found[0][:2] + '*'!r}]"
    ]


def notes_on_stand_ins(X: np.ndarray, found: Summary, names: Sequence[str]) -> list[str]:
    """Columns whose least or greatest number is one that people write for a missing value.

    Unless more columns end near it: of intensities about 0 some are -99 by chance. -9 and 99 count
    only where nothing else is below zero, or above half of it.
    """
    notes = []
    for value in (*STAND_INS, *LONE_STAND_INS):
        ends = found.low if value < 0 else found.high
        at, size = ends == value, np.abs(ends)
        near = (ends * value > 0) & (size < 2 * abs(value)) & (size > abs(value) / 2) & ~at
        if at.sum() <= near.sum():
            continue
        columns = np.flatnonzero(at).tolist()
        if value in LONE_STAND_INS:
            columns = [j for j in columns[:MOST_LOOKED_AT] if _stands_alone(X[:, j], value)]
        if columns:
            notes.append(_stand_in(value, [names[j] for j in columns]))
    return notes


def _stands_alone(values: np.ndarray, code: float) -> bool:
    rest = values[(values != code) & ~np.isnan(values)]
    if len(np.unique(rest)) < 2:
        return False
    return rest.min() >= 0 if code < 0 else rest.max() < code / 2


def _stand_in(value: float, columns: Sequence[str]) -> str:
    code = f"{value:.0f}" if len(columns) > 1 else f"{columns[0]}={value:.0f}"
    return (
        f"{value:.0f} is read as a number in {counted_noun(len(columns), 'column')}, such as "
        f"{columns[0]!r}: if it stands for a missing value, say missing=[{code!r}]"
    )


def notes_on_labels(name: str, labels: Sequence[str]) -> list[str]:
    """Classes or levels that may be the same, or no label at all."""
    notes = [
        f"column {name!r}: {spelled_names(own)} are taken as different; write them the same way if "
        "they are not"
        for own in alike_names(labels)
    ]
    plus = any(not label.strip("+") for label in labels)  # then "-" is an answer,
    # and so is "None"
    mild = {label.istitle() for label in labels if DEGREE_PATTERN.fullmatch(label)}
    for label in labels:
        none = label.casefold() == "none"
        answer = label.istitle() in mild if none else plus and not label.strip("-")
        if NO_LABEL.fullmatch(label) and not answer:
            notes.append(
                f"column {name!r}: {label!r} is taken as a value like others; if it stands for a "
                f"missing one, say missing=[{f'{name}={label}'!r}]"
            )
    return notes[:MOST_REMARKS]


def count_repeated_rows(X: np.ndarray) -> int:
    """Rows that equal an earlier one, bit for bit.

    A few columns are compared first; only rows that agree there are compared in full.

    Examples
    --------
    >>> count_repeated_rows(np.array([[1.0, 2.0], [1.0, 3.0], [1.0, 2.0]]))
    1
    """
    p = X.shape[1]
    few = np.ascontiguousarray(X[:, :: max(1, p // 64)]).view(np.uint64)
    odd = np.random.default_rng(0).integers(1 << 63, size=few.shape[1], dtype=np.uint64)
    codes = few @ (2 * odd + 1)  # modulo 2^64: equal rows have equal codes
    _, code, count = np.unique(codes, return_inverse=True, return_counts=True)
    suspects = np.flatnonzero(count[code] > 1)
    seen = (
        {X[i].tobytes() for i in suspects}
        if p * len(suspects) < CHUNK_VALUES
        else {hashlib.sha256(X[i].data).digest() for i in suspects}
    )
    return len(suspects) - len(seen)
