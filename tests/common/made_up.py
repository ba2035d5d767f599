"""Methods of nobody's, by which the engine is held to its interfaces."""

from __future__ import annotations

import numpy as np

from tamis._core.interfaces import Ranker, Ranking
from tamis._core.row_groups import SelectorPromises, SelectorTakes
from tamis._core.rows import RankerRow
from tamis.selection._orders import order_of

SETS = {1: [2], 2: [0, 1], 3: [3, 2, 0]}  # columns; not nested


class Unnested(Ranker):
    """A ranker whose sets are not nested, in order of the columns otherwise; its own is of 2."""

    def __init__(self, first=2):
        self.first = first

    def rank(self, part, sizes, stream):
        p = part.X.shape[1]
        scores = -np.arange(p, dtype=float)
        scores[self.first] = 1.0
        order = order_of(scores)
        path = {k: np.array(SETS[k]) if k in SETS else order[:k] for k in sizes}
        if part.own:
            path[2] = np.array(SETS[2])
        return Ranking(scores, path, chosen=2)


ROWS = [
    RankerRow(
        "unnested",
        "common.made_up:Unnested",
        "sets that are not nested",
        promises=SelectorPromises(own_size=True),
        parameters={"first": (int, ...)},
    ),
    RankerRow(
        "unnested_codes",
        "common.made_up:Unnested",
        "the same of categories as codes",
        takes=SelectorTakes(codes=True),
        promises=SelectorPromises(own_size=True),
        parameters={"first": (int, ...)},
    ),
]
