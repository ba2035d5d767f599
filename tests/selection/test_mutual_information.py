"""mutual_information against scikit-learn, and what it says about bad input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_selection import mutual_info_classif

from common.examples import settings
from tamis._core.errors import TamisError
from tamis.selection._mutual_information import mutual_information
from tamis.selection._scored_input import discrete_mask


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.integers(1, 4), st.integers(0, 10**6), st.sampled_from([None, 1, 0]))
def test_equals_scikit_learn(n_classes, k, seed, digits):
    rng = np.random.default_rng(seed)
    # scikit-learn's neighbours are exact where a class has more than 2k + 1 members
    y = np.concatenate([np.repeat(np.arange(n_classes), 2 * k + 2), rng.integers(0, n_classes, 20)])
    X = rng.normal(size=(len(y), 6)) + rng.random(6) * y[:, None]
    if digits is not None:
        X = np.round(X, digits)  # ties, which the noise breaks
    X[:, 0] = 7.0
    X[:, 1] *= 1e5
    X[:, 2] = np.round(X[:, 2])
    X[:, 3] = rng.integers(0, 3, len(y))
    discrete = np.array([False, False, True, True, False, False])
    settings_ = {"discrete_features": discrete, "n_neighbors": k, "random_state": seed}
    ours = mutual_information(X, y, **settings_)
    peer = mutual_info_classif(X, y, **settings_)
    peer[[0, *np.flatnonzero((X[:1] == X).all(axis=0))]] = 0.0  # there it scores its noise
    np.testing.assert_allclose(ours, peer, rtol=0, atol=1e-12)


def test_equals_scikit_learn_on_wide_string_labels():
    rng = np.random.default_rng(5)
    y = np.array(["case", "control", "other"])[np.arange(90) % 3]
    X = rng.normal(size=(90, 300)) * rng.choice([1e-4, 1, 1e4], 300)
    X[:, :9] += 3 * X.std(axis=0)[:9] * (y == "case")[:, None]
    ours = mutual_information(X, y, random_state=0)
    peer = mutual_info_classif(X, y, random_state=0)
    np.testing.assert_allclose(ours, peer, rtol=0, atol=1e-12)
    assert set(np.argsort(-ours)[:9]) == set(range(9))


def test_does_not_change_its_input():
    X = np.random.default_rng(0).normal(size=(20, 3))
    before = X.copy()
    mutual_information(X, np.arange(20) % 2, random_state=0)
    assert np.array_equal(X, before)


def test_discrete_features_as_mask_indices_or_bool():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 3, size=(40, 3)).astype(float), np.arange(40) % 2
    by_mask = mutual_information(X, y, discrete_features=[True, False, True], random_state=2)
    by_index = mutual_information(X, y, discrete_features=[0, -1], random_state=2)
    assert np.array_equal(by_mask, by_index)
    everything = mutual_information(X, y, discrete_features=True)
    assert np.array_equal(everything[[0, 2]], by_mask[[0, 2]])
    assert not discrete_mask([], 3).any()


def test_missing_values_are_left_out_feature_by_feature():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 2
    X[:, 0] += 2 * y
    whole = mutual_information(X, y, random_state=4)
    X[:20, 1] = np.nan
    X[:, 2] = np.nan
    holes = mutual_information(X, y, random_state=4)
    assert holes[0] == whole[0]
    assert np.isfinite(holes[1])
    assert np.isnan(holes[2])
    x = np.array([0.0, 1, 0, 1, np.nan, np.nan])[:, None]
    labels = np.array([0, 1, 0, 1, 0, 1])
    score = mutual_information(x, labels, discrete_features=True)
    np.testing.assert_allclose(score, np.log(2), rtol=1e-12)


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        ({"discrete_features": [5]}, "names column 5; X has columns 0 to 2"),
        ({"discrete_features": [True, False]}, "mask of 3 booleans"),
        ({"discrete_features": "auto"}, "discrete_features='auto'"),
        ({"n_neighbors": 0}, "n_neighbors=0"),
    ],
)
def test_bad_parameters_are_named(settings_, words):
    X = np.random.default_rng(0).normal(size=(10, 3))
    with pytest.raises(TamisError, match=words):
        mutual_information(X, np.arange(10) % 2, **settings_)


def test_one_class_is_refused():
    with pytest.raises(TamisError, match="only one class"):
        mutual_information(np.ones((4, 2)), np.zeros(4))


def test_a_constant_column_carries_no_information():
    rng = np.random.default_rng(4)
    X = np.column_stack([np.full(30, 0.1), rng.normal(size=30)])
    for seed in range(20):
        y = rng.integers(0, 3, size=30)
        assert mutual_information(X, y, random_state=seed)[0] == 0.0
