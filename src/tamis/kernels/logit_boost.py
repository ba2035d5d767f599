"""LogitBoost with regression stumps: presorted columns, one loop over rounds.

Source: Friedman, Hastie & Tibshirani (2000), Annals of Statistics 28, 337-407, algorithms 3 (two
classes) and 6 (several). As in Weka, working responses z are bounded and the weights are w =
(y - p)/z, so that w z stays the gradient y - p.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._jit import jit

# share of the weight, or of a score, by which sums in another order may differ
NEGLIGIBLE_SHARE = 1e-12
ANY_VALUE = float(np.finfo(np.float64).max)  # split of any value, or category, from missing ones
VANISHED_WEIGHT = 1e-300  # sum of the weights below which every row is classified beyond doubt


class Presorted(NamedTuple):
    """Training columns and their orders; made by `presort_columns`."""

    columns: np.ndarray  # (p, n) float64; NaN is missing, categories are codes
    order: np.ndarray  # (p, n) int32, rows in increasing order of a column, NaN last
    known: np.ndarray  # (p,) int64, rows that have a value
    levels: np.ndarray  # (p,) int64, number of categories, 0 = numeric


class Stumps(NamedTuple):
    """One stump for each round and score. Every class has a score; of two only the second."""

    feature: np.ndarray  # (rounds, scores) int64
    # (rounds, scores); `ANY_VALUE`: any value against none, or no column could be split, and the
    # three values are the same
    split: np.ndarray
    # (rounds, scores, 3): for x <= split, or of categories x == split; for others; for missing x
    values: np.ndarray


def presort_columns(X: np.ndarray, levels: np.ndarray) -> Presorted:
    """Sort every column of X (n, p) once; `levels` (p,) are numbers of categories, 0 = numeric."""
    columns = np.ascontiguousarray(np.asarray(X, dtype=np.float64).T)
    order = np.argsort(columns, axis=1, kind="stable").astype(np.int32)
    known = (~np.isnan(columns)).sum(axis=1).astype(np.int64)
    return Presorted(columns, order, known, np.asarray(levels, dtype=np.int64))


@jit
def boost_stumps(table, y, weights, n_classes, rounds, limit):
    """Fit at most `rounds` rounds; fewer where no weight is left.

    Parameters
    ----------
    table : Presorted
    y : (n,) int64
        Class codes.
    weights : (n,) float64
        Above 0; they multiply the working weights.
    n_classes, rounds : int
    limit : float
        Bound of the absolute working response.

    Returns
    -------
    feature, split, values
        As in `Stumps`.
    """
    n, widest = len(y), max(1, table.levels.max())
    n_scores = 1 if n_classes == 2 else n_classes
    feature = np.zeros((rounds, n_scores), dtype=np.int64)
    split, values = np.zeros((rounds, n_scores)), np.zeros((rounds, n_scores, 3))
    scores, answers = np.zeros((n, n_scores)), np.zeros(n_scores)
    slope, bend = np.empty(n), np.empty(n)
    by_level = np.empty((2, widest))
    for r in range(rounds):
        for k in range(n_scores):
            if not set_responses(scores, y, weights, k, limit, slope, bend):
                return feature[:r], split[:r], values[:r]
            # stumps of a round are fitted to the same scores F, and then added together
            feature[r, k], split[r, k] = best_split(table, slope, bend, by_level)
            fit_values(table, feature[r, k], split[r, k], slope, bend, values[r, k])
        for i in range(n):
            for k in range(n_scores):
                j = feature[r, k]
                side = side_of(table.columns[j, i], split[r, k], table.levels[j] > 0)
                answers[k] = values[r, k, side]
            add_answers(answers, scores[i])
    return feature, split, values


@jit
def set_responses(scores, y, weights, k, limit, slope, bend):
    """Write w z to `slope` and w to `bend` of every row for score k; False where all w vanish.

    With q = |y - p|: |z| = min(1/(1 - q), limit), z of the sign of y - p, w = q/|z|, w z = y - p.
    """
    two, total = scores.shape[1] == 1, 0.0
    for i in range(len(y)):
        if two:
            # p and 1 - p of p = 1/(1 + exp(-2F)), neither by a difference: both keep their digits
            inside = y[i] == 1
            up, down = 1 / (1 + np.exp(-2 * scores[i, 0])), 1 / (1 + np.exp(2 * scores[i, 0]))
        else:
            inside = y[i] == k
            # softmax; less the largest score, so that no exponential is infinite
            top, up, down = scores[i].max(), 0.0, 0.0
            for c in range(scores.shape[1]):
                if c == k:
                    up = np.exp(scores[i, c] - top)
                else:
                    down += np.exp(scores[i, c] - top)
            up, down = up / (up + down), down / (up + down)
        wrong, right = (down, up) if inside else (up, down)  # q and 1 - q
        slope[i] = weights[i] * (wrong if inside else -wrong)
        bend[i] = weights[i] * wrong * max(right, 1 / limit)
        total += bend[i]
    return total > VANISHED_WEIGHT


@jit
def best_split(table, slope, bend, by_level):
    """Column and split of the least squared error; rows without a value have a mean of their own.

    The error is least where the sum of (sum w z)^2 / sum w over the three parts is largest. Missing
    or not is a split as well, though no better where the column can be cut. Of equal splits the
    first column wins, and its first cut.
    """
    best, feature, split = -1.0, 0, ANY_VALUE
    for j in range(len(table.known)):
        column, order, known = table.columns[j], table.order[j], table.known[j]
        s_known, w_known, s_rest, w_rest = 0.0, 0.0, 0.0, 0.0
        for i in range(len(order)):
            row = order[i]
            if i < known:
                s_known += slope[row]
                w_known += bend[row]
            else:
                s_rest += slope[row]
                w_rest += bend[row]
        base = s_rest * s_rest / w_rest if w_rest > 0 else 0.0  # part of the missing values
        least = NEGLIGIBLE_SHARE * w_known
        # parts of less weight than `least` are rounding, whose quotient means nothing
        if table.levels[j] > 0:
            sums, masses = by_level
            sums[:], masses[:] = 0.0, 0.0
            for i in range(known):
                level = int(column[order[i]])
                sums[level] += slope[order[i]]
                masses[level] += bend[order[i]]
            for level in range(table.levels[j]):
                s, w = sums[level], masses[level]
                if w > least and w_known - w > least:
                    score = base + s * s / w + (s_known - s) ** 2 / (w_known - w)
                    if score > best + NEGLIGIBLE_SHARE * abs(best):
                        best, feature, split = score, j, float(level)
        else:
            s, w = 0.0, 0.0  # sums below the cut after place i
            for i in range(known - 1):
                s += slope[order[i]]
                w += bend[order[i]]
                below, above = column[order[i]], column[order[i + 1]]
                if below < above and w > least and w_known - w > least:
                    score = base + s * s / w + (s_known - s) ** 2 / (w_known - w)
                    if score > best + NEGLIGIBLE_SHARE * abs(best):
                        # the sum of both may overflow; between neighbouring doubles there is no
                        # middle, and it may be rounded to the upper one
                        middle = below / 2 + above / 2
                        best, feature = score, j
                        split = middle if middle < above else below
        if min(w_known, w_rest) > NEGLIGIBLE_SHARE * (w_known + w_rest):
            score = base + s_known * s_known / w_known
            if score > best + NEGLIGIBLE_SHARE * abs(best):
                best, feature, split = score, j, ANY_VALUE
    return feature, split


@jit
def side_of(value, split, nominal):
    """0 = at most the split, or for categories equal to it; 1 = other values; 2 = missing."""
    if np.isnan(value):
        return 2
    return int(value != split) if nominal else int(value > split)


@jit
def fit_values(table, feature, split, slope, bend, values):
    """Weighted means of z in the three parts; for a part without rows, that of all rows."""
    sums, masses = np.zeros(4), np.zeros(4)  # of sides 0, 1, 2, and of all rows
    column, nominal = table.columns[feature], table.levels[feature] > 0
    for i in range(len(slope)):
        side = side_of(column[i], split, nominal)
        sums[side] += slope[i]
        masses[side] += bend[i]
        sums[3] += slope[i]
        masses[3] += bend[i]
    for side in range(3):
        part = side if masses[side] > NEGLIGIBLE_SHARE * masses[3] else 3
        values[side] = sums[part] / masses[part]


@jit
def add_answers(answers, scores):
    """F += f/2 for two classes; for several F_j += (C - 1)/C (f_j - mean f)."""
    n = len(answers)
    if n == 1:
        scores[0] += answers[0] / 2
        return
    mean = answers.mean()
    for k in range(n):
        scores[k] += (n - 1) / n * (answers[k] - mean)


@jit
def staged_scores(stumps, levels, columns, stages, out):
    """F of the rows of columns (p, m) after some numbers of rounds, into `out` (stages, m, scores).

    `stages` rise; beyond the last round F no longer changes.
    """
    feature, split, values = stumps.feature, stumps.split, stumps.values
    rounds, n_scores = feature.shape
    answers, scores = np.zeros(n_scores), np.zeros(n_scores)
    for i in range(columns.shape[1]):
        scores[:] = 0.0
        done = 0
        for s in range(len(stages)):
            while done < min(stages[s], rounds):
                for k in range(n_scores):
                    j = feature[done, k]
                    side = side_of(columns[j, i], split[done, k], levels[j] > 0)
                    answers[k] = values[done, k, side]
                add_answers(answers, scores)
                done += 1
            for k in range(n_scores):
                out[s, i, k] = scores[k]
