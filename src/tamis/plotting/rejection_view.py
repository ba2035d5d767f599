"""What declining the least certain samples gives, by how many of those held out inside it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._axes import Frame, defined_values, unit_frame
from ._svg import (
    ACCENT,
    PALETTE,
    WIDTH,
    Svg,
    polyline,
    straight_line,
    svg_chart,
    svg_tag,
    text_label,
    text_width,
    tooltip,
)

Point = Mapping[str, Any]
HEIGHT = 352.0
LINES = (  # key, words, class, colour, dashes
    ("error", "error", "head", ACCENT, None),
    ("declined_error", "error of declined", "s1", PALETTE[1], "6 3"),
    ("coverage", "decided on", "s0", PALETTE[0], "2 3"),
)


def rejection_view(points: Sequence[Point], chosen: Sequence[float] = ()) -> str:
    """Error rates and coverage by the share of inner samples that are less certain, as SVG.

    Parameters
    ----------
    points : sequence of mappings
        ``standing``, ``error``, ``declined_error`` (may be None) and ``coverage``.
    chosen : sequence of float, optional
        Shares that training parts chose.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> point = {"standing": 0.2, "error": 0.1, "declined_error": 0.4, "coverage": 0.8}
    >>> "decided on" in rejection_view([point])
    True
    """
    frame = unit_frame(HEIGHT)
    marks = [
        svg_tag("g", tooltip(f"a training part declined {at:.0%} inside"),
                straight_line(frame.x(at), frame.y.stop, frame.x(at), frame.bottom,
                              class_="chance", stroke_opacity=0.35))
        for at in defined_values(chosen)
    ]  # fmt: skip
    lines = [_line(points, frame, *one) for one in LINES]
    desc = "error of the samples decided on, of those declined, and the share decided on"
    return svg_chart(
        HEIGHT, "Declining by certainty", desc, frame.draw("Certainty, as a share inside", ""),
        _key(), *marks, *lines, kind="declining",
    )  # fmt: skip


def _line(
    points: Sequence[Point], frame: Frame, key: str, words: str, kind: str, colour: str,
    dashes: str | None,
) -> Svg:  # fmt: skip
    """Steps: a point holds from its standing on."""
    corners: list[tuple[float, float]] = []
    for p in points:
        if len(defined_values([p.get("standing"), p.get(key)])) == 2:
            if corners:
                corners.append((p["standing"], corners[-1][1]))
            corners.append((p["standing"], p[key]))
    if not corners:
        return Svg()
    corners.append((1.0, corners[-1][1]))
    places = [(frame.x(x), frame.y(y)) for x, y in corners]
    return polyline(
        places, tooltip(words), stroke=colour, stroke_width=2.2 if colour == ACCENT else 1.5,
        stroke_dasharray=dashes, class_=kind,
    )  # fmt: skip


def _key() -> Svg:
    """Which line is which, right above the chart."""
    parts, x = [], WIDTH - 12.0
    for _, words, kind, colour, dashes in reversed(LINES):
        x -= text_width(words)
        parts.append(text_label(words, x, 12, class_="note"))
        x -= 24
        parts.append(
            straight_line(
                x, 8, x + 20, 8, class_=kind, stroke=colour, stroke_width=2, stroke_dasharray=dashes
            )
        )
        x -= 10
    return svg_tag("g", *parts)
