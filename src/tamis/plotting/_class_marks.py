"""Marks of classes in a picture, and the legend that says which is which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _svg as svg

MOST = 2 * len(svg.PALETTE)  # classes with a mark of their own: colours as dots, then as triangles
RADIUS = 2.6
KEYS = 3  # of the legend in a line
LINE = 18


def class_kind(place: int | None, classes: Sequence[str], most: int = MOST) -> int | None:
    """Which mark a class has, of at most so many; None of those without one."""
    if place is None or (len(classes) > most and place >= most - 1):
        return None
    return place


def class_mark(kind: int | None, x: float, y: float, *inside: svg.Svg) -> svg.Svg:
    """A dot or triangle in the colour of a class; grey without one."""
    more: dict[str, Any] = {"class_": "other", "fill": "#777777", "fill_opacity": 0.7}
    if kind is not None:
        more = {"class_": f"k{kind % len(svg.PALETTE)}", "fill": svg.colour(kind)}
        more["fill_opacity"] = 0.75
    if kind is None or kind < len(svg.PALETTE):
        return svg.circle(float(x), float(y), RADIUS, *inside, **more)
    side = 1.4 * RADIUS
    corners = f"M{x:.1f} {y - side:.1f}l{side:.1f} {1.8 * side:.1f}h{-2 * side:.1f}z"
    return svg.tag("path", *inside, d=corners, **more)


def class_legend(
    classes: Sequence[str], nameless: bool, top: float, noun: str = "class", most: int = MOST
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
    lines = -(-len(keys) // KEYS)
    drawn = svg.join([_key(k, kind, text, top) for k, (kind, text) in enumerate(keys)])
    return drawn, LINE * lines + (8 if lines else 0)


def _key(k: int, kind: int | None, text: str, top: float) -> svg.Svg:
    wide = (svg.WIDTH - 16) / KEYS
    x, y = 16 + wide * (k % KEYS), top + LINE * (k // KEYS) + 18
    words = svg.label(svg.fit_text(text, wide - 18), x + 9, y, class_="note")
    return svg.join([class_mark(kind, x, y - 4), words])
