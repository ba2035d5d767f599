"""The section of a search for a subset: what it says, and what its score is not."""

from __future__ import annotations

import re

import numpy as np

from tamis.plotting import search_trace
from tamis.report._subset_search import search_block
from tamis.selection import GeneticSelector, SequentialSelector

METHOD = {"name": "m", "label": "forward then logistic"}


def found(kind, **settings):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 12)) + y[:, None]
    selector = kind(cv=3, progress=False, random_state=0, **settings).fit(X, y)
    names = [f"<b>gene {j}</b>" for j in range(12)]
    (evidence,) = selector.result_.evidence(np.arange(12), names)
    return selector, evidence.content


def test_the_subset_is_named_and_its_score_is_called_optimistic():
    selector, content = found(SequentialSelector, max_size=6)
    block = search_block(METHOD, content, 1, {})
    columns = selector.subsets_[selector.result_.chosen]
    assert all(f"<b>gene {j}</b>" in block["said"][1] for j in columns)
    assert "optimistic" in block["said"][2]
    assert "57 by updating" in block["said"][0]  # 12 + 11 + ... + 7


def test_a_category_is_named_once():
    selector, _ = found(SequentialSelector, size=6, max_size=6)
    (evidence,) = selector.result_.evidence(np.zeros(12, dtype=int), ["stage"])
    assert evidence.content["features"] == ["stage"]
    assert evidence.content["n_features"] == 1


def test_the_chart_escapes_and_tells_its_course():
    _, content = found(GeneticSelector, population=6, generations=5)
    drawn = search_trace({**content, "method": "<script>"})
    assert "<script>" not in drawn
    assert "generation" in drawn
    assert "mean of the population" in drawn
    assert "dashed" not in drawn
    _, content = found(SequentialSelector, max_size=4)
    assert "dashed: the subset returned" in search_trace(content)


def test_scores_that_are_not_defined_leave_gaps():
    point = {"at": 1, "score": None, "error": None}
    data = {"points": [point], "axis": "features", "criterion": "auc", "chosen": 1, "method": "m"}
    assert "none defined" in search_trace(data)


def test_no_bar_of_the_trace_is_cut_at_the_edge():
    points = [{"at": k, "score": score, "error": 0.12} for k, score in enumerate((-0.74, -0.54), 1)]
    data = {"method": "forward", "criterion": "log_score", "axis": "features", "points": points}
    bars = re.findall(r'<line[^>]*stroke-width="3"[^>]*>', search_trace({**data, "chosen": 2}))
    ends = [[float(y) for y in re.findall(r' y[12]="([\d.]+)"', bar)] for bar in bars]
    lengths = [bottom - top for bottom, top in ends]
    assert len(lengths) == 2
    assert abs(lengths[0] - lengths[1]) < 0.1  # none is cut
