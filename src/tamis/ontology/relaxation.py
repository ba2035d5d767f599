"""Relaxation labelling: what is believed of a pair follows what is believed of its relatives."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.special import expit

from .learning import log_odds
from .pairs import Pairs, row_products

MAX_ROUNDS = 20
CONVERGENCE_TOLERANCE = 1e-3  # change of any probability at which it has settled


def relax_probabilities(
    pairs: Pairs, probability: np.ndarray, weight: float = 1.0, rounds: int = MAX_ROUNDS
) -> np.ndarray:
    """Probabilities that agree better with those of parents and children.

    The log odds of a pair are those it came with, plus `weight` times its support: from its parents
    as from its children, how far they match each other and not others (Doan, Madhavan, Domingos and
    Halevy 2002, in the nonlinear form of Hummel and Zucker 1983). With a and b relatives of either
    class, m the sum of the probabilities of their pairs, o the sum of the most probable pair that
    each a is part of or, if less, each b, and n the fewer of the two, that is
    (2 min(m, o) - o) / n, between -1 and 1. Damped by half, until nothing changes by 0.001.

    Parameters
    ----------
    pairs : Pairs
    probability : ndarray of shape (n,)
        That each pair is a match.
    weight : float, default=1.0
        Of the relatives; 0 leaves all as it is.
    rounds : int, default=20
        At most.

    Returns
    -------
    ndarray of shape (n,)
    """
    start = log_odds(probability)
    now = probability.astype(np.float64)
    relatives = ((pairs.source.up, pairs.target.up), (pairs.source.down, pairs.target.down))
    shape = (len(pairs.source.ontology), len(pairs.target.ontology))
    for _ in range(rounds):
        table = sparse.csr_array((now, pairs.rows.T), shape=shape)
        best = [_row_best(table), _row_best(sparse.csr_array(table.T))]
        support = np.zeros(len(pairs))
        for a, b in relatives:
            support += _relative_support(pairs, table, best, a, b)
        new = expit(start + weight * support)
        change = np.abs(new - now).max(initial=0)
        now = (now + new) / 2
        if change < CONVERGENCE_TOLERANCE:
            break
    return now


def _relative_support(
    pairs: Pairs,
    table: sparse.csr_array,
    best: list[np.ndarray],
    a: sparse.csr_array,
    b: sparse.csr_array,
) -> np.ndarray:
    """How far the relatives of each pair match each other, less what they match at best.

    Between -1 and 1; 0 where one class has no relatives, or where none of them matches anything.
    """
    i, j = pairs.rows.T
    counts = [np.asarray(one.sum(axis=1)).ravel() for one in (a, b)]
    met = sparse.csr_array(a @ table)  # (class, target): relatives of the class on that target
    mutual = row_products(met, b, pairs.rows).astype(np.float64)
    least = np.minimum(counts[0][i], counts[1][j])
    offered = np.minimum((a @ best[0])[i], (b @ best[1])[j])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(least > 0, (2 * np.minimum(mutual, offered) - offered) / least, 0)


def _row_best(table: sparse.csr_array) -> np.ndarray:
    if not table.shape[1]:
        return np.zeros(table.shape[0])
    return np.asarray(table.max(axis=1).todense()).ravel()
