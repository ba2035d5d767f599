"""Scales, round tick values and the frame of a chart: shared by every chart."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from . import _svg as svg

ALMOST_ONE, SLIGHT_SHARE, ONE_HALF = Decimal(1) - Decimal("1e-9"), Decimal("1e-9"), Decimal("0.5")
MIN_SPAN = Decimal("1e-300")  # a span below which values are not distinguished
MIN_RELATIVE_SPAN = SLIGHT_SHARE  # and as a share of the largest value
MAX_FLOAT = sys.float_info.max
SHARE_TICKS = [0, 0.25, 0.5, 0.75, 1]
UNIT_HEIGHT = 352.0  # of a chart of `unit_frame`
Place = tuple[float, float]
Point = Mapping[str, Any]  # numbers by name, which differ from chart to chart
Series = Mapping[str, Any]  # a label, points, and whether it is the headline's


def nice_step(span: float, most: int) -> float:
    """The smallest of 1, 2, 2.5, 5 x 10^k that cuts `span` into at most `most` steps."""
    return float(_decimal_step(Decimal(float(span)), most))


def _decimal_step(span: Decimal, most: int) -> Decimal:
    """As `nice_step`, in decimals: ticks are round numbers at every magnitude."""
    raw = span / most
    power = Decimal(1).scaleb(raw.adjusted())
    factors = map(Decimal, ("1", "2", "2.5", "5", "10"))
    return next(f * power for f in factors if f * power >= raw * ALMOST_ONE)


def nice_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round values that cover [low, high], two at least; ends too near for numbers to distinguish
    are one place.

    Examples
    --------
    >>> nice_ticks(0.43, 0.97), nice_ticks(1e-12, 3e-12, 2)
    ([0.4, 0.6, 0.8, 1.0], [1e-12, 2e-12, 3e-12])
    """
    first, last = Decimal(float(low)), Decimal(float(high))
    size = max(abs(first), abs(last))
    if not last - first > max(MIN_SPAN, MIN_RELATIVE_SPAN * size):
        pad = size / 10 if size >= MIN_SPAN else ONE_HALF
        first, last = first - pad, last + pad
    step = _decimal_step(last - first, most)
    places = range(
        math.floor(first / step + SLIGHT_SHARE), math.ceil(last / step - SLIGHT_SHARE) + 1
    )
    return sorted({min(MAX_FLOAT, max(-MAX_FLOAT, float(k * step))) for k in places})


