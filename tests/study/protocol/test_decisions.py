"""Decisions inside a study: fitted to inner beliefs, cross-fitted, changed without new cells."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from common.folds import same_beliefs
from common.studies import QUICK, inner_of, make_data, offered, run_in_memory
from tamis._core.errors import StoreError
from tamis._core.interfaces import Beliefs, Decision
from tamis._core.registry import find_row, row_names
from tamis._core.rows import DecisionRow, RecalibrationRow
from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.classifiers.recalibrations.isotonic import Isotonic
from tamis.classifiers.recalibrations.layer import Recalibrated
from tamis.classifiers.recalibrations.platt import Platt
from tamis.classifiers.recalibrations.slope import Slope
from tamis.classifiers.recalibrations.temperature import Temperature
from tamis.study import run_study
from tamis.study.plan.parts import RecalibratePlan
from tamis.study.protocol import nested_cv
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.stability_split import observed_repeat
from tamis.study.protocol.tuning import Inner, cross_fitted
from tamis.study.results import collect

pytestmark = pytest.mark.longer

COSTS = np.array([[0.0, 3.0], [1.0, 0.0]])


def built(name):
    """A decision with the costs that it may need."""
    row = find_row(name, DecisionRow)
    return row.build({"costs": COSTS} if row.costs else {})


def layered(name):
    """A recalibration under the likeliest class, which candidates are compared by."""
    return Recalibrated(find_row(name, RecalibrationRow).build({}), ArgMax(), inside=True)


DECIDING = [n for n in row_names(DecisionRow) if built(n).learns]
RECALIBRATING = [n for n in row_names(RecalibrationRow) if n != "none"]
LEARNING = {**{n: built(n) for n in DECIDING}, **{n: layered(n) for n in RECALIBRATING}}
ONE = {**QUICK, "permutations": 0, "final": False}
PAM = {"select": "pam", "parameters": {"n_thresholds": 6}}
SVM = {"select": "moderated_t", "sizes": [2, 5], "classify": "svm_linear"}


@dataclass(frozen=True)
class Spy(Decision):
    """Keeps what it is fitted to; decides for class 0."""

    seen: list[Any] = field(default_factory=list)
    learns = True
    declines = False

    def fit(self, beliefs, y):
        self.seen.append((beliefs, y))
        return self

    def decide(self, beliefs):
        return ArgMax().decide(beliefs)


def inner_beliefs(repeats=1, seed=2, methods=(SVM, PAM), classes=("a", "b"), **inner):
    """The inner loop of a fold, for each method of a plan."""
    data = make_data(seed=seed, n=36, p=15, informative=2, shift=0.7, classes=classes)
    plan = {**ONE, "inner": {"folds": 3, "repeats": repeats, **inner}, "method": list(methods)}
    plan, tasks, design, *_ = run_in_memory(data, plan)
    fold = nested_cv.fold_of(design, plan, tasks[0])
    return [inner_of(fold, offered(fold, method)[1]) for method in plan.method]


@pytest.mark.parametrize("repeats", [1, 3])
@pytest.mark.parametrize("name", LEARNING)
def test_no_label_has_a_say_in_the_decisions_of_its_own_fold(name, repeats):
    decision = LEARNING[name]
    for inner in inner_beliefs(repeats):
        before = cross_fitted(decision, inner)
        changed = False
        for at in inner.folds:
            for sample in inner.samples[at][: 2 if repeats == 1 else 1]:
                y = np.where(inner.samples == sample, 1 - inner.y, inner.y)
                after = cross_fitted(decision, replace(inner, y=y))
                np.testing.assert_array_equal(after.codes[:, at], before.codes[:, at])
                np.testing.assert_array_equal(after.proba[:, at], before.proba[:, at])
                changed |= not np.array_equal(after.proba, before.proba)
                changed |= not np.array_equal(after.codes, before.codes)
        assert changed  # the other folds' decisions do learn from it


def test_every_fold_is_decided_by_one_fit_to_the_samples_of_the_others():
    (inner, _) = inner_beliefs(repeats=2)
    spy = Spy()
    cross_fitted(spy, inner)
    assert len(spy.seen) == len(inner.folds) * len(inner.beliefs)
    for k, (beliefs, y) in enumerate(spy.seen):
        held = inner.samples[inner.folds[k // len(inner.beliefs)]]
        assert not set(beliefs.samples) & set(held)
        assert set(beliefs.samples) | set(held) == set(inner.samples)
        truth = dict(zip(inner.samples, inner.y, strict=True))
        assert y.tolist() == [truth[s] for s in beliefs.samples]


def test_the_repeats_of_a_sample_are_averaged_before_a_decision_is_fitted():
    inner, _ = inner_beliefs(repeats=3)
    for beliefs in inner.beliefs:
        spy = Spy()
        inner.fitted(spy, beliefs)
        ((found, y),) = spy.seen
        assert found.samples.tolist() == sorted(set(inner.samples))
        assert len(inner.samples) == 3 * len(found)
        for i, sample in enumerate(found.samples):
            own = inner.samples == sample
            assert set(inner.y[own]) == {y[i]}
            np.testing.assert_allclose(found.proba[i], beliefs.proba[own].mean(axis=0))
            np.testing.assert_allclose(found.margin[i], beliefs.margin[own].mean(axis=0))


def test_samples_of_some_repeats_only_are_averaged_over_those():
    rng = np.random.default_rng(0)
    samples = np.array([7, 3, 7, 5, 3, 7])
    given = Beliefs(rng.random((6, 2)), None, rng.random(6), samples)
    found = given.averaged()
    assert found.samples.tolist() == [3, 5, 7]
    for i, sample in enumerate(found.samples):
        np.testing.assert_allclose(found.proba[i], given.proba[samples == sample].mean(axis=0))
        assert found.novelty[i] == pytest.approx(given.novelty[samples == sample].mean())
    once = given.take(np.array([3, 1, 0]))
    assert once.averaged().samples.tolist() == [3, 5, 7]
    same_beliefs(once.averaged(), once.take(np.array([1, 0, 2])))


@pytest.mark.parametrize("name", LEARNING)
def test_a_single_holdout_is_fitted_to_itself(name):
    """There is nothing else; and what learns nothing needs nothing."""
    inner, _ = inner_beliefs(kind="holdout")
    decision = LEARNING[name]
    found = cross_fitted(decision, inner)
    for c, beliefs in enumerate(inner.beliefs):
        alone = inner.fitted(decision, beliefs).decide(beliefs)
        np.testing.assert_array_equal(found.codes[c], alone.codes)


@pytest.mark.parametrize("name", RECALIBRATING)
def test_several_classes(name):
    decision = LEARNING[name]
    for inner in inner_beliefs(classes=("a", "b", "c")):
        found = cross_fitted(decision, inner)
        np.testing.assert_allclose(found.proba.sum(axis=2), 1)
        assert np.mean(found.codes[-1] == inner.y) > 0.4


def collected(plan, tasks, design, files, recalibrate):
    """A study's cells under another recalibration."""
    other = plan.model_copy(update={"recalibrate": RecalibratePlan(name=recalibrate)})
    found = []
    for task in tasks:
        read = {key: decode_cell(files[task.path(key)]) for key in task.rankers}
        y = nested_cv.labels_of(design, plan, task.permutation, task.draw).y
        found.append(collect.found_in(other, task, read, y, design.costs))
    return collect.collect_choices(other, found, observed_repeat(plan, design.labels))


