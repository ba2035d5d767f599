"""The learning curve of a study: nested parts, the same test rows, and nothing else changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from common.studies import make_data, run_in_memory
from tamis._core.errors import PlanError
from tamis.checks.chance import at_chance
from tamis.checks.tables import noise_table
from tamis.metrics import METRICS, nadeau_bengio
from tamis.study import Plan, run_study
from tamis.study.protocol import nested_cv
from tamis.study.protocol.resamples import subsample_rest
from tamis.study.protocol.splits import Labels
from tamis.study.results.estimate_words import learning_curve_words
from tamis.study.results.learning_curve import learning_curve_entry
from tamis.study.results.summary import Context

PLAN = {
    "method": [{"select": "moderated_t", "sizes": [1, 5]}],
    "outer": {"folds": 4},
    "inner": {"folds": 3, "repeats": 1},
    "permutations": 0,
    "describe": False,
    "final": False,
}
ASKED = {**PLAN, "learning_curve": {"shares": [0.8, 0.5]}}


def entry(data, plan):
    """The entry of a study in memory, with its parts."""
    resolved, tasks, design, _, found = run_in_memory(data, plan)
    context = Context(resolved, design.labels, {0: design.labels.y}, found, {})
    return learning_curve_entry(context), found, (resolved, tasks, design)


@given(st.integers(0, 1000), st.booleans())
@settings(max_examples=40, deadline=None)
def test_smaller_shares_are_parts_of_larger_ones_with_whole_groups_and_every_class(seed, grouped):
    rng = np.random.default_rng(seed)
    unit = rng.integers(0, 20, 60) if grouped else np.arange(60)
    y = unit % 2 if grouped else np.arange(60) % 2
    groups = np.array([f"p{k}" for k in unit]) if grouped else None
    test = np.flatnonzero(unit % 5 == 0)
    labels, before = Labels(y, ("a", "b"), groups), set()
    for share in (0.3, 0.6, 0.9):
        sample = subsample_rest(labels, test, share, seed, 0, 0)
        train = sample.rows[: sample.n_train]
        assert before <= set(train)
        assert sample.rows[sample.n_train :].tolist() == test.tolist()
        assert not set(unit[train]) & (set(unit) - set(unit[train])) & set(unit[test])
        for u in set(unit[train]):
            assert set(np.flatnonzero(unit == u)) <= set(train)
        rest = np.setdiff1d(np.arange(60), test)
        for c in (0, 1):
            own, all_ = (len(np.unique(unit[r][y[r] == c])) for r in (train, rest))
            assert own == max(round(share * all_), 1)
        before = set(train)


def test_points_and_the_last_step_are_of_the_same_test_rows():
    told, found, (plan, _, design) = entry(make_data(shift=0.8), ASKED)
    y = design.labels.y
    assert plan.learning_curve.shares == [0.5, 0.8, 1.0]
    assert [p["share"] for p in told["points"]] == [0.5, 0.8, 1.0]
    assert [p["n_train"] for p in told["points"]] == [16, 24, 30]
    scores = {}
    for share, chosen in {**found.shares, 1.0: found.headline}.items():
        for one, other in zip(chosen, found.headline, strict=True):
            assert np.array_equal(one.test, other.test)
        pooled = np.concatenate([c.codes for c in chosen])
        true = np.concatenate([y[c.test] for c in chosen])
        at = [p["mean"] for p in told["points"] if p["share"] == share]
        assert at == pytest.approx([METRICS["bcr"](true, pooled, None)])
        scores[share] = [METRICS["bcr"](y[c.test], c.codes, None) for c in chosen]
    step = nadeau_bengio(np.subtract(scores[1.0], scores[0.8]), 30, 10)
    assert told["last"]["mean"] == pytest.approx(step.mean)
    assert (told["last"]["low"], told["last"]["high"]) == pytest.approx((step.low, step.high))


def test_groups_stay_whole_inside_and_outside():
    y = np.array(["a", "b"])[np.arange(48) // 2 % 2]
    data = replace(make_data(n=48), y=y, groups=np.array([f"p{k // 2}" for k in range(48)]))
    _, _, (plan, tasks, design) = entry(data, ASKED)
    for task in (t for t in tasks if t.share < 1):
        sample, fold = (
            nested_cv.resample_of(design, plan, task),
            nested_cv.fold_of(design, plan, task),
        )
        own = data.groups[sample.rows]
        for train, test in zip(fold.parts.rows, fold.tests, strict=True):
            assert not set(own[train]) & set(own[test])


@pytest.mark.longer
def test_it_is_added_with_resume_and_depends_on_no_worker(tmp_path):
    data, folder = make_data(), tmp_path / "s"
    run_study(data, PLAN, folder)
    plain = (folder / "results.json").read_bytes()
    assert b'"learning_curve": {' not in plain
    found = run_study(data, ASKED, folder, if_exists="resume")
    run_study(data, ASKED, tmp_path / "two", n_jobs=2)
    other = (tmp_path / "two" / "results.json").read_bytes()
    assert (folder / "results.json").read_bytes() == other
    own = {p: p.stat().st_mtime_ns for p in folder.rglob("cells/0/0-share-0.8/*.arrow")}
    assert len(own) == 4
    more = {**ASKED, "learning_curve": {"shares": [0.6, 0.8]}}
    again = run_study(data, more, folder, if_exists="resume").to_dict()["learning_curve"]
    assert {p: p.stat().st_mtime_ns for p in own} == own
    assert again["points"][1:] == found.to_dict()["learning_curve"]["points"][1:]
    run_study(data, PLAN, folder, if_exists="resume")
    assert (folder / "results.json").read_bytes() == plain


def test_terminal_and_page_say_whether_more_samples_would_help(tmp_path):
    from tamis.report import write_report

    found = run_study(make_data(), ASKED, tmp_path / "s")
    words = learning_curve_words(found.to_dict())
    assert words in found.summary()
    assert words.startswith(
        "from 80 % to 100 % of the training samples (24 to 30) balanced accuracy"
    )
    page = write_report(found.to_dict(), tmp_path / "s").read_text()
    assert words[1:].replace(" %", "\u00a0%") in page
    assert 'id="learning"' in page
    assert "by training samples" in page


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.01, 0.2, "may well help"), (-0.2, -0.01, "did not help"), (-0.1, 0.2, "no evidence")],
)
def test_the_sentence_goes_by_the_interval(low, high, verdict):
    told, _, _ = entry(make_data(), ASKED)
    kind = {"may well help": "better", "did not help": "worse"}.get(verdict, verdict)
    told["last"] = {"mean": 0.05, "low": low, "high": high, "p_value": 0.2, "verdict": kind}
    assert verdict in learning_curve_words({"learning_curve": told})


def test_one_outer_fold_has_no_interval_of_the_difference():
    told, _, _ = entry(make_data(), {**ASKED, "outer": {"kind": "holdout"}})
    assert told["last"]["verdict"] is None
    assert "no interval" in learning_curve_words({"learning_curve": told})


@pytest.mark.parametrize("outer", [{"folds": 5}, {"kind": "leave-one-out"}])
def test_the_last_step_is_the_difference_of_the_points_where_classes_are_unequal(outer):
    data = make_data(n=30, shift=0.5)
    data = replace(data, y=np.array(["a", "b"])[(np.arange(30) % 5 == 0).astype(int)])
    told, _, _ = entry(data, {**ASKED, "outer": outer})
    below, whole = told["points"][-2:]
    assert told["last"]["mean"] == pytest.approx(whole["mean"] - below["mean"])
    assert (told["last"]["low"] is None) == ("kind" in outer)


@pytest.mark.parametrize("outer", [{"kind": "holdout"}, {"folds": 4}])
def test_folds_that_do_not_differ_have_no_interval_of_the_difference(outer):
    data = make_data()
    told, _, _ = entry(replace(data, X=np.zeros_like(data.X)), {**ASKED, "outer": outer})
    assert told["last"]["mean"] == 0
    assert told["last"]["low"] is told["last"]["high"] is None
    assert "no interval" in learning_curve_words({"learning_curve": told})


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ([1.0], "give shares"),
        ([0.0, 0.5], "give shares"),
        ([], "give shares"),
        ([0.5, 1.2], "learning_curve.shares"),
    ],
)
def test_what_a_plan_may_not_say(shares, told):
    with pytest.raises(PlanError, match=told):
        Plan.resolve({**PLAN, "learning_curve": {"shares": shares}})


def test_a_share_that_is_too_small_is_told_before_anything_runs(tmp_path):
    plan = {**PLAN, "learning_curve": {"shares": [0.05]}}
    with pytest.raises(PlanError, match=r"learning_curve.shares: with 0.05 .* larger shares"):
        run_study(make_data(), plan, tmp_path / "s")
    assert not (tmp_path / "s").exists()


@pytest.mark.longer
def test_in_noise_every_point_is_at_chance():
    found = [entry(noise_table(seed), {**ASKED, "seed": seed})[0] for seed in range(24)]
    for k in range(3):
        assert at_chance([one["points"][k]["mean"] for one in found])
    assert at_chance([one["last"]["mean"] for one in found], 0.0)