def log_ticks(low: float, high: float, most: int = 7) -> list[float]:
    """1, 2, 5 x 10^k inside [low, high]; only powers of ten when there are too many, the ends
    when there are fewer than two.

    Examples
    --------
    >>> log_ticks(1, 50), log_ticks(21, 47)
    ([1.0, 2.0, 5.0, 10.0, 20.0, 50.0], [21, 47])
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factors in ((1, 2, 5), (1, 3), (1,)):
        ticks = [float(f"{f}e{k}") for k in powers for f in factors]
        ticks = [t for t in ticks if low * (1 - 1e-9) <= t <= min(high * (1 + 1e-9), MAX_FLOAT)]
        if len(ticks) <= most:
            break
    else:
        ticks = ticks[:: -(-len(ticks) // most)]
    return ticks if len(ticks) > 1 else sorted({low, high})


def tick_text(value: float, digits: int = 4) -> str:
    """A tick's number: no superfluous zeros, a true minus, thousands set apart.

    Examples
    --------
    >>> [tick_text(v) for v in (0.0, 0.25, -1.0, 60000)]
    ['0', '0.25', '−1', '60,000']
    """
    is_integer = abs(value) < (1e6 if digits == 4 else 1e12) and float(value).is_integer()
    text = f"{value:,.0f}" if is_integer else f"{value:.{digits}g}"
    return text.replace("-", "−")


def tick_texts(values: Sequence[float]) -> list[str]:
    """The numbers of an axis, with as many digits as distinguish them.

    Examples
    --------
    >>> tick_texts([0.5, 0.75]), tick_texts([1.00001, 1.00002])
    (['0.5', '0.75'], ['1.00001', '1.00002'])
    """
    for digits in range(4, 18):
        texts = [tick_text(value, digits) for value in values]
        if len(set(texts)) == len(set(values)):
            break
    return texts


@dataclass(frozen=True)
class Scale:
    """Values from `low` to `high` onto pixels from `start` to `stop`; log if requested."""

    low: float
    high: float
    start: float
    stop: float
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        if high == low:
            return (self.start + self.stop) / 2
        size = max(abs(low), abs(high))  # else a difference may be too large for a number
        share = (value / size - low / size) / (high / size - low / size)
        share = min(1.0, max(0.0, share))
        return self.start + share * (self.stop - self.start)


@dataclass(frozen=True)
class Frame:
    """The plot area inside a chart: an x scale, a y scale and their ticks."""

    x: Scale
    y: Scale
    x_ticks: Sequence[float]
    y_ticks: Sequence[float]

    @property
    def bottom(self) -> float:
        return self.y.start

    @property
    def left(self) -> float:
        return self.x.start

    def draw(self, x_label: str = "", y_label: str = "") -> svg.Svg:
        """Grid, tick numbers and the axes' names."""
        parts = [*self._x_axis(), *self._y_axis()]
        if x_label:
            middle = (self.x.start + self.x.stop) / 2
            parts.append(svg.text_label(x_label, middle, self.bottom + 33, "middle", class_="axis"))
        if y_label:
            parts.append(svg.text_label(y_label, 2, self.y.stop - 9, class_="axis"))
        return svg.join_elements(parts)

    def across(self, value: float, **more: object) -> svg.Svg:
        """A line from left to right where y has this value."""
        y = self.y(value)
        return svg.straight_line(self.left, y, self.x.stop, y, **more)

    def down(self, value: float, **more: object) -> svg.Svg:
        """A line from top to bottom where x has this value."""
        x = self.x(value)
        return svg.straight_line(x, self.y.stop, x, self.bottom, **more)

    def _x_axis(self) -> Iterable[svg.Svg]:
        last = -math.inf  # a number that would touch its neighbour is left out
        for value, text in zip(self.x_ticks, tick_texts(self.x_ticks), strict=True):
            x = self.x(value)
            yield self.down(value, class_="grid", stroke_opacity=0.15)
            half = svg.text_width(text) / 2
            centre = max(half + 1, min(x, svg.CHART_WIDTH - half - 1))
            if centre - half > last + 5:
                yield svg.text_label(text, centre, self.bottom + 16, "middle", class_="tick")
                last = centre + half

    def _y_axis(self) -> Iterable[svg.Svg]:
        for value, text in zip(self.y_ticks, tick_texts(self.y_ticks), strict=True):
            y, end = self.y(value), max(self.left - 7, svg.text_width(text) + 1)  # on the page
            yield self.across(value, class_="grid", stroke_opacity=0.15)
            yield svg.text_label(text, end, y + 4, "end", class_="tick")


def tick_frame(
    x_ticks: Sequence[float],
    y_ticks: Sequence[float],
    height: float,
    left: float = 42,
    right: float = 12,
    top: float = 26,
    foot: float = 40,
) -> Frame:
    """Axes from the first of their ticks to the last, with so much room on each side."""
    x = Scale(x_ticks[0], x_ticks[-1], left, svg.CHART_WIDTH - right)
    return Frame(x, Scale(y_ticks[0], y_ticks[-1], height - foot, top), x_ticks, y_ticks)


def unit_frame(y_ticks: Sequence[float] = SHARE_TICKS) -> Frame:
    """Zero to one from left to right, and upwards too unless the ticks say otherwise."""
    return tick_frame(SHARE_TICKS, y_ticks, UNIT_HEIGHT)


def defined_places(points: Iterable[Point] | None, x: str, y: str) -> list[Place]:
    """Two numbers of each point, where both are defined."""
    return [(p[x], p[y]) for p in points or [] if len(defined_values([p.get(x), p.get(y)])) == 2]


def defined_values(values: Iterable[float | None]) -> list[float]:
    """The values that are defined."""
    return [v for v in values if v is not None and math.isfinite(v)]
