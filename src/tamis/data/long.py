"""Long tables, a row for each measurement: turned into a row for each sample."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .._core.errors import DataError, counted_noun, listed_names
from . import memory
from .checks import refuse_unknown
from .faults import Fault
from .names import ID_NAME, names_samples
from .raw import ROW_NAMES, Raw, Text, Wanted, plain_integers

MIN_FILLED_SHARE = 0.5  # of samples times features, the share that a long table has at least
MIN_SINGLE_SHARE = 0.9  # of its rows, the share that are no further value of a sample and feature
MOST_NUMBERS = 8  # columns of numbers in one


def pivoted(raw: Raw, long: Sequence[str], way: str, name: str) -> Raw:
    """A row a sample and a column a feature, of a table with a row a measurement.

    Parameters
    ----------
    raw : Raw
    long : sequence of three str
        The columns of samples, of features and of values.
    way : {"refuse", "first", "mean", "suffix"}
        What becomes of several values of one sample and feature.
    name : str
        Of the table.

    Returns
    -------
    Raw
        Columns that are the same in all rows of a sample are attributes of it.

    Raises
    ------
    DataError, Fault
        A column is not there, or values are several.
    """
    if len(long) != 3 or len(set(long)) != 3:
        raise DataError(f"long={list(long)}: name three columns, of samples, features and values")
    if raw.sheet is not None:
        raise DataError(f"long is for a table; {name!r} is a matrix with a row for each sample")
    refuse_unknown(long, "long", Path(name), raw.header)
    of_sample, of_feature = (_labelled(raw, column, name) for column in long[:2])
    if long[2] not in raw.columns or long[2] in raw.text:
        raise DataError(f"long: the column of values, {long[2]!r}, has text in {name!r}")
    row, column = _by_appearance(of_sample.codes), _by_appearance(of_feature.codes)
    n, p = int(row.max()) + 1, int(column.max()) + 1
    memory.check_room(8.0 * n * p, name, f"{n:,} samples x {p:,} features")
    values = raw.X[:, raw.columns.index(long[2])]
    place = row * p + column
    order = np.argsort(place, kind="stable")
    first = order[np.append(True, np.diff(place[order]) > 0)]
    if len(first) < len(values) and way not in ("first", "mean"):
        other = order[~np.isin(order, first)][0]
        raise Fault(
            f"{name!r} has {counted_noun(len(values) - len(first), 'further value')} of one "
            f"sample and feature, such as of {of_sample.labels[other]!r} and "
            f"{of_feature.labels[other]!r}: say which to take with duplicates='first', or "
            "'mean'",
            len(values) - len(first),
            {"duplicates": "first"},
        )
    X = np.full(n * p, np.nan)
    if way == "mean":
        known = ~np.isnan(values)
        count = np.bincount(place[known], minlength=n * p)
        total = np.bincount(place[known], values[known], n * p)
        X[count > 0] = total[count > 0] / count[count > 0]
    else:
        X[place[first]] = values[first]
    names = [str(v) for v in of_feature.take(_first_rows(column)).labels]
    ids = of_sample.take(_first_rows(row))
    sheet, varying = _attributes(raw, set(long), row)
    note = f"{len(values):,} rows of measurements turned into {n:,} samples x {p:,} features"
    found = Raw(names, X.reshape(n, p), {ROW_NAMES: ids}, [*names, *sheet], ROW_NAMES, sheet=sheet)
    found.notes = [*raw.notes, note]
    if varying:
        found.notes.append(
            f"{counted_noun(len(varying), 'column')} left out that vary within a sample: "
            f"{listed_names(varying)}"
        )
    found.faults, found.comma = raw.faults, raw.comma
    return found


def of_features(raw: Raw, wanted: Wanted, name: str) -> Raw:
    """The features that are wanted, and empty columns for covariates."""
    dropped = wanted.dropped(raw.columns, name)
    keep = [k for k, column in enumerate(raw.columns) if column not in dropped]
    reserve = [column for column in wanted.reserve if column not in raw.columns]
    raw.X = np.hstack([raw.X[:, keep], np.full((len(raw.X), len(reserve)), np.nan)])
    raw.columns = [raw.columns[k] for k in keep] + reserve
    return raw


def refuse_long(raw: Raw, id: str | None, name: str) -> None:
    """Say that a table has a row for each measurement, which else has ids that are not unique.

    Raises
    ------
    Fault
        With the remedy `long`.
    """
    if raw.sheet is not None:
        return
    id_column = id or raw.index or raw.maybe_index
    free = [c for c in raw.header[:2] if c in raw.columns[:2]] if id is None else []
    others = [c for c in free if ID_NAME.fullmatch(c) or names_samples(c)]
    for sample in dict.fromkeys([id_column, *others]):
        found = _measurements(raw, sample)
        # where nobody has said that these are the samples they may be patients with some visits,
        # of which there is more than one measurement; or have a role, such as group
        if found is not None and (sample == id_column or len(found[3]) == 1):
            break
    else:
        return
    n, p, feature, varying = found
    rows = len(raw.X)
    what = (
        f"{name!r} has a row for each measurement: {n:,} samples in {sample!r}, {p:,} features in "
        f"{feature!r}"
    )
    if len(varying) > 1:
        raise Fault(
            f"{what}, and values in one of {listed_names(varying)}: say which with "
            f"long=[{sample!r}, {feature!r}, {varying[0]!r}]",
            rows,
        )
    long = (str(sample), feature, varying[0])
    raise Fault(
        f"{what}, values in {varying[0]!r}: say long=[{sample!r}, {feature!r}, {varying[0]!r}]",
        rows,
        {"long": long},
    )


def _measurements(raw: Raw, sample: str | None) -> tuple[int, int, str, list[str]] | None:
    """Numbers of samples and features, the column of features and those that may have the values,
    if rows are measurements of samples in a column."""
    if sample in raw.text:
        own = raw.text[sample].codes
    elif sample in raw.columns:
        own = Text.of_numbers(raw.X[:, raw.columns.index(sample)]).codes
    else:
        return None
    n = len(np.unique(own))
    if n == len(own) or n < 2 or (own < 0).any():
        return None
    numbers = [c for c in raw.columns if c not in raw.text and c != sample]
    if not 1 <= len(numbers) <= MOST_NUMBERS:
        return None
    for feature, text in raw.text.items():
        p = len(np.unique(text.codes))
        if feature == sample or p < 2 or (text.codes < 0).any():
            continue
        pairs = len(np.unique(own.astype(np.int64) * (int(text.codes.max()) + 1) + text.codes))
        if (
            pairs >= max(MIN_SINGLE_SHARE * len(own), MIN_FILLED_SHARE * n * p)
            and len(own) >= 2 * n
        ):
            break
    else:
        return None
    row = _by_appearance(own)
    first = _first_rows(row)
    values = ((c, raw.X[:, raw.columns.index(c)]) for c in numbers)
    varying = [c for c, x in values if not (_is_constant(x, row, first) or (np.diff(x) == 1).all())]
    return (n, p, feature, varying) if varying else None


def _labelled(raw: Raw, column: str, name: str) -> Text:
    """A column as text, without gaps."""
    text = plain_integers(raw.text[column])
    if (text.codes < 0).any():
        row = raw.row(int(np.flatnonzero(text.codes < 0)[0]))
        raise DataError(f"long: the column {column!r} of {name!r} is empty in row {row}")
    return text


def _by_appearance(codes: np.ndarray) -> np.ndarray:
    """Codes numbered in the order in which they first appear."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def _first_rows(codes: np.ndarray) -> np.ndarray:
    """Where each code of `_by_appearance` stands first."""
    return np.unique(codes, return_index=True)[1]


def _attributes(raw: Raw, others: set[str], row: np.ndarray) -> tuple[dict[str, Text], list[str]]:
    """Columns that are the same in all rows of each sample, a value a sample; names of the rest."""
    place, first = {c: k for k, c in enumerate(raw.columns)}, _first_rows(row)
    sheet, varying = dict[str, Text](), list[str]()
    for column in dict.fromkeys([*raw.text, *raw.columns]):
        if column in others:
            continue
        own = raw.text.get(column)
        text = Text.of_numbers(raw.X[:, place[column]]) if own is None else own
        if _is_constant(text.codes, row, first):
            sheet[column] = text.take(first)
        else:
            varying.append(column)
    return sheet, varying


def _is_constant(values: np.ndarray, row: np.ndarray, first: np.ndarray) -> bool:
    """Whether values are the same in all rows of each sample, which has a first one."""
    of_first = values[first][row]
    return bool(np.array_equal(values, of_first, equal_nan=values.dtype.kind == "f"))
