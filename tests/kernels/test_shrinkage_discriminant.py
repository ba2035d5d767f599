"""Shrinkage discriminant analysis against loops over the papers' formulas, and at its limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.shrinkage_discriminant import (
    INTENSITIES,
    shrinkage_discriminant,
    shrunken_frequencies,
)

# eight samples whose intensities are fractions: 3/7, 2/5 and 11/35
SMALL = np.array(
    [
        [1, 4, 0],
        [-1, 0, 0],
        [2, 2, 4],
        [2, 2, 8],
        [0, 0, 4],
        [2, 2, 4],
        [2, 4, 8],
        [2, 2, 8],
    ],
    dtype=float,
)
SMALL_CODES = np.array([0, 0, 1, 1, 1, 1, 1, 1])


def at_most_one(variance, distance):
    return 1.0 if distance == 0 else min(variance / distance, 1.0)


def plain_frequencies(counts):
    """Hausser & Strimmer (2009), eq. 8: shares theta, targets 1/C."""
    n, n_classes = sum(counts), len(counts)
    theta = [count / n for count in counts]
    variance = (1 - sum(t**2 for t in theta)) / (n - 1)
    intensity = at_most_one(variance, sum((1 / n_classes - t) ** 2 for t in theta))
    return [intensity / n_classes + (1 - intensity) * t for t in theta], intensity


def plain_variances(residuals):
    """Opgen-Rhein & Strimmer (2007), eqs. 8 to 10: w_ij = residual^2, v_j = n/(n - 1) mean w."""
    n, p = residuals.shape
    w = [[residuals[i, j] ** 2 for i in range(n)] for j in range(p)]
    means = [sum(column) / n for column in w]
    v = [n / (n - 1) * mean for mean in means]
    target = float(np.median(v))
    variance = sum(
        n / (n - 1) ** 3 * sum((value - mean) ** 2 for value in column)
        for column, mean in zip(w, means, strict=True)
    )
    intensity = at_most_one(variance, sum((v_j - target) ** 2 for v_j in v))
    return [intensity * target + (1 - intensity) * v_j for v_j in v], intensity


def plain_correlations(residuals):
    """Schaefer & Strimmer (2005), table 1 (target D) on standardised columns: the matrix."""
    n, p = residuals.shape
    if p == 1:
        return np.eye(1), 1.0
    sd = [np.sqrt(sum(residuals[i, j] ** 2 for i in range(n)) / (n - 1)) for j in range(p)]
    r, variance, distance = np.eye(p), 0.0, 0.0
    for j in range(p):
        for k in range(p):
            if j != k:
                w = [residuals[i, j] * residuals[i, k] / sd[j] / sd[k] for i in range(n)]
                mean = sum(w) / n
                r[j, k] = n / (n - 1) * mean
                variance += n / (n - 1) ** 3 * sum((value - mean) ** 2 for value in w)
                distance += r[j, k] ** 2
    intensity = at_most_one(variance, distance)
    return np.where(np.eye(p, dtype=bool), r, (1 - intensity) * r), intensity


def plain_rule(X, y, n_classes):
    """Coefficients, intercepts, intensities and priors, with the matrix and its inverse."""
    n, p = X.shape
    means = np.array(
        [
            [np.mean([X[i, j] for i in range(n) if y[i] == c]) for j in range(p)]
            for c in range(n_classes)
        ]
    )
    residuals = np.array([X[i] - means[y[i]] for i in range(n)])
    priors, of_frequencies = plain_frequencies([int((y == c).sum()) for c in range(n_classes)])
    variances, of_variances = plain_variances(residuals)
    sd = np.sqrt(np.array(variances) * (n - 1) / (n - n_classes))
    R, of_correlations = plain_correlations(residuals)
    inverse = np.linalg.inv(R * np.outer(sd, sd))
    pooled = sum(priors[c] * means[c] for c in range(n_classes))
    coefficients = np.array([inverse @ (means[c] - pooled) for c in range(n_classes)])
    intercepts = [
        np.log(priors[c]) - coefficients[c] @ (means[c] + pooled) / 2 for c in range(n_classes)
    ]
    return coefficients, intercepts, [of_correlations, of_variances, of_frequencies], priors


def samples(seed, n_classes, n, k, spread=0.0):
    """Columns that share a factor, classes apart; n_classes + 1 rows at least."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n)])[:n])
    X = rng.normal(size=(n, k)) + rng.normal(size=(n, 1)) + 0.5 * rng.normal(size=(n_classes, k))[y]
    return X * np.exp(spread * rng.normal(size=k)) + rng.normal(size=k), y


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 5),
    st.integers(1, 30),
    st.integers(1, 25),
    st.floats(0, 2),
    st.booleans(),
    st.integers(0, 10**6),
)
def test_equals_the_papers_formulas(n_classes, more, k, spread, copied, seed):
    X, y = samples(seed, n_classes, n_classes + more, k, spread)
    if copied and k > 1:
        X[:, -1] = 3 * X[:, 0]
    assume((np.bincount(y) > 1).any())
    coefficients, intercepts, intensities, priors = plain_rule(X, y, n_classes)
    assume(intensities[0] > 1e-4)  # the inverse of the plain route has no digits to spare
    found = shrinkage_discriminant(X, y, n_classes)
    size = np.abs(coefficients).max()
    np.testing.assert_allclose(found.coefficients, coefficients, rtol=1e-10, atol=1e-10 * size)
    size = np.abs(intercepts).max()
    np.testing.assert_allclose(found.intercepts, intercepts, rtol=1e-10, atol=1e-10 * size)
    own = [found.intensity, found.variance_intensity, found.frequency_intensity]
    np.testing.assert_allclose(own, intensities, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.priors, priors, rtol=1e-12)


