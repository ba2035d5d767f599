"""The runs that chance is measured on, and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from common.studies import QUICK, make_data, offered, run_in_memory
from tamis._core.errors import PlanError
from tamis.metrics import nogueira_stability
from tamis.study import Plan, run_study
from tamis.study.protocol.splits import Labels
from tamis.study.protocol.stability_split import (
    COMPANION_REPEAT,
    companion_splits,
    fewer_folds,
    observed_repeat,
)

ONE = [{"select": "pearson", "sizes": [2]}]


def labels(*counts, groups=None):
    y = np.repeat(np.arange(len(counts)), counts)
    return Labels(y, tuple("abcdefgh"[: len(counts)]), groups)


@pytest.mark.parametrize(
    ("outer", "counts", "folds", "repeat"),
    [
        ({}, (20, 20), 5, COMPANION_REPEAT),
        ({"folds": 5}, (20, 20), 5, COMPANION_REPEAT),
        ({"folds": 4}, (20, 20), 4, COMPANION_REPEAT),
        ({"kind": "leave-one-out"}, (20, 20), 5, COMPANION_REPEAT),
        ({"kind": "holdout"}, (20, 20), 5, COMPANION_REPEAT),
        ({"kind": "holdout"}, (20, 3), 3, COMPANION_REPEAT),
    ],
)
def test_companions_have_five_folds_or_fewer(outer, counts, folds, repeat):
    plan = Plan.resolve({"outer": outer, "method": ONE})
    split, inner = companion_splits(plan, labels(*counts))
    assert (split.kind, split.folds, split.repeats) == ("k-fold", folds, 1)
    assert 2 <= inner.folds <= 5
    assert inner.repeats == 2  # of three
    assert observed_repeat(plan, labels(*counts)) == repeat


@pytest.mark.parametrize("outer", [{"folds": 5}, {"folds": 5, "repeats": 3}, {"folds": 4}])
@pytest.mark.parametrize("repeats", [1, 2])
def test_a_study_of_their_design_is_what_permuted_runs_are_compared_with(outer, repeats):
    plan = Plan.resolve({"outer": outer, "inner": {"repeats": repeats}, "method": ONE})
    assert companion_splits(plan, labels(20, 20))[1] == plan.inner
    assert observed_repeat(plan, labels(20, 20)) == 0


def test_a_predefined_split_is_its_own_companion():
    plan = Plan.resolve({"outer": {"kind": "predefined"}, "method": ONE})
    assert companion_splits(plan, labels(9, 9))[0] == plan.outer
    assert observed_repeat(plan, labels(9, 9)) == 0


def test_a_small_class_lowers_default_folds_and_only_these():
    plan, remarks = fewer_folds(Plan.resolve({"method": ONE}), labels(20, 6))
    assert (plan.outer.folds, plan.inner.folds) == (6, 5)
    assert remarks == ["class 'b' has 6 samples: 6 outer folds instead of 10"]
    plan, remarks = fewer_folds(Plan.resolve({"method": ONE}), labels(20, 4))
    assert (plan.outer.folds, plan.inner.folds) == (4, 3)
    assert len(remarks) == 2
    named = Plan.resolve(
        {"outer": {"folds": 10}, "inner": {"folds": 5, "repeats": 1}, "method": ONE}
    )
    assert fewer_folds(named, labels(20, 6)) == (named, [])
    again, remarks = fewer_folds(plan, labels(20, 4))
    assert (again, remarks) == (plan, [])


def test_a_default_study_of_a_small_class_runs_and_says_so(tmp_path):
    data = make_data(seed=1, n=40, p=12)
    y = np.array(["a"] * 34 + ["b"] * 6)
    from dataclasses import replace

    data = replace(data, y=y)
    result = run_study(data, {"permutations": 1, "method": ONE}, tmp_path / "s").to_dict()
    assert "6 outer folds instead of 10" in " ".join(result["data"]["notes"])
    assert len(result["headline"]["folds"]) == 6
    with pytest.raises(PlanError, match="the 10 outer folds: use at most 6"):
        run_study(data, {"outer": {"folds": 10}, "method": ONE}, tmp_path / "t")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Ten folds, nineteen permuted runs."""
    data = make_data(seed=21, n=40, p=30, shift=2.0)
    plan = {"permutations": 19, "final": False, "method": [{"select": "pearson", "sizes": [2, 5]}]}
    result = run_study(data, plan, tmp_path_factory.mktemp("study") / "s")
    return result, run_in_memory(data, plan)


