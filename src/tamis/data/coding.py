"""Text columns into the matrix: numbers and truth values as such, else codes of levels.

Many columns have few different sets of values (genotypes in text have AA, AG and GG), so what a set
becomes is decided once, and columns of one set are coded together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from . import checks
from .faults import FaultList
from .raw import Text, integer_names, parse_number, sort_levels

BLOCK_VALUES = 1 << 22  # looked at together
TRUTH_VALUES = {"true": 1.0, "false": 0.0}


class Kind(NamedTuple):
    """What is known of a column but its values.

    Attributes
    ----------
    declared : bool
        It is categorical, whatever it holds.
    typed : bool
        The file says that it is text: numbers in it are levels.
    levels : tuple of str or None
        Those that the file declares.
    """

    declared: bool = False
    typed: bool = False
    levels: tuple[str, ...] | None = None


def code_columns(
    X: np.ndarray,
    place: Mapping[str, int],
    columns: Mapping[str, Text],
    kinds: Mapping[str, Kind],
    faults: FaultList,
) -> dict[str, tuple[str, ...]]:
    """Put text columns into X; the levels of those that have some. Free text is a fault, and 0.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    place : mapping of name to int
        Columns of X.
    columns : mapping of name to Text
    kinds : mapping of name to Kind
        Of columns that are not plain text.
    faults : FaultList
        For columns that hold free text.

    Examples
    --------
    >>> X = np.empty((4, 2))
    >>> snp, smokes = ["AG", "AA", None, "AG"], ["TRUE", "false", "TRUE", "TRUE"]
    >>> columns = {"snp": Text.of(snp), "smokes": Text.of(smokes)}
    >>> code_columns(X, {"snp": 0, "smokes": 1}, columns, {}, FaultList())
    {'snp': ('AA', 'AG')}
    >>> X
    array([[ 1.,  1.],
           [ 0.,  0.],
           [nan,  1.],
           [ 1.,  1.]])
    """
    found: dict[str, tuple[str, ...]] = {}
    plain = Kind()
    for names, codes in _shared_value_blocks(columns):
        used, ends = _used_codes(codes)
        alike: dict[tuple[bytes, Kind], list[int]] = {}
        starts = np.concatenate([[0], ends[:-1]])
        for k, (name, start, end) in enumerate(zip(names, starts, ends, strict=True)):
            key = used[start:end].tobytes(), kinds.get(name, plain)
            alike.setdefault(key, []).append(k)
        for (which, kind), members in alike.items():
            first = names[members[0]]
            distinct = np.frombuffer(which, np.int32)
            numbers, levels = np.zeros(len(distinct)), tuple[str, ...]()
            with faults.collecting():
                numbers, levels = _meaning_of_codes(distinct, kind, columns[first], first)
            block = codes[members]
            decoded = np.append(numbers, np.nan)[np.searchsorted(distinct, block)]
            decoded[block < 0] = np.nan
            X[:, [place[names[k]] for k in members]] = decoded.T
            found |= {names[k]: levels for k in members}
    return {name: found[name] for name in columns if found[name]}


def _shared_value_blocks(columns: Mapping[str, Text]) -> Iterator[tuple[list[str], np.ndarray]]:
    """Names and codes (len(names), n) of columns that share their values, some at once."""
    sharing: dict[int, list[str]] = {}
    for name, text in columns.items():
        sharing.setdefault(id(text.values), []).append(name)
    for names in sharing.values():
        width = max(1, BLOCK_VALUES // max(1, len(columns[names[0]].codes)))
        for start in range(0, len(names), width):
            some = names[start : start + width]
            yield some, np.array([columns[name].codes for name in some], np.int32)


def _used_codes(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different codes of each row, rising, row after row, and where those of each end."""
    upward = np.sort(codes, axis=1)
    fresh = upward >= 0
    fresh[:, 1:] &= upward[:, 1:] != upward[:, :-1]
    return upward[fresh], np.cumsum(fresh.sum(axis=1))


def _meaning_of_codes(
    distinct: np.ndarray, kind: Kind, column: Text, name: str
) -> tuple[np.ndarray, tuple[str, ...]]:
    """What stands in X for each of some codes, and the levels if it is codes of these."""
    names = values = [column.values[c] for c in distinct]
    if kind.declared:
        names = integer_names(values) if kind.levels is None else values
    elif values:
        if all(v.lower() in TRUTH_VALUES for v in values):
            return np.array([TRUTH_VALUES[v.lower()] for v in values]), ()
        numbers = [parse_number(v) for v in values]
        if not kind.typed and None not in numbers:
            return np.array(numbers, dtype=float), ()
        checks.refuse_free_text(sort_levels(values), column, name)
    levels = tuple(sort_levels(set(names))) if kind.levels is None else kind.levels
    index = {level: float(k) for k, level in enumerate(levels)}
    return np.array([index[v] for v in names], dtype=float), levels
