"""Columns that decide the class alone, where no other column comes near: copies of it, mostly.

A strong marker is seldom alone: where one gene has an area of 1.000, others have .99. So what tells
a leak is not how well a column does, but how far it is beyond the next.
"""

from __future__ import annotations

import numpy as np

from ..._core.errors import listing
from .interface import Suspect
from .separation import Separations, by_chance, on_open_scale, separation_words
from .watched import Watched

DECIDES = 0.95  # a separation: with two classes an area of .975
APART = 1.0  # from the next, on Fisher's scale; .92 at most in 49 sets of real measurements
COPY, FAR_APART = 0.99, 1.5  # from which it is refused
UNLIKELY = 0.01  # by chance, in any column
MOST = 5  # columns that may be copies of one another


def find_alone(table: Watched, each: Separations) -> list[Suspect]:
    """The best few columns, if all others lie far below them."""
    found, sizes = each.found, table.sizes
    scale = np.append(on_open_scale(found, sizes), 0.0)  # the last: a column that tells nothing
    best = np.argsort(-scale, kind="stable")[: MOST + 1]
    gaps = -np.diff(scale[best])
    k = int(gaps.argmax()) + 1 if len(gaps) else 0
    if not k or gaps[k - 1] < APART or found[best[k - 1]] < DECIDES:
        return []
    if len(found) * by_chance(found[best[k - 1]], sizes) > UNLIKELY:
        return []
    columns = tuple(table.names[j] for j in best[:k])
    least, beyond = (
        separation_words(float(found[j]), len(sizes), bool(each.valued[j]))
        if j < len(found)
        else ""
        for j in best[k - 1 : k + 1]
    )
    grave = bool(found[best[k - 1]] >= COPY and gaps[k - 1] >= FAR_APART)
    what = f"column {listing(columns)}" if k == 1 else f"each of {listing(columns)}"
    then = f"the next column {beyond}" if beyond else "there is no other column"
    kind = "copy" if found[best[k - 1]] == 1 else "alone"
    text = f"{what} alone tells the classes apart: {least}, {then}"
    return [Suspect(kind, columns, text, grave)]
