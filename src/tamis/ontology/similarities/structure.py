"""Where classes stand: paths from the root, relatives in the hierarchy, depth."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from ..pairs import Pairs, Side, best_of, combine_sides
from ._text import compared_strings, rapidfuzz_library
from .words import weighted_cosine

MOST_PATHS = 4  # from the root to a class; the shortest
MOST_LETTERS = 400  # of a path; the end, which is nearest to the class
MAX_LEVELS = 64  # levels above a class that are looked at
MAX_CHILDREN = 200  # children of a class, beyond which they say nothing of each other


def path_similarity(pairs: Pairs) -> np.ndarray:
    """Jaro-Winkler of the labels from the root to the class, joined; the best over root paths.

    Missing where no class on the way has a name.
    """
    paths = [root_paths(side) for side in pairs.sides]
    pair, first, second = combine_sides(
        pairs.rows, *(np.array([len(p) for p in one]) for one in paths)
    )
    flat = [[text for one in side for text in one] for side in paths]
    scorer = rapidfuzz_library().distance.JaroWinkler.normalized_similarity
    return best_of(len(pairs), pair, compared_strings(flat[0], flat[1], first, second, scorer))


def parent_cosine(pairs: Pairs) -> np.ndarray:
    """Cosine of the parents' words; missing where one class is a root."""
    return _relative_cosine(pairs, lambda side, bags: side.up @ bags)


def child_cosine(pairs: Pairs) -> np.ndarray:
    """Cosine of the children's words; missing where one class has none."""
    return _relative_cosine(pairs, lambda side, bags: side.down @ bags)


def sibling_cosine(pairs: Pairs) -> np.ndarray:
    """Cosine of the words of all children of the parents; missing where one class is a root.

    Parents with more than 200 children do not count.
    """
    return _relative_cosine(pairs, _sibling_words)


def ancestor_cosine(pairs: Pairs) -> np.ndarray:
    """Cosine of the words of all superclasses; missing where one class is a root."""
    return _relative_cosine(pairs, lambda side, bags: superclass_closure(side.up) @ bags)


def depth_similarity(pairs: Pairs) -> np.ndarray:
    """1 - difference of the depths / the greater of both."""
    deep = [side.ontology.depths + 1.0 for side in pairs.sides]
    i, j = pairs.rows.T
    a, b = deep[0][i], deep[1][j]
    return (np.minimum(a, b) / np.maximum(a, b)).astype(np.float32)


def superclass_closure(up: sparse.csr_array) -> sparse.csr_array:
    """Row i has ones at all superclasses of class i, up to 64 levels above."""
    found = step = up
    for _ in range(MAX_LEVELS - 1):
        step = sparse.csr_array(step @ up)
        before = found.nnz
        found = sparse.csr_array((found + step) > 0).astype(np.float32)
        if found.nnz == before:
            break
    return found


def root_paths(side: Side) -> list[list[str]]:
    """The shortest ways from a root to each class, as labels without blanks; none is empty."""
    o = side.ontology
    text = [label.replace(" ", "") for label in side.labels]
    ways: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in text]  # length, and its end
    for at in o.downwards:
        above = [way for parent in o.parents[at] for way in ways[parent]]
        longer = sorted((n + 1, (*way[1 - MAX_LEVELS :], at)) for n, way in above)
        ways[at] = longer[:MOST_PATHS] or [(1, (at,))]
    joined = [["".join(text[k] for k in way)[-MOST_LETTERS:] for _, way in one] for one in ways]
    return [list(dict.fromkeys(filter(None, one))) for one in joined]


def _relative_cosine(
    pairs: Pairs, of: Callable[[Side, sparse.csr_array], sparse.csr_array]
) -> np.ndarray:
    bags = [of(side, bag) for side, bag in zip(pairs.sides, pairs.terms.labels, strict=True)]
    return weighted_cosine(bags[0], bags[1], pairs.terms.rarity, pairs.rows)


def _sibling_words(side: Side, bags: sparse.csr_array) -> sparse.csr_array:
    """Words of all children of the parents, less those of the class itself for each parent."""
    down = side.down.copy()
    many = np.diff(down.indptr)
    down.data[np.repeat(many > MAX_CHILDREN, many)] = 0
    down.eliminate_zeros()
    up = sparse.csr_array(down.T)
    own = np.asarray(up.sum(axis=1)).ravel()
    return sparse.csr_array(up @ (down @ bags) - bags.multiply(own[:, None]))
