"""Pairs where one class may be a kind of the other: candidates for a person, no matches."""

from __future__ import annotations

from typing import Literal

import numpy as np

from .pairs import Pairs
from .similarities.words import head_word


def subsumed(pairs: Pairs, mapped: np.ndarray) -> list[tuple[int, Literal["<", ">"]]]:
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
    sides = (pairs.source, pairs.target)
    words = [[frozenset(ws) for ws in side.words] for side in sides]
    heads = [[head_word(label) for label in side.labels] for side in sides]
    taken = [set(pairs.rows[mapped, side].tolist()) for side in (0, 1)]
    best: dict[tuple[int, int], tuple[int, int]] = {}
    for k, (i, j) in enumerate(pairs.rows.tolist()):
        one, other = words[0][i], words[1][j]
        if not one or not other or heads[0][i] != heads[1][j] or one == other:
            continue
        for side, own, wide, narrow in ((0, i, other, one), (1, j, one, other)):
            if wide < narrow and own not in taken[side]:
                key = (side, own)
                if best.get(key, (0, 0))[0] < len(wide):
                    best[key] = (len(wide), k)
    signs: tuple[Literal["<"], Literal[">"]] = ("<", ">")
    return sorted((k, signs[side]) for (side, _), (_, k) in best.items())
