"""Scores of filters for columns of few values, from the counts of each value by class.

Counts are (m, C, V + 1): for m columns the number of rows of each class with each value 0..V - 1,
and in the last place with none. Missing values are left out, except in moments, where the column's
median takes their place.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .contingency import distance_of, information_of


@jit
def add_atoms(counts, member, n_classes):
    """Counts of parts (K, m, C, V + 1) from those of the atoms they are made of.

    An atom is a set of rows that lie in the same parts, so that every row is counted once however
    many parts there are.

    Parameters
    ----------
    counts : (m, atoms * C, V + 1) int32
        Row a * C + c has the rows of atom a and class c.
    member : (K, atoms) bool
        Whether a part holds an atom.
    n_classes : int
    """
    m, _, values = counts.shape
    parts, atoms = member.shape
    # 64 bits: the scores below multiply counts, of which 32 bits would not hold the products
    found = np.zeros((parts, m, n_classes, values), dtype=np.int64)
    for j in range(m):
        for k in range(parts):
            for a in range(atoms):
                if member[k, a]:
                    for c in range(n_classes):
                        for v in range(values):
                            found[k, j, c, v] += counts[j, a * n_classes + c, v]
    return found


@jit
def counted_informations(counts):
    """Plug-in information of each column and the class (m,)."""
    scores = np.empty(len(counts))
    for j in range(len(counts)):  # without the missing; one table (value, class) a column
        scores[j] = information_of(counts[j, :, :-1].T)
    return scores


@jit
def counted_distances(counts, mean):
    """Mass transportation distance of each column between the classes (m,).

    Of more than two classes the largest over pairs of classes, or with `mean` the mean.
    """
    scores = np.empty(len(counts))
    for j in range(len(counts)):
        scores[j] = distance_of(counts[j, :, :-1].T, mean)
    return scores


@jit
def counted_chi_squares(counts):
    """Pearson's chi-square of each column's values against the class, and its degrees of freedom.

    Both (m,). The statistic is NaN where fewer than two classes are observed; the degrees of
    freedom are (values observed - 1) (classes observed - 1).
    """
    m, n_classes, last = len(counts), counts.shape[1], counts.shape[2] - 1
    statistics, freedom = np.empty(m), np.empty(m, dtype=np.int64)
    by_class = np.empty(n_classes, dtype=np.int64)
    for j in range(m):
        total = values = classes = 0
        for c in range(n_classes):
            by_class[c] = 0
            for v in range(last):
                by_class[c] += counts[j, c, v]
            total += by_class[c]
            classes += by_class[c] > 0
        # sum (O - E)^2 / E with E = value total * class total / n. With e = n E the terms are
        # (n O - e)^2 / (n e), all but the division in integers: independence gives exactly 0
        chi = 0.0
        for v in range(last):
            by_value = 0
            for c in range(n_classes):
                by_value += counts[j, c, v]
            values += by_value > 0
            for c in range(n_classes):
                if by_class[c] > 0 and by_value > 0:
                    expected = by_value * by_class[c]
                    gap = counts[j, c, v] * total - expected
                    chi += float(gap) * gap / expected  # gap^2, up to n^4, may exceed 64 bits
        # an empty column has 0 classes and 0 values: -1 times -1 would be 1
        freedom[j] = (values - 1) * (classes - 1) if classes > 0 else 0
        statistics[j] = chi / total if classes > 1 else np.nan
    return statistics, freedom


@jit
def counted_trends(counts):
    """n R^2 of the values' regression on the class (m,), and its degrees of freedom (m,).

    ``sum_c (n s_c - n_c s)^2 / n_c / (n q - s^2)`` with sums of values s and of their squares q:
    differences of whole numbers, so that equal means give exactly 0. With two classes it is the
    Cochran-Armitage test. A constant column has 0; one observed in fewer than two classes NaN.
    """
    m, classes, last = len(counts), counts.shape[1], counts.shape[2] - 1
    statistics, freedom = np.empty(m), np.empty(m)
    sizes, totals = np.empty(classes, dtype=np.int64), np.empty(classes, dtype=np.int64)
    for j in range(m):
        n = total = square = seen = 0
        for c in range(classes):
            sizes[c] = totals[c] = 0
            for v in range(last):
                sizes[c] += counts[j, c, v]
                totals[c] += v * counts[j, c, v]
                square += v * v * counts[j, c, v]
            seen += sizes[c] > 0
            n += sizes[c]
            total += totals[c]
        freedom[j] = seen - 1.0
        # the sum of squares between classes is sum_c (n s_c - n_c s)^2 / (n_c n^2), that of all
        # values spread / n; n R^2 is n times their ratio
        spread = n * square - total * total
        statistics[j] = 0.0 if seen > 1 else np.nan
        if spread > 0 and seen > 1:
            for c in range(classes):
                if sizes[c] > 0:
                    away = float(n * totals[c] - sizes[c] * total)
                    statistics[j] += away * away / sizes[c] / spread
    return statistics, freedom


@jit
def counted_medians(counts):
    """Median of each column's known values (m,), 0 where none is known."""
    m, classes, last = len(counts), counts.shape[1], counts.shape[2] - 1
    medians = np.zeros(m)
    for j in range(m):
        total = 0
        for c in range(classes):
            for v in range(last):
                total += counts[j, c, v]
        if total == 0:
            continue
        # the mean of the values at the places (total - 1) // 2 and total // 2 of their order, which
        # are one place if total is odd. A value covers all places below `seen`.
        seen, low = 0, -1
        for v in range(last):
            for c in range(classes):
                seen += counts[j, c, v]
            if low < 0 and seen > (total - 1) // 2:
                low = v
            if seen > total // 2:
                medians[j] = (low + v) / 2
                break
    return medians


@jit
def counted_moments(counts):
    """Class means, and sums of squares about them, (C, m) each; missing values are the median.

    An empty class has 0 in both.
    """
    m, classes, last = len(counts), counts.shape[1], counts.shape[2] - 1
    means, squares = np.zeros((classes, m)), np.zeros((classes, m))
    medians = counted_medians(counts)
    for j in range(m):
        for c in range(classes):
            n = total = 0
            for v in range(last):
                n += counts[j, c, v]
                total += v * counts[j, c, v]
            holes = counts[j, c, last]
            if n + holes == 0:
                continue
            # about the mean and not as q - s^2 / n, which cancels where the spread is small
            mean = (total + holes * medians[j]) / (n + holes)
            square = holes * (medians[j] - mean) ** 2
            for v in range(last):
                square += counts[j, c, v] * (v - mean) ** 2
            means[c, j], squares[c, j] = mean, square
    return means, squares
