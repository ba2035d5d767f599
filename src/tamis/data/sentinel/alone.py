"""Columns that decide the class alone, where no other column comes near: copies of it, mostly.

A strong marker is seldom alone: where one gene has an area of 1.000, others have .99. So what tells
a leak is not how well a column does, but how far it is beyond the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._core.errors import listing
from ..dataset import Dataset
from .interface import Suspect
from .separation import by_chance, on_open_scale

DECIDES = 0.95  # a separation: with two classes an area of .975
APART = 1.0  # from the next, on Fisher's scale; .92 at most in 49 sets of real measurements
COPY, FAR_APART = 0.99, 1.5  # from which it is refused
UNLIKELY = 0.01  # by chance, in any column
MOST = 5  # columns that may be copies of one another


def find_alone(data: Dataset, names: Sequence[str], found: np.ndarray) -> list[Suspect]:
    """The best few of the separations `found`, if all others lie far below them."""
    sizes = np.bincount(data.codes, minlength=len(data.classes)).astype(float)
    scale = np.append(on_open_scale(found, sizes), 0.0)  # the last: a column that tells nothing
    best = np.argsort(-scale, kind="stable")[: MOST + 1]
    gaps = -np.diff(scale[best])
    k = int(gaps.argmax()) + 1 if len(gaps) else 0
    if not k or gaps[k - 1] < APART or found[best[k - 1]] < DECIDES:
        return []
    if len(found) * by_chance(found[best[k - 1]], sizes) > UNLIKELY:
        return []
    columns = tuple(names[j] for j in best[:k])
    least = float(found[best[k - 1]])
    beyond = float(found[best[k]]) if best[k] < len(found) else 0.0
    grave = least >= COPY and gaps[k - 1] >= FAR_APART
    what = (
        f"column {listing(columns)} alone" if k == 1 else f"each of {listing(columns, MOST)} alone"
    )
    then = f"the next column {area_text(beyond, sizes)}" if beyond else "no other column does"
    kind = "copy" if least == 1 else "alone"
    text = f"{what} tells the classes apart: {area_text(least, sizes)}, {then}"
    return [Suspect(kind, columns, text, grave)]


def area_text(separation: float, sizes: np.ndarray) -> str:
    """In the words of two classes, or of several."""
    if len(sizes) == 2:
        return f"AUC {(1 + separation) / 2:.3f}"
    return f"separation {separation:.2f} of 1"
