"""The best pairs of a search for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.errors import shorten
from .._core.figures import empty_figure
from ._svg import ACCENT
from .figure import plain_text


def pair_figure(search: Mapping[str, Any]) -> Any:
    """A bar a pair, best on top, whose length is the score: what the features say together, and
    what each says alone.

    `search` is that of ``PairSearch.to_dict``. What pairs are compared by begins at 0: the first
    part of a bar, or all of it. Above stands a mark for the best of each permuted run. Not
    registered with pyplot.
    """
    pairs, by = search["pairs"], search["by"]
    alone = [("the first alone", "0.6", [pair["singles"][0] for pair in pairs])]
    alone += [("the second alone", "0.8", [pair["singles"][1] for pair in pairs])]
    together = [("interaction", ACCENT, [pair["interaction"] for pair in pairs])]
    canvas = empty_figure((6.4, 1.6 + 0.26 * len(pairs)), "PairSearch.plot()")
    axes = canvas.add_subplot()
    begin = [0.0] * len(pairs)
    for label, colour, parts in together + alone if by == "interaction" else alone + together:
        axes.barh(range(len(pairs)), parts, 0.7, begin, color=colour, label=label)
        begin = [start + part for start, part in zip(begin, parts, strict=True)]
    if search["maxima"]:
        runs = [-1.0] * len(search["maxima"])
        axes.plot(search["maxima"], runs, "|", color="#D55E00", label="permuted run, best")
        axes.axvline(
            search["threshold"], color="0.3", linestyle="--", linewidth=1,
            label=f"to exceed at level {search['level']:g}",
        )  # fmt: skip
    axes.set_yticks(range(len(pairs)), [_pair_name(pair["features"]) for pair in pairs])
    axes.set_ylim(len(pairs) - 0.4, -1.6 if search["maxima"] else -0.6)
    axes.set_xlim(left=0)
    axes.set_xlabel("Score" if by == "score" else "Interaction, and the rest of the score")
    canvas.legend(frameon=False, fontsize="x-small", loc="outside lower center", ncols=3)
    return canvas


def _pair_name(features: list[str]) -> str:
    """Names that leave room for the axes."""
    return plain_text(" × ".join(shorten(name, 24) for name in features))
