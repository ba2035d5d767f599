"""Mass transportation distance of counted genotypes: sum over genotypes of |p_a - p_b|.

Frequencies are fractions of whole numbers, so the distance is one division of two of them, and does
not depend on the order of anything.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit


@jit
def distance_of(table, by_mean):
    """Of counts (H, C, 3) in strata: the largest, or the mean, over pairs of classes.

    A pair of classes has the distance of its mean difference over the strata, each weighted by
    n_a n_b / (n_a + n_b), as Mantel and Haenszel weight them: sum_w |sum_h v_h (p_a - p_b)|. Pairs
    that no stratum holds are left out; NaN if none is left.
    """
    strata, classes = table.shape[:2]
    best, total, pairs = 0.0, 0.0, 0
    for a in range(classes):
        for b in range(a + 1, classes):
            if strata == 1:
                n_a, n_b = np.int64(0), np.int64(0)
                for w in range(3):
                    n_a += table[0, a, w]
                    n_b += table[0, b, w]
                if n_a == 0 or n_b == 0:
                    continue
                gap = np.int64(0)
                for w in range(3):
                    gap += abs(table[0, a, w] * n_b - table[0, b, w] * n_a)
                found = gap / (n_a * n_b)
            else:
                found = _stratified_distance(table, a, b)
                if found < 0:
                    continue
            best = max(best, found)
            total += found
            pairs += 1
    if pairs == 0:
        return np.nan
    return total / pairs if by_mean else best


@jit
def _stratified_distance(table, a, b):
    """Over several strata; -1 where no stratum holds both classes."""
    shift_0, shift_1, shift_2, weights = 0.0, 0.0, 0.0, 0.0
    for h in range(len(table)):
        n_a, n_b = np.int64(0), np.int64(0)
        for w in range(3):
            n_a += table[h, a, w]
            n_b += table[h, b, w]
        if n_a == 0 or n_b == 0:
            continue
        # v_h (p_a - p_b) = (x_a n_b - x_b n_a) / (n_a + n_b)
        shift_0 += (table[h, a, 0] * n_b - table[h, b, 0] * n_a) / (n_a + n_b)
        shift_1 += (table[h, a, 1] * n_b - table[h, b, 1] * n_a) / (n_a + n_b)
        shift_2 += (table[h, a, 2] * n_b - table[h, b, 2] * n_a) / (n_a + n_b)
        weights += n_a * n_b / (n_a + n_b)
    if weights == 0.0:
        return -1.0
    return (abs(shift_0) + abs(shift_1) + abs(shift_2)) / weights


def score_parts(counts: np.ndarray, by_mean: bool) -> np.ndarray:
    """Scores of all samples, and of all but those of each fold, from one count.

    Parameters
    ----------
    counts : ndarray of shape (m, F, H, C, 4) of int32
        Of each fold, stratum and class, as `count_groups` has them.
    by_mean : bool
        Over pairs of classes; else the largest.

    Returns
    -------
    scores : ndarray of shape (1 + F, m), or (1, m) of a single fold
    """
    m, folds = counts.shape[:2]
    scores = np.empty((1 + folds if folds > 1 else 1, m))
    if counts.shape[2:4] == (1, 2):
        if folds == 1:
            _score_two(counts.reshape(m, 8), scores[0])
        else:
            _score_two_by_folds(counts.reshape(m, folds, 8), scores)
    else:
        _score_rows(counts, by_mean, scores)
    return scores


@jit
def add_parts(counts, totals):
    """Counts (m, parts, k) summed over parts to totals (m, k)."""
    for j in range(len(counts)):
        totals[j] = counts[j, 0]
        for f in range(1, counts.shape[1]):
            for k in range(counts.shape[2]):
                totals[j, k] += counts[j, f, k]


@jit
def _distance_of_two(a_0, a_1, a_2, b_0, b_1, b_2):
    """As `distance_of` two classes in one stratum; 0 / 0 where a class has no call.

    Whole numbers that floats hold.
    """
    n_a, n_b = a_0 + a_1 + a_2, b_0 + b_1 + b_2
    gap = abs(a_0 * n_b - b_0 * n_a) + abs(a_1 * n_b - b_1 * n_a) + abs(a_2 * n_b - b_2 * n_a)
    return gap / (n_a * n_b)


@jit
def _score_two(counts, scores):
    """Without folds: a loop that becomes one of vectors."""
    for j in range(len(counts)):
        scores[j] = _distance_of_two(
            float(counts[j, 0]),
            float(counts[j, 1]),
            float(counts[j, 2]),
            float(counts[j, 4]),
            float(counts[j, 5]),
            float(counts[j, 6]),
        )


@jit
def _score_two_by_folds(counts, scores):
    whole = np.empty(8)
    for j in range(len(counts)):
        whole[:] = 0
        for f in range(counts.shape[1]):
            for k in range(8):
                whole[k] += counts[j, f, k]
        scores[0, j] = _distance_of_two(whole[0], whole[1], whole[2], whole[4], whole[5], whole[6])
        for f in range(counts.shape[1]):
            own = counts[j, f]
            scores[1 + f, j] = _distance_of_two(
                whole[0] - own[0],
                whole[1] - own[1],
                whole[2] - own[2],
                whole[4] - own[4],
                whole[5] - own[5],
                whole[6] - own[6],
            )


@jit
def _score_rows(counts, by_mean, scores):
    m, folds, strata, classes = counts.shape[:4]
    whole = np.empty((strata, classes, 3), dtype=np.int64)
    part = np.empty((strata, classes, 3), dtype=np.int64)
    for j in range(m):
        whole[:] = 0
        for f in range(folds):
            for h in range(strata):
                for c in range(classes):
                    for w in range(3):
                        whole[h, c, w] += counts[j, f, h, c, w]
        scores[0, j] = distance_of(whole, by_mean)
        for f in range(len(scores) - 1):
            for h in range(strata):
                for c in range(classes):
                    for w in range(3):
                        part[h, c, w] = whole[h, c, w] - counts[j, f, h, c, w]
            scores[1 + f, j] = distance_of(part, by_mean)
