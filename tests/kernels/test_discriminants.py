"""Shrinkage and diagonal discriminants against references written out from their papers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.classifiers.around import build_classifier
from tamis.classifiers.standard.natural import fit_natural, natural_beliefs_by_size
from tamis.kernels.diagonal_discriminant import diagonal_discriminant, diagonal_discriminants
from tamis.kernels.shrinkage_discriminant import shrinkage_discriminant, shrunken_frequencies


def made(seed, n=24, k=6, C=3, equal=False):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(C), rng.integers(0, C, n - C)])
    mix = np.eye(k) + 0.5 * rng.normal(size=(k, k)) / np.sqrt(k)
    X = rng.normal(size=(n, k)) @ mix * (1 if equal else rng.uniform(0.2, 5, k))
    return X + rng.normal(size=(C, k))[y], y


def slow_sda(X, y, C):
    """Ahdesmaeki & Strimmer (2010), every sum a loop: coefficients, intercepts, intensities.

    The estimators of the intensities are those of Schaefer & Strimmer (2005), Opgen-Rhein &
    Strimmer (2007) and Hausser & Strimmer (2009).
    """
    n, k = X.shape
    counts = np.array([(y == c).sum() for c in range(C)])
    shares = counts / n
    top = sum(u * (1 - u) for u in shares) / (n - 1)
    below = sum((u - 1 / C) ** 2 for u in shares)
    l_freq = 1.0 if below == 0 else min(1.0, top / below)
    priors = l_freq / C + (1 - l_freq) * shares
    means = np.array([X[y == c].mean(axis=0) for c in range(C)])
    R = X - means[y]

    s = np.array([sum(R[i, j] ** 2 for i in range(n)) / (n - 1) for j in range(k)])
    target, top, below = np.median(s), 0.0, 0.0
    for j in range(k):
        w = R[:, j] ** 2
        top += n / (n - 1) ** 3 * sum((w[i] - w.mean()) ** 2 for i in range(n))
        below += (s[j] - target) ** 2
    l_var = 1.0 if below == 0 else min(1.0, top / below)
    v = (l_var * target + (1 - l_var) * s) * (n - 1) / (n - C)

    Z, top, below = R / np.sqrt(s), 0.0, 0.0
    r = np.eye(k)
    for a in range(k):
        for b in range(k):
            if a == b:
                continue
            w = Z[:, a] * Z[:, b]
            r[a, b] = n / (n - 1) * w.mean()
            top += n / (n - 1) ** 3 * sum((w[i] - w.mean()) ** 2 for i in range(n))
            below += r[a, b] ** 2
    l_cor = 1.0 if below == 0 else min(1.0, top / below)
    S = np.sqrt(np.outer(v, v)) * (l_cor * np.eye(k) + (1 - l_cor) * r)
    centre = priors @ means
    coef = np.array([np.linalg.solve(S, m - centre) for m in means])
    intercept = [np.log(priors[c]) - coef[c] @ (means[c] + centre) / 2 for c in range(C)]
    return coef, np.array(intercept), (l_cor, l_var, l_freq)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 9), st.integers(10, 30))
def test_shrinkage_equals_the_papers(seed, C, k, n):
    X, y = made(seed, n, k, C)
    found = shrinkage_discriminant(X, y, C)
    coef, intercept, intensities = slow_sda(X, y, C)
    mine = (found.intensity, found.variance_intensity, found.frequency_intensity)
    np.testing.assert_allclose(mine, intensities, atol=1e-10)
    scale = np.abs(coef).max()
    np.testing.assert_allclose(found.coefficients / scale, coef / scale, atol=1e-10)
    np.testing.assert_allclose(found.intercepts, intercept, rtol=1e-9, atol=1e-9)


def test_more_columns_than_samples_too():
    X, y = made(3, n=14, k=40)
    found = shrinkage_discriminant(X, y, 3)
    coef, intercept, _ = slow_sda(X, y, 3)
    np.testing.assert_allclose(found.coefficients, coef, atol=1e-10 * np.abs(coef).max())
    np.testing.assert_allclose(found.intercepts, intercept, rtol=1e-9)


def test_frequencies_of_a_small_example():
    """Shares .75, .25: lambda = (.375 / 7) / .125 = 3/7, and 3/7 / 2 + 4/7 * .75 = 9/14."""
    priors, intensity = shrunken_frequencies(np.array([6, 2]))
    assert intensity == pytest.approx(3 / 7)
    np.testing.assert_allclose(priors, [9 / 14, 5 / 14])
    assert shrunken_frequencies(np.array([6, 2, 0]), 1.0)[0].tolist() == [0.5, 0.5, 0.0]
    assert shrunken_frequencies(np.array([6, 2]), 0.0)[0].tolist() == [0.75, 0.25]


def slow_diagonal(X, y, C, priors):
    """-1/2 sum_j (x_j - m_cj)^2 / s_j^2 + ln prior_c of new rows."""
    n, k = X.shape
    means = np.array([X[y == c].mean(axis=0) for c in range(C)])
    s = [sum((X[i, j] - means[y[i], j]) ** 2 for i in range(n)) / (n - C) for j in range(k)]

    def scores(x):
        return [np.log(priors[c]) - sum((x[j] - means[c, j]) ** 2 / s[j] for j in range(k)) / 2
                for c in range(C)]  # fmt: skip

    return scores


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 6), st.booleans())
def test_diagonal_equals_the_paper(seed, C, k, equal):
    X, y = made(seed, 20, k, C)
    priors = np.full(C, 1 / C) if equal else np.bincount(y) / len(y)
    coef, intercept = diagonal_discriminant(X, y, C, priors)
    new, _ = made(seed + 1, 8, k, C)
    slow = np.array([slow_diagonal(X, y, C, priors)(x) for x in new])
    fast = new @ coef.T + intercept
    np.testing.assert_allclose(fast - fast[:, :1], slow - slow[:, :1], rtol=1e-9, atol=1e-8)
    sizes = list(range(1, k + 1))
    by_size = diagonal_discriminants(X, y, new, sizes, priors)
    for size, found in zip(sizes, by_size, strict=True):
        own, shift = diagonal_discriminant(X[:, :size], y, C, priors)
        np.testing.assert_allclose(found, new[:, :size] @ own.T + shift, rtol=1e-9, atol=1e-8)


LIMITS = {
    "constant column": lambda X, y: np.column_stack([X, np.full(len(X), 3.0)]),
    "perfect column": lambda X, y: np.column_stack([X, y.astype(float)]),
    "perfect alone": lambda X, y: y[:, None].astype(float),
    "columns twice": lambda X, y: np.column_stack([X, X]),
    "one column": lambda X, y: X[:, :1],
    "wide": lambda X, y: np.random.default_rng(1).normal(size=(len(X), 200)) + y[:, None],
}


@pytest.mark.parametrize("name", ["shrinkage_discriminant", "diagonal_discriminant"])
@pytest.mark.parametrize("how", LIMITS)
def test_at_the_limits_there_is_an_answer(name, how):
    X, y = made(5, 18, 4, 3)
    y = np.concatenate([np.repeat([0, 1], [9, 8]), [2]])  # a class of one sample
    table = LIMITS[how](X, y)
    built = build_classifier(name, {})
    proba = fit_natural(built, table, y, 3, 0).beliefs(table).proba
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-12)
    if "perfect" in how:
        assert np.array_equal(proba.argmax(axis=1), y)


@pytest.mark.parametrize("priors", ["empirical", "equal"])
def test_sizes_at_once_equal_one_at_a_time(priors):
    X, y = made(7, 30, 5, 3)
    new, _ = made(8, 9, 5, 3)
    built = build_classifier("diagonal_discriminant", {"priors": priors})
    for k, found in zip([1, 3, 5], natural_beliefs_by_size(built, X, y, 3, new, [1, 3, 5], 0),
                        strict=True):  # fmt: skip
        alone = fit_natural(built, X[:, :k], y, 3, 0).beliefs(new[:, :k])
        np.testing.assert_allclose(found.proba, alone.proba, atol=1e-12)


@pytest.mark.parametrize("name", ["shrinkage_discriminant", "diagonal_discriminant"])
def test_units_do_not_matter(name):
    X, y = made(9, 30, 5, 2)
    new, _ = made(10, 9, 5, 2)
    units = np.array([1e-6, 1.0, 1e9, 7.0, 0.1])
    built = build_classifier(name, {})
    here, there = (fit_natural(built, X * u, y, 2, 0).beliefs(new * u).proba for u in (1.0, units))
    np.testing.assert_allclose(here, there, atol=1e-9)
