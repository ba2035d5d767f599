"""Order of entry into the path of the huberised SVM, against loops over hhsvm_path."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import DataError, PlanError
from tamis._core.interfaces import Part
from tamis.classifiers import hhsvm_path
from tamis.selection import HuberizedSVMSelector
from tamis.selection._stability_counts import PathRanker


def planted(seed=0, n=30, p=25, n_classes=2, true=3):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % n_classes)
    X = rng.normal(size=(n, p)) * rng.uniform(0.1, 10, p)
    X[:, :true] += 1.5 * X.std(axis=0)[:true] * y[:, None]
    return X, y


def entries(X, y, lambdas, lambda2, standardize=True):
    """(step of entry, |coefficient| there) of each column, by loops; steps end at len(lambdas)."""
    found = [(len(lambdas), 0.0)] * X.shape[1]
    classes = np.unique(y)
    for c in classes[1:] if len(classes) == 2 else classes:
        path = hhsvm_path(X, y == c, lambda2, lambdas=lambdas, standardize=standardize)
        for j in range(X.shape[1]):
            for k in range(len(lambdas)):
                if path.coef[k, j] != 0:
                    size = abs(path.coef[k, j]) * X[:, j].std()
                    if (k, -size) < (found[j][0], -found[j][1]):
                        found[j] = (k, size)
                    break
    return found


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("standardize", [True, False])
def test_equals_plain_loops(n_classes, standardize):
    X, y = planted(1, n_classes=n_classes)
    selector = HuberizedSVMSelector(n_lambdas=12, standardize=standardize, lambda2=0.2).fit(X, y)
    found = entries(X, y, selector.lambdas_, 0.2, standardize)
    order = sorted(range(25), key=lambda j: (found[j][0], -found[j][1], j))
    entered = [j for j in order if found[j][0] < 12]
    assert len(entered) > 5
    assert np.argsort(selector.ranking_)[: len(entered)].tolist() == entered
    assert np.flatnonzero(selector.support_).tolist() == sorted(entered)
    for j in range(25):
        step = found[j][0]
        if step == 12:
            assert np.isneginf(selector.scores_[j])
            assert np.isnan(selector.entry_lambdas_[j])
        else:
            assert selector.entry_lambdas_[j] == selector.lambdas_[step]
            assert int(selector.scores_[j]) == 12 - step


@pytest.mark.parametrize("n", [20, 60])
def test_the_grid_is_that_of_the_path(n):
    X, y = planted(2, n=n)
    selector = HuberizedSVMSelector(n_lambdas=9).fit(X, y)
    path = hhsvm_path(X, y, 0.1, n_lambdas=9, standardize=True)
    np.testing.assert_allclose(selector.lambdas_, path.lambdas, rtol=1e-12)
    three = planted(2, n=n, n_classes=3)
    most = [
        hhsvm_path(three[0], three[1] == c, 0.1, n_lambdas=1, standardize=True).lambdas[0]
        for c in range(3)
    ]
    assert HuberizedSVMSelector().fit(*three).lambdas_[0] == pytest.approx(max(most), rel=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(2, 3))
@settings(max_examples=15, deadline=None)
def test_ranks_do_not_depend_on_order_or_units(seed, n_classes):
    X, y = planted(seed, n=24, p=15, n_classes=n_classes)
    selector = HuberizedSVMSelector(n_lambdas=8)
    ranks = selector.fit(X, y).ranking_
    entered = selector.support_.copy()
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(24), rng.permutation(15)
    again = selector.fit(X[rows], y[rows])
    assert (again.ranking_[entered] == ranks[entered]).all()
    swapped = selector.fit(X, n_classes - 1 - y)  # other labels for the same classes
    assert (swapped.ranking_[entered] == ranks[entered]).all()
    moved = selector.fit(X[:, columns] * 8 - 4, y)
    assert (moved.support_ == entered[columns]).all()
    assert (moved.ranking_[moved.support_] == ranks[columns][moved.support_]).all()


def test_duplicates_tie_and_constants_never_enter():
    X, y = planted(3)
    X[:, 9] = X[:, 2]
    X[:, 5] = 0.1
    selector = HuberizedSVMSelector(n_lambdas=15).fit(X, y)
    assert selector.scores_[9] == selector.scores_[2] > 0
    assert selector.ranking_[9] == selector.ranking_[2] + 1
    assert np.isneginf(selector.scores_[5])
    assert not selector.support_[5]


@pytest.mark.parametrize("n_classes", [2, 4])
def test_planted_features_enter_first(n_classes):
    X, y = planted(4, n=60, p=200, n_classes=n_classes)
    support = HuberizedSVMSelector(size=3).fit(X, y).get_support(indices=True)
    assert support.tolist() == [0, 1, 2]


def test_the_path_ends_with_the_features_that_enter():
    X, y = planted(5, p=300)
    stream = np.random.SeedSequence(0)
    ranking = HuberizedSVMSelector(n_lambdas=5).rank(Part.of(X, y), [2, 300], stream)
    assert ranking.chosen == (ranking.scores > 0).sum() < 300
    assert len(ranking.path[300]) == ranking.chosen
    assert ranking.path[2].tolist() == ranking.path[300][:2].tolist()
    kept = HuberizedSVMSelector(n_lambdas=5, size=300).fit(X, y)
    assert kept.get_support().sum() == ranking.chosen


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_path_ends_before_too_many_were_ever_active(n_classes):
    X, y = planted(6, p=60, n_classes=n_classes)
    shared = HuberizedSVMSelector(n_lambdas=15).shared_path(X, y)
    rows = np.flatnonzero(np.arange(30) % 3)
    whole = shared.active_sets(rows, 1000)
    assert len(whole) == 15
    ever, sizes = set(), []
    for active in whole:
        assert (np.diff(active) > 0).all()
        ever |= set(active.tolist())
        sizes.append(len(ever))
    assert max(sizes) > 12
    for most in range(max(sizes) + 1):
        cut = shared.active_sets(rows, most)
        assert len(cut) == sum(size <= most for size in sizes)
        assert all((a == b).all() for a, b in zip(cut, whole, strict=False))


def test_the_scale_is_that_of_all_rows_and_the_mean_that_of_the_half():
    X, y = planted(7)
    rows = np.arange(0, 30, 2)
    shared = HuberizedSVMSelector(n_lambdas=10, lambda2=0.3).shared_path(X, y)
    plain = hhsvm_path(X[rows] / X.std(axis=0), y[rows], 0.3, lambdas=shared.lambdas)
    found = shared.active_sets(rows, X.shape[1])
    assert [active.tolist() for active in found] == [
        np.flatnonzero(coef).tolist() for coef in plain.coef
    ]
    assert len(found[-1]) > 1


@pytest.mark.parametrize("n_classes", [2, 3])
def test_where_nothing_varies_with_the_class_nothing_enters(n_classes):
    y = np.arange(36) % n_classes
    X = np.column_stack([np.ones(36), np.arange(36) // n_classes % 2])  # every class alike
    found = HuberizedSVMSelector(n_lambdas=6).fit(X, y)
    assert np.isneginf(found.scores_).all()
    assert not found.support_.any()
    assert np.isnan(found.entry_lambdas_).all()


def test_errors():
    X, y = planted(8)
    for wrong in ({"lambda2": -1}, {"delta": 0}, {"n_lambdas": 0}, {"min_ratio": 2.0}):
        with pytest.raises(PlanError, match=next(iter(wrong))):
            HuberizedSVMSelector(**wrong).fit(X, y)
    with pytest.raises(DataError, match="too large to square"):
        HuberizedSVMSelector().fit(X * 1e200, y)
    assert isinstance(HuberizedSVMSelector(), PathRanker)
