"""Tukey's median polish of probe sets, and the values of samples under frozen probe effects.

    z[i, j] = overall + rows[i] + columns[j] + residual, i a probe and j a sample

Tukey (1977), Exploratory Data Analysis; Irizarry et al. (2003), Biostatistics 4:249-264. Probes are
swept before samples; rounds and the rule to stop are those of Bioconductor's preprocessCore.
Missing values (NaN) are left out of medians and sums, as R's ``medpolish(na.rm = TRUE)`` does.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

MAX_ROUNDS = 10
CONVERGENCE_TOLERANCE = 0.01  # relative change of the sum of absolute residuals
MAX_SORTED_LENGTH = 24  # up to this many values are sorted; from more the median is selected


def _median_in_place(values: np.ndarray, n: int) -> float:
    """Median of the first n values, n at least 1, whose order is lost."""
    half = n // 2  # place of the median, or of the upper one of the two middle values
    if n <= MAX_SORTED_LENGTH:
        for i in range(1, n):  # insertion sort: values[:i] are in order
            value = values[i]
            j = i - 1
            while j >= 0 and values[j] > value:
                values[j + 1] = values[j]
                j -= 1
            values[j + 1] = value
        if n % 2:
            return values[half]
        return (values[half - 1] + values[half]) / 2.0
    # Hoare's selection: values[low:high + 1] contains the value that belongs to place `half`, with
    # none larger before it and none smaller after it
    low, high = 0, n - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        # now none up to j is above the pivot, none from i on is below it, any between equal it
        if half <= j:
            high = j
        elif half >= i:
            low = i
        else:
            break
    if n % 2:
        return values[half]
    # the lower middle value is the largest of those before `half`, which stand in no order
    below = values[0]
    for i in range(1, half):
        below = max(below, values[i])
    return (below + values[half]) / 2.0


median = jit(_median_in_place)


def _known_median(values: np.ndarray, n: int, work: np.ndarray) -> float:
    """Median of those of the first n values that are not missing; NaN if all are."""
    known = 0
    for i in range(n):
        if values[i] == values[i]:  # not NaN
            work[known] = values[i]
            known += 1
    return median(work, known) if known else np.nan


known_median = jit(_known_median)


def _polish_table(z: np.ndarray, k: int, rows: np.ndarray, columns: np.ndarray, work: np.ndarray):
    """Polish z[:k] (k probes, n samples) in place, to residuals; returns the overall value.

    `rows` (k,) and `columns` (n,) get the effects of probes and of samples, NaN for those without
    any value in z. `work` has room for max(k, n) values.
    """
    n = z.shape[1]
    overall, before = 0.0, 0.0
    rows[:k] = 0.0
    columns[:] = 0.0
    # invariant: z + rows + columns + overall are the data. `median` loses the order of its values,
    # so it gets copies
    for _ in range(MAX_ROUNDS):
        for i in range(k):  # medians of the probes move from z to `rows`
            known = 0
            for j in range(n):
                if z[i, j] == z[i, j]:
                    work[known] = z[i, j]
                    known += 1
            middle = median(work, known) if known else np.nan
            rows[i] += middle
            for j in range(n):
                z[i, j] -= middle
        # that of the sample effects moves to the overall value
        middle = known_median(columns, n, work)
        overall += middle
        for j in range(n):
            columns[j] -= middle
        for j in range(n):  # the same for samples
            known = 0
            for i in range(k):
                if z[i, j] == z[i, j]:
                    work[known] = z[i, j]
                    known += 1
            middle = median(work, known) if known else np.nan
            columns[j] += middle
            for i in range(k):
                z[i, j] -= middle
        middle = known_median(rows, k, work)
        overall += middle
        for i in range(k):
            rows[i] -= middle
        total = 0.0  # sum of absolute residuals
        for i in range(k):
            for j in range(n):
                if z[i, j] == z[i, j]:
                    total += abs(z[i, j])
        # before is 0 in the first round, whose relative change counts as 1
        if total == 0.0 or abs(1.0 - before / total) < CONVERGENCE_TOLERANCE:
            break
        before = total
    return overall


polish = jit(_polish_table)


def _polish_sets(X: np.ndarray, starts: np.ndarray, values: np.ndarray, effects: np.ndarray):
    """Median polish of each probe set.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        log2 intensities, samples in rows, the probes of a set side by side; NaN is missing.
    starts : ndarray of shape (m + 1,)
        First probe of each set, and p.
    values : ndarray of shape (n, m)
        Gets the value of each sample; NaN for a sample without any probe of a set.
    effects : ndarray of shape (p,)
        Gets the effects of the probes; 0, their median, for a probe that no sample has.
    """
    n = X.shape[0]
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    z, rows = np.empty((longest, n)), np.empty(longest)
    columns, work = np.empty(n), np.empty(max(longest, n))
    for s in range(len(starts) - 1):
        first = starts[s]
        k = starts[s + 1] - first
        # a copy, probes in rows: polishing overwrites it
        for j in range(n):
            for i in range(k):
                z[i, j] = X[j, first + i]
        overall = polish(z, k, rows, columns, work)
        for j in range(n):
            values[j, s] = overall + columns[j]
        for i in range(k):
            effects[first + i] = rows[i] if rows[i] == rows[i] else 0.0


def _frozen_medians(X: np.ndarray, starts: np.ndarray, effects: np.ndarray, values: np.ndarray):
    """Fill `values` (n, m) with medians over each probe set of X less the effects of the probes.

    NaN where a sample has none of the probes; other parameters as of `polish_sets`.
    """
    # a polish ends with the medians of samples: for its own effects these are its values
    work = np.empty(X.shape[1])
    for s in range(len(starts) - 1):
        for j in range(X.shape[0]):
            known = 0
            for i in range(starts[s], starts[s + 1]):
                if X[j, i] == X[j, i]:
                    work[known] = X[j, i] - effects[i]
                    known += 1
            values[j, s] = median(work, known) if known else np.nan


polish_sets = jit(_polish_sets)
frozen_medians = jit(_frozen_medians)
