"""The section about a vote of selectors: what each has to do with the features chosen."""

from __future__ import annotations

import re

import pytest

from tamis.report._evidence import EVIDENCE_KINDS, number_words
from tamis.report._render import render_study
from tamis.report._view import study_page
from tamis.selection._rank_aggregation import AGGREGATION_RULES
from tamis.selection._voting_ranking import KIND, NUMBER_TITLE

MEMBERS = [
    {
        "name": "moderated_t",
        "weight": 0.7,
        "stability": 0.61,
        "shared": 6,
        "alone": 2,
        "agreement": 0.25,
    },
    {
        "name": "svm_rfe (step 0.2)",
        "weight": 0.3,
        "stability": None,
        "shared": 3,
        "alone": 0,
        "agreement": None,
    },
]
GIVEN = {
    "rule": "borda",
    "top": 8,
    "n_subsamples": 10,
    "n_chosen": 8,
    "agreement": 0.25,
    "members": MEMBERS,
}

pytestmark = pytest.mark.longer  # a study first


def section(result):
    return next(one for one in study_page(result)["evidence"] if one["kind"] == KIND)


def words(result):
    html = render_study(study_page(result)).partition("<body>")[2].partition("<script")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("\u00a0", " ").split())


@pytest.fixture
def result(made):
    given = made.make_result()
    given["methods"][0]["evidence"] = {KIND: GIVEN}
    return given


def test_members_are_told_with_their_votes(result):
    (block,) = section(result)["blocks"]
    (table,) = block["tables"]
    assert [one["title"] for one in table["head"]] == [
        "Selector",
        "Votes",
        "Stability",
        "Shared",
        "Alone",
        "Agreement",
    ]
    shown = [
        [cell.text.replace("\u00a0", " ").replace("\u202f", " ") for cell in row["cells"]]
        for row in table["body"]
    ]
    assert shown[0] == ["moderated_t", "70 %", "0.61", "6", "2", "25 %"]
    assert shown[1][2] == shown[1][5] == "—"
    text = words(result)
    assert "2 selectors ranked all samples, and the best 8 features of each" in text
    assert "Each counts by how stable its best features are on 10 halves" in text
    assert "Two selectors share 25 % of their best features on average." in text


def test_equal_votes_have_no_stability(result):
    equal = {**GIVEN, "n_subsamples": None, "agreement": None}
    result["methods"][0]["evidence"] = {KIND: equal}
    (block,) = section(result)["blocks"]
    assert "Stability" not in [one["title"] for one in block["tables"][0]["head"]]
    assert "All count alike." in words(result)
    assert "No selector ranks any feature." in words(result)


@pytest.mark.parametrize("rule", AGGREGATION_RULES)
def test_every_rule_has_words(result, rule):
    result["methods"][0]["evidence"] = {KIND: {**GIVEN, "rule": rule}}
    said = section(result)["blocks"][0]["said"][0]
    assert said.count(". ") == 2
    assert "{" not in said


def test_a_feature_tells_its_share_of_the_votes(result):
    name = result["methods"][0]["name"]
    told = number_words({"numbers": {NUMBER_TITLE: {name: 0.7}}}, result)
    assert told[0].replace("\u00a0", " ").replace("\u202f", " ") == (
        f"Among the best features of selectors with 70 % of the votes ({name})."
    )
    assert KIND in EVIDENCE_KINDS
