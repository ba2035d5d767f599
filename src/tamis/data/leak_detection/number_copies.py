"""Columns that hold the number to be predicted: in another unit, transformed, or with noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..dataset import Dataset
from ..walks import block_width
from .interface import Suspect
from .watched import matches_patterns

COPY_CORRELATION, NEAR_CORRELATION = 0.99, 0.95  # |r| of what is refused, and of what is reported
SCREEN_CORRELATION = 0.3  # |Pearson's r| below which a monotone copy is not looked for
MIN_SAMPLES = 10  # below, such correlations come by chance


def number_copies(data: Dataset, without: Sequence[str] = ()) -> list[Suspect]:
    """Columns whose values, or their ranks, go with the number; the nearest first.

    A correlation, on the samples that have a value, of 0.99 or more is refused (the number in
    another unit, its logarithm, the number measured twice), of 0.95 or more reported: few single
    measurements predict an outcome so well, but an outcome that was left in the table does.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> bmi = rng.normal(25, 4, 60)
    >>> X = np.column_stack([rng.normal(size=60), np.exp(bmi / 10)])
    >>> data = Dataset(X, None, ("gene", "risk"), numbers=bmi, target="bmi")
    >>> [(one.columns, one.grave) for one in number_copies(data)]
    [(('risk',), True)]
    """
    y = data.numbers
    if y is None or len(y) < MIN_SAMPLES:
        return []
    found = sorted(_near(data, y, without), key=lambda pair: (-round(pair[0], 12), pair[1]))
    graves = [j for r, j in found if r >= COPY_CORRELATION]
    return [
        Suspect(
            "copy",
            (data.feature_names[j],),
            f"column {data.feature_names[j]!r} {_words(r)} {data.target!r}, the number to predict "
            f"(|r| = {_shown(r)})",
            j in graves,
        )
        for r, j in found
    ]


def _words(r: float) -> str:
    return "is nearly a copy of" if r >= COPY_CORRELATION else "goes closely with"


def _shown(r: float) -> str:
    """Three digits, never 1 of what is less."""
    return "1" if r == 1 else f"{min(r, 0.9999):.4f}".rstrip("0")


def _near(data: Dataset, y: np.ndarray, without: Sequence[str]) -> Iterator[tuple[float, int]]:
    """|r| and column of those that are near; covariates too, which are in every model."""
    for start, block in data.walk(width=block_width(len(y))):
        r = _correlations(np.asarray(block, dtype=np.float64), y)
        for k in np.flatnonzero(r >= SCREEN_CORRELATION).tolist():
            j = start + k
            if j in data.levels or matches_patterns(data.feature_names[j], without):
                continue
            best = float(r[k])
            if best < COPY_CORRELATION:
                column = np.asarray(block[:, k], dtype=np.float64)
                seen = ~np.isnan(column)
                if seen.sum() >= MIN_SAMPLES:
                    ranks = _midranks(column[seen])[:, None]
                    best = max(best, float(_correlations(ranks, _midranks(y[seen]))[0]))
            if best >= NEAR_CORRELATION:
                yield best, j


def _midranks(values: np.ndarray) -> np.ndarray:
    """Ranks (n,), equal values sharing the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def _correlations(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """|Pearson's r| of columns with y, on the samples that have a value; 0 where undefined."""
    seen = ~np.isnan(X)
    n = np.full(X.shape[1], len(y))
    with np.errstate(all="ignore"):
        if seen.all():
            dx, dy = X - X.mean(axis=0), y - y.mean()
            products, squares = dy @ dx, dy @ dy
        else:
            n = seen.sum(axis=0)
            dx = np.where(seen, X - np.where(seen, X, 0.0).sum(axis=0) / n, 0.0)
            gaps = np.where(seen, y[:, None] - (y @ seen) / n, 0.0)
            products, squares = (dx * gaps).sum(axis=0), (gaps**2).sum(axis=0)
        r = np.abs(products) / np.sqrt(np.einsum("ij,ij->j", dx, dx) * squares)
    return np.where((n >= MIN_SAMPLES) & np.isfinite(r), np.minimum(r, 1.0), 0.0)
