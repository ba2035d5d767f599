"""Bootstrap samples: whole groups, every class, and no copy on both sides of an inner fold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from common.studies import QUICK, make_data
from tamis._core.errors import PlanError
from tamis.study.prepare import prepare_study
from tamis.study.protocol import nested_cv
from tamis.study.protocol.nested_cv import Task
from tamis.study.protocol.resamples import APPARENT_FOLD, BOOTSTRAP_REPEAT, bootstrap_sample
from tamis.study.protocol.splits import Labels
from tamis.study.tasks import tasks_of

PLAN = {**QUICK, "permutations": 0, "final": False, "bootstrap": {"repeats": 4}}


def beside(data, **more):
    """(design, plan, tasks beside the study's own) of a plan with bootstrap samples."""
    plan, design, _ = prepare_study(data, {**PLAN, **more})
    return design, plan, [t for t in tasks_of(plan, design) if nested_cv.is_resample(t)]


def paired(n=40):
    """Data whose rows are pairs of one person; some persons have both classes."""
    data = make_data(n=n)
    return replace(data, groups=np.array([f"p{k // 2}" for k in np.argsort(data.y, kind="stable")]))


@given(st.lists(st.integers(3, 12), min_size=2, max_size=4), st.integers(0, 1000))
@settings(max_examples=50, deadline=None)
def test_a_sample_has_as_many_of_each_class_and_predicts_what_it_did_not_draw(counts, seed):
    y = np.repeat(np.arange(len(counts)), counts)
    try:
        sample = bootstrap_sample(Labels(y, tuple("abcd"[: len(counts)])), seed, 0)
    except PlanError:
        return  # every sample was drawn
    train, test = sample.rows[: sample.n_train], sample.rows[sample.n_train :]
    assert np.bincount(y[train]).tolist() == counts
    assert sorted(test) == sorted(set(range(len(y))) - set(train))
    same = sample.rows[:, None] == sample.rows
    assert (same == (sample.groups[:, None] == sample.groups)).all()


@given(st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_groups_are_drawn_and_left_out_whole(seed):
    rng = np.random.default_rng(seed)
    groups = np.array([f"p{k}" for k in rng.integers(0, 12, 40)])
    labels = Labels(rng.integers(0, 2, 40), ("a", "b"), groups)
    try:
        sample = bootstrap_sample(labels, seed, 0)
    except PlanError:
        return  # a class is in one side alone
    train, test = sample.rows[: sample.n_train], sample.rows[sample.n_train :]
    assert not set(groups[train]) & set(groups[test])
    for name in set(groups[train]):
        times = np.bincount(train, minlength=40)[groups == name]
        assert len(set(times)) == 1


@pytest.mark.parametrize("make", [make_data, paired])
def test_copies_of_a_row_are_on_one_side_of_every_inner_fold(make):
    data = make()
    design, plan, tasks = beside(data)
    copies = 0
    for task in tasks:
        fold = nested_cv.fold_of(design, plan, task)
        rows = nested_cv.resample_of(design, plan, task).rows
        kept = data.groups if data.groups is not None else np.arange(len(data.y))
        for inside, held in zip(fold.parts.rows[1:], fold.tests[1:], strict=True):
            assert not set(kept[rows[inside]]) & set(kept[rows[held]])
            copies += len(rows[held]) - len(set(rows[held]))
            assert sorted([*inside, *held]) == fold.parts.rows[0].tolist()
        if task.fold != APPARENT_FOLD:
            assert not set(kept[rows[fold.parts.rows[0]]]) & set(kept[rows[fold.tests[0]]])
    assert copies  # there was something to keep together


def test_the_apparent_error_is_of_all_rows_learnt_from_all():
    design, plan, _ = beside(make_data())
    sample = nested_cv.resample_of(design, plan, Task(0, BOOTSTRAP_REPEAT, APPARENT_FOLD, ()))
    assert sample.rows.tolist() == [*range(40), *range(40)]
    assert sample.groups is None  # inner folds as those of the final model


def test_sample_numbers_do_not_depend_on_how_many_there_are():
    few, many = (beside(make_data(), bootstrap={"repeats": k})[2] for k in (2, 5))
    assert few[:2] == many[:2]


def test_a_table_of_a_sample_has_its_own_gaps_and_costs():
    data = make_data(n=24, p=5)
    X = data.take(None)
    X[3, 1] = np.nan
    costs = {"costs": {"a": {"b": "g4"}, "b": {"a": 1}}}
    X[:, 4] = np.arange(24) + 1.0
    design, plan, tasks = beside(replace(data, X=X), **costs)
    for task in tasks:
        sample = nested_cv.resample_of(design, plan, task)
        own = sample.design(design)
        assert np.array_equal(own.X, design.X[sample.rows], equal_nan=True)
        assert (1 in own.incomplete) == (3 in sample.rows)
        assert np.array_equal(own.costs.samples, design.costs.samples[sample.rows])


def test_inner_folds_are_as_many_as_the_different_samples_of_the_smallest_class():
    data = replace(make_data(n=34), y=np.repeat(["a", "b"], [30, 4]))
    design, plan, tasks = beside(data, outer={"folds": 4})
    folds = {}
    for task in tasks:
        sample = nested_cv.resample_of(design, plan, task)
        own = sample.rows[: sample.n_train]
        few = len(np.unique(own[design.labels.y[own] == 1]))
        folds[task.fold] = len(nested_cv.fold_of(design, plan, task).tests) - 1
        assert folds[task.fold] == min(3, few)
    assert folds[APPARENT_FOLD] == 3


def test_classes_of_which_no_sample_has_two_members_are_told_before_anything_runs():
    design, plan, _ = beside(make_data())
    alone = replace(design.labels, y=np.arange(40) // 39)
    told = r"^\[bootstrap\]: no bootstrap sample .*class 'b' has 1 group"
    with pytest.raises(PlanError, match=told):
        nested_cv.possible_sample(replace(design, labels=alone), plan, 0)
