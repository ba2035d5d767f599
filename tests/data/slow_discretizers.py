"""The discretisers by slow searches, exact: loops over rows, fractions, 50-digit logarithms."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import numpy as np
from scipy.stats import chi2


def table_of(x, y, cuts):
    """Class counts of each interval, as lists."""
    classes = sorted(set(y))
    edges = [-np.inf, *sorted(cuts), np.inf]
    return [
        [sum(1 for v, c in zip(x, y, strict=True) if a < v <= b and c == k) for k in classes]
        for a, b in pairwise(edges)
    ]


def midpoints(x):
    values = sorted(set(x))
    return [(a + b) / 2 for a, b in pairwise(values)]


def entropy(counts):
    n = sum(counts)
    shares = [Decimal(c) / n for c in counts if c]
    return -sum((p * p.ln() for p in shares), Decimal(0)) / Decimal(2).ln()


def slow_mdl(x, y):
    """Section 3 of Fayyad & Irani (1993), at 50 digits."""
    with localcontext() as context:
        context.prec = 50
        classes = table_of(x, y, [])[0]
        n, best = len(x), None
        for cut in midpoints(x):
            left, right = table_of(x, y, [cut])
            rest = (sum(left) * entropy(left) + sum(right) * entropy(right)) / n
            if best is None or rest < best[0] - Decimal("1e-30"):
                best = rest, cut, left, right
        if best is None:
            return []
        rest, cut, left, right = best
        gain = entropy(classes) - rest
        k, k1, k2 = (sum(c > 0 for c in part) for part in (classes, left, right))
        bits = lambda v: Decimal(v).ln() / Decimal(2).ln()  # noqa: E731
        delta = bits(3**k - 2)
        delta -= k * entropy(classes) - k1 * entropy(left) - k2 * entropy(right)
        if gain <= Decimal("1e-30") or gain <= (bits(n - 1) + delta) / n:
            return []
    low = [i for i in range(n) if x[i] <= cut]
    high = [i for i in range(n) if x[i] > cut]
    parts = ([[x[i] for i in rows], [y[i] for i in rows]] for rows in (low, high))
    return sorted([cut, *(c for part in parts for c in slow_mdl(*part))])


def caim(table):
    return sum(Fraction(max(row) ** 2, sum(row)) for row in table) / len(table)


def ameva(table):
    n = sum(map(sum, table))
    columns = [sum(column) for column in zip(*table, strict=True)]
    ratio = sum(
        Fraction(count**2, sum(row) * total)
        for row in table
        for count, total in zip(row, columns, strict=True)
    )
    return n * (ratio - 1) / (len(table) * (len(columns) - 1))


def slow_top_down(x, y, criterion, at_least):
    """Step 2 of Kurgan & Cios (2004) and of Gonzalez-Abril et al. (2009)."""
    cuts, reached = [], Fraction(0)
    while len(set(y)) > 1:
        best = None
        for cut in midpoints(x):
            if cut not in cuts:
                value = criterion(table_of(x, y, [*cuts, cut]))
                if best is None or value > best[0]:
                    best = value, cut
        if best is None or not (best[0] > reached or len(cuts) + 1 < at_least):
            break
        reached = best[0]
        cuts.append(best[1])
    return sorted(cuts)


def slow_chi_square(a, b):
    n = sum(a) + sum(b)
    total = Fraction(0)
    for row in (a, b):
        for j, count in enumerate(row):
            expected = Fraction(sum(row) * (a[j] + b[j]), n)
            total += (count - expected) ** 2 / max(expected, Fraction(1, 2))
    return total


def slow_chimerge(x, y, alpha):
    """Kerber (1992): join the least pair until all exceed the threshold."""
    if len(set(y)) < 2:
        return []
    threshold = chi2.isf(alpha, len(set(y)) - 1)
    cuts = midpoints(x)
    while cuts:
        table = table_of(x, y, cuts)
        pairs = [slow_chi_square(a, b) for a, b in pairwise(table)]
        if min(pairs) > threshold:
            break
        del cuts[pairs.index(min(pairs))]
    return cuts
