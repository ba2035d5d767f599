"""Ranks by the members of a vote, for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.errors import shorten
from .._core.figures import empty_figure

MARKS = "osD^vPX*<>"


def voting_figure(data: Mapping[str, Any]) -> Any:
    """The best features, a row each, at the rank that each member gives them.

    `data` is that of `VotingRanking.to_dict`. Not registered with pyplot.
    """
    features = data["features"]
    canvas = empty_figure((6.4, 1.2 + 0.22 * len(features)), "VotingRanking.plot()")
    axes = canvas.add_subplot()
    for y, one in enumerate(features):
        axes.plot([min(one["ranks"]), max(one["ranks"])], [y, y], color="0.8", linewidth=1)
    for place, member in enumerate(data["members"]):
        axes.plot(
            [one["ranks"][place] for one in features], range(len(features)),
            MARKS[place % len(MARKS)], color=f"C{place % 10}", markersize=5,
            label=shorten(member["name"], 40).replace("$", r"\$"),
        )  # fmt: skip
    axes.axvline(data["top"], color="0.3", linestyle="--", linewidth=1)
    axes.set_xscale("log")
    axes.set_xlabel(f"Rank given by each member (dashed: {data['top']})")
    names = [shorten(one["name"], 30).replace("$", r"\$") for one in features]
    axes.set_yticks(range(len(features)), names, fontsize="small")
    axes.invert_yaxis()
    canvas.legend(loc="outside upper center", ncols=3, frameon=False, fontsize="small")
    return canvas
