"""What filters say of columns of few values, from counts of these by class.

Counts are (m, C, V + 1): of m columns, how many rows of each class have each value, and how many
none. Missing values are left out, but for moments, where the column's median stands for them.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .contingency import distance_of, information_of


@jit
def add_atoms(counts, member, n_classes):
    """Counts of parts (K, m, C, V + 1) from those of the atoms they are made of.

    Parameters
    ----------
    counts : (m, atoms * C, V + 1) int32
    member : (K, atoms) bool
    n_classes : int
    """
    m, _, values = counts.shape
    parts, atoms = member.shape
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
    for j in range(len(counts)):
        scores[j] = information_of(counts[j, :, :-1].T)
    return scores


@jit
def counted_distances(counts, mean):
    """Mass transportation distance of each column between the classes (m,)."""
    scores = np.empty(len(counts))
    for j in range(len(counts)):
        scores[j] = distance_of(counts[j, :, :-1].T, mean)
    return scores


@jit
def counted_chi_squares(counts):
    """Pearson's chi-square of each column's values against the class (m,), NaN where fewer than two
    classes are observed, and its degrees of freedom, (values - 1)(classes observed - 1) (m,)."""
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
        # sum (O - E)^2 / E with E = value total * class total / n, all but the division in
        # integers: independence gives exactly 0
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
                    chi += float(gap) * gap / expected
        freedom[j] = (values - 1) * (classes - 1) if classes > 0 else 0
        statistics[j] = chi / total if classes > 1 else np.nan
    return statistics, freedom


@jit
def counted_trends(counts):
    """n R^2 of the values' regression on the class (m,), and its degrees of freedom (m,).

    ``sum_c (n s_c - n_c s)^2 / n_c / (n q - s^2)`` of sums s and of squares q: differences of whole
    numbers, so that equal means give exactly 0.
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
    """The median of the values that each column has; 0 where it has none (m,)."""
    m, classes, last = len(counts), counts.shape[1], counts.shape[2] - 1
    medians = np.zeros(m)
    for j in range(m):
        total = 0
        for c in range(classes):
            for v in range(last):
                total += counts[j, c, v]
        if total == 0:
            continue
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
    """Class means and sums of squares about them (C, m) each, the median for what is missing."""
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
            mean = (total + holes * medians[j]) / (n + holes)
            square = holes * (medians[j] - mean) ** 2
            for v in range(last):
                square += counts[j, c, v] * (v - mean) ** 2
            means[c, j], squares[c, j] = mean, square
    return means, squares
