"""The critical-difference diagram for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.errors import shorten
from .._core.figures import empty_figure


def rank_figure(data: Mapping[str, Any]) -> Any:
    """Average ranks on a line each, best on top; bars at the right join what is not told apart.

    `data` is that of `MethodComparison.diagram`. Not registered with pyplot.
    """
    methods = list(data["methods"])
    row = {one["name"]: y for y, one in enumerate(methods)}
    canvas = empty_figure((6, 1.4 + 0.3 * len(methods)), "MethodComparison.plot()")
    axes = canvas.add_subplot()
    axes.plot([one["rank"] for one in methods], range(len(methods)), "o", color="0.15")
    right, apart = len(methods) + 0.3, 0.1 + 0.04 * len(methods)
    for lane, group in enumerate(data["groups"]):
        x, first, last = right + apart * lane, row[group[0]], row[group[-1]]
        axes.plot([x, x], [first - 0.2, last + 0.2], color="#0072B2", linewidth=3)
    cd = data["critical_difference"]
    axes.plot([1, 1 + cd], [-0.9, -0.9], color="0.15", linewidth=1.5, marker="|")
    axes.text(1, -1.05, f"CD {cd:.2f} at {data['alpha']:g}", va="bottom")
    axes.set_yticks(range(len(methods)), [_plain_name(one["name"]) for one in methods])
    axes.set_ylim(len(methods) - 0.5, -1.8)
    axes.set_xticks(range(1, len(methods) + 1))
    axes.set_xlabel(f"Average rank on {data['n_sets']} data sets")
    return canvas


def _plain_name(name: str) -> str:
    """A name that leaves room for the axes; matplotlib would read $...$ as mathematics."""
    return shorten(name, 40).replace("$", r"\$")
