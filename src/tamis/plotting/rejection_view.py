"""What declining the least certain samples gives, by how many of those held out inside it takes."""

from __future__ import annotations

from collections.abc import Sequence

from . import _svg as svg
from ._axes import UNIT_HEIGHT, Frame, Place, Point, defined_places, defined_values, unit_frame

LINE_STYLES = (  # key, words, class, colour, dashes
    ("error", "error", "head", svg.ACCENT_COLOUR, None),
    ("declined_error", "error of declined", "s1", svg.PALETTE[1], "6 3"),
    ("coverage", "decided on", "s0", svg.PALETTE[0], "2 3"),
)


def rejection_view(points: Sequence[Point], chosen: Sequence[float] = ()) -> str:
    """Error rates and coverage by the share of inner samples that are less certain, as SVG.

    Parameters
    ----------
    points : sequence of mappings
        ``standing``, ``error``, ``declined_error`` (may be None) and ``coverage``.
    chosen : sequence of float, optional
        Shares that training sets chose.

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
    frame = unit_frame()
    marks = [
        svg.tooltip_group(
            f"a training set declined {at:.0%} inside",
            frame.down(at, class_="chance", stroke_opacity=0.35),
        )
        for at in defined_values(chosen)
    ]
    lines = [_rejection_step_line(points, frame, *one) for one in LINE_STYLES]
    desc = "error of the samples decided on, of those declined, and the share decided on"
    return svg.chart_root(
        UNIT_HEIGHT,
        "Declining by certainty",
        desc,
        frame.draw("Certainty, as inner quantile", ""),
        _rejection_line_key(),
        *marks,
        *lines,
        kind="declining",
    )


def _rejection_step_line(
    points: Sequence[Point],
    frame: Frame,
    key: str,
    words: str,
    kind: str,
    colour: str,
    dashes: str | None,
) -> svg.Svg:
    """Steps: a point holds from its standing on."""
    corners: list[Place] = []
    for standing, value in defined_places(points, "standing", key):
        if corners:
            corners.append((standing, corners[-1][1]))
        corners.append((standing, value))
    if not corners:
        return svg.Svg()
    corners.append((1.0, corners[-1][1]))
    places = [(frame.x(x), frame.y(y)) for x, y in corners]
    width = 2.2 if colour == svg.ACCENT_COLOUR else 1.5
    return svg.line_through(
        places,
        svg.tooltip_title(words),
        stroke=colour,
        stroke_width=width,
        stroke_dasharray=dashes,
        class_=kind,
    )


def _rejection_line_key() -> svg.Svg:
    """Which line is which, right above the chart."""
    parts, x = [], svg.CHART_WIDTH - 12.0
    for _, words, kind, colour, dashes in reversed(LINE_STYLES):
        x -= svg.text_width(words)
        parts.append(svg.text_label(words, x, 12, class_="note"))
        x -= 24
        parts.append(
            svg.straight_line(
                x, 8, x + 20, 8, class_=kind, stroke=colour, stroke_width=2, stroke_dasharray=dashes
            )
        )
        x -= 10
    return svg.make_element("g", *parts)
