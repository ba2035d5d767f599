"""Columns that decide the class alone, where no other column comes near: copies of it, mostly.

A strong marker is seldom alone: where one gene has an area of 1.000, others have .99. So what tells
a leak is not how well a column does, but how far it is beyond the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._core.errors import listing
from .interface import Suspect
from .separation import Separations, by_chance, on_open_scale

DECIDES = 0.95  # a separation: with two classes an area of .975
APART = 1.0  # from the next, on Fisher's scale; .92 at most in 49 sets of real measurements
COPY, FAR_APART = 0.99, 1.5  # from which it is refused
UNLIKELY = 0.01  # by chance, in any column
MOST = 5  # columns that may be copies of one another


def find_alone(names: Sequence[str], each: Separations) -> list[Suspect]:
    """The best few columns, if all others lie far below them."""
    found, _, sizes = each
    scale = np.append(on_open_scale(found, sizes), 0.0)  # the last: a column that tells nothing
    best = np.argsort(-scale, kind="stable")[: MOST + 1]
    gaps = -np.diff(scale[best])
    k = int(gaps.argmax()) + 1 if len(gaps) else 0
    if not k or gaps[k - 1] < APART or found[best[k - 1]] < DECIDES:
        return []
    if len(found) * by_chance(found[best[k - 1]], sizes) > UNLIKELY:
        return []
    columns = tuple(names[j] for j in best[:k])
    least = found[best[k - 1]]
    grave = bool(least >= COPY and gaps[k - 1] >= FAR_APART)
    what = (
        f"column {listing(columns)} alone" if k == 1 else f"each of {listing(columns, MOST)} alone"
    )
    others = best[k] < len(found) and found[best[k]] > 0
    then = f"the next column {each.words(best[k])}" if others else "no other column does"
    kind = "copy" if least == 1 else "alone"
    text = f"{what} tells the classes apart: {each.words(best[k - 1])}, {then}"
    return [Suspect(kind, columns, text, grave)]
