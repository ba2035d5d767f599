"""Samples by their components, thinned to what a scatter plot shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from .components_schema import ComponentsPicture

MAX_DRAWN_SAMPLES = 3000  # samples of the picture
N_OUTER_SAMPLES = 300  # of these, the farthest from the middle
MAX_DRAWN_COMPONENTS = 4  # components drawn


def class_sizes(labels: Sequence[object]) -> dict[str, int]:
    """Samples of each class, the largest first.

    Examples
    --------
    >>> class_sizes(["a", "b", None, "b"])
    {'b': 2, 'a': 1}
    """
    sizes = Counter(str(label) for label in labels if label is not None)
    return dict(sorted(sizes.items(), key=lambda one: (-one[1], one[0])))


def component_points(
    scores: np.ndarray, ids: np.ndarray, labels: Sequence[object], names: list[str]
) -> ComponentsPicture:
    """Samples for the picture: all, or the farthest from the middle and some of the others."""
    n = len(scores)
    scores = scores[:, :MAX_DRAWN_COMPONENTS]
    drawn = np.arange(n)
    if n > MAX_DRAWN_SAMPLES:
        far = (np.abs(scores) / scores.std(axis=0)).max(axis=1)
        outer = np.argsort(-far, kind="stable")[:N_OUTER_SAMPLES]
        rest = np.setdiff1d(drawn, outer)
        step = np.linspace(0, len(rest) - 1, MAX_DRAWN_SAMPLES - N_OUTER_SAMPLES).astype(int)
        drawn = np.sort(np.concatenate([outer, rest[step]]))
    place = {name: k for k, name in enumerate(names)}
    return {
        "classes": names,
        "samples": [
            [
                str(ids[i]),
                None if labels[i] is None else place[str(labels[i])],
                *(float(f"{v:.5g}") for v in scores[i]),
            ]
            for i in drawn.tolist()
        ],
        "of": n,
    }
