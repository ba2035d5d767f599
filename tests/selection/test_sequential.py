"""Forward, backward and floating selection against scikit-learn, mlxtend and plain loops."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import Ridge
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_score

from common.examples import settings
from common.sequential import SETS, made_set
from tamis._core.errors import DataError, PlanError
from tamis._core.interfaces import Part
from tamis.selection import GeneticSelector, SequentialSelector
from tamis.selection._sequential_search import (
    SequentialSearch,
    Step,
    search_backward,
    search_forward,
)
from tamis.selection.subset_scores import SubsetScores, find_learner
from tamis.selection.subset_scores.criteria import CRITERIA

GOLDEN = json.loads((Path(__file__).parents[1] / "goldens/mlxtend_sequential.json").read_text())
SEED = np.random.SeedSequence(0)


def planted(seed=0, n=80, p=30, n_classes=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, p))
    X[:, :3] += 1.2 * y[:, None]
    return X, y


class AsMlxtend(SequentialSearch):
    """It steps back only to a subset that is better than the larger one, too."""

    def accepts(self, step):
        return super().accepts(step) and step.score > self.steps[-1].score


def searched(kind, X, y, folds, forward, floating):
    learner = find_learner(LinearDiscriminantAnalysis(), int(y.max()) + 1, SEED)
    scores = SubsetScores(X, y, folds, learner, CRITERIA["log_score"])
    search = kind(scores, [np.array([j]) for j in range(X.shape[1])])
    if forward:
        search_forward(search, 8, floating, None, lambda k: None)
    else:
        search_backward(search, floating, None, lambda k: None)
    return search


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("name", SETS)
def test_the_subsets_of_mlxtend(name, forward, floating):
    X, y, folds = made_set(name)
    peer = GOLDEN["subsets"][f"{name}, {forward}, {floating}"]
    ours = searched(AsMlxtend, X, y, folds, forward, floating)
    assert {str(k): list(step.items) for k, step in ours.best.items()} == {
        k: one["columns"] for k, one in peer.items()
    }
    for k, one in peer.items():
        # scikit-learn's probability of the first class is 1 - p, to 1e-16: of one of 1e-14 two
        # digits are left, and golub has such
        assert ours.best[int(k)].score == pytest.approx(one["score"], rel=1e-4)


@pytest.mark.parametrize("name", SETS)
def test_floating_forward_as_published_is_no_worse_on_these(name):
    X, y, folds = made_set(name)
    peer = GOLDEN["subsets"][f"{name}, True, True"]
    ours = searched(SequentialSearch, X, y, folds, True, True)
    assert min(ours.best[int(k)].score - one["score"] for k, one in peer.items()) > -1e-9


@pytest.mark.longer
@pytest.mark.parametrize(
    ("name", "direction", "size", "estimator", "scoring"),
    [
        ("wine", "forward", 5, LinearDiscriminantAnalysis(), "neg_log_loss"),
        ("made", "backward", 20, LinearDiscriminantAnalysis(), "neg_log_loss"),
        ("golub", "forward", 6, LinearDiscriminantAnalysis(), "neg_log_loss"),
        ("breast_cancer", "forward", 5, LinearDiscriminantAnalysis(), "neg_log_loss"),
        ("made", "forward", 6, Ridge(1.0), "neg_mean_squared_error"),
    ],
)
def test_the_subsets_of_scikit_learn(name, direction, size, estimator, scoring):
    X, y, folds = made_set(name)
    peer = SequentialFeatureSelector(
        estimator, n_features_to_select=size, direction=direction, scoring=scoring, cv=folds
    ).fit(X, y)
    ours = SequentialSelector(estimator, direction, size=size, scoring=scoring, cv=folds).fit(X, y)
    assert ours.get_support().tolist() == peer.get_support().tolist()


@given(st.integers(0, 10**6), st.sampled_from(["forward", "backward"]), st.booleans())
@settings(max_examples=20, deadline=None)
def test_the_best_subset_of_all_steps_is_returned(seed, direction, floating):
    X, y = planted(seed, n=40, p=9)
    found = SequentialSelector("ridge", direction, floating, random_state=0).fit(X, y)
    tops = {}
    for step in found.path_:
        tops[step["size"]] = max(tops.get(step["size"], -np.inf), step["score"])
    whole = found.result_.subsets[9].score if direction == "backward" else -np.inf
    assert found.score_ == max([*tops.values(), whole])
    for size, top in tops.items():
        assert found.result_.subsets[size].score == top
        assert len(found.subsets_[size]) == size
    assert (
        found.get_support(indices=True).tolist()
        == found.subsets_[int(found.get_support().sum())].tolist()
    )


def test_a_plain_loop_finds_the_same():
    X, y = planted(1, p=12)
    folds = list(StratifiedKFold(4, shuffle=True, random_state=3).split(X, y))
    chosen = []
    for _ in range(4):
        rest = [j for j in range(12) if j not in chosen]
        scored = [
            cross_val_score(
                LinearDiscriminantAnalysis(),
                X[:, sorted([*chosen, j])],
                y,
                cv=folds,
                scoring="neg_log_loss",
            ).mean()
            for j in rest
        ]
        chosen.append(rest[int(np.argmax(scored))])
    found = SequentialSelector(LinearDiscriminantAnalysis(), size=4, cv=folds).fit(X, y)
    assert [step["columns"][0] for step in found.path_[:4]] == chosen


class ScoresByHand:
    """What a search asks of `SubsetScores`: sums of worths, or the score of a subset alone."""

    def __init__(self, worths, own):
        self.worths, self.own = worths, own

    def mean_of(self, columns):
        key = tuple(np.sort(columns).tolist())
        return self.own.get(key, float(sum(self.worths[j] for j in key)))

    def with_each(self, chosen, new):
        return np.array([self.mean_of(np.append(chosen, j)) for j in new])

    def without_each(self, chosen):
        return np.array([self.mean_of(np.delete(chosen, i)) for i in range(len(chosen))])

    def best(self, scores, subset):
        return int(np.argmax(scores))


def walked(search):
    return [(step.added, step.item, step.items, step.score) for step in search.steps]


@pytest.mark.parametrize("wide", [False, True])  # items of one column, or of two
def test_a_floating_search_notes_what_it_adds_and_what_it_drops(wide):
    """Forward 0, 1 and 2 come in; 1 and 2 without 0 are better than 0 and 1. Backward 3, 2 and 1
    go; then 3 comes back, as 0 and 3 are better than 0 and 1, the best pair so far."""
    items = [np.array([j, j + 9] if wide else [j]) for j in (0, 1, 2, 3)]
    worths = dict(zip([0, 1, 2, 3, 9, 10, 11, 12], [8, 4, 2, 1, 0, 0, 0, 0], strict=True))

    def scored(pair):
        own = {tuple(np.sort(np.concatenate([items[i] for i in pair])).tolist()): 13.0}
        return SequentialSearch(ScoresByHand(worths, own), items)

    forward = scored((1, 2))
    search_forward(forward, 3, True, 1, lambda k: None)
    assert walked(forward)[:4] == [
        (True, 0, (0,), 8.0),
        (True, 1, (0, 1), 12.0),
        (True, 2, (0, 1, 2), 14.0),
        (False, 0, (1, 2), 13.0),
    ]
    assert forward.best[2].items == (1, 2)
    assert walked(forward)[4:] == [(True, 0, (0, 1, 2), 14.0)]
    assert forward.best[3].item == 2  # of equal ones the earliest
    for score, taken in ((13.0, False), (13.5, True)):  # what is as good as the best is not taken
        assert forward.accepts(Step(False, 0, (0, 2), score)) == taken
    sizes = []
    search_backward(early := scored((0, 3)), False, 1, sizes.append, 2)
    assert [len(step.items) for step in early.steps] == [3, 2]
    assert sizes == [1, 1]
    backward = scored((0, 3))
    search_backward(backward, True, None, lambda k: None)
    assert walked(backward) == [
        (False, 3, (0, 1, 2), 14.0),
        (False, 2, (0, 1), 12.0),
        (False, 1, (0,), 8.0),
        (True, 3, (0, 3), 13.0),
        (False, 3, (0,), 8.0),
    ]
    assert backward.best[2].items == (0, 3)
    assert backward.best[4].added
    assert (backward.best[4].item, backward.best[4].items) == (-1, (0, 1, 2, 3))


@pytest.mark.parametrize("estimator", ["lda", "ridge", "naive_bayes", "diagonal_discriminant"])
def test_of_copies_the_lower_column_is_taken(estimator):
    X, y = planted(2, p=8)
    X = np.hstack([X, X])
    found = SequentialSelector(estimator, size=3, random_state=0).fit(X, y)
    order = [step["columns"][0] for step in found.path_]
    for place, column in enumerate(order):  # the second copy only once the first is there
        assert column < 8 or column - 8 in order[:place]


@pytest.mark.parametrize("size", [1, 4, 25])
def test_a_size_is_kept_exactly(size):
    X, y = planted(3)
    found = SequentialSelector(size=size, random_state=0).fit(X, y)
    assert found.get_support().sum() == size


def test_depth_is_the_methods_own():
    X, y = planted(4)
    part = Part.of(X, y)
    selector = SequentialSelector(max_size=4, random_state=0)
    few, many = (selector.rank(part, sizes, SEED) for sizes in ([2], [2, 10, 30]))
    assert few.path[2].tolist() == many.path[2].tolist()
    assert few.scores.tolist() == many.scores.tolist()
    assert few.chosen == many.chosen
    assert len(many.path[10]) == len(many.path[30]) == 4
    with pytest.raises(PlanError, match="more than max_size"):
        SequentialSelector(size=9, max_size=4).fit(X, y)


def test_backward_begins_with_the_best_by_a_filter():
    X, y = planted(5, p=40)
    found = SequentialSelector("ridge", "backward", candidates=6, random_state=0).fit(X, y)
    assert sorted(found.subsets_) == [1, 2, 3, 4, 5, 6]
    assert {0, 1, 2} <= set(found.subsets_[6].tolist())
    assert (found.scores_ == 0).sum() == 34


def test_patience_ends_a_search():
    X, y = planted(6)
    whole = SequentialSelector(random_state=0).fit(X, y)
    early = SequentialSelector(random_state=0, patience=2).fit(X, y)
    scores = [step["score"] for step in whole.path_]
    best_so_far = np.maximum.accumulate(scores)
    ends = next(i for i in range(2, 20) if best_so_far[i] == best_so_far[i - 2])
    assert len(early.path_) == ends + 1 < 20


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_patience_does_not_end_a_search_before_the_size_asked_for(direction):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), np.repeat([0, 1], 20)
    X[y == 1, 5] += 2
    one = SequentialSelector(direction=direction, patience=1, size=15, random_state=0).fit(X, y)
    assert one.get_support().sum() == 15
    assert np.isfinite(one.score_)
    one = SequentialSelector(direction="backward", patience=2, random_state=0)
    path = one.rank(Part.of(X, y), [1, 5], SEED).path
    assert [len(path[k]) for k in (1, 5)] == [1, 5]


def test_scorers_of_scikit_learn_see_no_nan():
    X, y = planted(8, p=6)
    X = np.c_[X, X[:, 0]]  # an update does not serve columns that repeat each other
    found = SequentialSelector("lda", scoring="average_precision", max_size=4, random_state=0).fit(
        X, y
    )
    assert np.isfinite(found.score_)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_score_that_no_fold_defines_is_refused(direction):
    X, y = planted(9, n=20, p=4)
    with pytest.raises(DataError, match="auc is undefined in every inner fold"):
        SequentialSelector(direction=direction, scoring="auc", cv=LeaveOneOut()).fit(X, y)
    with pytest.raises(DataError, match="auc is undefined in every inner fold"):
        GeneticSelector(scoring="auc", cv=LeaveOneOut(), generations=2).fit(X, y)


def test_only_columns_that_are_searched_are_held(monkeypatch):
    X, y = planted(10, p=40)
    seen = []
    made = SubsetScores.__init__

    def noted(self, X, *others):
        seen.append(X.shape[1])
        made(self, X, *others)

    monkeypatch.setattr(SubsetScores, "__init__", noted)
    found = SequentialSelector("lda", "backward", candidates=6, random_state=0).fit(X, y)
    assert seen == [6]
    gone = [j for step in found.path_ for j in step["columns"]]
    assert sorted([*gone, *found.subsets_[1]]) == found.subsets_[6].tolist()


@pytest.mark.quick
def test_groups_enter_together():
    X, y = planted(7, p=9)
    groups = [[0, 4], [1], [2, 5, 6], [7, 8]]
    found = SequentialSelector("lda", feature_groups=groups, size=2, random_state=0).fit(X, y)
    chosen = found.get_support(indices=True).tolist()
    inside = [set(g) <= set(chosen) for g in groups]
    assert sum(inside) == 2
    assert len(chosen) == sum(len(g) for g, here in zip(groups, inside, strict=True) if here)
    plain = SequentialSelector("lda", size=2, random_state=0).fit(X, y)
    single = SequentialSelector(
        "lda", feature_groups=[[j] for j in range(9)], size=2, random_state=0
    ).fit(X, y)
    assert single.get_support().tolist() == plain.get_support().tolist()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"direction": "sideways"}, "direction='sideways'"),
        ({"candidates": 0}, "candidates=0"),
        ({"patience": 0}, "patience=0"),
        ({"feature_groups": 3}, "feature_groups=3"),
        ({"max_size": 0}, "max_size=0"),
        ({"cv": 1}, "at least 2"),
        ({"feature_groups": [[0], [0, 1]]}, "each in one group alone"),
        ({"feature_groups": [[99]]}, "no list of columns"),
        ({"feature_groups": [[0]], "candidates": 5}, "leave out one of them"),
        ({"ranking": "welch"}, "welch_t"),
    ],
)
def test_what_is_refused(settings, words):
    X, y = planted(8)
    if "ranking" in settings:
        settings["candidates"] = 5
    with pytest.raises(PlanError, match=words):
        SequentialSelector(**settings).fit(X, y)


def test_nothing_to_choose():
    y = np.arange(20) % 2
    found = SequentialSelector().fit(np.ones((20, 4)), y)
    assert found.get_support().sum() == 0
    assert "no column varies" in found.result_.summary()
    with pytest.raises(DataError, match="empty"):
        SequentialSelector(feature_groups=[]).fit(np.ones((20, 4)), y)


def test_what_the_result_tells():
    X, y = planted(9)
    found = SequentialSelector(random_state=0, max_size=6).fit(X, y)
    frame = found.result_.frame()
    assert frame["size"].tolist() == [1, 2, 3, 4, 5, 6]
    assert frame["best"].sum() == 1
    words = found.result_.summary()
    assert "165 by updating" in words
    assert "optimistic" in words
    content = found.result_.to_dict()
    assert [p["at"] for p in content["points"]] == [1, 2, 3, 4, 5, 6]
    assert json.loads(json.dumps(content)) == content
