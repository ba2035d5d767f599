"""chi2 against scipy's contingency test, and its invariances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from common.examples import settings
from tamis._core.errors import DataError
from tamis.selection import FilterSelector, chi2


def table(seed, n_classes, holes):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 40))
    y = rng.permutation(np.arange(n) % n_classes)
    X = np.stack([rng.integers(0, k, n) for k in (1, 2, 2, 3, 5, 12)], axis=1).astype(float)
    X[rng.random(X.shape) < holes] = np.nan
    return X, y


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from([0.0, 0.3]))
def test_equals_scipy(seed, n_classes, holes):
    X, y = table(seed, n_classes, holes)
    statistics, p = chi2(X, y)
    for j, x in enumerate(X.T):
        seen = ~np.isnan(x)
        values, classes = np.unique(x[seen]), np.unique(y[seen])
        counts = [[((x == v) & (y == c)).sum() for c in classes] for v in values]
        if len(classes) < 2:
            assert np.isnan([statistics[j], p[j]]).all()
            continue
        expected = chi2_contingency(np.array(counts), correction=False)
        np.testing.assert_allclose(statistics[j], expected.statistic, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(p[j], expected.pvalue, rtol=1e-10)


def test_coding_does_not_matter():
    X, y = table(1, 3, 0.0)
    recoded = np.random.default_rng(0).permutation(12)[X.astype(int)] * 0.5 - 1
    for ours, expected in zip(chi2(recoded, y), chi2(X, y), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-12)


def test_perfect_and_independent_features():
    y = np.repeat(["a", "b"], 6)
    X = np.column_stack([y == "a", np.tile([0, 1], 6), np.full(12, 0.1)]).astype(float)
    statistics, p = chi2(X, y)
    assert statistics.tolist() == [12, 0, 0]
    assert p[1:].tolist() == [1, 1]
    assert FilterSelector("chi2", size=None, max_p=0.01).fit(X, y).get_support().tolist() == [
        True,
        False,
        False,
    ]


def test_it_is_not_the_sum_of_counts():
    from sklearn.feature_selection import chi2 as counts_by_class

    y, X = np.array([0, 0, 1, 1]), np.array([[1.0], [2.0], [2.0], [1.0]])
    shifted = X + 10 * y[:, None]
    assert chi2(X, y)[0][0] == 0
    assert chi2(shifted, y)[0][0] == 4
    assert counts_by_class(shifted, y)[0][0] > 4


def test_one_class_is_refused():
    with pytest.raises(DataError, match="only one class"):
        chi2(np.ones((3, 2)), [1, 1, 1])
