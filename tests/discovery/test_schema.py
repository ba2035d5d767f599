"""What a search finds is of the types in `tamis.discovery.schema`, and the page tells its keys."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.studies import make_data
from common.typed import faults, keys_of
from tamis.data import make_mcfs_toy
from tamis.discovery import find_interactions
from tamis.discovery.schema import InteractionsResult, SearchRecord, SearchResult, SetsResult

QUICK = {"s": 60, "t": 2, "second_stage": 8, "meetings": 20}
PAGE = Path(__file__).parents[2] / "docs" / "interact.md"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A search with categories, gaps and permuted runs; its result and its folder."""
    toy = make_mcfs_toy(n_noise=14)
    X = toy.X.copy()
    X[:3, -1] = np.nan
    folder = tmp_path_factory.mktemp("found") / "o"
    return find_interactions(replace(toy, X=X), folder, **QUICK).to_dict(), folder


def test_a_result_is_of_its_types(found):
    content, folder = found
    assert list(faults(content, InteractionsResult)) == []
    written = json.loads((folder / "interactions.json").read_text())
    assert written == content
    assert list(faults(written, InteractionsResult)) == []
    record = json.loads((folder / "settings.json").read_text())
    assert list(faults(record, SearchRecord)) == []


@pytest.mark.parametrize(
    "more",
    [
        {"cutoff": "kmeans"},
        {"cutoff": "contrast", "second_stage": 0},
        {"s": 3, "m": 2},  # some features are never offered
        {"max_ancestors": 1, "balance": 2.0, "projections": "auto", "u": 2, "v": 0},
    ],
)
def test_a_result_of_noise_is_too(tmp_path, more):
    noise = make_data(seed=1, p=12, informative=0)
    content = find_interactions(noise, tmp_path / "o", **{**QUICK, **more}).to_dict()
    assert list(faults(content, InteractionsResult)) == []


def test_what_is_of_another_type_is_found(found):
    content = copy.deepcopy(found[0])
    content["data"]["n_samples"] = "70"
    content["graph"]["edges"][0]["se"] = "small"
    content["ranking"]["features"][1]["colour"] = "red"
    content["rules"]["rules"][0]["conditions"][0]["op"] = "~"
    del content["remarks"]
    del content["ranking"]["features"][0]["fdr"]  # not in every result
    wrong = sorted(fault.split(":")[0] for fault in faults(content, InteractionsResult))
    assert wrong == [
        ".data.n_samples",
        ".graph.edges[0].se",
        ".ranking.features[1].colour",
        ".remarks",
        ".rules.rules[0].conditions[0].op",
    ]


def test_the_page_tells_every_section_and_no_key_that_is_not_there():
    section = PAGE.read_text(encoding="utf-8").split("## `interactions.json`")[1]
    first, second = section.split("All of this with mcfs.")
    both = keys_told(first), keys_told(second)
    assert both[0][0] == set(InteractionsResult.__annotations__)
    assert both[0][1] <= keys_of(InteractionsResult)
    assert both[1][0] == set(SetsResult.__annotations__) - set(SearchResult.__annotations__)
    assert both[1][1] <= keys_of(SetsResult)


def keys_told(section):
    """Keys of the table's first column, and of the others."""
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    first, rest = (re.findall(r"`(\w+)`", " ".join(column)) for column in zip(*rows, strict=True))
    return set(first), set(rest)
