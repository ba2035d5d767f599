"""Made-up tables with undeclared replicates, and tables of unrelated samples that are only alike.

`benchmarks/replicates.py` counts more of them than the tests do.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Table = Callable[[np.random.Generator, int, int], np.ndarray]


def replicate_table(
    g: np.random.Generator, patients: int, copies: int, noise: float, p: int
) -> tuple[np.ndarray, np.ndarray]:
    """Values and patients: each measured `copies` times, with noise in patients' deviations."""
    who = np.repeat(np.arange(patients), copies)
    return g.normal(size=(patients, p))[who] + noise * g.normal(size=(len(who), p)), who


def classes(g, n, p):
    X = g.normal(size=(n, p))
    X[: n // 2, : p // 2] += 4
    return X


def small_class(g, n, p):
    X = g.normal(size=(n, p))
    X[: n // 12, : p // 2] += 4
    return X


def clusters(g, n, p):
    return 5 * g.normal(size=(n // 15, p))[np.arange(n) % (n // 15)] + g.normal(size=(n, p))


def tissues(g, n, p):
    """Tight clusters of about twenty, each of three looser ones."""
    who, part = np.sort(g.integers(0, max(2, n // 20), n)), g.integers(0, 3, n)
    inner = g.normal(size=(who.max() + 1, 3, p))[who, part]
    return 4 * g.normal(size=(who.max() + 1, p))[who] + inner + g.normal(size=(n, p))


def cell_lines(g, n, p):
    """Tight clusters of sixteen or more that vary along eight directions, the same in all."""
    who = np.arange(n) % max(2, n // 16)
    along = 0.7 * g.normal(size=(n, 8)) @ g.normal(size=(8, p))
    return 5 * g.normal(size=(n // 16 + 2, p))[who] + along + 0.5 * g.normal(size=(n, p))


def time_courses(g, n, p):
    """Series of twenty or more times, each gene a smooth curve."""
    series = max(1, n // 20)
    time = np.linspace(0, 1, -(-n // series))[:, None]
    order = np.arange(1, 9)
    waves = 2 * np.cos(np.pi * time * order) / order
    some = [g.normal(size=p) + waves @ g.normal(size=(8, p)) for _ in range(series)]
    return np.vstack(some)[:n] + 0.5 * g.normal(size=(n, p))


def neighbours(g, n, p):
    """Each sample like the one before it, as samples processed together are."""
    X = g.normal(size=(n, p))
    for i in range(1, n):
        X[i] = 0.4 * X[i - 1] + np.sqrt(1 - 0.4**2) * X[i]
    return X


def batches(g, n, p):
    return g.normal(size=(n // 12, p))[np.arange(n) % (n // 12)] + g.normal(size=(n, p))


def factors(g, n, p):
    return 2 * g.normal(size=(n, 3)) @ g.normal(size=(3, p)) + g.normal(size=(n, p))


def many_factors(g, n, p):
    """Thirty factors of falling weight, as in expression arrays."""
    weight = 3 / np.sqrt(np.arange(1, 31))
    return (weight * g.normal(size=(n, 30))) @ g.normal(size=(30, p)) + g.normal(size=(n, p))


def heavy_factors(g, n, p):
    """Factors of which some samples have very much."""
    return g.standard_t(3, size=(n, 25)) @ g.normal(size=(25, p)) / 2 + g.normal(size=(n, p))


def flat(g, n, p):
    return g.normal(size=(n, 4)) @ g.normal(size=(4, p)) + 0.05 * g.normal(size=(n, p))


def heavy(g, n, p):
    return np.exp(1.5 * g.normal(size=(n, p)))


def counts(g, n, p):
    level = g.normal(3, 1.5, size=p) + 0.5 * g.normal(size=(n, p)) + 0.7 * g.normal(size=(n, 1))
    return g.poisson(np.exp(level)).astype(float)


def low_counts(g, n, p):
    level = g.normal(0, 1.5, size=p) + 0.5 * g.normal(size=(n, p)) + g.normal(size=(n, 1))
    return g.poisson(np.exp(level)).astype(float)


def gaps(g, n, p):
    X = g.normal(size=(n, p))
    X[g.random((n, p)) < 0.2] = np.nan
    return X


def pale(g, n, p):
    return g.normal(size=(n, p)) * np.exp(0.6 * g.normal(size=(n, 1)))


UNRELATED: list[Table] = [
    classes,
    small_class,
    clusters,
    tissues,
    cell_lines,
    time_courses,
    neighbours,
    batches,
    factors,
    many_factors,
    heavy_factors,
    flat,
    heavy,
    counts,
    low_counts,
    gaps,
    pale,
]
