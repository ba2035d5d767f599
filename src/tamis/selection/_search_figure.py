"""The score along a search for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.figures import empty_figure


def search_figure(data: Mapping[str, Any]) -> Any:
    """Score of the best subset along a search; `data` is that of `SubsetRanking.to_dict`.

    Not registered with pyplot.
    """
    canvas = empty_figure((6.4, 4.2), "SubsetRanking.plot()")
    axes = canvas.add_subplot()
    points = data["points"]
    at, best = [p["at"] for p in points], [p["score"] for p in points]
    if any(p.get("error") is not None for p in points):
        ends = [[s + k * (p.get("error") or 0) for s, p in zip(best, points, strict=True)]
                for k in (-1, 1)]  # fmt: skip
        axes.fill_between(at, *ends, color="C0", alpha=0.18, linewidth=0)
    axes.plot(at, best, color="C0", marker="o", markersize=3, label="best subset")
    if any("mean" in p for p in points):
        axes.plot(at, [p.get("mean") for p in points], color="0.6", label="mean of the population")
        axes.legend(frameon=False)
    elif data["chosen"]:
        axes.axvline(data["chosen"], color="0.3", linestyle="--", linewidth=1)
    axes.set_xlabel(data["axis"])
    axes.set_ylabel(f"{data['criterion'].replace('_', ' ')}, inner folds")
    axes.set_title(f"{data['method']}: optimistic, the best of all evaluated", fontsize="small")
    return canvas
