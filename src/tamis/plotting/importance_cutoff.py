"""What the cut-off rests on: sorted importances beside the largest of each permuted run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from typing_extensions import ReadOnly

from .._core.errors import counted_noun
from . import _svg as svg
from ._axes import Frame, Scale, defined_values, nice_ticks

CHART_HEIGHT, TOP_MARGIN = 280.0, 48.0  # a line of words and the name of the axis stand above
RUN_COLOUR = "#D55E00"
STRIP_WIDTH = 74.0  # width of the permuted runs' part, at the right


class Ranked(TypedDict):
    """A feature or set, and the number that ranks it."""

    name: ReadOnly[str]
    importance: ReadOnly[float | None]


class CutoffPicture(TypedDict):
    """What is ranked, the largest of each permuted run, and how many are kept."""

    features: ReadOnly[Sequence[Ranked]]
    maxima: ReadOnly[Sequence[float | None]]
    threshold: ReadOnly[float | None]
    size: ReadOnly[int]


def importance_cutoff(
    data: CutoffPicture, what: str = "relative importance", noun: str = "feature"
) -> str:
    """A number by rank, and to its right the largest of the permuted runs, as SVG.

    Parameters
    ----------
    data : mapping
        ``features`` (list of ``{"name", "importance"}``, best first), ``maxima`` (one a permuted
        run; may be empty), ``threshold`` (or None) and ``size`` (features kept).
    what, noun : str
        What the number is called, and what has it.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> data = {"features": [{"name": "a", "importance": 0.5}], "maxima": [0.1], "size": 1,
    ...         "threshold": 0.1}
    >>> "1. a: 0.500, kept" in importance_cutoff(data)
    True
    """
    features = [
        (f["name"], value) for f in data["features"] if (value := f["importance"]) is not None
    ]
    maxima, threshold = defined_values(data["maxima"]), data["threshold"]
    everything = [value for _, value in features] + maxima + defined_values([threshold])
    y_ticks = nice_ticks(0, max(everything, default=1.0) or 1.0, 6)
    right = svg.CHART_WIDTH - (STRIP_WIDTH + 14 if maxima else 12)
    last = max(len(features), 2)
    x_ticks = [1, *(t for t in nice_ticks(0, last, 5) if 1 < t <= last and t % 1 == 0)]
    frame = Frame(
        Scale(1, last, 46, right),
        Scale(0, y_ticks[-1], CHART_HEIGHT - 42, TOP_MARGIN),
        x_ticks,
        y_ticks,
    )
    parts = [frame.draw(f"rank of the {noun}", what)]
    parts += [
        svg.circle_at(
            frame.x(j),
            frame.y(value),
            3.2,
            svg.tooltip_title(f"{j}. {name}: {value:.3f}" + ", kept" * (j <= data["size"])),
            class_="headdot" if j <= data["size"] else "restdot",
            fill=svg.ACCENT_COLOUR if j <= data["size"] else "#8a929b",
        )
        for j, (name, value) in reversed(list(enumerate(features, 1)))
    ]
    if maxima:
        parts += _maxima_strip(maxima, frame, right)
    if threshold is not None:
        y = frame.y(threshold)
        end = svg.CHART_WIDTH - 8 if maxima else right
        parts.append(
            svg.straight_line(frame.left, y, end, y, class_="chance", stroke_dasharray="5 4")
        )
    parts.append(_cutoff_key(data["size"] > 0, bool(maxima), threshold is not None))
    desc = f"{counted_noun(data['size'], noun)} kept" + (
        f"; to be kept, {what} must exceed {threshold:.3f}" if threshold is not None else ""
    )
    return svg.chart_root(
        CHART_HEIGHT, f"{what[:1].upper()}{what[1:]} by rank", desc, *parts, kind="cutoff"
    )


def _cutoff_key(kept: bool, runs: bool, threshold: bool) -> svg.Svg:
    """What the marks stand for."""
    parts = []
    if kept:
        parts.append(svg.circle_at(6.0, 10.0, 3.2, class_="headdot", fill=svg.ACCENT_COLOUR))
        parts.append(svg.text_label("kept", 13, 14, class_="note"))
    if runs:
        parts.append(
            svg.circle_at(56.0, 10.0, 3.2, class_="innerdot", fill=RUN_COLOUR, fill_opacity=0.75)
        )
        parts.append(svg.text_label("best of a permuted run", 63, 14, class_="note"))
    if threshold:
        parts.append(svg.straight_line(216, 10, 236, 10, class_="chance", stroke_dasharray="5 4"))
        parts.append(svg.text_label("to be exceeded", 241, 14, class_="note"))
    return svg.join_elements(parts)


def _maxima_strip(maxima: list[float], frame: Frame, right: float) -> list[svg.Svg]:
    """A dot a run, in the order of the runs from left to right."""
    start, stop = right + 22, svg.CHART_WIDTH - 14
    step = (stop - start) / max(len(maxima) - 1, 1)
    middle = (start + stop) / 2
    return [
        svg.text_label("permuted", middle, frame.bottom + 16, "middle", class_="axis"),
        svg.text_label("runs", middle, frame.bottom + 30, "middle", class_="axis"),
        svg.straight_line(
            right + 10, TOP_MARGIN, right + 10, frame.bottom, class_="grid", stroke_opacity=0.4
        ),
        *(
            svg.circle_at(
                start + step * (j - 1) if len(maxima) > 1 else middle,
                frame.y(value),
                3.2,
                svg.tooltip_title(f"largest of permuted run {j}: {value:.3f}"),
                class_="innerdot",
                fill=RUN_COLOUR,
                fill_opacity=0.75,
            )
            for j, value in enumerate(maxima, 1)
        ),
    ]
