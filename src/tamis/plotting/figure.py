"""The same charts for people at a prompt: matplotlib figures, without pyplot's state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._core.errors import TamisError, nearest
from .._core.figures import empty_figure
from ._axes import defined_values
from ._svg import ACCENT, colour


def figure(kind: str, data: Any) -> Any:
    """A matplotlib figure of a result.

    Parameters
    ----------
    kind : {"method_intervals", "roc_curve"}
    data
        As for the function of that name in `tamis.plotting`.

    Returns
    -------
    matplotlib.figure.Figure
        Not registered with pyplot; show it in a notebook or call ``savefig``.

    Raises
    ------
    TamisError
        `kind` is unknown.
    MissingExtraError
        matplotlib is not installed.
    """
    draw: dict[str, Callable[[Any, Any], None]] = {
        "method_intervals": _draw_intervals,
        "roc_curve": _draw_roc,
    }
    if kind not in draw:
        raise TamisError(f"unknown figure {kind!r}: {nearest(kind, draw)}")
    canvas = empty_figure((6, 4.5), f"figure({kind!r})")
    draw[kind](canvas.add_subplot(), data)
    return canvas


def plain_text(text: object) -> str:
    """A name as it is: matplotlib would read $...$ as mathematics."""
    return str(text).replace("$", r"\$")


def _draw_intervals(axes: Any, data: Mapping[str, Any]) -> None:
    rows = list(reversed(data["rows"]))
    chance = data.get("chance") or {}
    if chance.get("mean") is not None:
        axes.axvline(chance["mean"], color="0.5", linestyle="--", linewidth=1)
    for y, row in enumerate(rows):
        head = bool(row.get("headline"))
        shade = ACCENT if head else "0.25"
        if row.get("mean") is not None:
            axes.plot(row["mean"], y, "o", color=shade, markersize=8 if head else 6)
        if len(defined_values([row.get("low"), row.get("high")])) == 2:
            axes.plot([row["low"], row["high"]], [y, y], color=shade, linewidth=2 if head else 1.3)
    axes.set_yticks(range(len(rows)), [plain_text(row["label"]) for row in rows])
    axes.set_xlabel(plain_text(data["metric"]))


def _draw_roc(axes: Any, data: Sequence[Mapping[str, Any]]) -> None:
    axes.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
    for number, one in enumerate(sorted(data, key=lambda one: bool(one.get("headline")))):
        if not one.get("points"):
            continue
        x, y = zip(*one["points"], strict=True)
        head = bool(one.get("headline"))
        shade = ACCENT if head else colour(number)
        axes.plot(x, y, color=shade, linewidth=2.6 if head else 1, label=plain_text(one["label"]))
    axes.set_xlabel("False positive rate")
    axes.set_ylabel("True positive rate")
    axes.set_aspect("equal")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize="small")
