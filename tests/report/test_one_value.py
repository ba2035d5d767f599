"""One number has one name and one value, on the screen, the page, in results.json and tables."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from common.studies import make_data
from report.page_text import page_text
from tamis.data.class_heading import class_heading
from tamis.metrics import METRICS
from tamis.report._features import features_view
from tamis.selection import moderated_t
from tamis.study import run_study
from tamis.study.results.first_screen import stability_shown

PLAN = {
    "outer": {"folds": 4, "repeats": 2},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 19,
    "method": [
        {"select": "welch_t", "sizes": [2, 5]},
        {"select": "moderated_t", "name": "other", "sizes": [2], "classify": "lda"},
    ],
}
NUMBER = r"[-−]?\d+(?:\.\d+)?"
SPACES = str.maketrans({"\xa0": " ", "\u202f": " ", "−": "-"})


@dataclass
class Shown:
    """A study and all that is written of it."""

    json: dict
    data: object
    model: object
    frame: object
    screen: str
    page: str
    tables: dict


@pytest.fixture(
    params=[
        pytest.param(0.9, id="signal"),
        pytest.param(0.0, id="noise", marks=pytest.mark.longer),
    ]
)
def shown(request):
    return everything_shown(request.param)


@cache
def everything_shown(shift):
    with TemporaryDirectory() as folder:
        return study_shown(shift, Path(folder, "study"))


def study_shown(shift, folder):
    data = make_data(11, n=110, p=40, shift=shift)
    study = run_study(data, PLAN, folder)
    page = study.write_report().read_text(encoding="utf-8")
    tables = {
        file.name: list(csv.DictReader(file.open(encoding="utf-8"), delimiter="\t"))
        for file in (folder / "tables").iterdir()
    }
    screen = " ".join(study.summary().translate(SPACES).split())
    return Shown(
        study.to_dict(),
        data,
        study.model,
        study.frame(),
        screen,
        page_text(page).translate(SPACES),
        tables,
    )


def number(text):
    return float(text) if text else None


def procedures(result):
    yield "headline", result["metrics"], result["headline"]["stability"], result["permutation"]
    for one in result["methods"]:
        yield one["name"], one["metrics"], one["stability"], {"stability": one["repeatability"]}


def test_tables_and_frame_hold_what_the_json_holds(shown):
    rows = {row["method"]: row for row in shown.tables["methods.tsv"]}
    tuned = shown.json["plan"]["metric"]
    for name, metrics, stable, permuted in procedures(shown.json):
        for short, found in metrics.items():
            row = [number(rows[name][short + end]) for end in ("", "_low", "_high")]
            assert row == [found["mean"], found["low"], found["high"]]
        value, _ = stability_shown(shown.json, stable, permuted["stability"])
        framed = shown.frame.loc[name]
        assert number(rows[name]["nogueira"]) == pytest.approx(framed["nogueira"]) == value
        assert framed["mean_size"] == number(rows[name]["mean_size"]) == stable["mean_size"]
        assert framed[tuned] == metrics[tuned]["mean"]
        assert (framed["low"], framed["high"]) == (metrics[tuned]["low"], metrics[tuned]["high"])


def test_other_tables_hold_what_the_json_holds(shown):
    runs = {row["run"]: number(row["bcr"]) for row in shown.tables["permutations.tsv"]}
    permutation = shown.json["permutation"]
    assert runs.pop("observed") == permutation["observed"]
    assert list(runs.values()) == permutation["values"]
    chosen = {row["feature"]: row for row in shown.tables["features.tsv"]}
    for one in shown.json["features"]:
        assert number(chosen[one["name"]]["frequency"]) == one["frequency"]
        assert (chosen[one["name"]]["in_final"] == "yes") == one["in_final"]
    sizes = [
        (m["name"], p["size"], p["inner"], p["outer"])
        for m in shown.json["methods"]
        for p in m["size_curve"]
    ]
    table = [
        (row["method"], *(number(row[key]) for key in ("size", "inner", "outer")))
        for row in shown.tables["size_curve.tsv"]
    ]
    assert table == sizes


def test_the_confusion_is_that_of_the_predictions(shown):
    """Rows predicted, columns true, a mean over repeats; and the page says how many were found."""
    classes, found = shown.json["data"]["classes"], np.zeros((2, 2))
    for row in shown.tables["predictions.tsv"]:
        if row["procedure"] == "headline":
            found[classes.index(row["predicted"]), classes.index(row["true"])] += 0.5
    assert found.tolist() == shown.json["headline"]["confusion"]
    for k, name in enumerate(classes):
        of = f"{round(found[k, k])} of {round(found[:, k].sum())}"
        assert f"{of} with " in shown.page, (of, name)


def estimates(text, name):
    """Each time that a number is printed of this name: value and interval as printed."""
    pattern = rf"\b{re.escape(name)} ({NUMBER}) \(({NUMBER}) to ({NUMBER})\)"
    return re.findall(pattern, text, re.IGNORECASE)


def rounded(value, like):
    """To the decimals of a printed number."""
    return f"{value:.{len(like.partition('.')[2])}f}"


def test_screen_and_page_print_the_same_estimates(shown):
    """By the same name, those of the JSON to the decimals printed."""
    seen = 0
    for short, found in shown.json["metrics"].items():
        for text in (shown.screen, shown.page):
            for printed in estimates(text, METRICS[short].brief):
                wanted = [rounded(found[k], printed[0]) for k in ("mean", "low", "high")]
                assert list(printed) == wanted, short
                seen += 1
    assert seen >= 4
    positive = shown.json["data"]["classes"][-1]
    heading = re.escape(class_heading(shown.json["data"]["target"], positive))
    recall = shown.json["recalls"][positive]["mean"]
    for text in (shown.screen, shown.page):
        sensitivity = re.findall(rf"sensitivity for {heading} ({NUMBER})", text)
        assert set(sensitivity) == {f"{recall:.2f}"}


def test_screen_and_page_print_one_stability(shown):
    value, _ = stability_shown(
        shown.json, shown.json["headline"]["stability"], shown.json["permutation"]["stability"]
    )
    for text in (shown.screen, shown.page):
        printed = re.findall(rf"stability(?: is)? ({NUMBER}) of 1", text, re.IGNORECASE)
        assert set(printed) == {f"{value:.2f}"}
    spread = shown.json["permutation"]["stability"]
    beside = rf"shuffled labels: median ({NUMBER}), max ({NUMBER})"
    for text in (shown.screen, shown.page):
        assert set(re.findall(beside, text)) == {
            (f"{spread['median']:.2f}", f"{spread['most']:.2f}")
        }


def test_screen_and_page_print_one_p_value(shown):
    p = shown.json["permutation"]["p_value"]
    for text in (shown.screen, shown.page):
        printed = re.findall(rf"\bp = ({NUMBER}) \((\d+) of (\d+)", text)
        assert {float(one) for one, _, _ in printed} == {float(f"{p:.2g}")}
        assert {(round(p * 20) - 1, 19)} == {(int(k), int(n)) for _, k, n in printed}


def test_screen_and_page_name_the_same_features(shown):
    names = shown.json["final"]["features"]
    assert f"{len(names)} features by " in shown.screen
    assert f"{len(names)} features by " in shown.page
    for name in names:
        assert name in shown.screen
        assert name in shown.page


def test_coefficients_are_changes_of_the_log_odds_by_a_standard_deviation(shown):
    """Before recalibration; the page lists them."""
    model, final = shown.model, shown.json["final"]
    columns = [shown.data.feature_names.index(name) for name in model.features]
    X = shown.data.X[:, columns]
    at = np.vstack([X.mean(axis=0), X.mean(axis=0) + np.diag(X.std(axis=0))])
    proba = model.predictor.beliefs(at).proba
    odds = np.log(proba[:, 1] / proba[:, 0])
    changes = dict(zip(model.features, odds[1:] - odds[0], strict=True))
    assert final["coefficients"] == pytest.approx([changes[name] for name in final["features"]])
    assert model.coefficients() == pytest.approx(changes)
    assert listed(shown, "coefficient") == dict(
        zip(final["features"], final["coefficients"], strict=True)
    )


def test_the_page_lists_p_and_fdr_among_all_features(shown):
    _, p_values = moderated_t(shown.data.X, shown.data.codes)
    p = dict(zip(shown.data.feature_names, p_values, strict=True))
    names = sorted(p, key=p.get)
    fdr = false_discovery_control([p[name] for name in names])
    rates = dict(zip(names, fdr, strict=True))
    for one in shown.json["features"]:
        score = one["scores"]["moderated_t"]
        assert (score["p_value"], score["fdr"]) == pytest.approx(
            (p[one["name"]], rates[one["name"]])
        )
    final = shown.json["final"]["method"]
    (by,) = {m["select"] for m in shown.json["methods"] if m["name"] == final}
    for column, key in (("p", "p_value"), ("fdr", "fdr")):
        scores = {one["name"]: one["scores"][by][key] for one in shown.json["features"]}
        assert listed(shown, column) == scores


def test_groups_have_no_p_values_in_the_table(shown):
    """Its tests take samples for independent."""
    result = {**shown.json, "data": {**shown.json["data"], "n_groups": 30}}
    assert "fdr" in features_view(shown.json)["table"]["data"]["columns"]
    assert "fdr" not in features_view(result)["table"]["data"]["columns"]


def listed(shown, column):
    """What the page's table of features has of those that have any."""
    table = features_view(shown.json)["table"]["data"]
    name, value = (table["columns"].index(key) for key in ("feature", column))
    return {row[name]: row[value] for row in table["rows"] if row[value] is not None}
