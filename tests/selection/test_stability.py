"""Stability selection against plain loops, and what it promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import check_estimator

from common.examples import settings
from tamis._core.errors import DataError, PlanError
from tamis._core.interfaces import Part, Ranker
from tamis.classifiers import hhsvm_path
from tamis.plotting import stability_paths
from tamis.selection import (
    EliminationSelector,
    FilterSelector,
    HuberizedSVMSelector,
    Ranking,
    welch_t,
)
from tamis.selection._error_bounds import ErrorControl
from tamis.selection._halves import complementary_halves
from tamis.selection._stability import StabilitySelector, top_features
from tamis.selection._stability_ranking import StabilityRanking


def planted(seed, n=40, p=60, n_classes=2, true=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, p))
    X[:, :true] += 2 * y[:, None]
    return X, y


@given(
    st.lists(st.integers(2, 9), min_size=2, max_size=4), st.booleans(), st.integers(0, 2**32 - 1)
)
@settings(max_examples=100, deadline=None)
def test_halves_are_disjoint_and_stratified(sizes, stratified, seed):
    y = np.repeat(np.arange(len(sizes)), sizes)
    a, b = complementary_halves(y, np.random.SeedSequence(seed), stratified)
    assert len(a) == len(b) == len(y) // 2
    assert not set(a) & set(b)
    ours, theirs = (np.bincount(y[r], minlength=len(sizes)) for r in (a, b))
    assert (ours > 0).all()
    assert (theirs > 0).all()
    if stratified:
        for one, other, size in zip(ours, theirs, sizes, strict=True):
            assert {int(one), int(other)} <= {size // 2, -(-size // 2)}


def test_every_row_has_the_same_chance():
    y = np.array([0] * 5 + [1] * 7 + [2] * 4 + [3] * 3)  # three odd classes: a row is left out
    seen = np.zeros(len(y))
    for s in range(4000):
        for half in complementary_halves(y, np.random.SeedSequence(s)):
            seen[half] += 1
    # a row of a class of odd size m is in a half unless it is the one left out: 1/(3m)
    m = np.bincount(y)[y]
    expected = np.where(m % 2 == 1, 1 - 1 / (3 * m), 1.0)
    np.testing.assert_allclose(seen / 4000, expected, atol=0.03)


class Plain(Ranker):
    """Welch's t without rank_parts: no sharing among halves."""

    def rank(self, part, sizes, stream):
        scores = np.abs(welch_t(part.X, part.y)[0])
        return Ranking(scores, {k: np.argsort(-scores, kind="stable")[:k] for k in sizes})


@pytest.mark.parametrize("stratified", [True, False])
def test_equals_a_plain_loop(stratified):
    X, y = planted(1)
    q, B = 6, 15
    found = StabilitySelector(
        FilterSelector("welch_t"),
        q=q,
        threshold=0.8,
        n_pairs=B,
        stratified=stratified,
        random_state=3,
    ).fit(X, y)
    seen = np.zeros((q, 60))
    both = np.zeros(60)
    for b in range(B):
        halves = complementary_halves(y, np.random.SeedSequence(3, spawn_key=(0, b)), stratified)
        sets = []
        for rows in halves:
            t = np.abs(welch_t(X[rows], y[rows])[0])
            order = sorted(range(60), key=lambda j, t=t: (-t[j], j))
            for k in range(1, q + 1):
                seen[k - 1, order[:k]] += 1 / (2 * B)
            sets.append(set(order[:q]))
        both[list(sets[0] & sets[1])] += 1 / B
    np.testing.assert_allclose(found.probabilities_, seen[-1], atol=1e-12)
    np.testing.assert_allclose(found.simultaneous_, both, atol=1e-12)
    assert found.path_features_.tolist() == np.flatnonzero(seen[-1]).tolist()
    np.testing.assert_allclose(found.probability_path_, seen[:, found.path_features_], atol=1e-12)
    assert (found.support_ == (found.probabilities_ >= found.threshold_)).all()
    # ties: by the area under the path, then by column
    area = seen.sum(axis=0).round(9)
    order = sorted(range(60), key=lambda j: (-round(seen[-1, j], 9), -area[j], j))
    assert np.argsort(found.ranking_).tolist() == order
    excess = found.scores_ - found.probabilities_
    assert (excess >= 0).all()
    assert (excess <= 1 / (4 * B) + 1e-12).all()


