"""Kinship for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.figures import empty_figure
from ._svg import ACCENT, colour


def kinship_figure(
    counts: np.ndarray, kinship: np.ndarray, shares: np.ndarray, relation: np.ndarray,
    relations: Sequence[str],
) -> Any:  # fmt: skip
    """Bars of all pairs by kinship, and dots of those listed by kinship and opposite homozygotes.
    Not registered with pyplot."""
    canvas = empty_figure((9.0, 4.0), "Relatives.plot()")
    bars, dots = canvas.subplots(1, 2)
    edges = np.linspace(-0.5, 0.5, len(counts) + 1)
    bars.bar(edges[:-1], counts, 1 / len(counts), align="edge", color=ACCENT, log=True)
    bars.set_xlabel("Kinship")
    bars.set_ylabel("Pairs")
    for k, name in enumerate(relations):
        own = relation == k
        if own.any():
            dots.scatter(kinship[own], shares[own], 9, colour(k), label=name)
    dots.set_xlabel("Kinship")
    dots.set_ylabel("Share of opposite homozygotes")
    if len(kinship):
        dots.legend(frameon=False, fontsize="x-small")
    return canvas
