"""Score against the number of features kept, inside and outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Literal, NotRequired, TypedDict

from typing_extensions import ReadOnly

from .._core.errors import counted_noun
from . import _svg as svg
from ._axes import Frame, Scale, defined_values, log_ticks, nice_ticks

CHART_HEIGHT = 268.0


class SizePoint(TypedDict):
    """Scores with so many features."""

    size: ReadOnly[float]
    inner: ReadOnly[float | None]
    outer: ReadOnly[float | None]


class Reference(TypedDict):
    """What something else reaches on the same folds."""

    label: ReadOnly[str]
    score: ReadOnly[float]


class SizePicture(TypedDict):
    """A method by its number of features."""

    label: ReadOnly[str]
    metric: ReadOnly[str]
    points: ReadOnly[Sequence[SizePoint]]
    chosen: ReadOnly[NotRequired[Sequence[float | None]]]
    optimistic: ReadOnly[NotRequired[float | None]]
    beside: ReadOnly[NotRequired[Sequence[Reference]]]
    domain: ReadOnly[NotRequired[tuple[float, float] | None]]


def size_curve(data: SizePicture) -> str:
    """Inner and outer score by size for one method, as SVG.

    The best outer score is ringed and called optimistic: it was looked up on the samples
    that judge it. Ticks on the lower edge are the sizes that the inner folds chose.

    Parameters
    ----------
    data : mapping
        ``label``, ``metric``, ``points`` (list of ``{"size", "inner", "outer"}``),
        ``chosen`` (size of every outer fold; optional), ``optimistic`` (or None), ``beside``
        (``{"label", "score"}`` of references on the same folds, as lines across; optional),
        ``domain`` (lowest and highest score shown, so that charts can be compared; optional).

    Examples
    --------
    >>> points = [{"size": 2, "inner": 0.8, "outer": 0.7}, {"size": 8, "inner": 0.9, "outer": 0.8}]
    >>> "optimistic" in size_curve({"label": "t", "metric": "BCR", "points": points})
    True
    """
    points = sorted((p for p in data["points"] if (p["size"] or 0) > 0), key=lambda p: p["size"])
    sizes = [p["size"] for p in points] or [1]
    values = defined_values([score for p in points for score in (p["inner"], p["outer"])])
    low, high = data.get("domain") or ((min(values), max(values)) if values else (0.0, 1.0))
    ticks = nice_ticks(low, high, 5)
    chosen = Counter(s for s in data.get("chosen") or [] if s and s > 0)
    first, last = min([*sizes, *chosen]), max([*sizes, *chosen])
    frame = Frame(
        Scale(first, last, 46, svg.CHART_WIDTH - 16, log=True),
        Scale(ticks[0], ticks[-1], CHART_HEIGHT - 44, 44),
        log_ticks(first, last),
        ticks,
    )
    parts: list[str] = [frame.draw("Features kept (log scale)", ""), _chosen_rug(chosen, frame)]
    more: dict[str, object] = {
        "stroke": svg.PALETTE[0],
        "stroke_dasharray": "5 3",
        "stroke_width": 1.6,
    }
    parts.append(_size_line(points, "inner", frame, class_="inner", **more))
    parts.append(
        _size_line(
            points, "outer", frame, class_="head", stroke=svg.ACCENT_COLOUR, stroke_width=2.2
        )
    )
    parts.append(_best_size(points, data.get("optimistic"), frame))
    parts += [_reference_line(one, frame) for one in data.get("beside") or []]
    parts.append(_size_legend())
    desc = "; ".join(
        f"{_count_text(p['size'])} features: inner {_score_text(p['inner'])}, "
        f"outer {_score_text(p['outer'])}"
        for p in points
    )
    title = f"{data['metric']} by number of features: {data['label']}"
    return svg.chart_root(CHART_HEIGHT, title, desc, *parts, kind="sizes")


def _count_text(size: float) -> str:
    """A number of features; a mean over folds may have a fraction."""
    return f"{size:,.1f}".removesuffix(".0")


def _score_text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _size_legend() -> svg.Svg:
    y = 12.0
    parts = [
        svg.straight_line(
            2, y, 22, y, class_="inner", stroke=svg.PALETTE[0], stroke_dasharray="5 3"
        ),
        svg.text_label("inner folds", 27, y + 4, class_="note"),
        svg.straight_line(
            132, y, 152, y, class_="head", stroke=svg.ACCENT_COLOUR, stroke_width=2.2
        ),
        svg.text_label("outer", 157, y + 4, class_="note"),
        svg.circle_at(208.0, y, 5.5, class_="best", fill="none", stroke=svg.ACCENT_COLOUR),
        svg.text_label("best outer: optimistic", 219, y + 4, class_="note"),
    ]
    return svg.join_elements(parts)


def _size_line(
    points: list[SizePoint], key: Literal["inner", "outer"], frame: Frame, **more: Any
) -> svg.Svg:
    there = _scored_sizes(points, key)
    places = [(frame.x(size), frame.y(score)) for size, score in there]
    dots = [
        svg.circle_at(
            x,
            y,
            2.6,
            svg.tooltip_title(f"{_count_text(size)} features: {key} {score:.3f}"),
            class_=f"{more['class_']}dot",
            fill=more["stroke"],
        )
        for (size, score), (x, y) in zip(there, places, strict=True)
    ]
    return svg.join_elements([svg.line_through(places, **more), *dots]) if places else svg.Svg()


def _scored_sizes(
    points: list[SizePoint], key: Literal["inner", "outer"]
) -> list[tuple[float, float]]:
    """Sizes with their scores, where these are defined."""
    return [(p["size"], score) for p in points if (score := p[key]) is not None]


def _reference_line(one: Reference, frame: Frame) -> svg.Svg:
    """What a reference reaches, across the chart, with its name at the right end."""
    y = frame.y(one["score"])
    words = f"{one['label']}: {one['score']:.3f}"
    line = svg.straight_line(
        46,
        y,
        svg.CHART_WIDTH - 16,
        y,
        class_="beside",
        stroke=svg.PALETTE[2],
        stroke_dasharray="2 3",
    )
    name = svg.text_label(words, svg.CHART_WIDTH - 16, y - 4, "end", class_="note")
    return svg.tooltip_group(words, line, name)


def _best_size(points: list[SizePoint], optimistic: float | None, frame: Frame) -> svg.Svg:
    there = _scored_sizes(points, "outer")
    if not there:
        return svg.Svg()
    size, score = max(there, key=itemgetter(1))
    if optimistic is not None:  # for a loss the best is the least
        size, score = min(there, key=lambda one: abs(one[1] - optimistic))
    words = (
        f"best outer score {score:.3f} at {_count_text(size)} features: "
        "optimistic, it was chosen on the samples that judge it"
    )
    x, y = frame.x(size), frame.y(score)
    more: dict[str, object] = {"fill": "none", "stroke": svg.ACCENT_COLOUR, "stroke_width": 1.5}
    return svg.circle_at(x, y, 6.5, svg.tooltip_title(words), class_="best", **more)


def _chosen_rug(chosen: Counter[float], frame: Frame) -> svg.Svg:
    """A stroke for every size chosen inside, as tall as it was often chosen."""
    if not chosen:
        return svg.Svg()
    most, room = max(chosen.values()), 30.0
    parts = []
    for size, count in sorted(chosen.items()):
        x = frame.x(size)
        top = frame.bottom - room * count / most
        words = f"{_count_text(size)} features: chosen in {counted_noun(count, 'outer fold')}"
        parts.append(
            svg.tooltip_group(
                words,
                svg.straight_line(
                    x, frame.bottom, x, top, class_="rug", stroke_width=7, stroke_opacity=0.22
                ),
            )
        )
    return svg.join_elements(parts)