def test_rankers_with_and_without_rank_parts_agree():
    X, y = planted(2)
    arguments = {"q": 5, "threshold": 0.7, "n_pairs": 10, "random_state": 0}
    shared = StabilitySelector(FilterSelector("welch_t"), **arguments).fit(X, y)
    plain = StabilitySelector(Plain(), **arguments).fit(X, y)
    assert (shared.scores_ == plain.scores_).all()


def test_steps_without_lambdas_are_numbers_of_features():
    control = ErrorControl(2, 0.75, 0.5, 3, 10, "worst-case")
    result = StabilityRanking(
        np.array([3.0, 1.0, 2.0]),
        probabilities=np.array([1.0, 0.0, 0.5]),
        simultaneous=np.array([1.0, 0.0, 0.0]),
        features=np.array([0, 2]),
        probability_path=np.array([[0.5, 0.0], [1.0, 0.5]]),
        control=control,
    )
    frame, drawn = result.frame(), result.to_dict()
    assert frame["entry"].tolist() == [1, 2]
    assert frame["area"].tolist() == [0.75, 0.25]
    assert frame["stable"].tolist() == [True, False]
    assert (drawn["lambdas"], drawn["sizes"]) == (None, [1, 2])
    along = replace(result, lambdas=np.array([0.5, 0.25]))
    assert along.frame()["entry"].tolist() == [0.5, 0.25]
    assert (along.to_dict()["lambdas"], along.to_dict()["sizes"]) == ([0.5, 0.25], None)


class Dice(Ranker):
    """Scores by chance, many of them equal."""

    def rank(self, part, sizes, stream):
        scores = np.random.default_rng(stream).integers(0, 4, part.X.shape[1]).astype(float)
        return Ranking(scores)


@pytest.mark.parametrize("ranker", [None, Dice()])
def test_batches_change_nothing(monkeypatch, ranker):
    X, y = planted(3)
    selector = StabilitySelector(ranker, q=5, threshold=0.7, n_pairs=10, random_state=0)
    whole = selector.fit(X, y).scores_
    monkeypatch.setattr("tamis.selection._stability.AT_ONCE", 3 * X.shape[1])
    assert (selector.fit(X, y).scores_ == whole).all()


@pytest.mark.parametrize("n_pairs", [1, 7, 20])
def test_probabilities_are_on_the_grid(n_pairs):
    X, y = planted(4, n=31, n_classes=3)
    found = StabilitySelector(q=4, threshold=1, n_pairs=n_pairs, random_state=0).fit(X, y)
    steps = found.probabilities_ * 2 * n_pairs
    np.testing.assert_allclose(steps, steps.round(), atol=1e-9)
    assert found.probabilities_.sum() == pytest.approx(4)
    # both halves select at least 2 Pi - 1 of the time, and at most Pi
    assert (found.simultaneous_ >= 2 * found.probabilities_ - 1 - 1e-12).all()
    assert (found.simultaneous_ <= found.probabilities_ + 1e-12).all()


def test_the_seed_decides_and_the_stream_is_left_alone():
    X, y = planted(5)
    a, b = (StabilitySelector(random_state=1, n_pairs=10).fit(X, y).scores_ for _ in range(2))
    assert (a == b).all()
    other = StabilitySelector(random_state=2, n_pairs=10).fit(X, y).scores_
    assert (a != other).any()
    stream = np.random.SeedSequence(1)
    again = [
        StabilitySelector(n_pairs=10).rank(Part.of(X, y), [5], stream).scores for _ in range(2)
    ]
    assert (again[0] == a).all()
    assert (again[1] == a).all()


