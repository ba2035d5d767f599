"""Values of each sample as an upright box, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from . import _svg as svg
from ._axes import Frame, Scale, nice_ticks
from ._class_marks import class_kind, class_legend

CHART_HEIGHT = 260.0


SampleBox = TypedDict(
    "SampleBox",
    {
        "name": str,
        "class": int | None,
        "low": float,
        "q1": float,
        "median": float,
        "q3": float,
        "high": float,
    },
)


def sample_boxes(
    samples: Sequence[SampleBox], classes: Sequence[str], label: str, noun: str = "class"
) -> str:
    """A box a sample, in the colour of its class, as SVG.

    Parameters
    ----------
    samples : sequence of mapping
        ``name``, ``class`` (place among the classes, or None) and ``low``, ``q1``, ``median``,
        ``q3``, ``high``.
    classes : sequence of str
    label : str
        Of the values.
    noun : str
        What a class is called, with -es for several.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> one = {"name": "s1", "class": 0, "low": 1, "q1": 2, "median": 3, "q3": 4, "high": 5}
    >>> "s1, ill: median 3" in sample_boxes([one], ["ill"], "expression")
    True
    """
    values = [end for one in samples for end in _box_ends(one)]
    ticks = nice_ticks(min(values, default=0.0), max(values, default=1.0), 5)
    n = max(1, len(samples))
    frame = Frame(
        Scale(0, n, 50, svg.CHART_WIDTH - 12),
        Scale(ticks[0], ticks[-1], CHART_HEIGHT - 24, 26),
        [],
        ticks,
    )
    parts: list[str] = [frame.draw("", label)]
    wide = (frame.x.stop - frame.x.start) / n
    for k, one in enumerate(samples):
        parts.append(_sample_box(one, classes, frame, frame.x(k + 0.5), min(0.7 * wide, 16.0)))
    middle = (frame.x.start + frame.x.stop) / 2
    parts.append(svg.text_label("samples", middle, frame.bottom + 16, "middle", class_="axis"))
    most = len(svg.PALETTE)
    nameless = any(one["class"] is None for one in samples)
    legend, more = class_legend(classes, nameless, CHART_HEIGHT - 8, noun, most)
    parts.append(legend)
    desc = f"{len(samples)} samples; {noun}es: {', '.join(classes) or 'none'}"
    return svg.chart_root(CHART_HEIGHT + more, f"{label} by sample", desc, *parts, kind="boxes")


def _box_ends(one: SampleBox) -> tuple[float, ...]:
    return one["low"], one["q1"], one["median"], one["q3"], one["high"]


def _sample_box(
    one: SampleBox, classes: Sequence[str], frame: Frame, x: float, wide: float
) -> svg.Svg:
    kind = class_kind(one["class"], classes, len(svg.PALETTE))
    shade: dict[str, object] = {"class_": "other", "fill": "#777777"}
    if kind is not None:
        shade = {"class_": f"k{kind}", "fill": svg.series_colour(kind)}
    low, q1, median, q3, high = map(frame.y, _box_ends(one))
    named = one["name"] if one["class"] is None else f"{one['name']}, {classes[one['class']]}"
    words = f"{named}: median {one['median']:.4g}, quartiles {one['q1']:.4g} and {one['q3']:.4g}"
    left, thick = x - wide / 2, max(0.8, wide / 6)
    return svg.tooltip_group(
        words,
        svg.rectangle_at(
            x - thick / 2, high, thick, max(low - high, 0.5), fill_opacity=0.5, **shade
        ),
        svg.rectangle_at(left, q3, wide, max(q1 - q3, 0.5), fill_opacity=0.75, **shade),
        svg.rectangle_at(left - 0.4, median - 1, wide + 0.8, 2.0, fill="currentColor"),
    )
