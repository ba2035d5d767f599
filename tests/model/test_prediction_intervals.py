"""Prediction intervals by CV+: order statistics, edges, and models that keep them."""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from common.studies import number_data
from tamis._core.errors import ModelError, PlanError
from tamis.cli.main import main
from tamis.model.file import load_model, save_model
from tamis.model.prediction_intervals import interval_ends, needed_units
from tamis.study import Plan, run_study
from tamis.study.plan.toml import plan_toml

PLAN = {
    "method": [{"select": "correlation", "sizes": [2, 5], "classify": "ridge"}],
    "outer": {"folds": 4},
    "inner": {"folds": 3, "repeats": 1},
    "permutations": 0,
}
KEPT = {**PLAN, "prediction_intervals": True}


def plain_ends(predicted, fold, residuals, unit, level):
    """By the definition, in exact fractions, one new sample at a time."""
    level = Fraction(level)
    groups = len(set(unit))
    size = {g: list(unit).count(g) for g in unit}
    ends = []
    for at in range(predicted.shape[1]):
        own = []
        for sign in (-1, 1):
            values = sorted(
                (sign * (predicted[k, at] + sign * r), Fraction(1, (groups + 1) * size[g]))
                for k, r, g in zip(fold, residuals, unit, strict=True)
            )
            total, end = Fraction(0), math.inf
            for value, weight in values:
                total += weight
                if total >= level:
                    end = value
                    break
            own.append(sign * end)
        ends.append(own)
    return np.array(ends).T


def order_statistics(predicted, fold, residuals, level):
    """Barber et al. (2021), equation 6."""
    n, alpha = len(fold), 1 - Fraction(level)
    below, above = math.floor(alpha * (n + 1)), math.ceil((1 - alpha) * (n + 1))
    low = np.sort(predicted[fold] - residuals[:, None], axis=0)
    high = np.sort(predicted[fold] + residuals[:, None], axis=0)
    m = predicted.shape[1]
    return (
        low[below - 1] if below >= 1 else np.full(m, -np.inf),
        high[above - 1] if above <= n else np.full(m, np.inf),
    )


@pytest.mark.parametrize("level", ["0.5", "0.8", "0.9", "0.95", "0.99"])
@pytest.mark.parametrize("n", [8, 9, 10, 18, 19, 20, 39, 99])
def test_ends_are_the_order_statistics_of_the_paper(n, level):
    rng = np.random.default_rng(n)
    fold = rng.permutation(np.arange(n) % 4)
    residuals = np.round(np.abs(rng.normal(size=n)), 1)  # tied
    predicted = np.round(rng.normal(size=(4, 3)), 1)
    found = interval_ends(predicted, fold, residuals, np.arange(n), float(level))
    np.testing.assert_array_equal(found, order_statistics(predicted, fold, residuals, level))
    infinite = math.floor((1 - Fraction(level)) * (n + 1)) < 1
    assert np.isinf(found).all() == infinite == (n < needed_units(float(level)))


@pytest.mark.parametrize("level", ["0.5", "0.75", "0.9"])
def test_groups_count_as_units(level):
    rng = np.random.default_rng(1)
    for groups in (3, 8, 9, 12):
        unit = np.concatenate([np.arange(groups), rng.integers(groups, size=3 * groups)])
        fold, residuals = unit % 3, np.round(np.abs(rng.normal(size=len(unit))), 1)
        predicted = rng.normal(size=(3, 4))
        found = interval_ends(predicted, fold, residuals, unit, float(level))
        np.testing.assert_array_equal(found, plain_ends(predicted, fold, residuals, unit, level))
        assert np.isinf(found).all() == (groups < needed_units(float(level)))


def test_samples_alone_are_groups_of_one():
    rng = np.random.default_rng(2)
    fold, residuals = np.arange(30) % 5, np.abs(rng.normal(size=30))
    predicted = rng.normal(size=(5, 6))
    found = interval_ends(predicted, fold, residuals, np.arange(30), 0.9)
    expected = plain_ends(predicted, fold, residuals, np.arange(30), "0.9")
    np.testing.assert_array_equal(found, expected)


def test_many_samples_are_as_each_alone(monkeypatch):
    rng = np.random.default_rng(3)
    fold, residuals, unit = np.arange(24) % 4, rng.random(24), np.arange(24) // 2
    predicted = rng.normal(size=(4, 9))
    together = interval_ends(predicted, fold, residuals, unit, 0.8)
    monkeypatch.setattr("tamis.model.prediction_intervals.MAX_SORTED", 48)
    np.testing.assert_array_equal(interval_ends(predicted, fold, residuals, unit, 0.8), together)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return run_study(number_data(), KEPT, tmp_path_factory.mktemp("kept") / "study")


