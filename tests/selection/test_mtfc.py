"""mtfc: the gate, the order behind it, and the rule for N written out with scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from common.examples import settings
from tamis._core.interfaces import Part
from tamis.selection import ModeratedFoldChangeSelector, fold_change, moderated_t
from tamis.selection._moments import moments_of
from tamis.selection._mtfc import mtfc_scores
from tamis.selection._parts import TrainingParts


def planted(seed, n=40, p=60, n_classes=2, informative=8, shift=1.2):
    """Signal in the first columns, of growing scale, so that p and fold change disagree."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % n_classes)
    X = rng.normal(size=(n, p))
    X[:, :informative] += shift * y[:, None]
    return X * np.geomspace(0.2, 5, p), y


def plain_order(X, y, gate):
    """Passed features by fold change, then the others by p; the best two always pass."""
    p = moderated_t(X, y)[1]
    change = fold_change(X, y)
    passed = [j for j in range(len(p)) if p[j] < gate]
    if len(passed) < 2:
        passed = sorted(range(len(p)), key=lambda j: (p[j], j))[:2]
    rest = [j for j in range(len(p)) if j not in passed]
    head = sorted(passed, key=lambda j: (-change[j], j))
    return head + sorted(rest, key=lambda j: (p[j], j)), len(passed)


def plain_n(X, y, gate, random_state):
    """The N of 2..20 with the best mean(AUC) / (sd(AUC) + 0.01) over 5 folds."""
    n_classes = len(np.unique(y))
    _, passed = plain_order(X, y, gate)
    best, best_ratio = None, -np.inf
    for N in range(2, min(20, passed) + 1):
        areas = []
        folds = StratifiedKFold(5, shuffle=True, random_state=random_state)
        for train, test in folds.split(X, y):
            order, _ = plain_order(X[train], y[train], gate)
            lda = LinearDiscriminantAnalysis(priors=np.full(n_classes, 1 / n_classes))
            proba = lda.fit(X[train][:, order[:N]], y[train]).predict_proba(X[test][:, order[:N]])
            if n_classes == 2:
                areas.append(roc_auc_score(y[test], proba[:, 1]))
            else:
                areas.append(roc_auc_score(y[test], proba, multi_class="ovr", average="macro"))
        ratio = np.mean(areas) / (np.std(areas, ddof=1) + 0.01)
        if ratio > best_ratio + 1e-9:  # ties to the smaller N
            best, best_ratio = N, ratio
    return best


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 4),
    st.sampled_from([1e-9, 0.005, 0.2, 1.0]),
    st.floats(0, 2),
    st.integers(0, 10**6),
)
def test_the_order_is_that_of_the_plain_reference(n_classes, gate, shift, seed):
    X, y = planted(seed, n_classes=n_classes, shift=shift)
    scores = mtfc_scores(moments_of(X, y), gate)
    order, passed = plain_order(X, y, gate)
    assert np.argsort(-scores, kind="stable").tolist() == order
    assert (scores >= 0).sum() == passed >= 2
    np.testing.assert_allclose(scores[order[:passed]], fold_change(X, y)[order[:passed]])
    selector = ModeratedFoldChangeSelector(size=5, gate=gate).fit(X, y)
    assert selector.get_support(indices=True).tolist() == sorted(order[: min(5, passed)])


def test_the_gate_keeps_out_a_large_but_noisy_change():
    rng = np.random.default_rng(0)
    y = np.arange(30) % 2
    X = rng.normal(size=(30, 50))
    X[:, 3] += 2 * y
    X[:, 4] += 3 * y
    X[:, 7] = 50 * rng.normal(size=30)
    assert fold_change(X, y).argmax() == 7
    selector = ModeratedFoldChangeSelector(size=2).fit(X, y)
    assert np.argsort(selector.ranking_)[:2].tolist() == [4, 3]
    wide_open = ModeratedFoldChangeSelector(size=2, gate=1.1).fit(X, y)
    assert np.argsort(wide_open.ranking_)[0] == 7


