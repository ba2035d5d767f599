"""The sets of random intersection trees for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.errors import shorten
from .._core.figures import empty_figure
from ._svg import colour
from .figure import plain_text

NAMED = 4  # features of a set


def set_figure(found: Mapping[str, Any], most: int = 20) -> Any:
    """A row a set, the one that stands out most on top: a dot for its share of every class.

    `found` is that of ``Intersections.to_dict``; the class that a set speaks for has a full dot.
    Not registered with pyplot.
    """
    sets = found["sets"][:most]
    labels = [str(one["name"]) for one in found["classes"]]
    canvas = empty_figure((6.4, 1.5 + 0.3 * max(len(sets), 1)), "Intersections.plot()")
    axes = canvas.add_subplot()
    for at, one in enumerate(sets):
        shares = one["prevalence"]
        axes.plot([min(shares), max(shares)], [at, at], color="0.8", linewidth=1, zorder=1)
    for k, label in enumerate(labels):
        x = [one["prevalence"][k] for one in sets]
        faces = [colour(k) if one["class"] == label else "white" for one in sets]
        axes.scatter(x, range(len(sets)), 42, faces, edgecolors=colour(k), zorder=2)
        axes.scatter([], [], 42, colour(k), label=plain_text(shorten(label, 70)))
    axes.set_yticks(range(len(sets)), [_set_name(one) for one in sets])
    axes.set_ylim(max(len(sets), 1) - 0.4, -0.6)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("Share of the class that holds the set")
    canvas.legend(frameon=False, fontsize="small", loc="outside lower center", ncols=4)
    return canvas


def _set_name(one: Mapping[str, Any]) -> str:
    signs = one["signs"] or [1] * len(one["features"])
    pairs = list(zip(one["features"], signs, strict=True))
    names = [("" if sign >= 0 else "not ") + shorten(name, 18) for name, sign in pairs[:NAMED]]
    more = f" + {len(pairs) - NAMED} more" if len(pairs) > NAMED else ""
    return plain_text(shorten(" + ".join(names) + more, 70))
