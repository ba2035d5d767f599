"""Labels as strings: Jaro-Winkler, Jaro, Levenshtein and Monge-Elkan.

The first three are rapidfuzz's, of labels without blanks, so that "sub committee" and
"subcommittee" are one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..pairs import Pairs, combine
from ._text import compared, rapidfuzz


def jaro_winkler(pairs: Pairs) -> np.ndarray:
    """Jaro-Winkler similarity of the labels (Winkler 1990)."""
    return _of_labels(pairs, rapidfuzz().distance.JaroWinkler.normalized_similarity)


def jaro(pairs: Pairs) -> np.ndarray:
    """Jaro similarity of the labels (Jaro 1989)."""
    return _of_labels(pairs, rapidfuzz().distance.Jaro.normalized_similarity)


def levenshtein(pairs: Pairs) -> np.ndarray:
    """1 - edit distance / length of the longer label (Levenshtein 1966)."""
    return _of_labels(pairs, rapidfuzz().distance.Levenshtein.normalized_similarity)


def synonyms(pairs: Pairs) -> np.ndarray:
    """The best Jaro-Winkler similarity of any two names; missing where neither has synonyms."""
    _, first, second = pairs.combinations
    flat = [
        [name.replace(" ", "") for names in side.names for name in names]
        for side in (pairs.source, pairs.target)
    ]
    scorer = rapidfuzz().distance.JaroWinkler.normalized_similarity
    found = pairs.best(compared(flat[0], flat[1], first, second, scorer))
    several = [np.array([len(n) > 1 for n in s.names]) for s in (pairs.source, pairs.target)]
    i, j = pairs.rows.T
    return np.where(several[0][i] | several[1][j], found, np.float32(np.nan))


def monge_elkan(pairs: Pairs) -> np.ndarray:
    """Mean over words of the best Jaro-Winkler similarity to a word of the other label.

    Monge and Elkan (1996) take the words of the first label; here the mean of both directions,
    so that the order of the ontologies does not matter.
    """
    scorer = rapidfuzz().distance.JaroWinkler.normalized_similarity
    words = [[label.split() for label in s.labels] for s in (pairs.source, pairs.target)]
    size = [np.array([len(ws) for ws in side]) for side in words]
    pair, first, second = combine(pairs.rows, *size)
    flat = [[word for ws in side for word in ws] for side in words]
    lists = [sorted(set(one)) for one in flat]
    codes = []
    for one, known in zip(flat, lists, strict=True):
        at = {word: k for k, word in enumerate(known)}
        codes.append(np.array([at[word] for word in one], dtype=np.int64))
    values = compared(lists[0], lists[1], codes[0][first], codes[1][second], scorer)
    sums = np.zeros(len(pairs))
    for side, word in enumerate((first, second)):
        once, back = np.unique(np.column_stack([pair, word]), axis=0, return_inverse=True)
        best = np.zeros(len(once))
        np.maximum.at(best, back, values)
        n = size[side][pairs.rows[:, side]]
        sums += np.bincount(once[:, 0], best, len(pairs)) / np.maximum(n, 1)
    empty = np.bincount(pair, minlength=len(pairs)) == 0
    return np.where(empty, np.nan, sums / 2).astype(np.float32)


def _of_labels(pairs: Pairs, scorer: Callable) -> np.ndarray:
    flat: list[Sequence[str]] = [
        [label.replace(" ", "") for label in side.labels] for side in (pairs.source, pairs.target)
    ]
    i, j = pairs.rows.T
    found = compared(flat[0], flat[1], i, j, scorer)
    empty = [np.array([not label for label in side]) for side in flat]
    return np.where(empty[0][i] | empty[1][j], np.float32(np.nan), found)