def test_a_small_example_by_exact_fractions():
    """Typed from rational arithmetic, square roots to forty digits."""
    found = shrinkage_discriminant(SMALL, SMALL_CODES, 2)
    own = [found.intensity, found.variance_intensity, found.frequency_intensity]
    np.testing.assert_allclose(own, [11 / 35, 2 / 5, 3 / 7], rtol=1e-13)
    np.testing.assert_allclose(found.priors, [5 / 14, 9 / 14], rtol=1e-14)
    expected = [
        [-0.83339211089130, 0.753744698943508, -1.16043822085573],
        [0.462995617161833, -0.41874705496861, 0.644687900475406],
    ]
    np.testing.assert_allclose(found.coefficients, expected, rtol=1e-12)
    np.testing.assert_allclose(found.intercepts, [0.147339241702503, -3.41559205627548], rtol=1e-12)


@pytest.mark.parametrize(("priors", "share"), [("empirical", 2 / 8), ("equal", 1 / 2)])
def test_priors_only_move_the_intercepts(priors, share):
    shrunken = shrinkage_discriminant(SMALL, SMALL_CODES, 2)
    found = shrinkage_discriminant(SMALL, SMALL_CODES, 2, INTENSITIES[priors])
    np.testing.assert_allclose(found.priors, [share, 1 - share])
    gap = np.diff(found.coefficients, axis=0)
    np.testing.assert_allclose(gap, np.diff(shrunken.coefficients, axis=0), rtol=1e-12)
    moved = np.log((1 - share) / share) - np.log(9 / 5)
    gap = np.diff(found.intercepts) - np.diff(shrunken.intercepts)
    np.testing.assert_allclose(gap, moved, rtol=1e-10)


def test_frequencies():
    """By hand: shares .7, .2, .1 have variances that sum to .46/9, and squared gaps of .20667."""
    shares, intensity = shrunken_frequencies(np.array([7, 2, 1]))
    assert intensity == pytest.approx(0.46 / 9 / (0.54 - 1 / 3))
    np.testing.assert_allclose(shares, intensity / 3 + (1 - intensity) * np.array([0.7, 0.2, 0.1]))
    assert shrunken_frequencies(np.array([4, 4]))[1] == 1
    assert shrunken_frequencies(np.array([1, 1, 1]))[0].tolist() == [1 / 3] * 3
    with_none, _ = shrunken_frequencies(np.array([7, 0, 2, 1]))
    np.testing.assert_allclose(with_none, np.insert(shares, 1, 0.0))
    assert shrunken_frequencies(np.array([0, 5]))[0].tolist() == [0, 1]


def predicted(found, X):
    scores = X @ found.coefficients.T + found.intercepts
    assert np.isfinite(scores).all()
    return scores.argmax(axis=1)


