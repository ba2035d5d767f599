"""Robust feature selection inside a study: what the results say of the ranking of all rows."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from common.studies import QUICK, make_data, run_in_memory
from tamis._core.errors import PlanError
from tamis._core.interfaces import Part
from tamis._core.registry import find_row
from tamis._core.rows import RankerRow
from tamis._core.streams import stream
from tamis.selection import RobustFeatureSelector, StabilitySelector
from tamis.selection._stability_ranking import KIND, MAX_PATH_STEPS, MAX_SHOWN_PATHS
from tamis.study import run_study
from tamis.study.plan import MethodPlan
from tamis.study.protocol.candidates import ranker_key
from tamis.study.protocol.nested_cv import FINAL_FOLD

PARAMETERS = {"n_pairs": 10, "n_lambdas": 12}
RFS = {"select": "rfs", "sizes": [1, 2, 5], "parameters": PARAMETERS}
PEARSON = {"select": "pearson", "sizes": [2]}
PLAN = {**QUICK, "method": [RFS, PEARSON, {**RFS, "name": "again", "sizes": [3]}]}


def content(folder):
    """Every file of a study but the journal."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "journal.jsonl"
    }


def ranking_of(data, **parameters):
    """The ranking of all rows that a study with seed 0 makes."""
    method = MethodPlan.model_validate({**RFS, "parameters": parameters})
    seed = stream(0, "rank", ranker_key(method), 0, 0, FINAL_FOLD, 0)
    return RobustFeatureSelector(**parameters).rank(Part.of(data.X, data.codes), [5], seed)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    data = make_data(seed=31, n=40, p=60)
    folder = tmp_path_factory.mktemp("study") / "s"
    return data, run_study(data, PLAN, folder).to_dict(), folder


def test_the_entry_is_the_ranking_of_all_rows(study):
    data, result, _ = study
    ranking = ranking_of(data, **PARAMETERS)
    found, plain, again = (m.get("evidence", {}).get(KIND) for m in result["methods"])
    assert plain is None
    assert again == found  # the same ranking, cut elsewhere
    control = ranking.control
    assert (found["q"], found["threshold"]) == (control.q, control.threshold)
    assert (found["pfer"], found["bound"]) == (control.pfer, "unimodal")
    assert (found["n_pairs"], found["n_columns"]) == (10, 60)
    assert found["lambdas"] == ranking.lambdas.tolist()
    assert found["sizes"] is None
    assert found["n_stable"] == ranking.chosen >= 1
    assert found["inconclusive"] == (found["n_stable"] <= np.ceil(control.pfer))
    assert found["n_selected"] == len(ranking.features)
    order = np.argsort(-ranking.scores, kind="stable")[
        : min(MAX_SHOWN_PATHS, len(ranking.features))
    ]
    assert [f["name"] for f in found["features"]] == [data.feature_names[j] for j in order]
    for j, feature in zip(order, found["features"], strict=True):
        at = int(np.searchsorted(ranking.features, j))
        assert feature["probability"] == ranking.probabilities[j] == max(feature["path"])
        assert feature["path"] == ranking.probability_path[:, at].tolist()


def test_every_feature_has_its_probability_in_the_page_and_the_table(study):
    import pandas as pd

    data, result, folder = study
    ranking = ranking_of(data, **PARAMETERS)
    by_name = dict(zip(data.feature_names, ranking.probabilities, strict=True))
    for feature in result["features"]:
        value = by_name[feature["name"]]
        assert feature["numbers"] == {"selection probability": {"rfs": value, "again": value}}
    table = pd.read_csv(folder / "tables" / "features.tsv", sep="\t", index_col=0)
    column = table["selection probability (rfs)"]
    assert {name: float(v) for name, v in column.items()} == by_name


def test_rfs_chooses_its_size_by_the_three_measures_and_says_so(study):
    _, result, _ = study
    assert result["plan"]["method"][0]["tune"] == "bcm_ccem_auprc"
    assert result["plan"]["method"][0]["classify"] == ["lda"]
    assert "size by the mean of AUPRC, BCM and CCEM" in result["methods_text"]
    assert "n_pairs 10" in result["methods_text"]
    keys = [c["key"] for c in result["citations"]]
    assert {"wang2008", "meinshausen2010", "shah2013"} <= set(keys)
    assert find_row("rfs", RankerRow).plan_defaults.sizes == tuple(range(1, 21))


def test_methods_of_one_kind_can_be_told_apart(study):
    _, result, _ = study
    labels = [m["label"] for m in result["methods"]]
    assert labels == ["rfs then lda", "pearson then logistic", "again: rfs then lda"]


def test_without_a_final_model_there_is_none(tmp_path):
    result = run_study(make_data(seed=31), {**PLAN, "final": False}, tmp_path / "s").to_dict()
    assert all("evidence" not in m for m in result["methods"])
    assert all("numbers" not in f for f in result["features"])


def test_two_workers_and_a_resumed_study_give_the_same_bytes(study, tmp_path):
    data, _, folder = study
    run_study(data, PLAN, tmp_path / "two", n_jobs=2)
    assert content(tmp_path / "two") == content(folder)
    lost = list((tmp_path / "two" / "cells" / "0" / "0").glob("*-rfs*.arrow"))
    assert lost
    for path in lost:
        path.unlink()
    (tmp_path / "two" / "results.json").unlink()
    run_study(data, PLAN, tmp_path / "two", if_exists="resume")
    assert content(tmp_path / "two") == content(folder)


