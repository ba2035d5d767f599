"""Stability paths for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.errors import shorten
from .._core.figures import empty_figure

NAMED = 12


def stability_figure(data: Mapping[str, Any]) -> Any:
    """Selection probability along the path, the stable features coloured and named.

    `data` is that of `StabilityRanking.to_dict`. Not registered with pyplot.
    """
    from ..plotting.stability_paths import rounded_up

    canvas = empty_figure((6.4, 4.2), "StabilityRanking.plot()")
    axes = canvas.add_subplot()
    lambdas = data["lambdas"]
    steps = [value / lambdas[0] for value in lambdas] if lambdas else data["sizes"]
    for place, one in reversed(list(enumerate(data["features"]))):
        named = one["probability"] >= data["threshold"] and place < NAMED
        style = {"label": shorten(one["name"], 40).replace("$", r"\$")} if named else {}
        colour = f"C{place % 10}" if named else "0.8"
        axes.plot(steps, one["path"], color=colour, linewidth=1.6 if named else 0.7, **style)
    axes.axhline(data["threshold"], color="0.3", linestyle="--", linewidth=1)
    axes.set_title(
        f"from {data['threshold']:g} up at most {rounded_up(data['pfer'])} false are expected "
        f"({data['bound']} bound)",
        fontsize="small",
    )
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("Selection probability")
    if lambdas:
        axes.set_xscale("log")
        axes.invert_xaxis()
        axes.set_xlabel("λ / λ_max of all samples")
    else:
        axes.set_xlabel("Features selected on each half")
    if axes.get_legend_handles_labels()[0]:
        handles, labels = axes.get_legend_handles_labels()
        axes.legend(handles[::-1], labels[::-1], frameon=False, fontsize="x-small")
    return canvas
