"""Labels as strings: Jaro-Winkler, Jaro, Levenshtein and Monge-Elkan.

The first three are rapidfuzz's, of labels without blanks, so that "sub committee" and
"subcommittee" are one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..pairs import Pairs, combine_sides, work_blocks
from ._text import compared_strings, rapidfuzz_library


def jaro_winkler(pairs: Pairs) -> np.ndarray:
    """Jaro-Winkler similarity of the labels (Winkler 1990)."""
    return _of_labels(pairs, rapidfuzz_library().distance.JaroWinkler.normalized_similarity)


def jaro_similarity(pairs: Pairs) -> np.ndarray:
    """Jaro similarity of the labels (Jaro 1989)."""
    return _of_labels(pairs, rapidfuzz_library().distance.Jaro.normalized_similarity)


def levenshtein_similarity(pairs: Pairs) -> np.ndarray:
    """1 - edit distance / length of the longer label (Levenshtein 1966)."""
    return _of_labels(pairs, rapidfuzz_library().distance.Levenshtein.normalized_similarity)


def synonym_similarity(pairs: Pairs) -> np.ndarray:
    """The best Jaro-Winkler similarity of any two names; missing where neither has synonyms."""
    _, first, second = pairs.combinations
    flat = [
        [name.replace(" ", "") for names in side.names for name in names] for side in pairs.sides
    ]
    scorer = rapidfuzz_library().distance.JaroWinkler.normalized_similarity
    found = pairs.best(compared_strings(flat[0], flat[1], first, second, scorer))
    several = [np.array([len(n) > 1 for n in s.names], dtype=bool) for s in pairs.sides]
    i, j = pairs.rows.T
    return np.where(several[0][i] | several[1][j], found, np.float32(np.nan))


def monge_elkan(pairs: Pairs) -> np.ndarray:
    """Mean over words of the best Jaro-Winkler similarity to a word of the other label.

    Monge and Elkan (1996) take the words of the first label; here the mean of both directions,
    so that the order of the ontologies does not matter.
    """
    words = [[label.split() for label in s.labels] for s in pairs.sides]
    size = [np.array([len(ws) for ws in side], dtype=np.int64) for side in words]
    flat = [[word for ws in side for word in ws] for side in words]
    lists = [sorted(set(one)) for one in flat]
    codes = []
    for one, known in zip(flat, lists, strict=True):
        at = {word: k for k, word in enumerate(known)}
        codes.append(np.array([at[word] for word in one], dtype=np.int64))
    found = np.empty(len(pairs), dtype=np.float32)
    for block in work_blocks(size[0][pairs.rows[:, 0]] * size[1][pairs.rows[:, 1]]):
        found[block] = _mean_best(pairs.rows[block], size, codes, lists)
    return found


def _mean_best(
    rows: np.ndarray, size: list[np.ndarray], codes: list[np.ndarray], lists: list[list[str]]
) -> np.ndarray:
    """Monge-Elkan of some pairs; `codes` are the places in `lists` of the words of all labels."""
    scorer = rapidfuzz_library().distance.JaroWinkler.normalized_similarity
    pair, first, second = combine_sides(rows, *size)
    values = compared_strings(lists[0], lists[1], codes[0][first], codes[1][second], scorer)
    n = [one[rows[:, side]] for side, one in enumerate(size)]
    total = n[0] * n[1]
    within = np.arange(len(pair)) - np.repeat(np.cumsum(total) - total, total)
    sums = np.zeros(len(rows))
    for own, word in zip(n, (within // n[1][pair], within % n[1][pair]), strict=True):
        owner = np.repeat(np.arange(len(rows)), own)
        best = np.zeros(len(owner))
        np.maximum.at(best, (np.cumsum(own) - own)[pair] + word, values)
        sums += np.bincount(owner, best, len(rows)) / np.maximum(own, 1)
    return np.where(total > 0, sums / 2, np.nan)


def _of_labels(pairs: Pairs, scorer: Callable) -> np.ndarray:
    flat: list[Sequence[str]] = [
        [label.replace(" ", "") for label in side.labels] for side in pairs.sides
    ]
    i, j = pairs.rows.T
    found = compared_strings(flat[0], flat[1], i, j, scorer)
    empty = [np.array([not label for label in side], dtype=bool) for side in flat]
    return np.where(empty[0][i] | empty[1][j], np.float32(np.nan), found)
