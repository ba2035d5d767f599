"""Shares of categories, raw intensities and classes called 0 and 1: JSON, page and terminal."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from common.studies import QUICK
from tamis.data import Dataset
from tamis.data.class_heading import class_heading
from tamis.report._features import features_view
from tamis.report._render import render_study
from tamis.report._view import study_page
from tamis.study import run_study

TOWNS = tuple("ABCDEFGHJK")
METHOD = {"select": "mtd", "sizes": [2], "parameters": {"n_permutations": 20}}


def raw_table():
    """60 intensities, a hospital of three levels and a town of ten; 20 relapses of 50."""
    rng = np.random.default_rng(0)
    relapse = np.arange(50) % 5 < 2
    hospital = np.where(relapse, 2, np.arange(50) % 2).astype(float)
    hospital[[0, 2]] = 0, np.nan  # a relapse in A, and one of the others nowhere
    town = np.where(relapse, np.arange(50) % 3, 3 + np.arange(50) % 7)
    X = np.c_[hospital, town, 2 ** rng.normal(8, 2, (50, 60))]
    names = ("hospital", "town", *(f"g{j}" for j in range(60)))
    levels = {0: ("Aarhus", "Bergen", "Caen"), 1: TOWNS}
    labels = np.where(relapse, "1", "0")
    return Dataset(X, labels, names, levels=levels, target="relapse", name="raw")


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("raw") / "s"
    plan = {**QUICK, "permutations": 0, "method": [METHOD], "describe": True, "allow": ["town"]}
    return run_study(raw_table(), plan, folder).to_dict()


@pytest.fixture(scope="module")
def text(result):
    """The page's words, one space between any two."""
    html = render_study(study_page(result)).partition("<body>")[2].partition("<script")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("\u00a0", " ").split())


def by_name(result):
    return {f["name"]: f for f in result["features"]}


def test_a_category_has_shares_and_a_number_has_means(result):
    found = by_name(result)
    hospital = found["hospital"]
    assert hospital["class_means"] is None
    assert hospital["class_shares"] == {
        "0": {"Aarhus": 14 / 29, "Bergen": 15 / 29, "Caen": 0.0},
        "1": {"Aarhus": 0.05, "Bergen": 0.0, "Caen": 0.95},
    }
    numbers = [f for f in found.values() if f["kind"] == "numeric"]
    for one in numbers:
        assert one["class_shares"] is None
        assert set(one["class_means"]) == {"0", "1"}
    json.dumps(result, allow_nan=False)


def test_the_row_shows_the_level_that_differs_most(result):
    table = features_view(result)["table"]
    titles = [head["title"] for head in table["head"]]
    assert titles[4:6] == ["relapse = 0", "relapse = 1"]
    assert "of a category the share" in table["head"][4]["help"]
    at = [f["name"] for f in result["features"]].index("hospital")
    cells = table["body"][at]["cells"][4:6]
    assert [(c.text, c.sub) for c in cells] == [("0\u00a0%", "Caen"), ("95\u00a0%", "Caen")]
    row = dict(zip(table["data"]["columns"], table["data"]["rows"][at], strict=True))
    assert row["mean 0"] is None
    assert (row["level"], row["share 0"], row["share 1"]) == ("Caen", 0.0, 0.95)


def test_all_levels_are_in_the_detail(result, text):
    """Up to eight in the chart; of the ten towns every one in a table."""
    detail = {d["name"]: d for d in features_view(result)["each"]}
    assert detail["hospital"]["levels"] is None
    assert len(detail["hospital"]["chart"]["classes"][0]["shares"]) == 3
    assert [level for level, _ in detail["town"]["levels"]["rows"]] == list(TOWNS)
    assert "Level relapse = 0 relapse = 1 A 0 % 35 %" in text


def test_without_a_value_in_a_class_the_share_is_undefined(result):
    old = json.loads(json.dumps(result))
    hospital = by_name(old)["hospital"]
    hospital["class_shares"]["0"] = dict.fromkeys(hospital["class_shares"]["0"])
    at = [f["name"] for f in old["features"]].index("hospital")
    assert features_view(old)["table"]["body"][at]["cells"][4].text == "—"


def test_a_table_of_numbers_says_nothing_of_categories(made):
    given = made.make_result()
    given["features"] = [f for f in given["features"] if f["kind"] == "numeric"]
    table = features_view(given)["table"]
    assert "category" not in table["head"][4]["help"]
    assert "level" not in table["data"]["columns"]


def test_raw_intensities_are_warned_of_and_have_no_fold_changes(result, text):
    warned = {w["code"]: w["text"] for w in result["warnings"]}
    assert "take log2 first" in warned["unlogged"]
    assert warned["unlogged"].partition("; take")[0] in text
    assert "old change" not in text.replace("not log fold changes", "").replace(
        "is no log fold change here", ""
    )
    assert "Difference of means" in text
    assert "The difference of means is no log fold change here" in text


def test_where_every_method_takes_logarithms_the_warning_is_of_what_is_shown(tmp_path):
    methods = [{**METHOD, "prepare": ["log2"]}, {**METHOD, "name": "pca", "prepare": []}]
    plan = {**QUICK, "permutations": 0, "final": False, "allow": ["town"]}
    for listed, words in ((methods[:1], "methods take logarithms"), (methods, "take log2 first")):
        found = run_study(raw_table(), {**plan, "method": listed}, tmp_path / str(len(listed)))
        warned = {w["code"]: w["text"] for w in found.to_dict()["warnings"]}
        assert words in warned["unlogged"]


def test_other_tables_are_not_warned_of(made, tmp_path):
    logs = replace(raw_table(), X=np.c_[raw_table().X[:, :2], np.log2(raw_table().X[:, 2:])])
    plan = {**QUICK, "permutations": 0, "final": False, "allow": ["town"], "method": [METHOD]}
    found = run_study(logs, plan, tmp_path / "s").to_dict()
    assert "unlogged" not in {w["code"] for w in found["warnings"]}
    said = features_view(found)["logs"]
    assert (
        said == "The difference of means is the log fold change where the table holds logarithms."
    )


def test_bare_classes_are_named_with_their_column(result, text):
    """Head of the features, confusion matrix, distributions, positive class, table of classes."""
    page = study_page(result)
    both = ["relapse = 0", "relapse = 1"]
    assert page["confusion"]["classes"] == both
    assert [row["label"] for row in page["confusion"]["rows"]] == both
    assert [c["label"] for c in page["features"]["each"][0]["chart"]["classes"]] == both
    assert page["features"]["positive"] == page["curves"]["positive"] == "relapse = 1"
    assert [c["label"] for c in page["data"]["classes"]] == both
    assert "True class Predicted relapse = 0 relapse = 1 relapse = 0" in text
    assert "A negative score means lower values in relapse = 1 ." in text


@pytest.mark.parametrize("name", ["0", "1", "-1", "2", "10", "1.5", "+1", "1e3", "M"])
def test_numbers_and_single_letters_are_bare(name):
    assert class_heading("relapse", name) == f"relapse = {name}"
    assert class_heading("", name) == name


@pytest.mark.parametrize("name", ["tumour", "AML", "ER+", "1-2", "stage 1"])
def test_names_are_left_as_they_are(name):
    assert class_heading("relapse", name) == name


def test_a_class_starts_no_line_of_its_own():
    assert class_heading("relapse", "late\n  ! all is well") == "late ! all is well"
    assert class_heading("re\nlapse", "1") == "re lapse = 1"
