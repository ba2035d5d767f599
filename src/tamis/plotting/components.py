"""Samples on two principal components, and how much each component has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from .._core.errors import listed_parts, shorten_text
from . import _svg as svg
from ._axes import Frame, Scale, nice_ticks, tick_frame
from ._class_marks import class_kind, class_legend, class_mark

CHART_HEIGHT, BARS_HEIGHT = 330.0, 210.0
MAX_LABELLED_BARS = 8  # bars that have room for their share


class ScatterPicture(TypedDict):
    """Samples on components: name, place of the class or None, scores."""

    classes: list[str]
    samples: list[list[Any]]


def component_scatter(
    picture: ScatterPicture, first: int, share: Sequence[float], noun: str = "class"
) -> str:
    """Samples on components `first` and `first` + 1, counted from 0, as SVG.

    Parameters
    ----------
    picture : mapping
        ``classes`` (names, the largest first) and ``samples`` (name, place of the class or None,
        scores).
    first : int
    share : sequence of float
        Of the variance, of each component.
    noun : str
        What a class is called.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> picture = {"classes": ["a"], "samples": [["s1", 0, 1.0, 2.0], ["s2", None, -1.0, 0.5]]}
    >>> "s1, a: 1.00, 2.00" in component_scatter(picture, 0, [0.2, 0.1])
    True
    """
    samples, classes = picture["samples"], picture["classes"]
    x, y = ([row[2 + first + k] for row in samples] for k in (0, 1))
    across, up = (nice_ticks(min(v, default=0.0), max(v, default=1.0), 6) for v in (x, y))
    frame = tick_frame(across, up, CHART_HEIGHT)
    names = [f"PC{first + k + 1} ({100 * share[first + k]:.2g}\u00a0% of variance)" for k in (0, 1)]
    parts: list[str] = [frame.draw(*names)]
    for row, a, b in zip(samples, x, y, strict=True):
        named = shorten_text(row[0])
        if row[1] is not None:
            named += f", {shorten_text(classes[row[1]])}"
        words = svg.tooltip_title(f"{named}: {a:.2f}, {b:.2f}")
        parts.append(class_mark(class_kind(row[1], classes), frame.x(a), frame.y(b), words))
    legend, more = class_legend(classes, any(row[1] is None for row in samples), CHART_HEIGHT, noun)
    parts.append(legend)
    desc = f"{len(samples)} samples; {noun}es: {listed_parts(map(shorten_text, classes)) or 'none'}"
    title = " against ".join(names)
    return svg.chart_root(CHART_HEIGHT + more, title, desc, *parts, kind="components")


def component_views(picture: ScatterPicture, share: Sequence[float]) -> list[str]:
    """The first component against the second, and the third against the fourth if there are four,
    as SVG.

    Examples
    --------
    >>> len(component_views({"classes": [], "samples": [["s", None, 1.0, 2.0]]}, [0.2, 0.1]))
    1
    """
    views = [first for first in (0, 2) if first + 1 < len(share)]
    return [component_scatter(picture, first, share) for first in views]


def eigenvalue_bars(values: Sequence[float], share: Sequence[float]) -> str:
    """A bar a component, as long as its eigenvalue, as SVG; few bars are headed by their share of
    the variance.

    Examples
    --------
    >>> "PC2: eigenvalue 1.500, 3 % of variance" in eigenvalue_bars([4.0, 1.5], [0.08, 0.03])
    True
    """
    n = max(1, len(values))
    room = 1.1 if n <= MAX_LABELLED_BARS else 1.0
    ticks = nice_ticks(0, room * max(values, default=1.0), 5)
    frame = Frame(
        Scale(0, n, 42, svg.CHART_WIDTH - 12), Scale(0, ticks[-1], BARS_HEIGHT - 40, 26), [], ticks
    )
    more = " and share of the variance" if n <= MAX_LABELLED_BARS else ""
    parts: list[str] = [frame.draw("component", f"eigenvalue{more}")]
    wide = (frame.x.stop - frame.x.start) / n
    every = -(-n // 20)
    for k, (value, part) in enumerate(zip(values, share, strict=True)):
        words = f"PC{k + 1}: eigenvalue {value:.3f}, {100 * part:.3g} % of variance"
        top = frame.y(value)
        parts.append(
            svg.rectangle_at(
                frame.x(k) + 0.1 * wide,
                top,
                0.8 * wide,
                frame.bottom - top,
                svg.tooltip_title(words),
                class_="headdot",
                fill=svg.ACCENT_COLOUR,
            )
        )
        if n <= MAX_LABELLED_BARS:
            label = f"{100 * part:.3g}\u00a0%"
            parts.append(svg.text_label(label, frame.x(k + 0.5), top - 4, "middle", class_="note"))
        if k % every == 0:
            parts.append(
                svg.text_label(
                    str(k + 1), frame.x(k + 0.5), frame.bottom + 16, "middle", class_="tick"
                )
            )
    desc = "; ".join(f"PC{k + 1} {value:.3f}" for k, value in enumerate(values))
    return svg.chart_root(BARS_HEIGHT, "Eigenvalues", desc, *parts, kind="eigenvalues")
