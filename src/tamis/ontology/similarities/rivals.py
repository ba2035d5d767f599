"""How a pair stands out among the pairs of the same classes."""

from __future__ import annotations

import numpy as np

from ..pairs import Pairs
from .names import jaro_winkler
from .words import word_overlap


def rival_gap(pairs: Pairs) -> np.ndarray:
    """The mean of `name` and `words`, less the best of another pair with the same class.

    A pair without rivals stands out by its full value.
    """
    values = sum(np.nan_to_num(pairs.once(one)) / 2 for one in (jaro_winkler, word_overlap))
    best = np.zeros(len(values))
    for side in (0, 1):
        np.maximum(best, best_other(values, pairs.rows[:, side]), out=best)
    return (values - best).astype(np.float32)


def best_other(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The largest other value of the same group; 0 without one."""
    if not len(values):
        return np.zeros(0)
    order = np.lexsort((-values, groups))
    g, v = groups[order], values[order]
    first = np.flatnonzero(np.concatenate([[True], g[1:] != g[:-1]]))
    owner = np.repeat(np.arange(len(first)), np.diff([*first, len(v)]))
    second = np.where(
        (first + 1 < len(v)) & (np.append(g, -1)[first + 1] == g[first]),
        np.append(v, 0)[first + 1],
        0.0,
    )
    found = np.empty(len(v))
    found[order] = np.where(np.arange(len(v)) == first[owner], second[owner], v[first][owner])
    return found
