"""The first two principal components of the samples, and what classes and batches have of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.dataset import Dataset
from .columns import Walked
from .schema import ComponentSeen, ComponentsSeen, ScatterPicture

N_COMPONENTS = 2
MAX_DRAWN_SAMPLES = 2000  # samples of a picture
ZERO_VARIANCE = 1e-9  # of all variance: rounding


def leading_components(walked: Walked) -> tuple[np.ndarray, np.ndarray] | None:
    """Scores of the samples that were looked at (m, 2), and shares of the variance (2,); None
    where there are no two components.

    Of the features standardised, each with the same variance; of a missing value the mean stands
    in. From the products of all pairs of samples, so the number of features is no matter.
    """
    m = len(walked.products)
    total = float(np.trace(walked.products))
    if m <= N_COMPONENTS or walked.used < N_COMPONENTS or total <= 0:
        return None
    from scipy.linalg import eigh

    middle = walked.products.mean(axis=0)
    centred = walked.products - middle - middle[:, None] + middle.mean()
    values, vectors = eigh(centred, subset_by_index=[m - N_COMPONENTS, m - 1], check_finite=False)
    values, vectors = values[::-1], vectors[:, ::-1]
    if values[-1] <= ZERO_VARIANCE * total:
        return None
    largest = np.abs(vectors).argmax(axis=0)
    sign = np.where(vectors[largest, np.arange(N_COMPONENTS)] < 0, -1.0, 1.0)
    return vectors * sign * np.sqrt(values * m / total), values / total


def components_seen(
    data: Dataset, walked: Walked, found: tuple[np.ndarray, np.ndarray] | None
) -> ComponentsSeen | None:
    """As the page draws them."""
    if found is None:
        return None
    labels = None if data.y is None else data.y[walked.rows]
    batches = None if data.batches is None else data.batches[walked.rows]
    names = [data.sample_names[i] for i in walked.rows]
    return labelled_components(names, *found, walked.used, labels, data.classes, batches)


def labelled_components(
    names: list[str],
    scores: np.ndarray,
    shares: np.ndarray,
    used: int,
    labels: np.ndarray | None,
    classes: tuple[str, ...],
    batches: np.ndarray | None,
) -> ComponentsSeen:
    """Components of samples that have names, classes and batches; `used`: columns they are of."""
    components: list[ComponentSeen] = [
        {
            "share": float(share),
            "by_class": accounted_variance(score, labels),
            "by_batch": accounted_variance(score, batches),
        }
        for score, share in zip(scores.T, shares, strict=True)
    ]
    return {
        "samples": len(names),
        "columns": used,
        "components": components,
        "by_class": _scatter_picture(names, scores, labels, classes),
        "by_batch": None
        if batches is None
        else _scatter_picture(names, scores, batches, tuple(sorted(set(batches.tolist())))),
    }


def accounted_variance(score: np.ndarray, labels: np.ndarray | None) -> float | None:
    """Share of a component's variance that labels account for, less what as many random labels
    would (adjusted R squared); None where it is undefined.

    Examples
    --------
    >>> round(accounted_variance(np.array([0.0, 0.1, 1.0, 1.1]), np.array(["a", "a", "b", "b"])), 3)
    0.985
    """
    if labels is None:
        return None
    names, place = np.unique(labels, return_inverse=True)
    n, k = len(score), len(names)
    if not 1 < k < n:
        return None
    means = np.bincount(place, score) / np.bincount(place)
    within = float(((score - means[place]) ** 2).sum()) / (n - k)
    total = float(((score - score.mean()) ** 2).sum()) / (n - 1)
    return max(0.0, 1 - within / total) if total > 0 else None


def _scatter_picture(
    names: list[str], scores: np.ndarray, labels: np.ndarray | None, classes: tuple[str, ...]
) -> ScatterPicture:
    n = len(names)
    drawn = (
        np.arange(n)
        if n <= MAX_DRAWN_SAMPLES
        else np.linspace(0, n - 1, MAX_DRAWN_SAMPLES).astype(int)
    )
    place = {name: k for k, name in enumerate(classes)}
    rows: list[list[Any]] = [
        [
            names[i],
            None if labels is None else place[str(labels[i])],
            *(float(f"{v:.4g}") for v in scores[i]),
        ]
        for i in drawn
    ]
    return {"classes": list(classes), "samples": rows}
