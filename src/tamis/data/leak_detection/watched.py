"""The columns and samples of a table that are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

import numpy as np

from ..class_heading import class_heading
from ..dataset import Dataset
from ..walks import taken_submatrix

MOST_VALUES = 12  # different numbers of a column that may be codes
LOOKED_AT = 60  # rows in which more than these are looked for first
BLOCK_COLUMNS = 2048  # columns looked at together


@dataclass(frozen=True)
class Watched:
    """Values of k columns (n, k), NaN for missing; class codes (n,); which columns are categories,
    (k,).

    All columns of a matrix, the covariates of a table that is none. Of a group (a patient, a
    family) one sample of each class stands for all, since the others prove nothing more.
    """

    X: np.ndarray
    y: np.ndarray
    names: tuple[str, ...]
    coded: np.ndarray
    target: str
    classes: tuple[str, ...]

    @classmethod
    def of(cls, data: Dataset, without: Sequence[str] = ()) -> Watched:
        """What is looked at of a table; columns of these names, or patterns, are not."""
        rows, y = None, data.codes
        if data.groups is not None:
            pairs = np.column_stack([np.unique(data.groups, return_inverse=True)[1], y])
            rows = np.sort(np.unique(pairs, axis=0, return_index=True)[1])
            y = y[rows]
        matrix = isinstance(data.X, np.ndarray)
        columns = np.arange(data.shape[1]) if matrix else np.array(data.covariates, dtype=np.int64)
        if without:
            left = [not matches_patterns(data.feature_names[j], without) for j in columns.tolist()]
            columns = columns[left]
        unchanged = matrix and rows is None and len(columns) == data.shape[1]
        X = data.matrix if unchanged else taken_submatrix(data.X, rows, columns)
        names = tuple(data.feature_names[j] for j in columns.tolist())
        coded = np.isin(columns, list(data.levels))
        return cls(X, y, names, coded, data.target, data.classes)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Samples of each class, (C,) float64."""
        return np.bincount(self.y, minlength=len(self.classes)).astype(float)

    @cached_property
    def rank_sums(self) -> tuple[np.ndarray, np.ndarray]:
        """Sums of ranks and numbers of values by column and class, (k, C)."""
        return class_rank_sums(self.X, self.y, len(self.classes))

    @cached_property
    def few_valued(self) -> np.ndarray:
        """Categories, and columns of at most `MOST_VALUES` different numbers."""
        few = np.flatnonzero(~self.coded)
        for rows in (LOOKED_AT, len(self.X)):  # most columns show more in the first rows
            for at in np.array_split(few, len(few) // BLOCK_COLUMNS + 1):
                block = np.sort(self.X[:rows, at], axis=0)
                more = (np.diff(block, axis=0) > 0).sum(axis=0) >= MOST_VALUES
                few = np.setdiff1d(few, at[more], assume_unique=True)
        return np.union1d(np.flatnonzero(self.coded), few)

    def heading(self, code: int) -> str:
        """The name of a class."""
        return class_heading(self.target, self.classes[code])


def class_rank_sums(X: np.ndarray, y: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """The same of any columns."""
    from ...kernels.rank_sums import rank_sum_parts

    doubled, counts, _ = rank_sum_parts(X, y, np.ones((1, len(y)), dtype=bool), n_classes)
    return doubled[0] / 2, counts[0].astype(float)


def matches_patterns(name: str, patterns: Sequence[str]) -> bool:
    """Whether a column is named, or fits a pattern."""
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)
