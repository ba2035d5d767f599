"""Sets of features by the share of each class that holds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from .._core.errors import shorten_text
from . import _svg as svg
from ._axes import SHARE_TICKS, Frame, tick_frame
from ._class_marks import LINE_HEIGHT, key_place, keys_across

TOP_MARGIN, ROW_HEIGHT, FOOT_MARGIN = 12.0, 36.0, 42.0
DOT_RADIUS = 4.6
MAX_NAMED_FEATURES = 4  # features of a set


FoundSet = TypedDict(
    "FoundSet",
    {"features": list[str], "signs": list[int], "class": str, "prevalence": list[float]},
)


def set_shares(sets: Sequence[FoundSet], classes: Sequence[str], most: int = 20) -> str:
    """A row a set, the one that stands out most on top: a dot for its share of every class, as SVG.

    The class that a set speaks for has a full dot.

    Parameters
    ----------
    sets : sequence of mappings
        ``features`` (names), ``signs`` (below 0 where a feature is absent; may be empty),
        ``class`` and ``prevalence`` (a share a class); see `Intersections.to_dict`.
    classes : sequence of str
    most : int, default=20
        Sets shown.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> one = {"features": ["a", "b"], "signs": [1, -1], "class": "ill", "prevalence": [0.1, 0.8]}
    >>> "a + not b: 0.10 of well, 0.80 of ill" in set_shares([one], ["well", "ill"])
    True
    """
    shown = sets[:most]
    bottom = TOP_MARGIN + ROW_HEIGHT * max(len(shown), 1)
    frame = tick_frame(
        SHARE_TICKS,
        [0.0, 1.0],
        bottom + FOOT_MARGIN,
        left=14,
        right=14,
        top=TOP_MARGIN,
        foot=FOOT_MARGIN,
    )
    axes = Frame(frame.x, frame.y, SHARE_TICKS, [])
    across = keys_across(classes)
    lines = -(-len(classes) // across)
    parts = [
        axes.draw("share of the class that holds the set"),
        *(
            _set_row(one, classes, TOP_MARGIN + ROW_HEIGHT * at, axes)
            for at, one in enumerate(shown)
        ),
        *(
            _class_key(k, name, key_place(k, across, bottom + FOOT_MARGIN - 4))
            for k, name in enumerate(classes)
        ),
    ]
    if not shown:
        parts.append(
            svg.text_label(
                "no set", svg.CHART_WIDTH / 2, TOP_MARGIN + ROW_HEIGHT / 2, "middle", class_="note"
            )
        )
    full = "full: the class that the set stands out in"
    height = bottom + FOOT_MARGIN + LINE_HEIGHT * (lines + 1) + 8
    parts.append(svg.text_label(full, 16, height - 8, class_="note"))
    desc = "; ".join(_set_words(one, classes) for one in shown) or "no set"
    return svg.chart_root(height, "Sets by their share of each class", desc, *parts, kind="shares")


def set_name(one: FoundSet) -> str:
    """The first features of a set.

    Examples
    --------
    >>> set_name({"features": ["a", "b"], "signs": [], "class": "ill", "prevalence": [1.0]})
    'a + b'
    """
    signs = one["signs"] or [1] * len(one["features"])
    pairs = list(zip(one["features"], signs, strict=True))
    names = [
        ("" if sign >= 0 else "not ") + shorten_text(name, 40)
        for name, sign in pairs[:MAX_NAMED_FEATURES]
    ]
    more = f" + {len(pairs) - MAX_NAMED_FEATURES} more" if len(pairs) > MAX_NAMED_FEATURES else ""
    return " + ".join(names) + more


def _set_words(one: FoundSet, classes: Sequence[str]) -> str:
    shares = zip(one["prevalence"], classes, strict=True)
    return f"{set_name(one)}: {', '.join(f'{share:.2f} of {name}' for share, name in shares)}"


def _set_row(one: FoundSet, classes: Sequence[str], y: float, frame: Frame) -> svg.Svg:
    shares, middle = one["prevalence"], y + 23
    ends = frame.x(min(shares)), frame.x(max(shares))
    name = svg.fit_text(set_name(one), frame.x.stop - frame.left)
    dots = [
        svg.circle_at(
            frame.x(share), middle, DOT_RADIUS, **_class_look(k, classes[k] == one["class"])
        )
        for k, share in enumerate(shares)
    ]
    return svg.tooltip_group(
        _set_words(one, classes),
        svg.text_label(name, frame.left, y + 12, class_="name"),
        svg.straight_line(ends[0], middle, ends[1], middle, class_="grid", stroke_opacity=0.4),
        *dots,
    )


def _class_look(place: int, full: bool) -> dict[str, object]:
    """Of a dot: full, or a ring whose inside is that of the page."""
    if full:
        return {"class_": f"k{place % len(svg.PALETTE)}", "fill": svg.series_colour(place)}
    ring = {"class_": f"s{place % len(svg.PALETTE)}", "fill": "none"}
    return {**ring, "stroke": svg.series_colour(place), "stroke_width": 1.6}


def _class_key(number: int, name: str, place: tuple[float, float, float]) -> svg.Svg:
    x, y, wide = place
    words = svg.text_label(svg.fit_text(name, wide), x + 9, y, class_="note")
    return svg.join_elements(
        [svg.circle_at(x, y - 4, DOT_RADIUS, **_class_look(number, True)), words]
    )
