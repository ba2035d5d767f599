"""Pairs that are nearly certain by themselves: they teach where nobody has labelled any."""

from __future__ import annotations

import numpy as np

from .pairs import Pairs
from .similarities.names import jaro_winkler, monge_elkan
from .similarities.rivals import best_other
from .similarities.structure import ancestors, children, parents
from .similarities.words import words

SURE = 0.95  # similarity of names from which a pair without rivals is a seed
ALIKE = 0.8  # the same where relatives are alike, too
RELATED = 0.5  # cosine of relatives
UNLIKE = 0.5  # similarity below which a pair is no match


def seed_labels(pairs: Pairs) -> np.ndarray:
    """1 where a pair is taken for a match, 0 where it is not, -1 where nothing is said.

    A match: its names are by far the most alike for both classes, nearly equal, or alike with
    relatives that are alike. No match: a pair that shares a class with one, or of unlike names.

    Parameters
    ----------
    pairs : Pairs

    Returns
    -------
    ndarray of int8, shape (n,)
    """
    by_words, by_letters, by_name = (
        np.nan_to_num(pairs.once(one)) for one in (words, monge_elkan, jaro_winkler)
    )
    score = np.fmax(np.fmax(by_words, by_letters), by_name)
    rank = by_words + by_letters
    rival = np.maximum(*(best_other(rank, pairs.rows[:, side]) for side in (0, 1)))
    first = rank > rival + 1e-6
    related = np.fmax.reduce([np.nan_to_num(pairs.once(f)) for f in (parents, children, ancestors)])
    match = first & (
        (score >= SURE) | ((np.minimum(by_words, by_letters) >= ALIKE) & (related >= RELATED))
    )
    found = np.full(len(pairs), -1, dtype=np.int8)
    taken = [np.isin(pairs.rows[:, side], pairs.rows[match, side]) for side in (0, 1)]
    found[taken[0] | taken[1] | (score < UNLIKE)] = 0
    found[match] = 1
    return found
