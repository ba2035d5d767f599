"""Names as sets of words, weighed by how rare they are."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..names import name_stems, normalised_name
from ..pairs import Pairs, bags_of, column_rarity, ratio_or_nan, row_products


def word_overlap(pairs: Pairs) -> np.ndarray:
    """Weight of the stems in common / mean weight of both names; the best over names.

    An acronym stands for its words: "PC member" and "program committee member" are equal.
    """
    return np.fmax(pairs.once(_in_common)[0], _of_acronyms(pairs))


def word_containment(pairs: Pairs) -> np.ndarray:
    """Weight of the stems in common / weight of the lighter name; the best over names.

    1 where one name has all words of the other: "Author" and "Regular author".
    """
    return pairs.once(_in_common)[1]


def equal_heads(pairs: Pairs) -> np.ndarray:
    """Whether the head words are equal: the last word, or the one before "of", "for", "in"..."""
    number = {"": 0}
    i, j = (
        np.array(
            [number.setdefault(head_word(label), len(number)) for label in s.labels], dtype=np.int64
        )[pairs.rows[:, side]]
        for side, s in enumerate(pairs.sides)
    )
    same = (i == j).astype(np.float32)
    return np.where((i == 0) | (j == 0), np.float32(np.nan), same)


def definition_cosine(pairs: Pairs) -> np.ndarray:
    """Cosine of the definitions' stems, by rarity; missing where one has none."""
    stems = [
        [name_stems(normalised_name(text)) if text else () for text in side.ontology.definitions]
        for side in pairs.sides
    ]
    bags = bags_of(*stems)
    return weighted_cosine(*bags, column_rarity(*bags), pairs.rows)


def weighted_cosine(
    a: sparse.csr_array, b: sparse.csr_array, weights: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Cosine of rows of counts of stems, weighed; missing for an empty row."""
    scaled = [sparse.csr_array(one.multiply(weights[None, :])) for one in (a, b)]
    norms = [np.sqrt(np.asarray(one.multiply(one).sum(axis=1)).ravel()) for one in scaled]
    i, j = rows.T
    return ratio_or_nan(row_products(scaled[0], scaled[1], rows), norms[0][i] * norms[1][j])


def head_word(label: str) -> str:
    """The stem of a normalised label's head.

    Examples
    --------
    >>> head_word("program committee members"), head_word("chair of the committee")
    ('member', 'chair')
    """
    given = label.split()
    cut = next((k for k, word in enumerate(given) if k and word in PREPOSITIONS), len(given))
    kept = name_stems(given[cut - 1]) if given else ()
    return kept[0] if kept else ""


ACRONYM_LENGTHS = range(2, 6)  # letters
PREPOSITIONS = frozenset(("at", "by", "for", "from", "in", "of", "on", "to", "with"))


def _of_acronyms(pairs: Pairs) -> np.ndarray:
    """The same of labels with acronyms of the other spelled out; missing where there is none."""
    labels = [[label.split() for label in side.labels] for side in pairs.sides]
    found = np.full(len(pairs), np.nan, dtype=np.float32)
    short = [[[w for w in ws if len(w) in ACRONYM_LENGTHS] for ws in side] for side in labels]
    runs = [[_possible_acronyms(ws) for ws in side] for side in labels]
    there = sum(
        row_products(*bags, pairs.rows)
        for bags in (bags_of(short[0], runs[1]), bags_of(runs[0], short[1]))
    )
    for k in np.flatnonzero(there).tolist():
        i, j = pairs.rows[k].tolist()
        one, other = labels[0][i], labels[1][j]
        a = name_stems(" ".join(_spelled_acronyms(one, other)))
        b = name_stems(" ".join(_spelled_acronyms(other, one)))
        weight = {w: pairs.terms.rarity[pairs.terms.vocabulary[w]] for w in {*a, *b}}
        common = sum(weight[w] for w in sorted(set(a) & set(b)))
        total = sum(weight[w] for w in (*a, *b))
        found[k] = 2 * common / total if total else np.nan
    return found


def _possible_acronyms(words: list[str]) -> list[str]:
    """What acronyms of neighbouring words would be."""
    starts = "".join(word[0] for word in words)
    return [starts[k : k + n] for n in ACRONYM_LENGTHS for k in range(len(starts) - n + 1)]


def _spelled_acronyms(one: list[str], other: list[str]) -> list[str]:
    """`one` with each acronym of neighbouring words of `other` spelled out."""
    found: list[str] = []
    for word in one:
        n = len(word)
        runs = (other[k : k + n] for k in range(len(other) - n + 1)) if n in ACRONYM_LENGTHS else ()
        found += next((run for run in runs if "".join(w[0] for w in run) == word), [word])
    return found


def _in_common(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """Weight of the stems in common by the mean of both names, and by the lighter one."""
    _, first, second = pairs.combinations
    bags = [
        pairs.terms.bags([name_stems(name) for names in side.names for name in names])
        for side in pairs.sides
    ]
    totals = [np.asarray(one @ pairs.terms.rarity).ravel() for one in bags]
    weighed = sparse.csr_array(bags[0].multiply(pairs.terms.rarity[None, :]))
    common = row_products(weighed, bags[1], np.column_stack([first, second]))
    a, b = totals[0][first], totals[1][second]
    return pairs.best(ratio_or_nan(2 * common, a + b)), pairs.best(
        ratio_or_nan(common, np.minimum(a, b))
    )
