"""Pairs that are nearly certain by themselves: they teach where nobody has labelled any."""

from __future__ import annotations

import numpy as np

from .pairs import Pairs
from .similarities.names import jaro_winkler, monge_elkan
from .similarities.rivals import best_other
from .similarities.words import word_overlap

# similarity of names, word by word, from which a pair without rivals is a seed
MIN_SEED_SIMILARITY = 0.98
MAX_NON_MATCH_SIMILARITY = 0.5  # similarity below which a pair is no match
# matches, of the classes of the smaller ontology, below which they share little
MIN_MATCHED_SHARE = 0.05


def seed_labels(pairs: Pairs, known: np.ndarray) -> np.ndarray:
    """Labels where names teach as well: 1 a match, 0 none, -1 where nothing is said.

    What is known stays. A match: names of the same words, but for a letter, and no other name as
    alike for either class. Names are held against each other word by word, since long names that
    differ by one word (*left tibial artery*, *right tibial artery*) are alike as strings. No match:
    a pair that shares a class with a match, or of unlike names.

    Where fewer than one in twenty classes has a match by then, the ontologies have little in common
    and every other pair is taken for none. Matches that have few rivals, beside pairs of unlike
    names, would teach that whatever is somewhat alike is a match.

    Parameters
    ----------
    pairs : Pairs
    known : ndarray of int8, shape (n,)
        What is known of each pair: 1, 0 or -1.

    Returns
    -------
    ndarray of int8, shape (n,)
    """
    by_words, by_letters = (np.nan_to_num(pairs.once(one)) for one in (word_overlap, monge_elkan))
    by_word = np.fmax(by_words, by_letters)
    rank = by_words + by_letters
    rival = np.maximum(*(best_other(rank, pairs.rows[:, side]) for side in (0, 1)))
    match = (rank > rival + 1e-6) & (by_word >= MIN_SEED_SIMILARITY)
    found = np.full(len(pairs), -1, dtype=np.int8)
    taken = [np.isin(pairs.rows[:, side], pairs.rows[match, side]) for side in (0, 1)]
    alike = np.fmax(by_word, np.nan_to_num(pairs.once(jaro_winkler)))
    found[taken[0] | taken[1] | (alike < MAX_NON_MATCH_SIMILARITY)] = 0
    found[match] = 1
    found = np.where(known >= 0, known, found).astype(np.int8)
    smaller = min(len(side.ontology) for side in pairs.sides)
    if np.count_nonzero(found == 1) < MIN_MATCHED_SHARE * smaller:
        found[found < 0] = 0
    return found
