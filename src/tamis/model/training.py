"""What a model keeps of the rows it was trained on, so that a cohort can be held against them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

MAX_TIED_SHARE = 0.2  # share of rows with one value at which a column's spread says nothing
MAX_UNSEEN_EVENTS = 3  # events that may be expected at most where none was seen
SPREAD_QUANTILES = (0.1, 0.9)  # quantiles whose distance is the spread
MAX_VALUES = 1 << 24  # that are looked at, at most


def leading_columns(n: int, k: int) -> int:
    """How many of a model's k columns n rows are looked at in: all, unless these are too many.

    Examples
    --------
    >>> leading_columns(200, 1000), leading_columns(200, 500_000)
    (1000, 83886)
    """
    return min(k, max(MAX_VALUES // n, 1))


@dataclass(frozen=True)
class Training:
    """The training rows over the model's k leading columns: covariates, then features; no value
    itself.

    Attributes
    ----------
    rows : ndarray of shape (n,) of uint64
        Digest of each row, in the order of the digests.
    low, high : ndarray of shape (k,)
        The least and the largest value of each column; 0 without any value.
    spreads : ndarray of shape (C, k)
        From the 10 % to the 90 % quantile within each class; 0 for categories and for columns
        in which more than a fifth of the rows have one value.
    ties : ndarray of shape (k,)
        How likely two rows are equal in a column, at most: (equal pairs + 3) / (pairs + 3).
    """

    rows: np.ndarray
    low: np.ndarray
    high: np.ndarray
    spreads: np.ndarray
    ties: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, codes: np.ndarray, C: int, categories: np.ndarray) -> Training:
        """From the raw columns (n, k), missing as NaN, and which of them hold categories.

        They are the model's `leading_columns`.
        """
        k = X.shape[1]
        low, high, ties, spreads = np.zeros(k), np.zeros(k), np.ones(k), np.zeros((C, k))
        pairs = len(X) * (len(X) - 1) / 2
        for j, column in enumerate(X.T):
            _, counts = np.unique(column, return_counts=True)  # NaN equals NaN here
            ties[j] = ((counts * (counts - 1) / 2).sum() + MAX_UNSEEN_EVENTS) / (
                pairs + MAX_UNSEEN_EVENTS
            )
            seen = column[~np.isnan(column)]
            if not len(seen):
                continue
            low[j], high[j] = seen.min(), seen.max()
            if not categories[j] and counts.max() <= max(MAX_TIED_SHARE * len(X), 1):
                spreads[:, j] = [quantile_spread(column[codes == c]) for c in range(C)]
        return cls(np.sort(row_digests(X)), low, high, spreads, ties)

    def leading(self, k: int) -> Training:
        """Of fewer columns, but for the rows."""
        low, high, ties = self.low[:k], self.high[:k], self.ties[:k]
        return Training(self.rows, low, high, self.spreads[:, :k], ties)

    def sound(self, C: int, k: int) -> bool:
        """Whether shapes, types and values are those of a model of C classes and k columns."""
        ends = (self.low, self.high, self.ties)
        arrays = (*ends, self.spreads)
        own = np.size(self.low)
        return bool(
            all(type(a) is np.ndarray for a in (self.rows, *arrays))
            and self.rows.dtype == np.uint64
            and self.rows.ndim == 1
            and len(self.rows) > 0
            and all(a.dtype == np.float64 and np.isfinite(a).all() for a in arrays)
            and own == leading_columns(len(self.rows), k)
            and all(a.shape == (own,) for a in ends)
            and self.spreads.shape == (C, own)
            and (self.low <= self.high).all()
            and (self.spreads >= 0).all()
            and ((self.ties > 0) & (self.ties <= 1)).all()
        )


def quantile_spread(values: np.ndarray) -> float:
    """From the 10 % to the 90 % quantile; 0 without values."""
    seen = values[~np.isnan(values)]
    if not len(seen):
        return 0.0
    low, high = np.quantile(seen, SPREAD_QUANTILES)
    return float(high - low)


def row_digests(X: np.ndarray) -> np.ndarray:
    """A number of 8 bytes for each row, the same however a file prints its numbers.

    Values count to six significant digits, and missing ones as such.

    Examples
    --------
    >>> a, b = row_digests(np.array([[0.1 + 0.2, np.nan], [0.3, np.nan]]))
    >>> bool(a == b)
    True
    """
    lines = (",".join(f"{v + 0.0:.6g}" for v in row.tolist()) for row in X)  # + 0.0: no -0
    digests = [blake2b(line.encode(), digest_size=8).digest() for line in lines]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)
