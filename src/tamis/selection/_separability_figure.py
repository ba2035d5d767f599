"""Distances between classes and those of permuted labels for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.errors import shorten
from .._core.figures import empty_figure
from ..plotting._svg import ACCENT
from ..plotting.figure import plain_text

MOST = 6  # pairs that are drawn, the nearest first


def separability_figure(found: Mapping[str, Any]) -> Any:
    """A histogram of permuted distances for each pair of classes; a line is the observed one.

    `found` is that of ``Separability.to_dict``. Not registered with pyplot.
    """
    pairs = sorted(found["pairs"], key=lambda one: one["distance"])[:MOST]
    canvas = empty_figure((6.4, 1.2 + 1.9 * len(pairs)), "Separability.plot()")
    every = [v for one in pairs for v in (*one["permuted"], one["distance"])]
    low, high = min(every), max(every)
    pad = 0.05 * (high - low) or 0.05
    rows = canvas.subplots(len(pairs), sharex=True, squeeze=False)[:, 0]
    for axes, one in zip(rows, pairs, strict=True):
        axes.hist(one["permuted"], bins=30, range=(low, high + 1e-9), color="0.7")
        axes.axvline(one["distance"], color=ACCENT, linewidth=2.4)
        names = f"{shorten(one['first'], 30)} / {shorten(one['second'], 30)}"
        told = f"W1 {one['distance']:.3f}, p = {one['p_value']:.2g}"
        axes.set_title(plain_text(f"{names}: {told}"), fontsize="small", loc="left")
        axes.set_xlim(low - pad, high + pad)
        axes.set_ylabel("Permuted labels")
    axes.set_xlabel("W1 between classes; line: labels as they are")
    left_out = len(found["pairs"]) - len(pairs)
    if left_out:
        canvas.suptitle(
            f"The {len(pairs)} nearest of {len(found['pairs'])} pairs", fontsize="small"
        )
    return canvas
