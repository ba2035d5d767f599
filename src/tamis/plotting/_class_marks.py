"""Marks of classes in a picture, and the legend that says which is which."""

from __future__ import annotations

from collections.abc import Sequence

from . import _svg as svg

# classes with a mark of their own: colours as dots, then as triangles
MAX_MARKED_CLASSES = 2 * len(svg.PALETTE)
MARK_RADIUS = 2.6
KEYS_PER_LINE = 3  # of the legend in a line
LINE_HEIGHT = 18
KEY_MARGIN = 18  # of a key's width, beside its text


def class_kind(
    place: int | None, classes: Sequence[str], most: int = MAX_MARKED_CLASSES
) -> int | None:
    """Which mark a class has, of at most so many; None of those without one."""
    if place is None or (len(classes) > most and place >= most - 1):
        return None
    return place


def class_mark(kind: int | None, x: float, y: float, *inside: svg.Svg) -> svg.Svg:
    """A dot or triangle in the colour of a class; grey without one."""
    more: dict[str, object] = {"class_": "other", "fill": "#777777", "fill_opacity": 0.7}
    if kind is not None:
        more = {"class_": f"k{kind % len(svg.PALETTE)}", "fill": svg.series_colour(kind)}
        more["fill_opacity"] = 0.75
    if kind is None or kind < len(svg.PALETTE):
        return svg.circle_at(float(x), float(y), MARK_RADIUS, *inside, **more)
    side = 1.4 * MARK_RADIUS
    corners = f"M{x:.1f} {y - side:.1f}l{side:.1f} {1.8 * side:.1f}h{-2 * side:.1f}z"
    return svg.make_element("path", *inside, d=corners, **more)


def keys_across(names: Sequence[str]) -> int:
    """How many keys of a legend have room in a line, three at most.

    Examples
    --------
    >>> keys_across(["ill", "well"]), keys_across(["mutual information", "hsic"])
    (3, 2)
    """
    widest = max(map(svg.text_width, names), default=0.0) + KEY_MARGIN
    return max(1, min(KEYS_PER_LINE, int((svg.CHART_WIDTH - 16) // widest)))


def key_place(place: int, across: int, top: float) -> tuple[float, float, float]:
    """Where the mark of a key stands, the foot of its text, and the width of the text."""
    wide = (svg.CHART_WIDTH - 16) / across
    return (
        16 + wide * (place % across),
        top + LINE_HEIGHT * (place // across) + 18,
        wide - KEY_MARGIN,
    )


def class_legend(
    classes: Sequence[str],
    nameless: bool,
    top: float,
    noun: str = "class",
    most: int = MAX_MARKED_CLASSES,
) -> tuple[svg.Svg, float]:
    """Marks and what they stand for, below `top`, and how high that is.

    `nameless`: some samples have no class; `noun`: what a class is called, with -es for several.
    """
    kinds = [class_kind(k, classes, most) for k in range(len(classes))]
    keys: list[tuple[int | None, str]] = [
        (kind, name) for kind, name in zip(kinds, classes, strict=True) if kind is not None
    ]
    if len(keys) < len(classes):
        keys.append((None, f"{len(classes) - len(keys)} other {noun}es"))
    elif classes and nameless:
        keys.append((None, f"no {noun}"))
    across = keys_across([text for _, text in keys])
    lines = -(-len(keys) // across)
    drawn = svg.join_elements(
        [_key_mark(key_place(k, across, top), *key) for k, key in enumerate(keys)]
    )
    return drawn, LINE_HEIGHT * lines + (8 if lines else 0)


def _key_mark(place: tuple[float, float, float], kind: int | None, text: str) -> svg.Svg:
    x, y, wide = place
    words = svg.text_label(svg.fit_text(text, wide), x + 9, y, class_="note")
    return svg.join_elements([class_mark(kind, x, y - 4), words])
