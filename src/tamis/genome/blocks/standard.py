"""Standardised genotypes block by block, never all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..readers.genotypes import Genotypes
from .calls import packed_rows
from .sharing import in_threads

Span = tuple[int, int]
BLOCK_NUMBERS = 1 << 23  # of a block
MIN_BLOCK_VARIANTS, MAX_BLOCK_VARIANTS = 64, 512  # variants of a block
KEPT_BYTES = 1 << 28  # of packed calls that stay in memory between passes


@dataclass(frozen=True)
class Standardized:
    """Variants by samples, as numbers.

    Attributes
    ----------
    genotypes : Genotypes
        The n samples taken.
    columns : ndarray of shape (m,) of int64
        Variants of it, rising.
    values : ndarray of shape (m, 4)
        What the code of a call stands for.
    """

    genotypes: Genotypes
    columns: np.ndarray
    values: np.ndarray
    _packed: dict[Span, np.ndarray] = field(default_factory=dict, repr=False, compare=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Samples and variants."""
        return self.genotypes.shape[0], len(self.columns)

    def spans(self) -> list[Span]:
        """(first, last) of each block; they follow from the numbers of samples and variants alone,
        so that sums over blocks do too."""
        n, m = self.shape
        width = min(MAX_BLOCK_VARIANTS, max(MIN_BLOCK_VARIANTS, BLOCK_NUMBERS // n))
        return [(first, min(first + width, m)) for first in range(0, m, width)]

    def block(self, span: Span) -> np.ndarray:
        """Variants of a span by samples (last - first, n) float64."""
        from ...kernels.genotypes.standardized import decode_rows

        packed = self._packed.get(span)
        if packed is None:
            packed = packed_rows(self.genotypes, self.columns[slice(*span)])
            if len(self.columns) * packed.shape[1] <= KEPT_BYTES:
                self._packed[span] = packed
        rows = self.genotypes.rows
        rows = np.arange(self.genotypes.n_file) if rows is None else rows
        return decode_rows(packed, rows, self.values[slice(*span)])

    def each(
        self, task: Callable[[Span, np.ndarray], Any], label: str, n_jobs: int, quiet: bool
    ) -> Iterator[Any]:
        """What a task makes of each span and its block, in order."""

        def work_on_span(span: Span) -> Any:
            return task(span, self.block(span))

        parts = ((span[1] - span[0], span) for span in self.spans())
        return in_threads(work_on_span, parts, self.shape[1], label, n_jobs, quiet)

    def times(self, weights: np.ndarray, label: str, n_jobs: int, quiet: bool) -> np.ndarray:
        """Samples' sums over variants (n, l) with weights (m, l)."""
        found = np.zeros((self.shape[0], weights.shape[1]))

        def multiply_span(span: Span, block: np.ndarray) -> np.ndarray:
            return np.asarray(block.T @ weights[slice(*span)])

        for part in self.each(multiply_span, label, n_jobs, quiet):
            found += part
        return found

    def turned_times(self, vectors: np.ndarray, label: str, n_jobs: int, quiet: bool) -> np.ndarray:
        """Variants' sums over samples (m, l) with vectors (n, l)."""
        found = np.empty((self.shape[1], vectors.shape[1]))

        def multiply_turned_span(span: Span, block: np.ndarray) -> None:
            found[slice(*span)] = block @ vectors

        for _ in self.each(multiply_turned_span, label, n_jobs, quiet):
            pass
        return found
