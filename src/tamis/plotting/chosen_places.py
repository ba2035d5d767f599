"""Where chosen variants are along the genome, and how often each was chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from . import _svg as svg
from ._axes import SHARE_TICKS, Frame, Scale, nice_ticks, tick_texts
from ._genome_axis import alternating_colours, chromosome_names

CHART_HEIGHT = 230.0
MIN_STEMLESS_DOTS = 60  # dots from which they have no stems
MIN_MERGED_DOTS = 300  # dots from which those that would lie on each other are drawn as one
MERGE_DISTANCE = 3.0  # how near each other these are
DOT_RADII = ((1, 1.3), (3, 2.0), (10, 2.8))  # from so many on, a dot's radius
FINAL_COLOUR = svg.PALETTE[0]
COLOUR_CLASSES = {svg.ACCENT_COLOUR: "headdot", "currentColor": "other", FINAL_COLOUR: "k0"}
ONE_MILLION = 1e6


ChosenDot = tuple[float, float, str, bool]  # place, share, words, whether it is in the final model


class PlacesPicture(TypedDict):
    """Where chosen variants are, and in which share of the folds each was chosen."""

    n: float
    chromosomes: list[tuple[str, float]]
    dots: list[ChosenDot]
    origin: float | None


def chosen_places(picture: PlacesPicture) -> str:
    """A Manhattan plot of how often variants were chosen, as SVG.

    Parameters
    ----------
    picture : mapping
        ``n`` (length of the axis), ``chromosomes`` (name, first place), ``dots`` (place, share,
        words, whether it is in the final model) and ``origin`` (position of place 0 where there is
        one chromosome alone, else None).

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> picture = {"n": 2e6, "chromosomes": [["22", 0]], "origin": 16e6,
    ...            "dots": [[5e5, 0.8, "rs1, 22:16,500,000", True]]}
    >>> "rs1, 22:16,500,000: 80 %" in chosen_places(picture)
    True
    """
    chromosomes, end = picture["chromosomes"], max(1.0, picture["n"])
    frame = Frame(
        Scale(0, end, 42, svg.CHART_WIDTH - 10), Scale(0, 1, CHART_HEIGHT - 36, 30), [], SHARE_TICKS
    )
    colour = alternating_colours(chromosomes)
    dots = sorted(picture["dots"], key=lambda dot: dot[1])
    parts: list[str] = [frame.draw("", "share of outer folds")]
    if picture["origin"] is None:
        parts += chromosome_names(chromosomes, end, frame)
    else:
        parts += _position_ticks(chromosomes, picture["origin"], end, frame)
    if len(dots) < MIN_STEMLESS_DOTS:
        parts += [
            svg.straight_line(
                frame.x(place),
                frame.bottom,
                frame.x(place),
                frame.y(share),
                class_="grid",
                stroke_opacity=0.4,
            )
            for place, share, _, _ in dots
        ]
    for final in (False, True):
        own = [dot for dot in dots if dot[3] == final]
        if len(own) > MIN_MERGED_DOTS:
            parts += _gathered_dots(own, frame, colour)
        else:
            parts += [_single_dot(dot, frame, colour(dot[0])) for dot in own]
    if any(dot[3] for dot in dots):
        parts.append(_diamond_mark(svg.CHART_WIDTH - 128.0, 9.0))
        parts.append(svg.text_label("in the final model", svg.CHART_WIDTH - 120, 13, class_="note"))
    desc = f"{len(dots)} variants; " + "; ".join(map(_dot_words, dots[:-6:-1]))
    return svg.chart_root(
        CHART_HEIGHT, "Where chosen variants are", desc, svg.join_elements(parts), kind="places"
    )


def _dot_words(dot: ChosenDot) -> str:
    more = ", in the final model" if dot[3] else ""
    return f"{dot[2]}: {100 * dot[1]:.0f} % of the outer folds{more}"


def _single_dot(dot: ChosenDot, frame: Frame, colour: str) -> str:
    x, y, words = frame.x(dot[0]), frame.y(dot[1]), svg.tooltip_title(_dot_words(dot))
    if dot[3]:
        return _diamond_mark(x, y, words)
    return svg.circle_at(x, y, 2.4, words, fill=colour, class_=COLOUR_CLASSES[colour])


def _position_ticks(chromosomes: Any, origin: float, end: float, frame: Frame) -> list[str]:
    """Ticks in millions of base pairs, where there is one chromosome."""
    found = []
    low, high = origin / ONE_MILLION, (origin + end) / ONE_MILLION
    ticks = [tick for tick in nice_ticks(low, high, 5) if low <= tick <= high]
    for tick, text in zip(ticks, tick_texts(ticks), strict=True):
        x = frame.x(tick * ONE_MILLION - origin)
        found.append(svg.straight_line(x, frame.bottom, x, frame.bottom + 4, class_="grid"))
        found.append(svg.text_label(text, x, frame.bottom + 16, "middle", class_="tick"))
    name = str(chromosomes[0][0]).removeprefix("chr")[:20]
    title = f"chromosome {name}, million base pairs"
    middle = (frame.x.start + frame.x.stop) / 2
    return [*found, svg.text_label(title, middle, frame.bottom + 31, "middle", class_="axis")]


def _gathered_dots(
    dots: Sequence[ChosenDot], frame: Frame, colour: Callable[[float], str]
) -> list[str]:
    """Many dots as few paths: those of one place and height are one, larger the more they are."""
    counts: Counter[tuple[str, float, float]] = Counter()
    for place, share, _, final in dots:
        x = round(frame.x(place) / MERGE_DISTANCE) * MERGE_DISTANCE
        counts[FINAL_COLOUR if final else colour(place), x, frame.y(share)] += 1
    paths: dict[tuple[str, float], list[str]] = {}
    for (own, x, y), n in counts.items():
        radius = max(r for least, r in DOT_RADII if n >= least)
        paths.setdefault((own, radius), []).append(
            f"M{svg.coordinate_text(x)} {svg.coordinate_text(y)}h0"
        )
    return [
        svg.make_element(
            "path",
            d="".join(each),
            stroke=own,
            stroke_width=2 * radius,
            fill="none",
            stroke_linecap="round",
            class_=f"{COLOUR_CLASSES[own]} gathered",
        )
        for (own, radius), each in sorted(paths.items())
    ]


def _diamond_mark(x: float, y: float, *more: str) -> str:
    points = " ".join(
        f"{svg.coordinate_text(x + dx)},{svg.coordinate_text(y + dy)}"
        for dx, dy in ((0, -5), (4, 0), (0, 5), (-4, 0))
    )
    return svg.make_element(
        "polygon",
        *more,
        points=points,
        fill=FINAL_COLOUR,
        class_=f"{COLOUR_CLASSES[FINAL_COLOUR]} edged",
    )
