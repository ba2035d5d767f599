"""The bootstrap .632+ estimate of a study: what it is made of, and what it leaves as it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data, run_in_memory
from tamis._core.errors import PlanError
from tamis.checks.tables import made_up_table, noise_table
from tamis.study import Plan, open_study, run_study
from tamis.study.results.bootstrap import bootstrap_entry
from tamis.study.results.summary import Context

PLAN = {
    "method": [{"select": "moderated_t", "sizes": [1, 5]}],
    "outer": {"folds": 3},
    "inner": {"folds": 3, "repeats": 1},
    "permutations": 0,
    "describe": False,
}
ASKED = {**PLAN, "bootstrap": {"repeats": 6}}


def entry(data, plan):
    """The entry of a study in memory, and its choices."""
    resolved, _, design, _, found = run_in_memory(data, plan)
    return bootstrap_entry(Context(resolved, design.labels, {0: design.labels.y}, found, {})), found


def test_it_is_the_paper_s_estimate_of_the_whole_procedure():
    data = make_data(n=31, shift=0.8)
    told, found = entry(data, ASKED)
    y = data.codes
    errors = []
    for i in range(31):
        judged = [c.codes[c.test == i] for c in found.bootstrap if i in c.test]
        errors.append(np.mean([one != y[i] for one in judged]) if judged else np.nan)
    errors = np.array(errors)
    inside = found.apparent.codes[np.argsort(found.apparent.test)]
    gamma = np.mean([a != b for a in y for b in inside])
    kinds = {"accuracy": (np.nanmean, gamma), "bcr": (None, 0.5)}
    for name, (_, chance) in kinds.items():

        def mean(v, name=name):
            known = ~np.isnan(v)
            if name == "bcr":
                return np.mean([v[known & (y == c)].mean() for c in (0, 1)])
            return np.mean([v[known & (y == c)].mean() * np.mean(y == c) * 2 for c in (0, 1)])

        left, apparent = mean(errors), mean((inside != y).astype(float))
        R = np.clip((left - apparent) / (chance - apparent), 0, 1)
        w = 0.632 / (1 - 0.368 * R)
        one = told["metrics"][name]
        assert one["estimate"] == pytest.approx(1 - (1 - w) * apparent - w * left)
        assert one["no_information"] == pytest.approx(1 - chance)
    assert told["n_samples"] == len(found.bootstrap) == 6
    assert told["never_left_out"] == int(np.isnan(errors).sum())


def test_a_study_that_does_not_ask_for_it_has_none_and_the_same_scores(tmp_path):
    found = run_study(make_data(), PLAN, tmp_path / "plain")
    assert "bootstrap" not in found.to_dict()
    with_it = run_study(make_data(), ASKED, tmp_path / "asked")
    assert with_it.metrics == found.metrics  # beside the headline, never in its place


@pytest.mark.longer
def test_it_is_added_to_a_finished_study_and_taken_away_without_a_fit_again(tmp_path):
    data, folder = make_data(), tmp_path / "s"
    run_study(data, PLAN, folder)
    plain = (folder / "results.json").read_bytes()
    own = {p: p.stat().st_mtime_ns for p in folder.rglob("cells/0/0/*.arrow")}
    assert own
    run_study(data, ASKED, folder, if_exists="resume")
    asked = (folder / "results.json").read_bytes()
    run_study(data, ASKED, tmp_path / "whole", n_jobs=2)
    assert (tmp_path / "whole" / "results.json").read_bytes() == asked
    assert {p: p.stat().st_mtime_ns for p in own} == own
    run_study(data, PLAN, folder, if_exists="resume")
    assert (folder / "results.json").read_bytes() == plain


def test_terminal_and_page_say_what_it_is(tmp_path):
    from tamis.report import write_report

    found = run_study(make_data(), ASKED, tmp_path / "s")
    assert open_study(tmp_path / "s").summary() == found.summary()
    line = next(one for one in found.summary().splitlines() if ".632+" in one)
    assert "no interval" in line
    assert "6 bootstrap samples" in line
    assert ".632+ estimate" in write_report(found.to_dict(), tmp_path / "s").read_text()
    assert "bootstrap .632+" in found.to_dict()["methods_text"]
    assert any(c["key"] == "efron1997" for c in found.to_dict()["citations"])


def test_references_have_no_part_in_it_and_declined_samples_are_judged_by_a_best_guess():
    plan = {
        **ASKED,
        "reject": {"name": "coverage", "at": 0.7},
        "method": [*PLAN["method"], {"name": "every", "select": "all", "reference": True}],
    }
    told, found = entry(make_data(), plan)
    assert {c.method for c in found.bootstrap} == {PLAN["method"][0]["select"]}
    assert any((c.predicted < 0).any() for c in found.bootstrap)
    assert told["metrics"]["bcr"]["estimate"] is not None


@pytest.mark.quick
def test_groups_batches_categories_and_gaps_go_through():
    mixed = made_up_table("mixed")
    told, found = entry(mixed, {**ASKED, "prepare": ["impute_median"]})
    assert told["metrics"]["bcr"]["left_out"] is not None
    pairs = np.array([f"p{k}" for k in np.arange(48) // 4])
    _, found = entry(replace(mixed, groups=pairs), ASKED)
    for c in found.bootstrap:
        assert not set(pairs[c.test]) & set(pairs[np.setdiff1d(np.arange(48), c.test)])


def test_tables_that_are_no_matrix_are_refused_before_anything_runs(tmp_path):
    from common.compressed import Compressed

    data = make_data()
    data = replace(data, X=Compressed.of((data.X > 0).astype(float)))
    with pytest.raises(PlanError, match=r"^\[bootstrap\] needs a table of some of the rows"):
        run_study(data, ASKED, tmp_path / "s")
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("said", "told"),
    [({"repeats": 0}, "bootstrap.repeats = 0"), ({"draws": 5}, "unknown key 'bootstrap.draws'")],
)
def test_what_a_plan_may_not_say(said, told):
    with pytest.raises(PlanError, match=told):
        Plan.resolve({**PLAN, "bootstrap": said})


@pytest.mark.slow
def test_in_noise_it_is_at_chance():
    """The full procedure, selection and tuning too; more studies: benchmarks/bootstrap_632.py."""
    light = {**ASKED, "bootstrap": {"repeats": 20}, "final": False, "outer": {"folds": 2}}
    found = [
        entry(noise_table(seed), {**light, "seed": seed})[0]["metrics"]["bcr"] for seed in range(30)
    ]
    values = np.array([[one["estimate"], one["apparent"]] for one in found])
    assert abs(values[:, 0].mean() - 0.5) < 0.02
    assert values[:, 1].mean() > 0.6  # what learning from the rows that judge would have said
