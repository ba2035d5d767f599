"""Principal components: against scikit-learn, through gaps, in any units."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import PCA

from tamis.preparation import PrincipalComponents


def made(seed=0, n=20, p=35):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)) @ rng.normal(size=(3, p)) + 0.1 * rng.normal(size=(n, p)) + 5


@pytest.mark.parametrize(("n", "p"), [(20, 35), (40, 6)])
def test_scores_as_scikit_learn(n, p):
    X, new = made(n=n, p=p), made(1, 7, p)
    ours, theirs = PrincipalComponents(4).fit(X), PCA(4, svd_solver="full").fit(X)
    got, expected = ours.transform(new), theirs.transform(new)
    np.testing.assert_allclose(np.abs(got), np.abs(expected), rtol=0, atol=1e-10)
    top = np.abs(ours.fitted_.loadings).argmax(axis=0)
    assert (ours.fitted_.loadings[top, range(4)] > 0).all()


def test_scaled_scores_are_those_of_scaled_columns():
    X, new = made() * np.logspace(-3, 3, 35), made(1) * np.logspace(-3, 3, 35)
    mean, sd = X.mean(axis=0), X.std(axis=0)
    got = PrincipalComponents(3, scale=True).fit(X).transform(new)
    expected = PrincipalComponents(3).fit((X - mean) / sd).transform((new - mean) / sd)
    np.testing.assert_allclose(np.abs(got), np.abs(expected), atol=1e-9)


def test_a_missing_value_counts_as_the_mean():
    X = made()
    X[3, 4] = X[5, 4] = X[0, 9] = np.nan
    filled = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    got = PrincipalComponents(3).fit(X).transform(X)
    np.testing.assert_allclose(got, PrincipalComponents(3).fit(filled).transform(filled), atol=1e-9)


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("unit", [1e-200, 1e-12, 1e200])
def test_units_do_not_matter(unit, scale):
    X = made()
    got = PrincipalComponents(3, scale).fit_transform(X * unit)
    expected = PrincipalComponents(3, scale).fit_transform(X)
    np.testing.assert_allclose(got / (1 if scale else unit), expected, rtol=1e-7, atol=1e-9)


def test_there_are_no_more_components_than_the_rows_give():
    X = made(n=4)
    assert PrincipalComponents(10).fit_transform(X).shape == (4, 3)
    far = np.random.default_rng(1).normal(size=(4, 35)) + 1e8  # whose means are rounded by far more
    assert PrincipalComponents(10).fit_transform(far).shape == (4, 3)
    X[:] = 0.1
    assert PrincipalComponents(10).fit(X).get_feature_names_out().tolist() == []
    two = np.column_stack([np.arange(6.0), 2 * np.arange(6.0), np.full(6, 0.3)])
    step = PrincipalComponents(3).fit(two)
    assert step.get_feature_names_out().tolist() == ["PC1"]