def test_recalibrated_probabilities_of_shrunken_centroids_mean_more():
    """PAM takes features for independent: of a wide table its probabilities are 0 or 1."""
    losses = {name: [] for name in ("none", *RECALIBRATING)}
    for seed in range(5):
        rng = np.random.default_rng(seed)
        made = make_data(seed=seed, n=48, p=120, informative=0)
        shared = rng.normal(size=(48, 1)) + 0.8 * made.codes[:, None]
        data = replace(made, X=0.6 * made.X + shared)  # all say the same
        given = {**ONE, "method": [PAM], "parsimony": 0}
        plan, tasks, design, files, _ = run_in_memory(data, given)
        for name, values in losses.items():
            for choice in collected(plan, tasks, design, files, name).headline:
                p = choice.proba[np.arange(len(choice.test)), design.labels.y[choice.test]]
                values.append(-np.log(np.maximum(p, 1e-12)))
    means = {name: np.concatenate(values).mean() for name, values in losses.items()}
    assert means["none"] > 1.0
    assert means["slope"] < 0.8
    assert means["platt"] < 0.8
    assert means["temperature"] < 0.8
    assert means["isotonic"] < means["none"]
    for name in ("slope", "platt", "temperature"):
        assert max(map(np.max, losses[name])) < -np.log(1e-4)