@pytest.mark.longer
def test_nineteen_runs_give_a_p_value_and_a_verdict(study):
    result, (_, tasks, design, _, found) = study
    c = result.to_dict()
    p = c["permutation"]
    assert sum(t.repeat == COMPANION_REPEAT for t in tasks) == 5
    assert len(tasks) == 10 + 5 + 19 * 5
    assert p["p_value"] == (1 + sum(v >= p["observed"] - 1e-12 for v in p["values"])) / 20
    y = design.labels.y
    right = np.concatenate([c.predicted == y[c.test] for c in found.observed[""]])
    rows = np.concatenate([c.test for c in found.observed[""]])
    assert sorted(rows) == list(range(40))
    rate = np.mean([right[y[rows] == k].mean() for k in (0, 1)])
    assert p["observed"] == pytest.approx(rate)
    own = nogueira_stability([c.features for c in found.observed[""]], 30).value
    others = [
        nogueira_stability([c.features for c in run[""]], 30).value
        for _, run in sorted(found.permuted.items())
    ]
    stable = p["stability"]
    assert stable["observed"] == pytest.approx(own)
    assert stable["values"] == pytest.approx(others)
    assert stable["excess"] == pytest.approx(own - np.median(others))
    assert stable["above"] == (own > max(others))
    assert "unstable" not in {w["code"] for w in c["warnings"]} or own < 0.4 or not stable["above"]


def test_the_summary_says_all_of_it(study):
    result, _ = study
    text = result.summary()
    p = result.to_dict()["permutation"]
    assert f"stability {p['stability']['observed']:.2f} of 1 (5 folds)" in text
    assert "permutation p = 0.05 (0 of 19; the minimum possible)" in text
    assert "balanced accuracy 0.50 in theory" in text
    for warning in result.warnings:
        assert f"  ! {warning}\n" in text
    frame = result.frame()
    assert frame.loc["headline", "beyond_chance"] == pytest.approx(p["stability"]["excess"])


def test_auc_is_tuned_by_pairs_within_folds_and_noise_is_said():
    data = make_data(seed=22, n=36, p=20)
    plan = {**QUICK, "metric": "auc", "permutations": 0, "final": False, "method": ONE}
    from tamis.metrics import HeldOut
    from tamis.study.protocol import nested_cv

    plan, tasks, design, _, found = run_in_memory(data, plan)
    fold = nested_cv.fold_of(design, plan, tasks[0])
    _, outcomes = offered(fold, plan.method[0])
    parts = [
        (test, fold.y[test], part[0].beliefs.proba.argmax(axis=1), part[0].beliefs.proba)
        for test, part in zip(fold.tests[1:], outcomes[1:], strict=True)
    ]
    assert found.headline[0].inner == pytest.approx(HeldOut.of([parts]).score("auc"))


def test_a_criterion_without_value_leaves_the_choice_to_the_balanced_rate(tmp_path):
    data = make_data(seed=23, n=24, p=12, shift=2.0)
    inner = {"kind": "leave-one-out"}
    method = [{"select": "pearson", "sizes": [1, 2, 5]}]
    plan = {"outer": {"folds": 3}, "inner": inner, "permutations": 0, "method": method}
    by_area = run_study(data, {**plan, "metric": "auc"}, tmp_path / "a").to_dict()
    by_rate = run_study(data, {**plan, "metric": "bcr"}, tmp_path / "b").to_dict()
    warning = {w["code"]: w["text"] for w in by_area["warnings"]}["inner-undefined"]
    assert "pearson (3)" in warning
    sizes = [[f["size"] for f in one["headline"]["folds"]] for one in (by_area, by_rate)]
    assert sizes[0] == sizes[1]
    assert "inner-undefined" not in {w["code"] for w in by_rate["warnings"]}


def test_leave_one_out_has_no_auc_and_says_why(tmp_path):
    data = make_data(seed=24, n=20, p=10)
    plan = {"outer": {"kind": "leave-one-out"}, "permutations": 1, "method": ONE}
    result = run_study(data, plan, tmp_path / "s")
    c = result.to_dict()
    assert c["metrics"]["auc"]["mean"] is None
    assert "no pairs" in c["metrics"]["auc"]["note"]
    assert "AUC undefined (no model judges" in result.summary()
    assert c["headline"]["curves"]["roc"] == []
    assert c["chance"]["bcr"]["theory"] is None
    assert "leave-one-out" in {w["code"] for w in c["warnings"]}