def test_many_columns_of_much_the_same_are_not_counted_as_many_witnesses():
    """Copies of one noisy column leave a rule near that of the column; diagonal rules do not."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    one = rng.normal(size=(40, 1)) + y[:, None]
    many = np.repeat(one, 30, axis=1) + 0.1 * rng.normal(size=(40, 30))
    alone = shrinkage_discriminant(one, y, 2)
    found = shrinkage_discriminant(many, y, 2)
    span = [
        np.ptp(X @ np.diff(rule.coefficients, axis=0).T)
        for X, rule in ((one, alone), (many, found))
    ]
    assert span[1] < 4 * span[0]


@pytest.mark.parametrize("kind", ["constant", "perfect", "all perfect", "all constant but one"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_columns_without_spread(kind, n_classes):
    X, y = samples(1, n_classes, 12, 5)
    if kind == "constant":
        X[:, 2] = 0.1
    elif kind == "perfect":
        X[:, 2] = np.array([1.0, 9.0, 5.0])[y]
    elif kind == "all perfect":
        X = np.random.default_rng(0).normal(size=(n_classes, 5))[y]
    else:
        X[:, 1:] = 0.1
        X[:, 0] += 9 * y
    found = shrinkage_discriminant(X, y, n_classes)
    hits = predicted(found, X) == y
    if kind == "constant":
        assert (found.coefficients[:, 2] == 0).all()
    else:
        assert hits.all()


@pytest.mark.parametrize("k", [1, 2, 40])
def test_one_sample_a_class_is_the_nearest_sample(k):
    X, _ = samples(2, 3, 3, k)
    y = np.arange(3)
    found = shrinkage_discriminant(X, y, 3)
    assert found.intensity == found.variance_intensity == found.frequency_intensity == 1
    assert predicted(found, X).tolist() == [0, 1, 2]


@pytest.mark.parametrize("sizes", [[1, 9], [1, 1, 6], [2, 2]])
@pytest.mark.parametrize("k", [1, 3, 60])
def test_classes_of_one_sample(sizes, k):
    y = np.repeat(np.arange(len(sizes)), sizes)
    X = np.random.default_rng(3).normal(size=(len(y), k)) + 6 * y[:, None]
    found = shrinkage_discriminant(X, y, len(sizes))
    assert predicted(found, X).tolist() == y.tolist()


def test_copies_that_leave_nothing_to_shrink():
    """Columns of +-1 and copies: r = 1 without a doubt, intensity 0, half the weight each."""
    y = np.repeat([0, 1], 8)
    one = np.tile([-1.0, 1.0], 8) + 2 * y
    alone = shrinkage_discriminant(one[:, None], y, 2)
    found = shrinkage_discriminant(np.column_stack([one, one]), y, 2)
    assert found.intensity == 0
    np.testing.assert_allclose(found.coefficients, np.repeat(alone.coefficients, 2, axis=1) / 2)
    np.testing.assert_allclose(found.intercepts, alone.intercepts)


def test_uncorrelated_columns_have_their_correlations_removed():
    """Crossed factors correlate by 0 up to rounding, which must not pass for a correlation."""
    crossed = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=float)
    X, y = np.tile(crossed, (2, 1)) / 3, np.repeat([0, 1], 8)
    found = shrinkage_discriminant(X + y[:, None] * [1, 0, 0], y, 2)
    assert found.intensity == 1
    np.testing.assert_allclose(found.coefficients[:, 1:], 0, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(-6, 6), st.floats(-100, 100))
def test_one_unit_and_origins_do_not_matter(seed, exponent, origin):
    """A unit of all columns divides the coefficients; where a column begins changes none."""
    X, y = samples(seed, 3, 20, 6)
    unit = 10.0**exponent
    found = shrinkage_discriminant(X, y, 3)
    other = shrinkage_discriminant((X + origin) * unit, y, 3)
    np.testing.assert_allclose(other.coefficients * unit, found.coefficients, rtol=0, atol=1e-8)
    before = X @ found.coefficients.T + found.intercepts
    after = (X + origin) * unit @ other.coefficients.T + other.intercepts
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-7)


def test_inputs_are_left_alone():
    X, y = samples(4, 2, 20, 30)
    copy = X.copy()
    shrinkage_discriminant(X, y, 2)
    assert np.array_equal(X, copy)