def test_the_outer_decision_is_that_of_all_inner_beliefs():
    plan, tasks, design, files, _ = run_in_memory(
        make_data(seed=3, n=36, p=15, shift=0.7), {**ONE, "method": [SVM], "recalibrate": "platt"}
    )
    found = collected(plan, tasks, design, files, "platt").methods["moderated_t+svm_linear"]
    for task, choice in zip(tasks, found, strict=True):
        fold = nested_cv.fold_of(design, plan, task)
        candidates, outcomes = offered(fold, plan.method[0])
        at = next(i for i, c in enumerate(candidates) if c.size == choice.size)
        inner = inner_of(fold, outcomes)
        fitted = inner.fitted(Recalibrated(Platt(), ArgMax()), inner.beliefs[at])
        told = fitted.decide(outcomes[0][at].beliefs)
        np.testing.assert_allclose(choice.proba, told.beliefs.proba, atol=1e-12)
        assert choice.predicted.tolist() == told.labels.tolist()


def content(folder):
    """Every file of a study but the journal."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "journal.jsonl"
    }


METHODS = [SVM, {**PAM, "recalibrate": "isotonic"}]
STUDY = {**QUICK, "method": METHODS}


@pytest.mark.parametrize(
    "other",
    [
        {"recalibrate": "platt"},
        {"recalibrate": {"name": "temperature"}},
        {"recalibrate": False},
        {"method": [{**SVM, "recalibrate": "isotonic"}, PAM]},
        {"metric": "auc"},
        {"tune": "auc"},
        {"method": [{**SVM, "tune": "auc"}, METHODS[1]]},
        {"decide": "youden"},
        {"costs": {"a": 1, "b": 4}},
        {"costs": {"a": {"b": 4}, "b": {"a": 1, "b": -1}}, "decide": "least_loss"},
        {
            "reject": {"name": "coverage", "at": 0.7, "score": "posterior"},
            "method": [{**SVM, "reject": {"name": "conformal", "at": 0.3}}, METHODS[1]],
        },
    ],
    ids=str,
)
def test_another_decision_computes_no_cell_and_is_as_a_fresh_study(tmp_path, monkeypatch, other):
    data = make_data(seed=5, n=36, p=15, shift=0.7)
    calls = []
    real = nested_cv._cells_of
    monkeypatch.setattr(nested_cv, "_cells_of", lambda *a: calls.append(a) or real(*a))
    run_study(data, STUDY, tmp_path / "s", n_jobs=1)
    assert len(calls) == 4 + 4 + 1
    before = content(tmp_path / "s")
    run_study(data, {**STUDY, **other}, tmp_path / "s", n_jobs=1, if_exists="resume")
    assert len(calls) == 9
    monkeypatch.undo()
    run_study(data, {**STUDY, **other}, tmp_path / "fresh", n_jobs=1)
    assert content(tmp_path / "s") == content(tmp_path / "fresh")
    assert content(tmp_path / "s")["results.json"] != before["results.json"]
    run_study(data, STUDY, tmp_path / "s", n_jobs=1, if_exists="resume")  # and back
    assert content(tmp_path / "s") == before


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 3}, "seed"),
        ({"inner": {"folds": 2, "repeats": 1}}, "inner"),
        ({"method": METHODS[:1]}, "method"),
        ({"method": METHODS[::-1]}, "method"),
        ({"method": [{**SVM, "sizes": [2, 4]}, METHODS[1]]}, "method"),
    ],
    ids=str,
)
def test_any_other_change_is_refused_with_or_without_one(tmp_path, change, named):
    from tamis.study.run import begin_study

    data = make_data(seed=5, n=36, p=15)
    begin_study(data, STUDY, tmp_path / "s")
    before = content(tmp_path / "s")
    for more in ({}, {"recalibrate": "platt"}, {"decide": "arg_max"}):
        with pytest.raises(StoreError, match=rf"the plan differs .*\(in: {named}\)"):
            begin_study(data, {**STUDY, **change, **more}, tmp_path / "s", if_exists="resume")
        assert content(tmp_path / "s") == before


def test_decisions_that_learn_are_these():
    learning = {find_row(n, RecalibrationRow).load() for n in RECALIBRATING}
    assert learning == {Slope, Platt, Isotonic, Temperature}
    assert set(DECIDING) == {"least_loss", "youden", "best_f", "sensitivity", "specificity"}
    assert isinstance(inner_beliefs()[0], Inner)


def test_no_thread_is_left_behind_by_a_study_in_one_process(tmp_path):
    """A thread that ends the process when its parent ends is for workers alone."""
    import threading

    before = set(threading.enumerate())
    run_study(
        make_data(seed=4, n=24, p=8), {**STUDY, "recalibrate": "platt"}, tmp_path / "s", n_jobs=1
    )
    assert set(threading.enumerate()) <= before