def test_models_are_those_of_the_folds(kept):
    data, own = number_data(), kept.model.cv_plus
    lines = (kept.folder / "tables/predictions.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines[1:] if line.startswith("headline\t")]
    place = {name: i for i, name in enumerate(data.sample_names)}
    assert sorted(place[row[3]] for row in rows) == list(range(40))
    predicted = np.array([one.predict(data) for one in own.models])
    for _, _, fold, sample, true, held_out, *_ in rows:
        i = place[sample]
        assert own.fold[i] == int(fold)
        assert predicted[int(fold), i] == pytest.approx(float(held_out), abs=1e-10)
        assert own.residuals[i] == pytest.approx(abs(float(true) - float(held_out)))
    assert kept.content["final"]["intervals"] == {"models": 4, "units": 40, "grouped": False}


def test_nothing_else_of_the_study_changes(kept, tmp_path):
    plain = run_study(number_data(), PLAN, tmp_path / "plain")
    content, other = deepcopy(kept.content), dict(plain.content)
    assert content["plan"].pop("prediction_intervals") is True
    assert "prediction_intervals" not in other["plan"]
    del content["final"]["intervals"]
    assert "by CV+ of the models of the outer folds" in content.pop("methods_text")
    assert "CV+" not in other.pop("methods_text")
    keys, others = ([one["key"] for one in c.pop("citations")] for c in (content, other))
    assert [key for key in keys if key != "barber2021"] == others
    assert content == other
    save_model(replace(kept.model, cv_plus=None), tmp_path / "without.npz")
    assert (tmp_path / "without.npz").read_bytes() == (plain.folder / "model.npz").read_bytes()


def test_added_to_a_finished_study_without_a_fit(kept, tmp_path):
    run_study(number_data(), PLAN, tmp_path / "s")
    cells = {p: p.stat().st_mtime_ns for p in (tmp_path / "s/cells").rglob("*.arrow")}
    run_study(number_data(), KEPT, tmp_path / "s", if_exists="resume", n_jobs=2)
    assert cells == {p: p.stat().st_mtime_ns for p in (tmp_path / "s/cells").rglob("*.arrow")}
    assert (tmp_path / "s/model.npz").read_bytes() == (kept.folder / "model.npz").read_bytes()


def test_read_and_saved_again_it_is_the_same(kept, tmp_path):
    model = load_model(kept.folder / "model.npz")
    save_model(model, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (kept.folder / "model.npz").read_bytes()
    cohort = number_data(seed=1)
    assert model.intervals(cohort).tolist() == kept.model.intervals(cohort).tolist()
    low, high = model.intervals(cohort, 0.9).T
    wider = model.intervals(cohort, 0.95)
    assert (wider[:, 0] <= low).all()
    assert (wider[:, 1] >= high).all()
    assert np.isinf(model.intervals(cohort, 0.99)).all()
    assert 0.7 < np.mean((low < cohort.numbers) & (cohort.numbers < high)) <= 1


def test_a_cohort_says_how_many_lie_inside(kept):
    cohort = number_data(seed=1)
    low, high = kept.model.intervals(cohort).T
    inside = (low <= cohort.numbers) & (cohort.numbers <= high)
    found = kept.model.evaluate(cohort)["intervals"]
    assert found["level"] == 0.95
    assert found["inside"] == inside.sum()
    assert found["width"] == pytest.approx(np.median(high - low))


def test_of_logarithms_the_ends_are_exponentials(tmp_path):
    data = number_data()
    logs = run_study(replace(data, log_target=True), KEPT, tmp_path / "logs").model
    plain = run_study(data, KEPT, tmp_path / "plain").model
    cohort = number_data(seed=1)
    np.testing.assert_allclose(logs.intervals(cohort), np.exp(plain.intervals(cohort)), rtol=1e-12)
    ends = logs.intervals(cohort, 0.99)
    assert (ends[:, 0] == 0).all()
    assert np.isinf(ends[:, 1]).all()


@pytest.mark.longer
def test_groups_covariates_and_gaps(tmp_path):
    data = number_data(n=60, groups=np.repeat(np.arange(30), 2).astype(str))
    X = np.column_stack([data.X, np.arange(60) % 3])
    X[::7, 3] = np.nan
    data = replace(
        data,
        X=X,
        feature_names=(*data.feature_names, "site"),
        levels={30: ("a", "b", "c")},
        covariates=(30,),
    )
    plan = {**KEPT, "method": [{**PLAN["method"][0], "prepare": ["standardize"]}]}
    model = run_study(data, plan, tmp_path / "s").model
    own = load_model(tmp_path / "s/model.npz").cv_plus
    assert own.grouped
    assert own.n_units == 30
    assert [len(np.unique(own.fold[own.unit == g])) for g in range(30)] == [1] * 30
    predicted = np.array([one.predict(data) for one in own.models])
    residuals = np.abs(data.numbers - predicted[own.fold, np.arange(60)])
    np.testing.assert_allclose(own.residuals, residuals, atol=1e-10)
    assert np.isfinite(model.intervals(data)).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"response": "class"}, "prediction_intervals are of a number"),
        ({"response": "number", "final": False}, "leave out final = false"),
        ({"response": "number", "outer": {"kind": "holdout"}}, "use folds, not a holdout"),
    ],
    ids=str,
)
def test_plans_that_cannot_have_them(change, words):
    with pytest.raises(PlanError, match=words):
        Plan.resolve({"prediction_intervals": True, **change})


