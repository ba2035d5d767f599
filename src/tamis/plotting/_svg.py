"""SVG as strings: one helper through which every element, attribute and text passes.

Presentation attributes give a chart that stands alone (a white page, black text); the
classes let a page restyle it for dark, light and print.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# Okabe & Ito (2008), distinguishable with any colour vision; without
# yellow (too pale on white) and sky (too near the accent).
ACCENT_COLOUR = "#0072B2"
PALETTE = ("#D55E00", "#009E73", "#CC79A7", "#E69F00", "#4D4D4D", "#7A5195")
DASH_PATTERNS = (None, "6 3", "2 3")

CHART_WIDTH = 360  # of every chart: a phone's width, so that text is never scaled below legibility
FONT_SIZE = 12
FONT_FAMILY = "system-ui, sans-serif"
CHARACTER_WIDTH = 0.56  # of the size, a character's width

# What XML 1.0 forbids, lone surrogates, which UTF-8 cannot hold, and the marks that reorder
# text, with which one name can be made to look like another.
_ILLEGAL_PATTERN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)
_CHARACTER_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}


class Svg(str):
    """Text that is already SVG. Templates that escape everything else let it pass."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def series_colour(number: int) -> str:
    """The colour of a series."""
    return PALETTE[number % len(PALETTE)]


def series_dashes(number: int) -> str | None:
    """Its dashes, which change where the colours begin anew; None: a solid line."""
    return DASH_PATTERNS[number // len(PALETTE) % len(DASH_PATTERNS)]


def clean_text(text: object) -> str:
    """`text` without characters that break or disguise it (each becomes U+FFFD)."""
    return _ILLEGAL_PATTERN.sub("\ufffd", str(text))


def escape_text(text: object) -> str:
    """`text` safe between tags and inside a quoted attribute.

    Examples
    --------
    >>> escape_text('<b a="1">')
    '&lt;b a=&#34;1&#34;&gt;'
    """
    return "".join(_CHARACTER_ESCAPES.get(c, c) for c in clean_text(text))


def coordinate_text(value: float) -> str:
    """A coordinate with at most one decimal, the same on every machine."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


def make_element(name: str, *children: object, **attributes: object) -> Svg:
    """One element. Children that are not `Svg` are text and are escaped.

    ``class_`` becomes ``class`` and ``stroke_width`` ``stroke-width``; None is left out.

    Examples
    --------
    >>> make_element("text", "a < b", x=1.25, class_="tick")
    '<text x="1.2" class="tick">a &lt; b</text>'
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        text = coordinate_text(value) if isinstance(value, float) else escape_text(value)
        parts.append(f'{_attribute_name(key)}="{text}"')
    inside = "".join(c if isinstance(c, Svg) else escape_text(c) for c in children)
    opening = " ".join(parts)
    return Svg(f"<{opening}>{inside}</{name}>" if inside else f"<{opening}/>")


def _attribute_name(key: str) -> str:
    return key if key == "viewBox" else key.rstrip("_").replace("_", "-")


def join_elements(parts: Iterable[str]) -> Svg:
    """Elements one after the other; what is not `Svg` is escaped."""
    return Svg("".join(p if isinstance(p, Svg) else escape_text(p) for p in parts))


def chart_root(height: float, title: str, desc: str, *children: str, kind: str = "") -> Svg:
    """The root element, with a title and a description for those who do not see it."""
    return make_element(
        "svg",
        make_element("title", title),
        make_element("desc", desc),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {CHART_WIDTH} {coordinate_text(height)}",
        role="img",
        class_=f"chart {kind}".strip(),
        font_family=FONT_FAMILY,
        font_size=FONT_SIZE,
        fill="currentColor",
    )


def text_label(text: object, x: float, y: float, anchor: str = "start", **more: object) -> Svg:
    """A line of text."""
    more.setdefault("class_", "label")
    return make_element("text", text, x=float(x), y=float(y), text_anchor=anchor, **more)


def straight_line(x1: float, y1: float, x2: float, y2: float, **more: object) -> Svg:
    """A straight line, in the text's colour unless `more` says otherwise."""
    more.setdefault("stroke", "currentColor")
    return make_element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), **more)


def line_through(points: Iterable[tuple[float, float]], *children: str, **more: object) -> Svg:
    """A line through points given in the chart's coordinates."""
    joined = " ".join(f"{coordinate_text(x)},{coordinate_text(y)}" for x, y in points)
    return make_element("polyline", *children, points=joined, fill="none", **more)


def circle_at(x: float, y: float, r: float, *children: object, **more: object) -> Svg:
    """A circle around (x, y)."""
    return make_element("circle", *children, cx=x, cy=y, r=r, **more)


def rectangle_at(
    x: float, y: float, width: float, height: float, *children: object, **more: object
) -> Svg:
    """A rectangle whose upper left corner is (x, y)."""
    return make_element("rect", *children, x=x, y=y, width=width, height=height, **more)


def tooltip_title(text: str) -> Svg:
    """What is shown when the pointer rests on the parent."""
    return make_element("title", text)


def tooltip_group(words: str, *children: object) -> Svg:
    """Elements that share a tooltip."""
    return make_element("g", tooltip_title(words), *children)


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """About how wide `text` is set in a sans-serif face (wide characters count double)."""
    units = sum(1.0 if unicodedata.east_asian_width(c) in "WF" else CHARACTER_WIDTH for c in text)
    return units * size


def fit_text(text: object, width: float, size: float = FONT_SIZE) -> str:
    """`text` cut with an ellipsis so that it is about `width` wide.

    Examples
    --------
    >>> fit_text("a very long label", 60)
    'a very…'
    """
    label = " ".join(clean_text(text).split())
    if len(label) * CHARACTER_WIDTH * size <= width and text_width(label, size) <= width:
        return label
    label = label[: max(0, int(width / (CHARACTER_WIDTH * size)))]  # what follows has no room
    while label and text_width(label + "…", size) > width:
        label = label[:-1]
    return label.rstrip() + "…"
