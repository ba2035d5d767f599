"""What known matches teach about words: which may be dropped, and which stand for each other.

If "Poster" is "Poster paper" and "Author" is "Paper author", then "paper" may be dropped; if
"Participant" is "Attendee", one stands for the other in "Conference attendee" too. Both are shares
among pairs that are known: how often two names that differ in that alone are a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..pairs import Pairs, combine_sides, ratio_or_nan, row_products, work_blocks

WORD_PRIOR = 0.1, 1.0  # matches and pairs that are added to the counts of a word
TRANSLATION_PRIOR = 0.5  # pairs that are added to the counts of a translation


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
        known = list(known)
        words = sorted({word for pairs, _ in known for word in pairs.terms.vocabulary})
        number = {word: k for k, word in enumerate(words)}
        dropped: list[np.ndarray] = []
        exchanged: list[np.ndarray] = []
        for pairs, match in known:
            place = np.array([number[word] for word in pairs.terms.vocabulary], dtype=np.int64)
            size = [
                np.diff(bag.indptr)[pairs.rows[:, side]]
                for side, bag in enumerate(pairs.terms.labels)
            ]
            for block in work_blocks((size[0] + 1) * (size[1] + 1)):
                found = _word_differences(pairs, pairs.rows[block])
                for one, kept in zip(found, (dropped, exchanged), strict=True):
                    first, second = place[one.first], place[one.second]
                    hit = one.weight * match[block][one.pair]
                    kept.append(_added_by_key(first * len(words) + second, hit, one.weight))
        self.dropped = {
            words[a]: (hit + WORD_PRIOR[0]) / (n + WORD_PRIOR[1])
            for a, _, hit, n in _word_pairs(dropped, len(words))
        }
        self.translated = {
            (words[a], words[b]): hit / (n + TRANSLATION_PRIOR)
            for a, b, hit, n in _word_pairs(exchanged, len(words), hits=True)
        }
        return self

    def __call__(self, pairs: Pairs) -> np.ndarray:
        """Weight of the words in common or translated / mean weight of both labels."""
        at, n = pairs.terms.vocabulary, len(pairs.terms.vocabulary)
        keep = np.full(n, 1 - WORD_PRIOR[0] / WORD_PRIOR[1])
        for word, share in self.dropped.items():
            if word in at:
                keep[at[word]] = 1 - share
        weight = pairs.terms.rarity * keep
        bags = pairs.terms.labels
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
        return np.minimum(ratio_or_nan(2 * common, both), np.float32(1))


class _Differences(NamedTuple):
    """What names differ by: a pair, two stems (or the same one twice), and what it counts."""

    pair: np.ndarray
    first: np.ndarray
    second: np.ndarray
    weight: np.ndarray


def _word_differences(pairs: Pairs, rows: np.ndarray) -> tuple[_Differences, _Differences]:
    """Words that one name has more, and pairs of words of which each has one.

    What a pair differs by shares a weight of 1. Names without a word in common say nothing, unless
    they are one word each.
    """
    bags = [bag[rows[:, side]] for side, bag in enumerate(pairs.terms.labels)]
    common = sparse.csr_array(bags[0].multiply(bags[1]))
    rest = [sparse.csr_array(bag - common) for bag in bags]
    for one in rest:
        one.eliminate_zeros()
        one.sort_indices()
    size = [np.diff(one.indptr).astype(np.int64) for one in rest]
    shared = np.diff(common.indptr) > 0
    alone = shared & ((size[0] == 0) | (size[1] == 0))
    dropped = []
    for one, n in zip(rest, size, strict=True):
        pair = np.repeat(np.arange(len(rows)), n)
        kept = alone[pair]
        word, pair = one.indices[kept], pair[kept]
        dropped.append(_Differences(pair, word, word, 1 / n[pair]))
    each = np.arange(len(rows))
    total = size[0] * size[1]
    used = np.flatnonzero((total > 0) & (shared | (total == 1)))
    pair, a, b = combine_sides(np.column_stack([each, each])[used], *size)
    one, other, pair = rest[0].indices[a], rest[1].indices[b], used[pair]
    exchanged = _Differences(pair, np.minimum(one, other), np.maximum(one, other), 1 / total[pair])
    return _Differences(*(np.concatenate(part) for part in zip(*dropped, strict=True))), exchanged


def _added_by_key(keys: np.ndarray, hits: np.ndarray, tries: np.ndarray) -> np.ndarray:
    """Each key once with the sums of both, (3, k): exact, for keys are below 2^53."""
    once, at = np.unique(keys, return_inverse=True)
    return np.array([once, *(np.bincount(at, of, len(once)) for of in (hits, tries))])


def _word_pairs(
    found: list[np.ndarray], width: int, hits: bool = False
) -> Iterator[tuple[int, int, float, float]]:
    """Both words of each key and its sums; with `hits` only of keys with any."""
    keys, hit, n = _added_by_key(*np.concatenate(found, axis=1)) if found else np.zeros((3, 0))
    kept = (hit > 0) | (not hits)
    first, second = np.divmod(keys[kept].astype(np.int64), max(width, 1))
    rows = (first, second, hit[kept], n[kept])
    return zip(*(row.tolist() for row in rows), strict=True)
