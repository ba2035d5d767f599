"""What a procedure costs beside the best constant prediction: told, and warned of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.studies import QUICK, make_data
from tamis.report._headline import headline_view
from tamis.study import run_study
from tamis.study.results.cost_saving import (
    constant_cautions,
    cost_digits,
    mean_cost,
    saving_cautions,
)
from tamis.study.results.first_screen import against_chance, how_well
from tamis.study.results.result import StudyResult
from tamis.study.results.tables import _methods_table

NAME = "benign"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saving") / "s"
    return run_study(make_data(n=40, p=10, shift=2.0, classes=(NAME, "malignant")), QUICK, folder)


def told(found, mean, low, high, constant=1.5, **more):
    """The result as it would be with costs."""
    costs = {
        "matrix": [[0.0, 10.0], [1.0, 0.0]],
        "columns": [],
        "origin": "plan",
        "threshold": 1 / 11,
        "constant": {"predicted": NAME, "loss": constant},
    }
    content = found.to_dict()
    loss = {"mean": mean, "low": low, "high": high, **more}
    return {**content, "costs": costs, "metrics": {**content["metrics"], "loss": loss}}


def test_without_costs_nothing_is_said(found):
    assert mean_cost(found.to_dict()) == ""
    assert list(saving_cautions(found.to_dict())) == []
    assert "costs" not in found.summary()


def test_the_terminal_says_it_in_one_line(found):
    summary = StudyResult(told(found, 0.4, 0.2, 0.7), Path("s")).summary()
    line = next(line for line in summary.splitlines() if line.startswith("  costs"))
    assert (
        line == "  costs     mean cost 0.40 (0.20 to 0.70); calling all samples benign costs 1.50"
    )


def test_costs_far_below_one_are_told_with_their_digits(found):
    small = told(found, 0.0004, 0.0002, 0.0007, 0.0005)
    small["plan"] = {**small["plan"], "metric": "loss"}
    assert "mean cost 0.000400 (0.000200 to 0.000700)" in mean_cost(small)
    assert headline_view(small)["card"]["value"] == "0.000400"
    for line in (how_well(small), against_chance(small)):  # the mean cost is told once
        assert "loss" not in line


@pytest.mark.parametrize(
    ("mean", "low", "high", "words"),
    [
        (0.4, 0.2, 0.7, None),
        (0.4, None, None, None),
        (None, None, None, None),
        (1.5, 0.9, 2.0, "costs 1.50 a sample, no less than calling all samples benign (1.50)"),
        (1.5, None, None, "no less than"),
        (0.9, 0.4, 1.5, "(0.40 to 1.50) reaches that of calling all samples benign (1.50)"),
    ],
)
def test_no_saving_is_warned_of(found, mean, low, high, words):
    cautions = dict(saving_cautions(told(found, mean, low, high)))
    assert list(cautions) == ([] if words is None else ["no-saving"])
    assert words is None or words in cautions["no-saving"]


def test_where_samples_were_declined_the_cost_is_of_the_others(found):
    content = told(found, 1.6, 1.0, 2.0)
    content["headline"] = {**content["headline"], "coverage": {"mean": 0.5, "by_class": {}}}
    assert "1.60 a sample of those it gave a class" in dict(saving_cautions(content))["no-saving"]


def test_where_samples_were_declined_a_constant_answer_is_judged_on_the_same_samples(found):
    """Declining nearly all of the dear class makes any answer cheap."""
    content = told(found, 0.02, 0.0, 0.4, constant=1.5)
    content["headline"] = {**content["headline"], "coverage": {"mean": 0.7, "by_class": {}}}
    content["costs"]["constant_given"] = {"predicted": NAME, "loss": 0.02}
    assert mean_cost(content) == (
        "mean cost of those given a class 0.02 (0.00 to 0.40); calling all of them benign costs "
        "0.02"
    )
    assert dict(saving_cautions(content))["no-saving"].startswith(
        "the procedure costs 0.02 a sample of those it gave a class, no less than calling all of "
        "them benign (0.02):"
    )


@pytest.mark.parametrize(
    ("constant", "digits"), [(0.0, 2), (0.0123, 4), (1.5, 2), (48.0, 1), (25_000, 0), (-3.0, 2)]
)
def test_costs_have_three_digits_of_the_constant_one(found, constant, digits):
    assert cost_digits(told(found, 0.4, 0.2, 0.7, constant)["costs"]) == digits


def test_the_table_of_methods_has_the_cost_of_each_class(found):
    content = told(found, 0.4, 0.2, 0.7)
    by_class = {NAME: 0.25, "malignant": None}
    content["headline"] = {**content["headline"], "cost_by_class": by_class}
    header, head, *_ = [row.split("\t") for row in _methods_table(content).splitlines()]
    assert header[-2:] == ["cost of benign", "cost of malignant"]
    assert head[-2:] == ["0.25", ""]
    assert "cost of" not in _methods_table(found.to_dict())


@pytest.mark.parametrize(
    ("metric", "mean", "low", "high", "level", "words"),
    [
        ("accuracy", 0.72, 0.6, 0.8, 0.75, "has an accuracy of 0.75; the procedure's 0.72 (0.60 "),
        ("accuracy", 0.80, 0.7, 0.9, 0.75, "calling all samples benign has an accuracy of 0.75; "),
        ("accuracy", 0.90, 0.8, 1.0, 0.75, None),
        (
            "accuracy",
            0.72,
            None,
            None,
            0.75,
            "the procedure's 0.72 (no interval) is not shown to be better.",
        ),
        ("accuracy", 0.72, 0.6, 0.8, None, None),
        ("accuracy", None, None, None, 0.75, None),
        ("f", 0.4, 0.3, 0.5, 0.4, "calling all samples malignant has an F-measure of 0.40"),
        ("loss", 0.2, 0.1, 0.3, 0.25, "calling all samples benign has an expected loss of 0.25"),
        ("loss", 0.1, 0.05, 0.2, 0.25, None),
        ("bcr", 0.4, 0.3, 0.5, 0.5, None),
    ],
)
def test_a_constant_answer_as_good_is_warned_of(found, metric, mean, low, high, level, words):
    content = dict(found.to_dict())
    content["plan"] = {**content["plan"], "metric": metric}
    content["metrics"] = {metric: {"mean": mean, "low": low, "high": high}}
    content["chance"] = {metric: {"theory": level, "permuted": None}}
    cautions = dict(constant_cautions(content))
    assert list(cautions) == ([] if words is None else ["constant-as-good"])
    assert words is None or words in cautions["constant-as-good"]


@pytest.mark.parametrize(("shift", "says"), [(1.5, True), (0.0, False)])
def test_a_constant_answer_is_told_of_once(tmp_path, shift, says):
    """Not where nothing is above chance, which says it."""
    data = make_data(seed=1, n=60, p=10, informative=0)
    y = np.array(["a"] * 48 + ["b"] * 12)
    X = data.X.copy()
    X[48:, :3] += shift
    data = replace(data, X=X, y=y)
    plan = {
        **QUICK,
        "metric": "accuracy",
        "decide": "balanced",
        "permutations": 0,
        "final": False,
        "method": [{"select": "pearson", "sizes": [3]}],
    }
    codes = {w["code"] for w in run_study(data, plan, tmp_path / "s").to_dict()["warnings"]}
    assert ("constant-as-good" in codes) == says
    assert says != bool(codes & {"not-above-chance", "labels-at-chance"})
