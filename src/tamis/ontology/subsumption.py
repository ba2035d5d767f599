"""Pairs where one class may be a kind of the other: candidates for a person, no matches."""

from __future__ import annotations

from typing import Literal

import numpy as np

from .pairs import Pairs, row_products
from .similarities.words import equal_heads

Sign = Literal["<", ">"]
RELATION_SIGNS: tuple[Sign, Sign] = ("<", ">")


def subsumed_pairs(pairs: Pairs, mapped: np.ndarray) -> list[tuple[int, Sign]]:
    """Pairs whose names say that one is a kind of the other.

    The label of the one has all stems of the other's and more, and their head words are equal: a
    "conference paper" is a kind of "paper". Told only of a class that is mapped to nothing, once,
    beside the class with the most stems in common.

    Parameters
    ----------
    pairs : Pairs
    mapped : ndarray of bool, shape (n,)
        Pairs that stand.

    Returns
    -------
    list of (int, "<" or ">")
        Position of a pair, and whether its source means less or more.
    """
    same = pairs.once(equal_heads) == 1
    bags = pairs.terms.labels
    common = row_products(*bags, pairs.rows)
    size = [np.diff(bag.indptr)[pairs.rows[:, side]] for side, bag in enumerate(bags)]
    found: list[tuple[int, Sign]] = []
    for side in (0, 1):
        free = ~np.isin(pairs.rows[:, side], pairs.rows[mapped, side])
        wide, narrow = size[1 - side], size[side]
        at = np.flatnonzero(free & same & (wide > 0) & (common == wide) & (wide < narrow))
        at = at[np.lexsort((at, -wide[at], pairs.rows[at, side]))]
        first = np.diff(pairs.rows[at, side], prepend=-1) != 0
        found += [(k, RELATION_SIGNS[side]) for k in at[first].tolist()]
    return sorted(found)
