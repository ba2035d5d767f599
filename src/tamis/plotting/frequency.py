"""How often each feature was selected, most often first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg
from ._axes import Frame, Scale, nice_ticks

CHART_HEIGHT = 250.0


class ChosenShare(TypedDict):
    """A feature, and the share of the outer folds that chose it."""

    name: ReadOnly[str]
    frequency: ReadOnly[float | None]
    in_final: ReadOnly[bool]


class ChosenShares(TypedDict):
    """The features chosen, the most frequent first."""

    features: ReadOnly[Sequence[ChosenShare]]


def selection_frequency(data: ChosenShares) -> str:
    """One bar a feature, sorted by selection frequency, as SVG.

    A stable selection is a high plateau with a cliff after it; an unstable one slopes
    away from the start.

    Parameters
    ----------
    data : mapping
        ``features``: list of ``{"name", "frequency", "in_final"}``, most frequent first.

    Examples
    --------
    >>> feature = {"name": "TP53", "frequency": 0.9, "in_final": True}
    >>> "TP53: 90 %" in selection_frequency({"features": [feature]})
    True
    """
    features = [(f, share) for f in data["features"] if (share := f["frequency"]) is not None]
    count = max(len(features), 1)
    x = Scale(0, count, 48, svg.CHART_WIDTH - 12)
    ticks = [t for t in nice_ticks(1, count, 5) if 1 <= t <= count and t == int(t)]
    frame = Frame(x, Scale(0, 1, CHART_HEIGHT - 42, 42), [], [0, 0.25, 0.5, 0.75, 1])
    parts: list[str] = [frame.draw("Features, most often selected first", "share of outer folds")]
    width = (x.stop - x.start) / count
    for i, (feature, share) in enumerate(features):
        y, final = frame.y(share), bool(feature.get("in_final"))
        words = f"{feature['name']}: {100 * share:.0f} % of the outer folds"
        words += ", in the final model" if final else ""
        parts.append(
            svg.rectangle_at(
                x(i) + min(0.4, width / 8),
                y,
                max(width * 0.8, 0.8),
                frame.bottom - y,
                svg.tooltip_title(words),
                class_="headdot" if final else "bar",
                fill=svg.ACCENT_COLOUR if final else "currentColor",
                fill_opacity=None if final else 0.4,
            )
        )
    for tick in sorted({1, *map(int, ticks)} - {0}):
        centre = x(tick - 0.5)
        parts.append(svg.text_label(f"{tick}", centre, frame.bottom + 16, "middle", class_="tick"))
    parts.append(frame.across(0.5, class_="chance", stroke_dasharray="4 4"))
    parts.append(_frequency_legend())
    desc = f"{len(features)} features; " + "; ".join(
        f"{f['name']} {100 * share:.0f} %" for f, share in features[:5]
    )
    return svg.chart_root(CHART_HEIGHT, "Selection frequency", desc, *parts, kind="frequency")


def _frequency_legend() -> svg.Svg:
    return svg.make_element(
        "g",
        svg.rectangle_at(190.0, 5.0, 10.0, 10.0, class_="headdot", fill=svg.ACCENT_COLOUR),
        svg.text_label("in the final model", 205, 14, class_="note"),
    )
