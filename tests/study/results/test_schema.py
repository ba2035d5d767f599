"""What a study finds is of the types in `tamis.study.results.schema`; docs/json.md tells them."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.comparisons import write_studies
from common.decisions import DECLINES
from common.studies import QUICK, make_data
from common.typed import faults, keys_of
from tamis._core.registry import with_rows
from tamis.study import run_study
from tamis.study.results import schema
from tamis.study.results.compare import compare_studies
from tamis.study.results.comparison_schema import ComparisonContent
from tamis.study.results.evidence_schema import (
    FeatureClusters,
    IdGraph,
    StabilitySelection,
    SubsetSearch,
    Votes,
)
from tamis.study.results.schema import StudyContent

PAGE = Path(__file__).parents[3] / "docs" / "json.md"
METHODS = [
    {"select": "rfs", "sizes": [1, 2, "own"], "parameters": {"n_pairs": 5, "n_lambdas": 8}},
    {"select": "mcfs", "sizes": [2], "parameters": {"s": 20, "t": 1}, "decide": "arg_max"},
    {"select": "pam", "parameters": {"n_thresholds": 5}},
    {"select": "cluster", "sizes": [2, 5], "parameters": {"algorithm": "som"}},
    {
        "select": "vote",
        "sizes": [2],
        "parameters": {"selectors": ["wilcoxon", "welch_t"], "top": 3},
    },
    {"select": "forward", "sizes": [2], "parameters": {"max_size": 3}},
]
PLAN = {
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 1,
    "method": METHODS,
    "decide": {"name": "decline_some", "share": 0.4},
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Categories, gaps, groups, evidence of three kinds, samples declined; result and folder."""
    data = make_data(n=48, p=20, shift=2.0)
    X = np.c_[data.X, np.arange(48) % 3]
    X[:3, 4] = np.nan
    levels = {20: ("low", "middle", "high")}
    names = (*data.feature_names, "grade")
    groups = np.array([f"p{i // 2}" for i in range(48)])
    whole = replace(data, X=X, feature_names=names, levels=levels, groups=groups)
    folder = tmp_path_factory.mktemp("typed") / "s"
    with with_rows([DECLINES]):
        return run_study(whole, PLAN, folder).to_dict(), folder


def test_a_result_is_of_its_types(found):
    content, folder = found
    assert list(faults(content, StudyContent)) == []
    written = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert written == content
    kinds = {k: v for m in content["methods"] for k, v in m.get("evidence", {}).items()}
    assert set(kinds) == {
        "stability_selection",
        "id_graph",
        "clusters",
        "votes",
        "subset_search",
    }
    assert list(faults(kinds["stability_selection"], StabilitySelection)) == []
    assert list(faults(kinds["id_graph"], IdGraph)) == []
    assert list(faults(kinds["clusters"], FeatureClusters)) == []
    assert list(faults(kinds["votes"], Votes)) == []
    assert list(faults(kinds["subset_search"], SubsetSearch)) == []


@pytest.mark.parametrize(
    ("table", "plan"),
    [
        (make_data(classes=("a", "b", "c"), n=45), {"permutations": 0, "final": False}),
        (make_data(seed=1, informative=0), {"describe": False}),
        (
            make_data(n=12, p=8),
            {
                "outer": {"kind": "leave-one-out"},
                "permutations": 0,
                "method": [{"select": "pearson", "sizes": [2]}],
            },
        ),
    ],
    ids=["three classes", "noise", "one out"],
)
def test_other_results_are_too(tmp_path, table, plan):
    content = run_study(table, {**QUICK, **plan}, tmp_path / "s").to_dict()
    assert list(faults(content, StudyContent)) == []


def test_interactions_of_models_are_too():
    from tamis._core.interfaces import Term
    from tamis.study.results.interactions import interaction_stability

    folds = [[Term((0, 1), (1, -1), 1, {"prevalence": 0.5})], []]
    content = {**interaction_stability(folds, ["x", "y"], ["a", "b"], 2), "most": 1, "kept": 1}
    assert list(faults(content, schema.ModelInteractions)) == []


def test_what_is_of_another_type_is_found(found):
    content = copy.deepcopy(found[0])
    content["data"]["n_samples"] = "48"
    content["headline"]["coverage"]["mean"] = None
    content["methods"][0]["colour"] = "red"
    del content["headline"]["declined"]
    del content["features"][0]["scores"]  # not in every result
    wrong = sorted(fault.split(":")[0] for fault in faults(content, StudyContent))
    assert wrong == [
        ".data.n_samples",
        ".headline.coverage.mean",
        ".headline.declined",
        ".methods[0].colour",
    ]


def spelt(text):
    """Keys between backticks, and in examples of objects."""
    words = set(re.findall(r"`(\w+)`", text))
    return words | {
        key for part in re.findall(r"`([^`]+)`", text) for key in re.findall(r'"(\w+)"', part)
    }


def test_the_page_tells_every_key_and_names_none_that_is_not_there():
    text = PAGE.read_text(encoding="utf-8").partition("\nThe result folder:")[0]
    assert f"| `schema` | {schema.SCHEMA} |" in text
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = {key for first in rows for key in re.findall(r"`(\w+)`", first)}
    assert set(StudyContent.__annotations__) <= named
    every = keys_of(StudyContent)
    for kind in (StabilitySelection, IdGraph, FeatureClusters, Votes, SubsetSearch):
        every |= keys_of(kind)
    assert every - spelt(text) == set()
    every |= {"stability_selection", "id_graph", "clusters", "votes", "subset_search"}
    every |= set(schema.FoldEntry.__annotations__)
    assert named - every == set()


def test_a_comparison_is_of_its_types(tmp_path):
    folders = write_studies(tmp_path, sets=3)
    sources = {"d0": "one", "d1": "one", "d2": "two"}
    for more in ({}, {"sources": sources}):
        content = compare_studies(folders, "auc", **more).to_dict()
        assert list(faults(json.loads(json.dumps(content)), ComparisonContent)) == []
