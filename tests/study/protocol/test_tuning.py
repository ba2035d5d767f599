"""The criteria of the inner loop, against the same written out."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from common.examples import settings
from common.studies import QUICK, make_data, offered, run_in_memory
from tamis._core.interfaces import Beliefs, Decided, Decision
from tamis.data import Dataset
from tamis.metrics import METRICS
from tamis.study import run_study
from tamis.study.protocol.tuning import (
    Inner,
    Judged,
    best_index,
    cross_fitted,
    defined_scores,
    inner_scores,
    log_gains,
    paired_gap,
    parsimonious_size_index,
    standard_errors,
)
from tamis.study.results.candidates import training_shares


def drawn(rng, truth, n_candidates, n_classes):
    """Random beliefs of every candidate, and their labels."""
    y = np.concatenate(truth)
    ends = np.cumsum([0, *map(len, truth)])
    folds = [slice(a, b) for a, b in pairwise(ends)]
    proba = rng.dirichlet(np.ones(n_classes), (n_candidates, len(y)))
    prior = np.full((len(y), n_classes), 1 / n_classes)
    return Judged(y, folds, proba.argmax(axis=2), proba, prior)


def three_measures(y, proba):
    """Mean of AUPRC, BCM and CCEM, sample by sample."""
    C = proba.shape[1]
    auprc = np.mean([average_precision_score(y == c, proba[:, c]) for c in range(C)])
    bcm = np.mean(
        [np.mean([p[c] for p, t in zip(proba, y, strict=True) if t == c]) for c in range(C)]
    )
    won = [p.max() if p.argmax() == t else -p.max() for p, t in zip(proba, y, strict=True)]
    return (auprc + bcm + (1 + sum(won) / len(y)) / 2) / 3


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("small", [False, True])  # single rows: no fold has all classes
def test_the_mean_of_three_measures_of_the_pooled_predictions(n_classes, small):
    rng = np.random.default_rng(n_classes)
    sizes = [1] * 12 if small else [7, 5, 6]
    codes = np.arange(sum(sizes)) % n_classes
    truth = np.split(codes, np.cumsum(sizes)[:-1])
    judged = drawn(rng, truth, 4, n_classes)
    found = inner_scores("bcm_ccem_auprc", judged)
    for c in range(4):
        assert found[c] == pytest.approx(three_measures(codes, judged.proba[c]), abs=1e-12)


def test_equal_beliefs_give_the_smaller_size():
    rng = np.random.default_rng(0)
    truth = [np.array([0, 1, 1]), np.array([0, 0, 1])]
    judged = drawn(rng, truth, 2, 2)
    doubled = replace(judged, codes=judged.codes[[0, 1, 1]], proba=judged.proba[[0, 1, 1]])
    scores = inner_scores("bcm_ccem_auprc", doubled)
    assert scores[1] == scores[2]
    assert best_index(scores) == int(scores[1] > scores[0])


def choices(found, name):
    return [(c.size, c.inner) for c in found.methods[name]]


def test_a_plans_tune_is_for_methods_without_one_of_their_own():
    data = make_data(seed=2, n=36, p=30, shift=0.6)
    few = [{"select": "pearson", "sizes": [1, 2, 3, 5, 8]}, {"select": "mtfc", "sizes": [2, 3, 5]}]
    own = [{**few[0], "tune": "bcm_ccem_auprc"}, few[1]]
    given = {**QUICK, "permutations": 0, "final": False}
    plain, whole, named = (
        run_in_memory(data, {**given, **more})[-1]
        for more in (
            {"method": few},
            {"method": few, "tune": "bcm_ccem_auprc"},
            {"method": own},
        )
    )
    assert choices(whole, "pearson") == choices(named, "pearson")
    assert choices(whole, "pearson") != choices(plain, "pearson")
    assert choices(whole, "mtfc") == choices(plain, "mtfc")  # keeps its own rule


def test_the_chosen_size_is_that_of_the_best_mean_on_the_inner_folds():
    from tamis.study.protocol import nested_cv

    data = make_data(seed=3, n=36, p=30, shift=0.6)
    sizes = [1, 2, 3, 5, 8]
    method = {"select": "pearson", "sizes": sizes, "tune": "bcm_ccem_auprc"}
    given = {**QUICK, "permutations": 0, "final": False, "method": [method]}
    plan, tasks, design, _, found = run_in_memory(data, given)
    for task, choice in zip(tasks, found.methods["pearson"], strict=True):
        fold = nested_cv.fold_of(design, plan, task)
        _, outcomes = offered(fold, plan.method[0])
        y = np.concatenate([fold.y[test] for test in fold.tests[1:]])
        scores = [
            three_measures(y, np.concatenate([part[k].beliefs.proba for part in outcomes[1:]]))
            for k in range(len(sizes))
        ]
        assert choice.size == sizes[int(np.round(scores, 12).argmax())]


def plainly_taken(tune, inner, sizes, slack):
    """Among all, and among the few, one after the other."""

    def first_best(allowed):
        best = None
        for k in allowed:
            if not np.isnan(tune[k]) and (best is None or tune[k] > tune[best] + 1e-12):
                best = k
        return allowed[0] if best is None else best

    every = list(range(len(tune)))
    few = [k for k in every if sizes[k] <= max(50, min(sizes))]
    best, small = first_best(every), first_best(few)
    if best in few:
        return best
    return best if not inner[best] <= inner[small] + slack[small] + 1e-12 else small


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.5, 0.6, 0.7, 0.8, float("nan")]),
            st.sampled_from([0.5, 0.6, 0.7, 0.8]),
            st.sampled_from([1, 50, 51, 900]),
            st.sampled_from([0.0, 0.1, 0.2, float("nan")]),
        ),
        min_size=1,
        max_size=8,
    ),
)
@settings(max_examples=300, deadline=None)
def test_more_than_fifty_features_have_to_be_clearly_better(candidates):
    tune, inner, sizes, slack = (np.array(column) for column in zip(*candidates, strict=True))
    few = np.flatnonzero(sizes <= max(50, sizes.min()))
    expected = plainly_taken(tune, inner, sizes, slack)
    if np.isnan(tune[few]).all():  # none of the few has the criterion
        expected = best_index(tune)
    assert parsimonious_size_index(tune, inner, sizes, slack) == expected
    if np.isnan(slack).all() or sizes.max() <= 50:
        assert expected == best_index(tune)


@pytest.mark.parametrize("criterion", ["log_score", "balanced_log_score"])
def test_what_a_logarithmic_score_gains_on_the_class_shares(criterion):
    """Against the score of the shares written out, sample by sample."""
    rng = np.random.default_rng(1)
    judged = drawn(rng, [np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2, 2])], 3, 3)
    prior = rng.dirichlet(np.ones(3), len(judged.y))
    judged = replace(judged, prior=prior)
    scores = inner_scores(criterion, judged)
    alone = -np.log(3)
    if criterion == "log_score":
        alone = np.mean([np.log(p[c]) for p, c in zip(prior, judged.y, strict=True)])
    assert log_gains(criterion, judged, scores) == pytest.approx(scores - alone, abs=1e-12)


@pytest.mark.parametrize(("many", "shift", "taken"), [(100, 1.0, 50), (200, 0.35, 200)])
def test_a_long_list_only_where_it_gains_a_fifth(many, shift, taken, tmp_path):
    """Strong columns: fifty of them say nearly all. Weak ones: the long list says much more."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 600)), np.arange(80) % 2
    X[y == 1, :many] += shift
    data = Dataset(X, np.array(["a", "b"])[y], tuple(f"g{j}" for j in range(600)), name="drawn")
    short = {"outer": {"folds": 3}, "permutations": 0, "final": False, "describe": False}
    found = [
        run_study(data, {**short, "parsimony": parsimony}, tmp_path / str(parsimony)).to_dict()
        for parsimony in (1.5, 0)
    ]
    sizes = [one["methods"][0]["sizes"] for one in found]
    assert sizes == [[taken] * 3, [200] * 3]