def test_at_least_the_best_two_pass():
    X, y = planted(1, shift=0)
    p = moderated_t(X, y)[1]
    best = np.argsort(p, kind="stable")[:2]
    for gate in (0.0, p[best[0]], np.nextafter(p[best[0]], 1)):
        ranks = ModeratedFoldChangeSelector(size=2, gate=gate).fit(X, y).ranking_
        assert set(np.flatnonzero(ranks <= 2)) == set(best)
    own = ModeratedFoldChangeSelector(gate=1e-12, random_state=0).fit(X, y)
    assert set(own.get_support(indices=True)) == set(best)


def test_constant_columns_come_last():
    X, y = planted(2)
    X[:, [0, 59]] = 0.1
    ranks = ModeratedFoldChangeSelector(size=5).fit(X, y).ranking_
    assert ranks[[0, 59]].tolist() == [59, 60]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_n_is_that_of_the_plain_reference(n_classes, seed):
    X, y = planted(seed, n=45, n_classes=n_classes, shift=1.0)
    stream = np.random.SeedSequence(seed)
    ranking = ModeratedFoldChangeSelector(gate=0.05).rank(Part.of(X, y), [4], stream)
    drawn = int(np.random.SeedSequence(seed).generate_state(1)[0])
    assert ranking.chosen == plain_n(X, y, 0.05, drawn)
    fitted = ModeratedFoldChangeSelector(gate=0.05, random_state=seed).fit(X, y)
    assert fitted.support_.sum() == ranking.chosen
    assert (fitted.ranking_[fitted.support_] <= ranking.chosen).all()


def test_the_reference_does_not_always_choose_the_same_n():
    chosen = {
        ModeratedFoldChangeSelector(gate=0.05, random_state=s).fit(*planted(s)).support_.sum()
        for s in range(8)
    }
    assert len(chosen) > 2


def test_n_stays_within_what_passes_and_what_the_folds_can_bear():
    X, y = planted(3, n=14, shift=4, informative=30)
    fitted = ModeratedFoldChangeSelector(gate=0.5, random_state=0).fit(X, y)
    # the smallest fold trains on 11 rows: no more than 9 columns have a covariance
    assert 2 <= fitted.support_.sum() <= 9
    many = planted(4, n=60, shift=3, informative=40)
    assert 2 <= ModeratedFoldChangeSelector(random_state=0).fit(*many).support_.sum() <= 20


def test_classes_too_small_for_folds():
    X, y = planted(5)
    y[:] = 0
    y[7] = 1
    assert ModeratedFoldChangeSelector(gate=0.5).fit(X, y).support_.sum() == 2
    y[9] = 1
    assert 2 <= ModeratedFoldChangeSelector(gate=0.5).fit(X, y).support_.sum() <= 20


def test_a_single_feature():
    X, y = planted(6)
    fitted = ModeratedFoldChangeSelector(random_state=0).fit(X[:, :1], y)
    assert fitted.support_.tolist() == [True]


def test_duplicate_columns_do_not_stop_the_choice_of_n():
    X, y = planted(7)
    X = X[:, np.repeat(np.arange(60), 2)]
    fitted = ModeratedFoldChangeSelector(gate=0.05, random_state=0).fit(X, y)
    assert fitted.support_.sum() >= 2
    again = ModeratedFoldChangeSelector(gate=0.05, random_state=0).fit(X, y)
    assert np.array_equal(fitted.support_, again.support_)


@pytest.mark.parametrize("holes", [False, True])
def test_parts_together_equal_each_part_alone(holes):
    X, y = planted(8)
    if holes:
        X[np.random.default_rng(9).random(X.shape) < 0.05] = np.nan
    rows = [np.arange(40), np.arange(5, 40), np.arange(0, 33)]
    parts = TrainingParts(X, y, rows)
    selector = ModeratedFoldChangeSelector(gate=0.05)
    streams = [np.random.SeedSequence(k) for k in range(3)]
    for k, ranking in enumerate(selector.rank_parts(parts, [2, 20], streams)):
        alone = selector.rank(Part.of(parts.matrix(k), y[rows[k]]), [2, 20], streams[k])
        np.testing.assert_allclose(ranking.scores, alone.scores, rtol=1e-9)
        assert np.array_equal(ranking.path[2], alone.path[2])
        assert np.array_equal(ranking.path[20], alone.path[20])
        assert ranking.chosen is None  # a study tunes N in its own inner folds
