"""The scores of the permuted runs, and where the observed one stands."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NotRequired, TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg
from ._axes import Frame, Scale, defined_values, nice_step, nice_ticks

CHART_HEIGHT = 236.0
TOP_MARGIN = 46.0


class PermutedRuns(TypedDict):
    """Scores of permuted runs, and the observed one."""

    metric: ReadOnly[str]
    values: ReadOnly[Sequence[float | None]]
    observed: ReadOnly[float | None]
    p_value: ReadOnly[float | None]
    domain: ReadOnly[NotRequired[tuple[float, float]]]


def permutation_histogram(data: PermutedRuns) -> str:
    """Histogram of the permuted runs (a dot a run when few), as SVG.

    Parameters
    ----------
    data : mapping
        ``metric`` (its readable name), ``values`` (one a permutation), ``observed`` and
        ``p_value`` (each may be None); optional: ``domain`` (least and largest number shown, so
        that charts can be compared).

    Examples
    --------
    >>> data = {"metric": "BCR", "values": [0.48, 0.5, 0.52], "observed": 0.8, "p_value": 0.25}
    >>> "observed 0.800" in permutation_histogram(data)
    True
    """
    values, observed = defined_values(data["values"]), data.get("observed")
    everything = values + defined_values([observed, *data.get("domain", ())])
    ticks = nice_ticks(min(everything), max(everything), 6) if everything else [0.0, 1.0]
    bin_width = nice_step(ticks[-1] - ticks[0], 36)
    counts = Counter(math.floor((v - ticks[0]) / bin_width + 1e-9) for v in values)
    most = max(counts.values(), default=1)
    x = Scale(ticks[0], ticks[-1], 30, svg.CHART_WIDTH - 16)
    heights = [int(t) for t in nice_ticks(0, most, 4) if t == int(t)]
    frame = Frame(x, Scale(0, heights[-1], CHART_HEIGHT - 42, TOP_MARGIN), ticks, heights)
    width = (x.stop - x.start) * bin_width / (ticks[-1] - ticks[0])
    dots = len(values) <= 100 and most * min(width, 9) <= CHART_HEIGHT - 42 - TOP_MARGIN
    parts: list[str] = [frame.draw(str(data["metric"]), "permuted runs")]
    for index, count in sorted(counts.items()):
        low = ticks[0] + index * bin_width
        words = f"{low:.3f} to {low + bin_width:.3f}: {count} permuted runs"
        shape = _run_dots if dots else _count_bar
        parts.append(svg.tooltip_group(words, shape(x(low), width, count, frame)))
    if observed is not None:
        parts.append(_observed_line(observed, data.get("p_value"), frame))
    desc = f"{len(values)} permuted runs; observed " + (
        "undefined" if observed is None else f"{observed:.3f}"
    )
    return svg.chart_root(
        CHART_HEIGHT, f"Permuted runs: {data['metric']}", desc, *parts, kind="permutations"
    )


def _count_bar(x: float, width: float, count: int, frame: Frame) -> svg.Svg:
    y = frame.y(count)
    return svg.rectangle_at(
        x + 0.5,
        y,
        max(width - 1, 1.0),
        frame.bottom - y,
        class_="bar",
        fill="currentColor",
        fill_opacity=0.45,
    )


def _run_dots(x: float, width: float, count: int, frame: Frame) -> svg.Svg:
    step = frame.bottom - frame.y(1)
    radius = min(width, step, 9.0) / 2 * 0.9
    return svg.join_elements(
        svg.circle_at(
            x + width / 2,
            frame.y(i + 0.5),
            radius,
            class_="bar",
            fill="currentColor",
            fill_opacity=0.45,
        )
        for i in range(count)
    )


def _observed_line(observed: float, p_value: float | None, frame: Frame) -> svg.Svg:
    x = frame.x(observed)
    words = f"observed {observed:.3f}"
    if p_value is not None:
        words += f", p = {p_value:.2g}"
    anchor, nudge = ("end", 4) if x > svg.CHART_WIDTH / 2 else ("start", -4)
    return svg.make_element(
        "g",
        svg.straight_line(
            x,
            TOP_MARGIN - 12,
            x,
            frame.bottom,
            class_="head",
            stroke=svg.ACCENT_COLOUR,
            stroke_width=2.4,
        ),
        svg.text_label(
            words, x + nudge, TOP_MARGIN - 19, anchor, class_="name head", font_weight="bold"
        ),
    )