def test_ties_at_the_cut_are_drawn_by_lot():
    rng = np.random.default_rng(0)
    scores = np.array([1.0, 5.0, 1.0, 1.0, -np.inf, 1.0])
    ranking = Ranking(scores, {3: np.array([1, 0, 2])})
    drawn = np.zeros(6)
    for _ in range(2000):
        chosen = top_features(ranking, 3, rng)
        assert chosen[0] == 1
        assert len(set(chosen)) == 3
        drawn[chosen] += 1
    np.testing.assert_allclose(drawn / 2000, [0.5, 1, 0.5, 0.5, 0, 0.5], atol=0.05)
    # a method's own set is no cut of its scores, and stays
    own = Ranking(scores, {2: np.array([2, 5])})
    assert top_features(own, 2, rng).tolist() == [2, 5]
    # fewer have a score than are asked for
    few = Ranking(np.array([2.0, -np.inf, -np.inf]), {2: np.array([0, 1])})
    assert top_features(few, 2, rng).tolist() == [0]


def test_constant_columns_are_not_stable():
    X, y = planted(6, p=40, true=2)
    X[:, 2:] = 1.0
    found = StabilitySelector(FilterSelector("welch_t"), q=8, threshold=0.8, random_state=0).fit(
        X, y
    )
    assert np.flatnonzero(found.support_).tolist() == [0, 1]


def test_defaults_fill_what_is_not_given():
    X, y = planted(7, p=200)
    none = StabilitySelector(n_pairs=50, random_state=0).fit(X, y)
    assert (none.threshold_, none.q_) == (0.75, 14)  # sqrt(200 * 0.98) = 14
    assert StabilitySelector(q=5).fit(X, y).threshold_ == 0.75
    assert StabilitySelector(pfer=0.1).fit(X, y).pfer_ <= 0.1
    assert StabilitySelector(q=5, pfer=0.1).fit(X, y).threshold_ > 0.75


def test_a_size_gives_up_error_control():
    X, y = planted(8)
    found = StabilitySelector(size=7, random_state=0).fit(X, y)
    assert found.support_.sum() == 7
    assert (np.flatnonzero(found.support_) == np.sort(np.argsort(found.ranking_)[:7])).all()
    assert found.pfer_ is None
    assert found.threshold_ is None


def plain_path_selection(X, y, q, n_pairs, seed, lambda2, n_lambdas):
    """Stability selection along the HHSVM path by loops: probabilities (n_lambdas, p), pairs.

    `seen` is of single halves, `both` of pairs at one lambda.
    """
    classes = np.unique(y)
    positives = classes[1:] if len(classes) == 2 else classes
    X = X / X.std(axis=0)  # of all samples; each half has its own intercept
    starts = [hhsvm_path(X, y == c, lambda2, n_lambdas=n_lambdas).lambdas for c in positives]
    lambdas = max(starts, key=lambda grid: grid[0])
    seen, both = np.zeros((2, n_lambdas, X.shape[1]))
    for b in range(n_pairs):
        halves = complementary_halves(y, np.random.SeedSequence(seed, spawn_key=(0, b)))
        active = np.zeros((2, n_lambdas, X.shape[1]), dtype=bool)
        for h, rows in enumerate(halves):
            for c in positives:
                path = hhsvm_path(X[rows], y[rows] == c, lambda2, lambdas=lambdas)
                active[h] |= path.coef != 0
            ever, last = set(), None
            for k in range(n_lambdas):
                ever |= set(np.flatnonzero(active[h, k]))
                if len(ever) > q:
                    active[h, k:] = False if last is None else active[h, last]
                    break
                last = k
        seen += active.sum(axis=0) / (2 * n_pairs)
        both += (active[0] & active[1]) / n_pairs
    return lambdas, seen, both


