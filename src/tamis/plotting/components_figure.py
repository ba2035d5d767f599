"""Samples on principal components for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.errors import shorten
from .._core.figures import empty_figure
from ._svg import ACCENT, PALETTE, colour
from .figure import plain_text

MARKS = "o^sD"


def components_figure(scores: np.ndarray, share: np.ndarray, labels: Sequence[Any] | None) -> Any:
    """The first component against the second, the third against the fourth if there are four, and
    the share of each; a colour a class. Not registered with pyplot."""
    k = scores.shape[1]
    pairs = [(first, first + 1) for first in (0, 2) if first + 1 < k]
    canvas = empty_figure((4.4 * len(pairs) + 3.2, 4.2), "Components.plot()")
    *views, bars = canvas.subplots(1, len(pairs) + 1, squeeze=False)[0]
    given = np.full(len(scores), None) if labels is None else np.asarray(labels, dtype=object)
    named = np.array([label is not None for label in given])
    names = sorted({str(label) for label in given[named]})
    for axes, (a, b) in zip(views, pairs, strict=True):
        axes.scatter(scores[~named, a], scores[~named, b], 9, ACCENT if labels is None else "0.6")
        for at, name in enumerate(names):
            own = np.array([str(label) == name for label in given]) & named
            mark = MARKS[at // len(PALETTE) % len(MARKS)]
            axes.scatter(scores[own, a], scores[own, b], 9, colour(at), marker=mark,
                         label=plain_text(shorten(name, 24)))  # fmt: skip
        axes.set_xlabel(f"PC{a + 1} ({100 * share[a]:.3g} % of variance)")
        axes.set_ylabel(f"PC{b + 1} ({100 * share[b]:.3g} % of variance)")
    if views and names:
        handles, texts = views[0].get_legend_handles_labels()
        canvas.legend(handles, texts, frameon=False, fontsize="x-small",
                      loc="outside lower center", ncols=8)  # fmt: skip
    bars.bar(range(1, k + 1), 100 * share, color=ACCENT)
    bars.set_xlabel("Component")
    bars.set_ylabel("% of variance")
    return canvas
