"""Which probes belong together: names of probe sets, and their columns side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from .._core.errors import DataError, counted_noun

BLOCK_BYTES = 1 << 22  # of the logarithms of a block of probe sets


@dataclass(frozen=True)
class ProbeSets:
    """Probe sets of any sizes, sorted by their names.

    Attributes
    ----------
    names : ndarray of shape (m,), dtype object
    columns : ndarray of shape (p,)
        Columns of the first set in their order, then those of the second, ...
    starts : ndarray of shape (m + 1,)
        Where each set begins in `columns`, and p.
    """

    names: np.ndarray
    columns: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, labels: Any, p: int) -> Self:
        """Of one name a column.

        Raises
        ------
        DataError
            There are more or fewer names than columns, or some are missing.
        """
        import pandas as pd

        given = np.asarray(labels)
        if given.ndim != 1 or len(given) != p:
            raise DataError(
                f"probe_sets has {counted_noun(given.size, 'name')} for "
                f"{counted_noun(p, 'probe')}: give the name of its probe set for each column"
            )
        codes, names = pd.factorize(given, sort=True)
        if (codes < 0).any():
            raise DataError(
                f"{counted_noun(int((codes < 0).sum()), 'probe')} without the name of a probe set: "
                "leave these columns out"
            )
        starts = np.concatenate([[0], np.cumsum(np.bincount(codes))])
        return cls(np.asarray(names, dtype=object), np.argsort(codes, kind="stable"), starts)

    @classmethod
    def by_first(cls, labels: np.ndarray) -> Self:
        """As `of`, in the order in which the sets first come.

        Examples
        --------
        >>> ProbeSets.by_first(np.array(["b", "a", "b"])).columns
        array([0, 2, 1])
        """
        import pandas as pd

        codes, names = pd.factorize(labels)
        starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=len(names)))])
        return cls(np.asarray(names, dtype=object), np.argsort(codes, kind="stable"), starts)

    @classmethod
    def single(cls, names: np.ndarray) -> Self:
        """Each probe by itself, in the order of the columns."""
        return cls(names, np.arange(len(names)), np.arange(len(names) + 1))

    def blocks(self, n: int) -> Iterator[tuple[int, int]]:
        """First and last set (exclusive) of blocks whose logarithms of n samples are few bytes."""
        most = max(BLOCK_BYTES // (8 * n), 1)
        first, m = 0, len(self.names)
        while first < m:
            last = int(np.searchsorted(self.starts, self.starts[first] + most, side="right")) - 1
            last = min(max(last, first + 1), m)
            yield first, last
            first = last