@pytest.mark.parametrize(("q", "n_classes"), [(4, 2), (9, 2), (30, 2), (8, 3)])
def test_a_path_equals_plain_loops(q, n_classes):
    X, y = planted(11, n=36, p=30, n_classes=n_classes)
    X *= np.random.default_rng(0).uniform(0.1, 10, 30)
    ranker = HuberizedSVMSelector(lambda2=0.3, n_lambdas=12)
    found = StabilitySelector(
        ranker, q=q, threshold=1, n_pairs=6, random_state=5, bound="meinshausen_buhlmann"
    ).fit(X, y)
    lambdas, seen, both = plain_path_selection(X, y, q, 6, 5, 0.3, 12)
    np.testing.assert_allclose(found.lambdas_, lambdas, rtol=1e-12)
    features = np.flatnonzero(seen.any(axis=0))
    assert found.path_features_.tolist() == features.tolist()
    np.testing.assert_allclose(found.probability_path_, seen[:, features], atol=1e-12)
    np.testing.assert_allclose(found.probabilities_, seen.max(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.simultaneous_, both.max(axis=0), atol=1e-12)
    steps = (seen * 12).round().astype(int)  # whole numbers for the order
    entry = np.where(steps.any(axis=0), (steps > 0).argmax(axis=0), 12)
    order = sorted(range(30), key=lambda j: (-steps[:, j].max(), -steps[:, j].sum(), entry[j], j))
    assert np.argsort(found.ranking_).tolist() == order
    # never more than q on a half, on average over the halves
    assert seen.sum(axis=1).max() <= q
    # the shares that the error bounds are about
    assert (found.simultaneous_ >= 2 * found.probabilities_ - 1 - 1e-12).all()
    assert (found.simultaneous_ <= found.probabilities_ + 1e-12).all()


def test_threads_change_nothing():
    X, y = planted(12, n=40, p=300, n_classes=3)
    ranker = HuberizedSVMSelector(n_lambdas=10)
    results = [
        StabilitySelector(ranker, n_pairs=11, random_state=0, n_jobs=n_jobs).fit(X, y).result_
        for n_jobs in (None, 1, 2, 5)
    ]
    for other in results[1:]:
        for name in ("scores", "probabilities", "simultaneous", "features", "probability_path"):
            assert getattr(results[0], name).tobytes() == getattr(other, name).tobytes()


def test_columns_in_another_order():
    X, y = planted(13, p=40)
    selector = StabilitySelector(HuberizedSVMSelector(), n_pairs=8, random_state=0)
    scores = selector.fit(X, y).scores_
    columns = np.random.default_rng(0).permutation(40)
    assert (selector.fit(X[:, columns], y).scores_ == scores[columns]).all()


def test_the_result_in_words_and_tables():
    import pandas as pd

    X, y = planted(14, p=40)
    table = pd.DataFrame(X, columns=[f"gene {j}" for j in range(40)])
    for ranker in (None, HuberizedSVMSelector(n_lambdas=9)):
        selector = StabilitySelector(ranker, n_pairs=10, random_state=0).fit(table, y)
        result = selector.result_
        frame, told = result.frame(), result.to_dict(most=5)
        m = len(selector.path_features_)
        assert len(frame) == told["n_selected"] == m > 5 == len(told["features"])
        order = np.argsort(selector.ranking_)
        assert frame["column"].tolist() == order[:m].tolist()
        assert frame["name"].tolist() == [f"gene {j}" for j in order[:m]]
        assert frame["stable"].sum() == told["n_stable"] == selector.support_.sum()
        steps = told["lambdas"] or told["sizes"]
        for one, row in zip(told["features"], frame.itertuples(), strict=False):
            path = np.array(one["path"])
            assert one["name"] == row.name
            assert one["probability"] == row.probability == path.max()
            assert row.area == pytest.approx(path.mean())
            assert row.entry == steps[np.flatnonzero(path)[0]]
        assert told["pfer"] == selector.pfer_
        words = result.summary()
        assert f"{told['n_stable']} of 40 features" in words
        assert f"at most {selector.q_} feature" in words
        assert told["inconclusive"] == ("inconclusive" in words) == (told["n_stable"] <= 1)
    bare = StabilitySelector(n_pairs=10, random_state=0).fit(X, y).result_
    assert bare.frame()["name"][0] == f"column {bare.frame()['column'][0]}"


@pytest.mark.longer
def test_the_result_as_a_figure():
    X, y = planted(15)
    for ranker, axis in (
        (None, "Features selected"),
        (HuberizedSVMSelector(n_lambdas=9), "λ / λmax"),
    ):
        result = StabilitySelector(ranker, n_pairs=10, random_state=0).fit(X, y).result_
        (chart,) = result.plot().charts
        told = result.to_dict()
        assert chart == stability_paths(told)
        assert axis in chart
        assert f"{told['bound'].replace('_', ' ')} bound" in chart


def test_few_false_selections():
    """A small version of tests/slow/test_false_selections.py."""
    false, true = [], []
    for seed in range(40):
        X, y = planted(seed, n=40, p=100, true=3)
        found = StabilitySelector(
            q=8, threshold=0.6, n_pairs=20, bound="r_concave", random_state=seed
        ).fit(X, y)
        false.append(found.support_[3:].sum())
        true.append(found.support_[:3].sum())
    assert np.mean(false) <= found.pfer_
    assert np.mean(true) > 2.5


@pytest.mark.parametrize(
    "selector",
    [
        StabilitySelector(n_pairs=5),
        StabilitySelector(EliminationSelector(step=1), n_pairs=2, threshold=0.8, stratified=False),
    ],
)
def test_scikit_learn_checks(selector):
    check_estimator(selector)


def test_errors():
    X, y = planted(9)
    for wrong in ("moderated_t", FilterSelector):  # a class is no object to rank with
        with pytest.raises(PlanError, match="is no object with a method rank"):
            StabilitySelector(wrong).fit(X, y)
    for seed in ("a", -1, 0.5):
        with pytest.raises(PlanError, match=f"random_state={seed!r}: give a whole number"):
            StabilitySelector(random_state=seed).fit(X, y)
    with pytest.raises(PlanError, match="give two"):
        StabilitySelector(q=3, threshold=0.8, pfer=1).fit(X, y)
    with pytest.raises(DataError, match="at least 2"):
        StabilitySelector().fit(X, np.array(["a"] * 39 + ["b"]))
    with pytest.raises(DataError, match="stratified=True"):
        StabilitySelector(stratified=False).fit(X, np.arange(40) // 2)


def test_any_estimator_with_weights_is_run_on_the_halves():
    """Against a plain loop: on each half, at most q columns of the largest weights, none of 0."""
    from sklearn.linear_model import LogisticRegression

    from tamis.selection._halves import child_seed, complementary_halves

    rng = np.random.default_rng(3)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 12))
    X[:, :2] += 2 * y[:, None]
    lasso = LogisticRegression(l1_ratio=1, solver="liblinear", C=0.2)
    found = StabilitySelector(lasso, q=4, threshold=0.75, n_pairs=5, random_state=0).fit(X, y)
    counts, stream = np.zeros(12), np.random.SeedSequence(0)
    for b in range(5):
        for rows in complementary_halves(y, child_seed(stream, 0, b), True):
            Z = (X[rows] - X[rows].mean(axis=0)) / X[rows].std(axis=0)
            weights = LogisticRegression(l1_ratio=1, solver="liblinear", C=0.2)
            weights = np.abs(weights.fit(Z, y[rows]).coef_[0])
            best = np.argsort(-weights, kind="stable")[:4]
            counts[best[weights[best] > 0]] += 1
    np.testing.assert_allclose(found.probabilities_, counts / 10, atol=0.11)  # liblinear draws
    assert found.probabilities_[:2].min() > 0.6 > found.probabilities_[2:].max()
    assert not hasattr(lasso, "coef_")
    with pytest.raises(PlanError, match="no estimator"):
        StabilitySelector(3).fit(X, y)
