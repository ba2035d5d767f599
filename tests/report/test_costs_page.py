"""What errors cost, as the page says it: in words, in tables and in two charts."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from common.studies import QUICK, make_data
from common.typed import faults
from tamis.report._costs import operating_point
from tamis.report._render import render_study
from tamis.report._view import page_tables, study_page
from tamis.study import run_study
from tamis.study.results.schema import StudyContent


@pytest.fixture(scope="module")
def charged(made):
    return made.make_result(costs="matrix")


def downloaded(page, name):
    data = next(t["data"] for t in page_tables(page) if t["name"] == name)
    return [dict(zip(data["columns"], row, strict=True)) for row in data["rows"]]


def test_without_costs_nothing_is_said_of_them(made):
    page = study_page(made.make_result())
    html = render_study(page)
    assert page["costs"] is None
    assert 'id="costs"' not in html
    assert 'href="#costs"' not in html
    assert "Cost curve" not in html
    assert "Mean cost" not in html
    assert "Threshold view" in html  # which needs none


def test_the_matrix_is_told_in_words_and_as_a_table(charged):
    page = study_page(charged)["costs"]
    assert page["said"] == [
        "A sample of AML called ALL-B costs 10.",
        "A sample of ALL-B called AML costs 1.",
    ]
    assert page["matrix"] == [
        {"label": "ALL-B", "cells": ["0", "10"]},
        {"label": "AML", "cells": ["1", "0"]},
    ]
    assert page["origin"] == ""


def test_gains_and_costs_of_being_right_are_told(charged):
    given = {**charged["costs"], "matrix": [[-0.5, 25_000.0], [0.0, 3.0]]}
    said = study_page({**charged, "costs": given})["costs"]["said"]
    assert said == [
        "A sample of AML called ALL-B costs 25,000.",
        "A sample of ALL-B called AML costs nothing.",
        "A sample of ALL-B called so gains 0.5.",
        "A sample of AML called so costs 3.",
    ]


def test_the_saving_is_told(charged):
    found, constant = charged["metrics"]["loss"], charged["costs"]["constant"]
    told = " ".join(study_page(charged)["costs"]["sentences"]).replace("\u00a0", " ")
    assert f"costs {constant['loss']:.3f} a sample: calling all samples AML." in told
    ends = f"{found['low']:.3f} to {found['high']:.3f}"
    share = f"{100 * found['mean'] / constant['loss']:.0f} % of that"
    assert f"costs {found['mean']:.3f} a sample (95 % interval {ends}), {share}." in told
    assert f"AML is the cheaper prediction from p* = {1 / 11:.3g} on" in told


def test_every_method_has_its_cost_of_each_class(charged):
    page = study_page(charged)
    headline, *methods = downloaded(page, "costs")
    assert [row["name"] for row in methods] == [m["name"] for m in charged["methods"]]
    assert headline["loss"] == charged["metrics"]["loss"]["mean"]
    least = charged["costs"]["constant"]["loss"]
    for row, method in zip(methods, charged["methods"], strict=True):
        assert row["loss"] == method["metrics"]["loss"]["mean"]
        assert row["share"] == pytest.approx(row["loss"] / least)
        for name, cost in method["cost_by_class"].items():
            assert row[f"cost {name}"] == cost


def test_the_studys_own_point_is_its_cost_in_parts_of_being_always_wrong(charged):
    matrix, classes = charged["costs"]["matrix"], charged["data"]["classes"]
    counts = [charged["data"]["counts"][name] for name in classes]
    alarms, misses = counts[0] * matrix[1][0], counts[1] * matrix[0][1]
    found = operating_point(charged)
    assert found["x"] == pytest.approx(misses / (misses + alarms))
    assert found["threshold"] == charged["costs"]["threshold"]
    wrong = [1 - charged["recalls"][name]["mean"] for name in classes]
    cost = alarms * wrong[0] + misses * wrong[1]
    assert found["loss"] == pytest.approx(cost / (misses + alarms))
    assert 'class="headdot"' in render_study(study_page(charged)).partition("Cost curve</title>")[2]


def test_where_samples_are_declined_there_is_no_own_point(made):
    result = made.make_result(costs="matrix")
    result["headline"]["coverage"]["mean"] = 0.9
    assert operating_point(result)["loss"] is None
    result["costs"]["constant_given"] = {"predicted": "AML", "loss": 0.125}
    page = study_page(result)
    assert "given a class" in page["costs"]["note"]
    assert page["costs"]["sentences"][0] == (
        "Of the samples given a class, the cheapest prediction that ignores the features costs "
        "0.125 a sample: calling all of them AML."
    )
    assert "share" not in downloaded(page, "costs")[0]
    assert "dot: as it decided" not in render_study(page)


def test_costs_of_each_sample_have_no_matrix(made):
    page = study_page(made.make_result(costs="own"))
    html = render_study(page)
    assert page["costs"]["matrix"] == []
    assert "from the columns cost_missed, cost_alarm: there is no matrix" in html
    assert "p* =" not in html
    assert "Cost matrix" not in html
    assert "Cost curve</title>" in html


def test_several_classes_have_a_matrix_and_no_curve(made):
    page = study_page(made.make_result(classes=4, costs="sizes"))
    html = render_study(page)
    assert [len(row["cells"]) for row in page["costs"]["matrix"]] == [4, 4, 4, 4]
    assert page["costs"]["said"] == []  # twelve lines would say no more than the table
    assert "costs the more, the smaller the class" in html
    assert "Cost curve</title>" not in html
    assert "Threshold view</title>" not in html
    assert len(downloaded(page, "costs")[0]) == 4 + 2 + 4  # names, interval, share, classes


def test_an_undefined_cost_says_why(made):
    result = made.make_result(costs="matrix")
    undefined = {"mean": None, "low": None, "high": None, "note": "every sample was declined"}
    result["metrics"]["loss"] = undefined
    result["headline"]["cost_by_class"] = dict.fromkeys(result["data"]["classes"])
    page = study_page(result)["costs"]
    assert (
        "The mean cost of the procedure is undefined (every sample was declined)."
        in (page["sentences"])
    )
    assert [cell.text for cell in page["table"]["body"][0]["cells"][1:]] == ["—"] * 4


def test_without_curves_of_thresholds_there_is_no_view_of_them(made):
    result = made.make_result()
    for one in (result["headline"], *result["methods"]):
        for kind in ("thresholds", "cost"):
            one["curves"].pop(kind)
    assert "Threshold view" not in render_study(study_page(result))


def test_the_mean_cost_is_drawn_under_the_thresholds(charged):
    html = render_study(study_page(charged))
    view = html.partition("Threshold view</title>")[2].partition("</svg>")[0]
    assert "Mean cost" in view
    assert f"p* = {1 / 11:.3f}, the threshold that the costs give" in view
    assert f"the best constant prediction: {charged['costs']['constant']['loss']:.3g}" in view


def test_a_real_study_costs_what_its_predictions_cost(tmp_path):
    data = make_data(n=40, p=10, shift=1.5, classes=("benign", "malignant"))
    costs = {"malignant": 10, "benign": 1}
    result = run_study(data, {**QUICK, "costs": costs}, tmp_path / "s").to_dict()
    assert list(faults(result, StudyContent)) == []
    with (tmp_path / "s" / "tables" / "predictions.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    page = study_page(result)
    for shown in downloaded(page, "costs"):
        own = [row for row in rows if row["procedure"] == shown["name"]]
        paid = [(r["true"], costs[r["true"]] * (r["true"] != r["predicted"])) for r in own]
        assert shown["loss"] == pytest.approx(np.mean([cost for _, cost in paid]))
        for name in costs:
            of_class = [cost for true, cost in paid if true == name]
            assert shown[f"cost {name}"] == pytest.approx(np.mean(of_class))
    head = result["headline"]
    at = [p["loss"] for p in head["curves"]["thresholds"] if p["threshold"] > 1 / 11]
    assert at[0] == pytest.approx(
        result["metrics"]["loss"]["mean"]
    )  # least risk: called from p* on
    assert "Costs of errors" in render_study(page)


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_its_page_fits_and_ticked_methods_come_forward(driver, report, width):
    from report.test_browser import click, show

    driver.get_log("browser")
    show(driver, report("costs"), width)
    ask = driver.execute_script
    assert ask("return document.documentElement.scrollWidth") <= width
    assert ask(
        "const e = document.querySelector('#costs .confusion').closest('.scroll');"
        "return e.scrollWidth <= e.clientWidth + 1"
    )
    seen = (
        "return [...document.querySelectorAll('.chart.thresholds .thin')]"
        ".filter((e) => getComputedStyle(e).display !== 'none').length"
    )
    assert ask(seen) == 0
    click(driver, "input[data-series='1']")
    assert ask(seen) == 3  # sensitivity, specificity and mean cost of the one ticked
    assert ask("return document.querySelectorAll('.chart.cost .thin.on').length") == 1
    assert driver.get_log("browser") == []
