"""Columns that decide the class alone, where no other column comes near: copies of it, mostly.

A strong marker is seldom alone: where one gene has an area of 1.000, others have .99. So a leak is
not known by how well a column does, but by how far it is beyond the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lgamma

import numpy as np

from ..._core.errors import listed_names
from .interface import Suspect
from .separation import (
    Separations,
    by_chance,
    by_values,
    on_open_scale,
    separation_words,
    value_codes,
)
from .watched import Watched

MIN_DECIDING_SEPARATION = 0.95  # a separation: with two classes an area of .975
MIN_GAP = 1.0  # from the next, on Fisher's scale; .72 at most in 49 sets of real measurements
MIN_COPY_SEPARATION, MIN_COPY_GAP = 0.99, 1.5  # from which it is refused,
MIN_MEAN_DISTANCE = 6.0  # if class means of a number are so many standard deviations apart, or more
MAX_CHANCE_P = 0.01  # by chance, in any column
MAX_COPIES = 5  # columns that may be copies of one another
MIN_REFUSED_SAMPLES = 20  # samples, from which a copy is refused


def find_alone(table: Watched, each: Separations) -> list[Suspect]:
    """Columns that are the class under other names; of all others the best few, if the rest lies
    far below them; with several classes also columns of two values that tell one class from the
    others so."""
    copies = _class_copies(table, each)
    suspects = [
        Suspect(
            "copy",
            (table.names[j],),
            f"column {listed_names([table.names[j]])} has one value for each class",
            len(table.y) >= MIN_REFUSED_SAMPLES,
        )
        for j in copies.tolist()
    ]
    found = each.found.copy()
    found[copies] = 0.0
    rest = Separations(found, each.valued)
    suspects += _far_beyond(table, rest, table.sizes, "the classes")
    if len(table.classes) == 2:
        return suspects
    few = table.few_valued
    few = few[value_codes(table.X[:, few]).max(axis=0, initial=0) == 1]
    for c, size in enumerate(table.sizes):
        found = np.zeros(len(table.names))
        found[few] = by_values(table.X[:, few], (table.y == c).astype(np.int64), 2)
        sizes, valued = np.array([len(table.y) - size, size]), found > 0
        what = f"{table.heading(c)} from the others"
        suspects += _far_beyond(table, Separations(found, valued), sizes, what)
    return suspects


def _class_copies(table: Watched, each: Separations) -> np.ndarray:
    """Columns of as many values as there are classes, one of each, and none missing; none where
    labels in random order would be so in one of the columns of few values."""
    few, sizes = table.few_valued, table.sizes
    chance = sum(map(lgamma, sizes + 1)) + lgamma(len(sizes) + 1) - lgamma(sizes.sum() + 1)
    some = few[each.found[few] == 1] if len(few) * np.exp(chance) <= MAX_CHANCE_P else few[:0]
    values = value_codes(table.X[:, some]).max(axis=0, initial=0) + 1
    return some[(values == len(table.classes)) & ~np.isnan(table.X[:, some]).any(axis=0)]


def _is_class(table: Watched, column: int) -> bool:
    """Whether a number is all but the class: its class means lie `MIN_MEAN_DISTANCE` standard
    deviations
    apart, or it numbers the rows of a table that is sorted by class. A strong marker of four or
    five standard deviations is neither."""
    x = table.X[:, column]
    steps = np.diff(x)
    if (steps == 1).all() or (steps == -1).all():
        return True
    groups = [own[~np.isnan(own)] for own in (x[table.y == c] for c in range(len(table.sizes)))]
    means = np.sort([own.mean() for own in groups if len(own)])
    within = sum(((own - own.mean()) ** 2).sum() for own in groups if len(own))
    spread = np.sqrt(within / max(sum(map(len, groups)) - len(means), 1))
    return bool(np.diff(means).min(initial=np.inf) >= MIN_MEAN_DISTANCE * spread)


def _far_beyond(
    table: Watched, each: Separations, sizes: np.ndarray, what: str
) -> Iterator[Suspect]:
    """The first few columns that are far beyond the next."""
    found = each.found
    scale = np.append(on_open_scale(found, sizes), 0.0)  # the last: a column that says nothing
    best = np.argsort(-scale, kind="stable")[: MAX_COPIES + 1]
    gaps = -np.diff(scale[best])
    apart = np.flatnonzero(
        (gaps >= MIN_GAP) & (found[best[: len(gaps)]] >= MIN_DECIDING_SEPARATION)
    )
    if not len(apart) or len(found) * by_chance(found[best[apart[0]]], sizes) > MAX_CHANCE_P:
        return
    k = int(apart[0]) + 1
    columns = tuple(table.names[j] for j in best[:k])
    words = [
        separation_words(float(found[j]), len(sizes), bool(each.valued[j]))
        for j in best[k - 1 : k + 1]
        if j < len(found)
    ]
    grave = found[best[k - 1]] >= MIN_COPY_SEPARATION and gaps[k - 1] >= MIN_COPY_GAP
    grave = bool(grave) and all(each.valued[j] or _is_class(table, j) for j in best[:k].tolist())
    who = f"column {listed_names(columns)}" if k == 1 else f"each of {listed_names(columns)}"
    then = f"the next column {words[1]}" if len(words) > 1 else "there is no other column"
    yield Suspect("alone", columns, f"{who} alone separates {what}: {words[0]}, {then}", grave)
