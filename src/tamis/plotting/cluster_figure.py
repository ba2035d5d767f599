"""The map of clusters for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.errors import shorten
from .._core.figures import empty_figure
from ._svg import ACCENT
from .figure import plain_text

ACROSS = 5  # squares in a row


def cluster_figure(data: Mapping[str, Any]) -> Any:
    """Clusters as units of a map, or as squares, the darker the more features.

    `data` is one of the ``sizes`` of `ClusterRanking.to_dict`. Not registered with pyplot.
    """
    canvas = empty_figure((6.4, 4.8), "ClusterRanking.plot()")
    from matplotlib.patches import RegularPolygon

    axes, clusters = canvas.add_subplot(), data["clusters"]
    most = max((one["n"] for one in clusters), default=1)
    mapped = all(one["place"] is not None for one in clusters)
    for i, one in enumerate(clusters):
        x, y = one["place"] if mapped else (i % ACROSS, i // ACROSS)
        sides, radius, turn = (6, 3**-0.5, 0.0) if mapped else (4, 0.5**0.5, 0.785398)
        shape = RegularPolygon(
            (x, y), sides, radius=0.96 * radius, orientation=turn,
            facecolor=ACCENT, alpha=0.06 + 0.56 * one["n"] / most,
        )  # fmt: skip
        axes.add_patch(shape)
        words = f"{plain_text(shorten(one['name'], 24))}\n{one['n']:,}"
        weight = "bold" if one["chosen"] else "normal"
        axes.text(x, y, words, ha="center", va="center", fontsize=7, fontweight=weight)
    axes.autoscale_view()
    axes.invert_yaxis()
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title("Features of each cluster, named by its representative", fontsize="small")
    return canvas
