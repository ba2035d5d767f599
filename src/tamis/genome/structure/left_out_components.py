"""Components of genotypes for a model: without those of noise, and the scores of the people they
were fitted to as other people have them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..._core.streams import generator
from ..._core.threads import one_thread
from ...kernels.leading import leading_eigenvectors
from ...kernels.left_out_scores import left_out_scores, turned_scores
from ...kernels.noise_edge import above_noise
from ..readers.genotypes import Genotypes
from .components import (
    MAX_EXACT_SAMPLES,
    N_EXTRA_VECTORS,
    RELATIVE_TOLERANCE,
    ZERO_EIGENVALUE,
    StandardTable,
    relationship_eigenvectors,
    relationship_products,
    standard_table,
)
from .components_result import Components

N_PEOPLE_BLOCKS = 10  # of people left out together, where there are very many


def left_out_components(
    genotypes: Genotypes,
    k: int,
    samples: np.ndarray,
    groups: np.ndarray,
    most: int | None = None,
) -> tuple[Components, np.ndarray]:
    """At most k components of some samples, and their scores as new samples would have them.

    Components behind the last that is rather more than noise are left out (`above_noise`), but for
    one.

    Parameters
    ----------
    genotypes : Genotypes
    k : int
    samples : ndarray of shape (n,)
        Those that components are fitted to.
    groups : ndarray of shape (n,) of int
        Of each of them: relatives, who are left out together.
    most : int or None, default=None
        Variants used at most, evenly spread; None: all that are left of pruning.

    Returns
    -------
    components : Components
    scores : ndarray of shape (n, k)
        Of each of them, by the components of the others. Beyond 3000 samples a tenth of
        them is left out at a time.

    Raises
    ------
    DataError
        No variant is left to use.
    """
    used = standard_table(genotypes, samples, None, 1, True, most)
    n, m = used.table.shape
    k = max(1, min(k, n - 2, m))
    with one_thread():
        if n <= MAX_EXACT_SAMPLES or k + N_EXTRA_VECTORS >= n:
            return _exact_components(used, k, groups)
        return _randomized_components(used, k, groups)


def _exact_components(
    used: StandardTable, k: int, groups: np.ndarray
) -> tuple[Components, np.ndarray]:
    """From all eigenvectors."""
    n, _ = used.table.shape
    values, vectors = relationship_eigenvectors(used.table, n, 1, True)
    there = values > ZERO_EIGENVALUE * values[0]
    values, vectors = values[there], vectors[:, there]
    k = max(1, above_noise(values[:k], n, values.sum(), (values**2).sum()))
    found = used.components(values[:k], vectors[:, :k], np.zeros(k), True, 1, True)
    scores = left_out_scores(vectors, values, k, groups)
    return found, scores * _score_signs(found, vectors)


def _randomized_components(
    used: StandardTable, k: int, groups: np.ndarray
) -> tuple[Components, np.ndarray]:
    """From products with random vectors, blocks of people left out one after the other."""
    n, _ = used.table.shape
    multiply = relationship_products(used.table, 1, True)
    draw = generator(0, "genome", "components").standard_normal((n, k + N_EXTRA_VECTORS))
    squares = float((multiply(draw) ** 2).sum() / draw.shape[1])  # E |K x|^2 is tr K^2
    start = draw - draw.mean(axis=0)
    values, vectors, residuals = leading_eigenvectors(multiply, start, k, RELATIVE_TOLERANCE)
    k = max(1, above_noise(values, n, used.total, squares))
    values, vectors = values[:k], vectors[:, :k]
    found = used.components(values, vectors, residuals[:k], False, 1, True)
    scores = np.zeros((n, k))
    # a group leaves too few for components
    if n - np.bincount(groups).max() <= k + N_EXTRA_VECTORS:
        groups = np.arange(n)
    for out in _blocks_of(groups):
        scores[out] = _scores_without(out, multiply, values, vectors, start)
    return found, scores * _score_signs(found, vectors)


def _blocks_of(groups: np.ndarray) -> list[np.ndarray]:
    """Samples of complete groups (n,) bool, in blocks of about as many, larger groups first."""
    sizes = np.bincount(groups)
    block, filled = np.zeros(len(sizes), dtype=np.int64), np.zeros(N_PEOPLE_BLOCKS)
    for group in np.argsort(-sizes, kind="stable"):
        block[group] = np.argmin(filled)
        filled[block[group]] += sizes[group]
    found = [block[groups] == b for b in range(N_PEOPLE_BLOCKS)]
    return [out for out in found if out.any()]


def _scores_without(
    out: np.ndarray,
    multiply: Callable[[np.ndarray], np.ndarray],
    values: np.ndarray,
    vectors: np.ndarray,
    start: np.ndarray,
) -> np.ndarray:
    """Scores of the samples `out` on the components of the others, turned to those of all."""
    rest, k = ~out, len(values)

    def centred_on_rest(x: np.ndarray) -> np.ndarray:
        return np.where(rest[:, None], x - x[rest].mean(axis=0), 0.0)

    near = centred_on_rest(np.hstack([vectors, start[:, k:]]))  # the first are nearly found
    own, their, _ = leading_eigenvectors(
        lambda x: centred_on_rest(multiply(centred_on_rest(x))), near, k, RELATIVE_TOLERANCE
    )
    reached = multiply(centred_on_rest(their))
    scores = (reached[out] - reached[rest].mean(axis=0)) / np.sqrt(own)
    likeness = (their.T @ vectors) * np.sqrt(values) / np.sqrt(own)[:, None]
    return turned_scores(scores, np.broadcast_to(likeness, (len(scores), k, k)))


def _score_signs(found: Components, vectors: np.ndarray) -> np.ndarray:
    """Of the scores found, beside vectors that have any sign."""
    k = found.scores.shape[1]
    return np.sign((found.scores * vectors[:, :k]).sum(axis=0))
