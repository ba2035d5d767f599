"""Mass transportation distance of counted genotypes: sum over genotypes of |p_a - p_b|.

Frequencies are fractions of whole numbers, so that in one stratum the distance of two classes is
one division of two whole numbers: it is rounded once, and no order of summation changes it.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit


@jit
def distance_of(table, by_mean):
    """Largest, or mean, distance over the pairs of classes, from counts (H, C, 3) in H strata.

    The distance of a pair is sum_w |sum_h v_h (p_a - p_b)|: differences of frequencies are averaged
    over the strata with the weights of Mantel and Haenszel, v_h in proportion to
    n_a n_b / (n_a + n_b). Pairs that no stratum holds are left out; NaN if none is left.
    """
    strata, classes = table.shape[:2]
    best, total, pairs = 0.0, 0.0, 0
    for a in range(classes):
        for b in range(a + 1, classes):
            if strata == 1:
                # sum_w |x_a / n_a - x_b / n_b| = sum_w |x_a n_b - x_b n_a| / (n_a n_b); int64,
                # since products of two counts may exceed int32
                n_a, n_b = np.int64(0), np.int64(0)
                for w in range(3):
                    n_a += table[0, a, w]
                    n_b += table[0, b, w]
                if n_a == 0 or n_b == 0:  # a class without calls has no frequencies
                    continue
                gap = np.int64(0)
                for w in range(3):
                    gap += abs(table[0, a, w] * n_b - table[0, b, w] * n_a)
                found = gap / (n_a * n_b)
            else:
                found = _stratified_distance(table, a, b)
                if found < 0:  # in no stratum together
                    continue
            best = max(best, found)
            total += found
            pairs += 1
    if pairs == 0:
        return np.nan
    return total / pairs if by_mean else best


@jit
def _stratified_distance(table, a, b):
    """Distance of classes a and b over several strata; -1 where no stratum holds both."""
    # signed sums, one for each genotype: magnitudes are taken after the sum over strata, so that
    # shifts in opposite directions cancel
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
        Counts of each fold, stratum and class, as `count_groups` has them.
    by_mean : bool
        The mean over pairs of classes; else the largest.

    Returns
    -------
    scores : ndarray of shape (1 + F, m), or (1, m) of a single fold
        Row 0 is of all samples, row 1 + f of all but those of fold f.
    """
    m, folds = counts.shape[:2]
    # without a single fold no sample would be left
    scores = np.empty((1 + folds if folds > 1 else 1, m))
    if counts.shape[2:4] == (1, 2):  # one stratum, two classes: one pair, so its mean is itself
        # flat: 0 to 3 are the counts of the first class, 4 to 7 those of the second; 3 and 7 are
        # missing calls, which no score uses
        if folds == 1:
            _score_two(counts.reshape(m, 8), scores[0])
        else:
            _score_two_by_folds(counts.reshape(m, folds, 8), scores)
    else:
        _score_rows(counts, by_mean, scores)
    return scores


@jit
def add_parts(counts, totals):
    """Sum counts (m, parts, k) over the parts, into totals (m, k)."""
    for j in range(len(counts)):
        totals[j] = counts[j, 0]
        for f in range(1, counts.shape[1]):
            for k in range(counts.shape[2]):
                totals[j, k] += counts[j, f, k]


@jit
def _distance_of_two(a_0, a_1, a_2, b_0, b_1, b_2):
    """`distance_of` two classes in one stratum, from counts as floats; NaN if one has no call.

    Numerator and denominator are whole numbers, which floats hold exactly up to 2^53.
    """
    n_a, n_b = a_0 + a_1 + a_2, b_0 + b_1 + b_2
    gap = abs(a_0 * n_b - b_0 * n_a) + abs(a_1 * n_b - b_1 * n_a) + abs(a_2 * n_b - b_2 * n_a)
    return gap / (n_a * n_b)  # 0 / 0 where a class has no call: then the numerator is 0 too


@jit
def _score_two(counts, scores):
    """Scores (m,) from counts (m, 8), without folds."""
    # floats and no branch, so that the compiler makes vector code of the loop over variants
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
    """Scores (1 + F, m) from counts (m, F, 8)."""
    total = np.empty(8)  # of all folds
    for j in range(len(counts)):
        total[:] = 0
        for f in range(counts.shape[1]):
            for k in range(8):
                total[k] += counts[j, f, k]
        scores[0, j] = _distance_of_two(total[0], total[1], total[2], total[4], total[5], total[6])
        # each training set is what a subtraction leaves: exact, as these are whole numbers
        for f in range(counts.shape[1]):
            own = counts[j, f]
            scores[1 + f, j] = _distance_of_two(
                total[0] - own[0],
                total[1] - own[1],
                total[2] - own[2],
                total[4] - own[4],
                total[5] - own[5],
                total[6] - own[6],
            )


@jit
def _score_rows(counts, by_mean, scores):
    """Scores (1 + F, m), or (1, m), from counts (m, F, H, C, 4): any strata and classes."""
    m, folds, strata, classes = counts.shape[:4]
    total = np.empty((strata, classes, 3), dtype=np.int64)
    part = np.empty((strata, classes, 3), dtype=np.int64)
    for j in range(m):
        total[:] = 0
        for f in range(folds):
            for h in range(strata):
                for c in range(classes):
                    for w in range(3):  # the fourth count is of missing calls
                        total[h, c, w] += counts[j, f, h, c, w]
        scores[0, j] = distance_of(total, by_mean)
        for f in range(len(scores) - 1):  # none for a single fold
            for h in range(strata):
                for c in range(classes):
                    for w in range(3):
                        part[h, c, w] = total[h, c, w] - counts[j, f, h, c, w]
            scores[1 + f, j] = distance_of(part, by_mean)