@pytest.mark.parametrize("counts", [(20, 30), (8, 40), (10, 12, 30)])
@pytest.mark.parametrize("recall", [0.6, 0.9])
def test_the_standard_error_is_that_of_a_balanced_rate(counts, recall):
    """Against the spread of drawn ones."""
    rng = np.random.default_rng(0)
    drawn = np.mean([rng.binomial(n, recall, 20_000) / n for n in counts], axis=0)

    def found(name, score):
        return standard_errors(METRICS[name], np.array([score]), np.array(counts))[0]

    assert found("bcr", recall) == pytest.approx(drawn.std(), rel=0.03)
    assert found("loss", recall - 1) == pytest.approx(found("bcr", recall))
    assert found("mcc", 2 * recall - 1) == pytest.approx(2 * found("bcr", recall))


@pytest.mark.parametrize("balanced", [True, False])
def test_samples_of_one_group_are_no_more_evidence_than_one_of_them(balanced):
    rng = np.random.default_rng(3)
    a, b, y = rng.normal(0.3, 1, 30), rng.normal(0, 1, 30), np.repeat([0, 1], [20, 10])
    within = [y == 0, y == 1] if balanced else [y >= 0]
    gap = a - b
    error = np.sqrt(sum(gap[k].var(ddof=1) / k.sum() for k in within)) / len(within)
    once = paired_gap(a, b, y, balanced)
    assert once == pytest.approx(np.mean([gap[k].mean() for k in within]) / error)
    four = [np.repeat(v, 4) for v in (a, b, y)]
    patients = np.repeat(np.arange(30), 4)
    assert paired_gap(*four, balanced, patients) == pytest.approx(once)
    assert paired_gap(*four, balanced) > 1.9 * once  # as if they were independent
    # half of each patient in either class: what one class gains there the other loses
    signs = np.tile([1.0, -1.0], 10) * rng.normal(1, 0.1, 20)
    both = paired_gap(0.1 + signs, np.zeros(20), np.tile([0, 1], 10), balanced, np.arange(20) // 2)
    assert both > 2 * paired_gap(0.1 + signs, np.zeros(20), np.zeros(20, int), balanced)


FOLDS = [slice(0, 2), slice(2, 4)]
Y = np.array([0, 1, 0, 1])
SURE, UNSURE = [[0.75, 0.25], [0.25, 0.75]], [[0.5, 0.5], [0.75, 0.25]]


def judged_by_hand(paid=None):
    """Two candidates: one right of all, one of the first and third of four rows."""
    proba = np.array([SURE * 2, UNSURE * 2])
    codes = np.array([[0, 1, 0, 1], [0, 0, 0, 0]])
    return Judged(Y, FOLDS, codes, proba, np.full((4, 2), 0.5), paid)


@pytest.mark.every
@pytest.mark.parametrize(
    ("criterion", "scores"),
    [
        ("bcr", [1.0, 0.5]),
        ("accuracy", [1.0, 0.5]),
        ("auc", [1.0, 0.0]),
        ("auc_ratio", [1 / 0.01, 0.0]),
        ("log_score", [np.log(0.75), (np.log(0.5) + np.log(0.25)) / 2]),
        ("balanced_log_score", [np.log(0.75), (np.log(0.5) + np.log(0.25)) / 2]),
    ],
)
def test_scores_of_two_candidates_by_hand(criterion, scores):
    np.testing.assert_allclose(inner_scores(criterion, judged_by_hand()), scores, atol=1e-12)


def test_costs_of_samples_are_those_of_what_was_decided():
    paid = np.array([[0.0, 8.0], [4.0, 0.0], [0.0, 2.0], [6.0, 1.0]])
    metrics = {"costs": SimpleNamespace(of_costs=True, direction=-1)}
    found = inner_scores("costs", judged_by_hand(paid), metrics)
    assert found.tolist() == [-1 / 4, -10 / 4]
    assert judged_by_hand(paid).only(1).codes.tolist() == [[0, 0, 0, 0]]


def test_labels_are_pooled_where_a_fold_lacks_a_class():
    one = replace(judged_by_hand(), folds=[slice(0, 3), slice(3, 4)])
    assert inner_scores("bcr", one).tolist() == [1.0, 0.5]  # by fold the second had 1/2 and 0
    single = replace(one, folds=[slice(k, k + 1) for k in range(4)])
    np.testing.assert_allclose(
        inner_scores("auc_ratio", single), inner_scores("auc", single), equal_nan=True
    )
    scores, own = defined_scores("auc", single)
    assert (scores.tolist(), own) == ([1.0, 0.5], False)  # by the balanced accuracy
    scores, own = defined_scores("bcr", single)
    assert own


class Shifted(Decision):
    """Class 1 from the mean probability of what it was fitted to on."""

    learns = True

    def __init__(self, limit=None):
        self.limit = limit

    @property
    def full(self):
        return self

    def fit(self, beliefs, y):
        self.seen.append((beliefs.samples.tolist(), y.tolist()))
        return Shifted(beliefs.proba[:, 1].mean())

    def decide(self, beliefs):
        codes = (beliefs.proba[:, 1] >= self.limit).astype(np.int64)
        return Decided(codes, np.ones(len(codes), dtype=bool), beliefs)

    def to_arrays(self):
        return {}

    def from_arrays(self, arrays, n_classes):
        return self


def test_a_decision_is_fitted_to_the_samples_of_other_folds():
    proba = np.array([0.1, 0.4, 0.2, 0.9])
    beliefs = Beliefs(np.column_stack([1 - proba, proba]), None, None, np.array([3, 5, 4, 6]))
    inner = Inner(Y, FOLDS, np.array([3, 5, 4, 6]), [beliefs], np.full((4, 2), 0.5))
    Shifted.seen = []
    found = cross_fitted(Shifted(), inner)
    assert Shifted.seen == [([4, 6], [0, 1]), ([3, 5], [0, 1])]
    # the limits are 0.55 and 0.25
    assert found.codes.tolist() == [[0, 0, 0, 1]]
    assert found.proba[0, :, 1].tolist() == proba.tolist()
    Shifted.seen = []
    alone = replace(inner, folds=[slice(0, 4)])  # there is nothing else to fit to
    assert cross_fitted(Shifted(), alone).codes.tolist() == [[0, 1, 0, 1]]
    assert Shifted.seen == [([3, 4, 5, 6], [0, 0, 1, 1])]


@pytest.mark.parametrize(
    ("scores", "best"),
    [([np.nan], 0), ([np.nan, 0.5, 0.75], 2), ([0.5, np.nan], 0), ([0.75, 0.75 + 1e-13, 0.5], 0)],
)
def test_the_best_is_the_first_of_equals_and_never_undefined(scores, best):
    assert best_index(scores) == best


def test_class_shares_of_training_sets_are_of_what_is_not_held_out():
    """Of the outer part those of its training set; of each inner test row those of the samples
    that predicted it. A row of shares sums to 1, a class that is gone has none."""
    y = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    outer, parts = np.array([0, 3]), [np.array([1, 4]), np.array([2, 6, 7])]
    own, inner = training_shares(y, [outer, *parts])
    assert own.tolist() == [2 / 6, 2 / 6, 2 / 6]
    assert inner.tolist() == [[1 / 4, 1 / 4, 2 / 4]] * 2 + [[1 / 3, 2 / 3, 0.0]] * 3
    own, none = training_shares(y, [np.array([6])])
    assert own.tolist() == [3 / 7, 3 / 7, 1 / 7]
    assert none.shape == (0, 3)