def test_folds_that_leave_samples_out_are_refused(tmp_path):
    data = number_data(split=np.repeat(["train", "test"], [30, 10]))
    with pytest.raises(PlanError, match="every sample held out once, and 30 never are"):
        run_study(data, {**KEPT, "outer": {"kind": "predefined"}}, tmp_path / "s")


@pytest.mark.parametrize("level", [0.4, 1.0, math.nan])
def test_levels_that_are_none(kept, level):
    with pytest.raises(ModelError, match="has to be at least"):
        kept.model.intervals(number_data(), level)


def run(*arguments):
    return CliRunner().invoke(main, [str(one) for one in arguments])


def written(data, path):
    frame = pd.DataFrame(data.X, data.sample_names, data.feature_names)
    frame.assign(bmi=data.numbers).to_csv(path, index_label="id")
    return path


def test_the_command_prints_both_ends(kept, tmp_path):
    cohort = number_data(n=12, seed=1)
    table = written(cohort, tmp_path / "new.csv")
    found = run("predict", kept.folder / "model.npz", table, "--id", "id", "--level", "0.9")
    assert found.exit_code == 0, found.output
    lines = [line.split("\t") for line in found.stdout.splitlines()]
    assert lines[0] == ["sample", "predicted", "low", "high"]
    ends = kept.model.intervals(cohort, 0.9)
    assert [[float(v) for v in line[2:]] for line in lines[1:]] == ends.tolist()
    assert "about 0.8 is guaranteed" in found.stderr
    frame = kept.model.predict_frame(table, id="id")
    assert list(frame.columns) == ["predicted", "low", "high"]
    found = run("predict", kept.folder / "model.npz", table, "--id", "id", "--level", "0.99")
    assert "intervals of 0.99 need 99 samples in training" in found.stderr
    found = run("evaluate", kept.folder / "model.npz", table, "--id", "id", "--target", "bmi")
    assert "95 % prediction intervals" in found.stdout


def test_columns_that_only_intervals_need_may_be_missing(kept, tmp_path):
    model, data = kept.model, number_data()
    beside = set(model.cv_plus.columns) - set(model.columns)
    assert beside
    frame = pd.DataFrame(data.X, data.sample_names, data.feature_names).drop(columns=[*beside])
    assert list(model.predict_frame(frame).columns) == ["predicted"]
    with pytest.raises(ModelError, match="that the models behind the intervals need"):
        model.intervals(frame)
    frame.to_csv(tmp_path / "few.csv", index_label="id")
    found = run("predict", kept.folder / "model.npz", tmp_path / "few.csv", "--id", "id")
    assert found.exit_code == 0
    assert "no prediction intervals: the table lacks" in found.stderr
    found = run("evaluate", kept.folder / "model.npz", written(data, tmp_path / "all.csv"),
                "--id", "id", "--target", "bmi")  # fmt: skip
    assert found.exit_code == 0


def test_a_model_without_them_refuses_in_one_line(tmp_path):
    run_study(number_data(), PLAN, tmp_path / "s")
    table = written(number_data(n=12, seed=1), tmp_path / "new.csv")
    found = run("predict", tmp_path / "s/model.npz", table, "--id", "id", "--level", "0.9")
    assert found.exit_code == 1
    words = "the model has no prediction intervals: run its study with"
    assert str(found.exception).startswith(words)
    assert "\n" not in str(found.exception)
    with pytest.raises(ModelError, match="no prediction intervals"):
        load_model(tmp_path / "s/model.npz").intervals(table, id="id")


def test_damaged_parts_are_refused(kept, tmp_path):
    own = kept.model.cv_plus
    for damaged in (
        replace(own, residuals=-own.residuals),
        replace(own, fold=own.fold + 1),
        replace(own, unit=own.unit * 2),
        replace(own, models=own.models[:1]),
        replace(own, fold=own.fold[:-1]),
    ):
        save_model(replace(kept.model, cv_plus=damaged), tmp_path / "bad.npz")
        with pytest.raises(ModelError):
            load_model(tmp_path / "bad.npz")


@pytest.mark.longer
def test_the_command_of_a_study_keeps_them(tmp_path):
    table, plan, out = (
        written(number_data(), tmp_path / "t.csv"),
        tmp_path / "p.toml",
        tmp_path / "o",
    )
    plan.write_text(plan_toml(PLAN), encoding="utf-8")
    found = run("study", table, "--id", "id", "--target", "bmi", "--regression", "--intervals",
                "--plan", plan, "--out", out)  # fmt: skip
    assert found.exit_code == 0, found.output
    assert "prediction intervals: 4 models fitted in" in found.stderr
    assert load_model(out / "model.npz").intervals(table, id="id", drop="bmi").shape == (40, 2)
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "by CV+ of 4 models and 40 samples" in page
    assert "about 90\u00a0% is guaranteed" in page
    assert "Predictive inference with the jackknife+" in page
