"""What known matches teach about words: which may be dropped, and which stand for each other.

If "Poster" is "Poster paper" and "Author" is "Paper author", then "paper" may be dropped; if
"Participant" is "Attendee", one stands for the other in "Conference attendee" too. Both are shares
among pairs that are known: how often two names that differ in that alone are a match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from scipy import sparse

from ..pairs import Pairs, row_products

PRIOR = 0.1, 1.0  # matches and pairs that are added to the counts of a word
DOUBT = 0.5  # pairs that are added to the counts of a translation


class LearnedWords:
    """A similarity that learns from labelled pairs.

    Attributes
    ----------
    dropped : dict of str to float
        Share of matches among pairs that differ by this stem alone.
    translated : dict of (str, str) to float
        Share of matches among pairs that differ by these two stems; in order of the alphabet.
    """

    def __init__(self) -> None:
        self.dropped: dict[str, float] = {}
        self.translated: dict[tuple[str, str], float] = {}

    def fit(self, known: Iterable[tuple[Pairs, np.ndarray]]) -> LearnedWords:
        """Count in labelled pairs; `known` has pairs and whether each is a match."""
        hits: dict[str | tuple[str, str], float] = defaultdict(float)
        tries: dict[str | tuple[str, str], float] = defaultdict(float)
        for pairs, match in known:
            words = pairs.source.words, pairs.target.words
            for (i, j), label in zip(pairs.rows.tolist(), match.tolist(), strict=True):
                one, other = set(words[0][i]), set(words[1][j])
                for key, weight in _differences(one, other):
                    tries[key] += weight
                    hits[key] += weight * label
        kept = {key: (hits[key], n) for key, n in tries.items()}
        self.dropped = {
            key: (hit + PRIOR[0]) / (n + PRIOR[1])
            for key, (hit, n) in sorted((k, v) for k, v in kept.items() if isinstance(k, str))
        }
        self.translated = {
            key: hit / (n + DOUBT)
            for key, (hit, n) in sorted((k, v) for k, v in kept.items() if isinstance(k, tuple))
            if hit
        }
        return self

    def __call__(self, pairs: Pairs) -> np.ndarray:
        """Weight of the words in common or translated / mean weight of both labels."""
        at, n = pairs.vocabulary, len(pairs.vocabulary)
        keep = np.full(n, 1 - PRIOR[0] / PRIOR[1])
        for word, share in self.dropped.items():
            if word in at:
                keep[at[word]] = 1 - share
        weight = pairs.rarity * keep
        bags = [pairs.bags(side.words) for side in (pairs.source, pairs.target)]
        known = [(at[a], at[b], s) for (a, b), s in self.translated.items() if a in at and b in at]
        a = np.array([one for one, _, _ in known], dtype=np.int64)
        b = np.array([other for _, other, _ in known], dtype=np.int64)
        shares = np.array([share for _, _, share in known], dtype=np.float64)
        one = sparse.csr_array((shares, (a, b)), shape=(n, n))
        scaled = [sparse.csr_array(bag.multiply(np.sqrt(weight)[None, :])) for bag in bags]
        common = row_products(scaled[0], scaled[1], pairs.rows)
        common += row_products(sparse.csr_array(scaled[0] @ (one + one.T)), scaled[1], pairs.rows)
        totals = [bag @ weight for bag in bags]
        i, j = pairs.rows.T
        both = totals[0][i] + totals[1][j]
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.minimum(2 * common / both, 1)
        return np.where(both > 0, found, np.nan).astype(np.float32)


def _differences(one: set[str], other: set[str]) -> list[tuple[str | tuple[str, str], float]]:
    """What two names differ by: single words, or pairs of words; each with its weight."""
    here, there = one - other, other - one
    if here and there:
        share = 1 / (len(here) * len(there))
        if len(one) > len(here) or share == 1:  # a word in common, or one word each
            return [((min(a, b), max(a, b)), share) for a in here for b in there]
        return []
    rest = here | there
    return [(word, 1 / len(rest)) for word in rest] if len(rest) < max(len(one), len(other)) else []
