"""What descent alone predicts stands beside every study of genotypes."""

from __future__ import annotations

import pytest

from tamis.genome import genotype_dataset, open_genotypes, simulate_cohort
from tamis.study import run_study
from tamis.study.prepare import prepare_study
from tamis.study.results.structure_alone import structure_cautions

METHOD = {"select": "mtd", "sizes": [2, 5], "classify": ["naive_bayes"]}
PLAN = {
    "permutations": 0,
    "outer": {"folds": 4},
    "inner": {"folds": 2, "repeats": 1},
    "metric": "auc",
    "final": False,
    "describe": False,
}


def cohort(tmp_path, n_cases, n_controls, n_variants=1500, **named):
    simulate_cohort(tmp_path / "made", n_cases, n_controls, n_variants, **named)
    return genotype_dataset(open_genotypes(tmp_path / "made.bed"))


def told_plan(data, *methods):
    return prepare_study(data, {**PLAN, "method": list(methods or [METHOD])})[0]


def names(data, *methods):
    return [(m.name, m.reference) for m in told_plan(data, *methods).method]


def test_it_is_a_reference_that_is_never_chosen(tmp_path):
    data = cohort(tmp_path, 30, 30)
    assert names(data, METHOD) == [("mtd+naive_bayes", False), ("descent alone", True)]
    own = {"name": "mine", "select": "all", "prepare": ["genotype_components"], "classify": ["knn"]}
    assert names(data, METHOD, own) == [("mtd+naive_bayes", False), ("mine", False)]
    few = cohort(tmp_path, 30, 30, 300)  # variants too few to tell
    assert names(few, METHOD) == [("mtd+naive_bayes", False)]


def test_where_cases_are_of_another_population_it_is_said(tmp_path):
    data = cohort(tmp_path, [38, 2], [2, 38], divergence=0.03)
    told = run_study(data, {**PLAN, "method": [METHOD]}, tmp_path / "study")
    content = told.to_dict()
    alone = next(m for m in content["methods"] if m["name"] == "descent alone")
    assert alone["metrics"]["auc"]["mean"] > 0.85
    assert content["headline"]["winners"] == {"mtd+naive_bayes": 4}
    (text,) = [w["text"] for w in content["warnings"] if w["code"] == "structure-as-good"]
    assert text.startswith("descent alone predicts at least as well (AUC 0.")
    screen = told.summary()
    assert "; 0.9" in screen
    assert " by descent alone" in screen
    assert "structure-as-good" in screen
    small = {"loss": {"mean": 0.00023}}
    methods = [{**m, "metrics": small} for m in content["methods"]]
    costs = {"constant": {"loss": 0.003}}
    priced = {**content, "metrics": small, "methods": methods, "costs": costs}
    plan = told_plan(data).model_copy(update={"metric": "loss"})
    ((_, text),) = structure_cautions(plan, priced)
    assert "(expected loss 0.00023) as the features chosen (0.00023)" in text


def test_nothing_is_said_where_components_are_what_is_chosen(tmp_path):
    data = cohort(tmp_path, [38, 2], [2, 38], divergence=0.03)
    own = {"name": "own", "prepare": ["genotype_components"], "select": "all", "classify": ["lda"]}
    plan = {**PLAN, "method": [own, {**own, "name": "beside", "reference": True}]}
    content = run_study(data, plan, tmp_path / "study").to_dict()
    assert content["metrics"]["auc"]["mean"] == content["methods"][1]["metrics"]["auc"]["mean"]
    assert "structure-as-good" not in [w["code"] for w in content["warnings"]]


@pytest.mark.parametrize("odds", [1.0, 12.0])
def test_of_one_population_nothing_is_said(tmp_path, odds):
    """It is at chance, and neither noise nor variants with an effect are doubted."""
    data = cohort(tmp_path, 60, 60, singles=[(44, odds), (77, odds)], seed=2)
    content = run_study(data, {**PLAN, "method": [METHOD]}, tmp_path / "study").to_dict()
    alone = next(m for m in content["methods"] if m["name"] == "descent alone")
    assert abs(alone["metrics"]["auc"]["mean"] - 0.5) < 0.15
    assert "structure-as-good" not in [w["code"] for w in content["warnings"]]
    assert (content["metrics"]["auc"]["mean"] > 0.7) == (odds > 1)