def test_a_control_that_cannot_be_met_is_told_before_anything_runs(tmp_path):
    data = make_data(seed=1, p=4)
    method = {**RFS, "parameters": {"q": 3, "pfer": 0.001}}
    with pytest.raises(PlanError, match="no threshold reaches this with n_features=4"):
        run_study(data, {**QUICK, "method": [method]}, tmp_path / "s")
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("bound", ["meinshausen_buhlmann", "unimodal", "r_concave"])
def test_tables_of_one_to_three_features(tmp_path, bound):
    """One feature leaves nothing to select; among two or three there is a q and a bound."""
    method = {**RFS, "parameters": {"n_pairs": 5, "n_lambdas": 5, "threshold": 0.9, "bound": bound}}
    plan = {**QUICK, "permutations": 0, "method": [method]}
    with pytest.raises(PlanError, match="n_features=1: every half selects the only feature"):
        run_study(make_data(p=1, informative=1), plan, tmp_path / "s")
    assert not (tmp_path / "s").exists()
    for p in (2, 3):
        result = run_study(make_data(p=p, informative=1), plan, tmp_path / str(p))
        found = result.to_dict()["methods"][0]["evidence"][KIND]
        assert found["pfer"] <= 1
        assert result.features[0] == "g0"


@pytest.mark.parametrize(("inner", "few"), [(2, True), (3, False)])
def test_a_class_too_small_for_halves_is_told_before_anything_runs(tmp_path, inner, few):
    """6 samples of b: 3 in an outer training set, of which 2 inner folds leave 1 or 2."""
    given = make_data(seed=6, n=30, p=8, informative=2)
    rows = np.concatenate([np.flatnonzero(given.codes == 0), np.flatnonzero(given.codes == 1)[:6]])
    data = replace(given, X=given.X[rows], y=given.y[rows])
    plan = {
        **QUICK,
        "outer": {"folds": 2},
        "inner": {"folds": inner, "repeats": 1},
        "method": [RFS],
    }
    if few:
        with pytest.raises(PlanError, match="fewer than 2 samples of class 'b', and a method"):
            run_study(data, plan, tmp_path / "s")
        assert not (tmp_path / "s").exists()
        plan["method"] = [PEARSON]  # which halves nothing
    *_, found = run_in_memory(data, plan)
    assert len(found.headline) == 2


def test_one_other_parameter_is_another_ranking():
    plans = [
        MethodPlan.model_validate({**RFS, "parameters": {**PARAMETERS, **more}})
        for more in ({}, {"lambda2": 0.5}, {"stratified": False})
    ]
    assert len({ranker_key(p) for p in plans}) == 3


@pytest.mark.parametrize("select", ["hhsvm", "rfs"])
def test_several_classes_categories_and_gaps(select):
    rng = np.random.default_rng(3)
    made = make_data(seed=3, n=48, p=12, informative=2, classes=("a", "b", "c"))
    X = made.X.copy()
    X[:, 5] = np.where(rng.random(48) < 0.9, made.codes, rng.integers(0, 3, 48))
    X[4, 5] = X[7, 0] = np.nan
    data = replace(made, X=X, levels={5: ("l", "m", "n")})
    method = {**RFS, "select": select, "parameters": {"n_lambdas": 12}}
    *_, found = run_in_memory(data, {**QUICK, "permutations": 0, "method": [method]})
    for choice in found.methods[select]:
        assert len(set(choice.features)) == len(choice.features) <= 5
        assert np.isfinite(choice.proba).all()
    chosen = np.concatenate([c.features for c in found.methods[select]])
    assert {0, 5} <= set(chosen[np.isin(chosen, [0, 1, 5])])


def test_a_feature_of_several_columns_counts_by_its_best():
    data = make_data(seed=4, n=40, p=6, informative=2)
    ranking = ranking_of(data, n_pairs=6, n_lambdas=8, q=3, threshold=0.8)
    owner = np.array([0, 0, 1, 1, 2, 3])
    (found,) = ranking.evidence(owner, "wxyz")
    values = [found.numbers.get(j, 0.0) for j in range(4)]
    best = [ranking.probabilities[owner == j].max() for j in range(4)]
    np.testing.assert_array_equal(values, best)
    shown = {f["name"]: f["probability"] for f in found.content["features"]}
    assert len(shown) == len(found.content["features"])
    assert shown == {"wxyz"[j]: p for j, p in found.numbers.items()}
    assert found.content["n_stable"] == sum(v >= ranking.control.threshold for v in best)


def test_what_is_kept_is_bounded():
    """A long path of many features: 30 of them, at most 100 steps with both ends."""
    rng = np.random.default_rng(5)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 400))
    ranker = StabilitySelector(q=250, threshold=1.0, bound="meinshausen_buhlmann", n_pairs=4)
    ranking = ranker.rank(Part.of(X, y), [5], np.random.SeedSequence(0))
    (evidence,) = ranking.evidence(np.arange(400), [f"g{j}" for j in range(400)])
    found = evidence.content
    assert found["lambdas"] is None
    assert found["sizes"][0] == 1
    assert found["sizes"][-1] == 250
    assert len(found["sizes"]) == MAX_PATH_STEPS
    assert len(found["features"]) == MAX_SHOWN_PATHS
    first = found["features"][0]
    at = int(np.searchsorted(ranking.features, int(first["name"][1:])))
    steps = np.array(found["sizes"]) - 1
    assert first["path"] == ranking.probability_path[steps, at].tolist()
    assert first["path"][-1] == first["probability"]
    assert len(evidence.numbers) == len(ranking.features) == found["n_selected"]
    assert json.loads(json.dumps(found)) == found


def test_no_other_ranking_has_one():
    from tamis.selection import FilterSelector

    data = make_data()
    ranking = FilterSelector("pearson").rank(
        Part.of(data.X, data.codes), [2], np.random.SeedSequence(0)
    )
    assert list(ranking.evidence(np.arange(60), data.feature_names)) == []
