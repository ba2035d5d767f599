"""Tables of zeros and ones, packed: what random intersection trees are grown on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.errors import DataError, value_text
from .flat_sets import FlatSets

WORD_BITS = 64


@dataclass(frozen=True, eq=False)
class PackedRows:
    """Rows of zeros and ones, eight columns a byte; for tables that would not fit otherwise.

    Attributes
    ----------
    bits : ndarray of shape (n, ceil(n_features / 8)) of uint8
        As ``numpy.packbits(X, axis=1, bitorder="little")`` gives.
    n_features : int

    Examples
    --------
    >>> PackedRows.of([[1, 0, 1], [0, 0, 1]]).bits.tolist()
    [[5], [4]]
    """

    bits: np.ndarray
    n_features: int

    def __post_init__(self) -> None:
        bits, p = self.bits, self.n_features
        if not isinstance(bits, np.ndarray) or bits.dtype != np.uint8 or bits.ndim != 2:
            raise DataError("bits must be a matrix of uint8, as numpy.packbits gives for axis=1")
        if bits.shape[1] != -(-p // 8):
            raise DataError(f"bits has {bits.shape[1]} bytes a row; {p} features take {-(-p // 8)}")
        if p % 8 and (bits[:, -1] >> (p % 8)).any():
            raise DataError(f"bits has ones behind feature {p}: pack with bitorder='little'")

    @classmethod
    def of(cls, X: Any) -> PackedRows:
        """Of a matrix of zeros and ones (n, p)."""
        X = _checked_zero_one(np.asarray(X))
        return cls(np.packbits(X.astype(bool, copy=False), axis=1, bitorder="little"), X.shape[1])

    def __len__(self) -> int:
        return len(self.bits)


@dataclass(frozen=True, eq=False)
class ItemTable:
    """Rows as words of items. Item j is feature j at 1, or, behind the words of these, at 0.

    Attributes
    ----------
    rows : ndarray of shape (n, W) of uint64
    n_features : int
    signed : bool
        Whether zeros are items too; W is twice as many words then.
    names : tuple of str
    """

    rows: np.ndarray
    n_features: int
    signed: bool
    names: tuple[str, ...]

    @property
    def n_items(self) -> int:
        """Places for items; some have none."""
        return WORD_BITS * self.rows.shape[1]

    def by_feature(self, sets: FlatSets) -> tuple[FlatSets, FlatSets]:
        """The features of each set, rising, and for each of these 1 if it is one, -1 if it is zero;
        nothing where all are ones."""
        if not self.signed:
            return sets, FlatSets(sets.items[:0], np.zeros_like(sets.starts))
        half = self.n_items // 2
        features, signs = sets.items % half, np.where(sets.items < half, 1, -1)
        order = np.lexsort((features, sets.holders))
        return FlatSets(features[order], sets.starts), FlatSets(signs[order], sets.starts)


def read_items(X: Any, signed: bool = False) -> ItemTable:
    """A table of zeros and ones, however it comes, as packed rows.

    Raises
    ------
    DataError
        A value is neither 0 nor 1.
    """
    from ...kernels._bits import pack_rows, words_of_bytes

    names: tuple[str, ...] | None = None
    if isinstance(X, PackedRows):
        _check_shape((len(X), X.n_features))
        rows, p = words_of_bytes(X.bits, X.n_features), X.n_features
    elif hasattr(X, "tocsr"):
        rows, p = _packed_sparse(X), X.shape[1]
    else:
        if hasattr(X, "columns") and hasattr(X, "to_numpy"):
            names, X = tuple(map(str, X.columns)), X.to_numpy()
        X = _checked_zero_one(np.asarray(X), names)
        rows, p = pack_rows(X if X.dtype == np.uint8 else X.astype(bool, copy=False)), X.shape[1]
    if signed:
        used = pack_rows(np.ones((1, p), dtype=bool))
        rows = np.hstack([rows, ~rows & used])
    return ItemTable(rows, p, signed, names or tuple(f"x{j}" for j in range(p)))


def _checked_zero_one(X: np.ndarray, names: tuple[str, ...] | None = None) -> np.ndarray:
    """A matrix of zeros and ones; the first other value is named in the error."""
    _check_shape(X.shape)
    if X.dtype == bool:
        return X
    if X.dtype.kind not in "biuf":
        try:
            X = X.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise _no_number(X, names) from error
    fine = X.max() <= 1 if X.dtype.kind == "u" else bool(((X == 0) | (X == 1)).all())
    if not fine:
        i, j = np.argwhere(~((X == 0) | (X == 1)))[0]
        raise not_binary(X[i, j], names[j] if names else f"column {j}")
    return X


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or 0 in shape:
        raise DataError(f"X has shape {shape}: give a table of rows and columns")


def _no_number(X: np.ndarray, names: tuple[str, ...] | None) -> DataError:
    """What is said of a table of objects, not all of which are numbers."""
    import pandas as pd

    for (_, j), value in np.ndenumerate(X.astype(object)):
        try:
            float(value)
        except (TypeError, ValueError):
            name = names[j] if names else f"column {j}"
            if value is pd.NA or value is pd.NaT:
                return not_binary(np.nan, name)
            return DataError(
                f"{name!r} holds {value_text(value)}: give zeros and ones, such as pd.get_dummies "
                "makes of categories"
            )
    return DataError("X is no table of numbers: give zeros and ones")


def not_binary(value: Any, name: str) -> DataError:
    """What is said of a table that is not of zeros and ones."""
    what = "a missing value" if value != value else f"{value:g}"
    return DataError(
        f"random intersection trees need zeros and ones, and {name!r} holds {what}: name a "
        "discretizer, such as 'equal_frequency', where there is one to name, or use "
        "DiscRITClassifier ('discrit') or, without cuts, CovRITClassifier ('covrit')"
    )


def _packed_sparse(X: Any) -> np.ndarray:
    """Rows of a scipy matrix as words."""
    from ...kernels._bits import pack_places

    _check_shape(X.shape)
    rows = X.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()  # X itself stays as it is
        rows.sum_duplicates()
    wrong = ~((rows.data == 0) | (rows.data == 1))
    if wrong.any():
        k = int(wrong.argmax())
        raise not_binary(rows.data[k], f"column {rows.indices[k]}")
    if not rows.data.all():
        rows = rows.copy()
        rows.eliminate_zeros()
    return pack_places(
        rows.indices.astype(np.int64), rows.indptr.astype(np.int64), int(rows.shape[1])
    )
