"""A result at the prompt is one short line, however large the result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from common.studies import QUICK, make_data
from tamis._core.interfaces import Part
from tamis.classifiers import elastic_net_path, hhsvm_path
from tamis.discovery import find_interactions
from tamis.selection import (
    FilterSelector,
    HuberizedSVMSelector,
    MonteCarloSelector,
    StabilitySelector,
)
from tamis.study import compare_studies, open_study, run_study

LONGEST = 160


def test_results_have_short_reprs(tmp_path):
    data = make_data(p=200)
    trees = MonteCarloSelector(s=100, t=1, random_state=0).fit(data.X, data.y)
    stable = StabilitySelector(n_pairs=5, random_state=0).fit(data.X, data.y)
    nothing = np.random.SeedSequence(0)
    results = [
        data,
        trees.result_,
        trees.graph_,
        trees.rules_,
        *trees.rules_.networks().values(),
        stable.result_,
        hhsvm_path(data.X, data.y, lambda2=0.1, n_lambdas=5),
        elastic_net_path(data.X, data.y, n_lambdas=5),
        FilterSelector().rank(Part.of(data.X, data.codes), [5], nothing),
        HuberizedSVMSelector(n_lambdas=5).rank(Part.of(data.X, data.codes), [5], nothing),
    ]
    for result in results:
        assert repr(result).startswith(f"{type(result).__name__}(")
        assert len(repr(result)) <= LONGEST, repr(result)


def test_studies_say_what_they_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = {**QUICK, "permutations": 0, "final": False}
    for seed, name in enumerate(["one", "two"]):
        run_study(replace(make_data(seed, p=200), name=name), plan, name)
    one = open_study("one")
    assert repr(one).startswith("StudyResult('one': bcr ")
    assert repr(one).endswith("; 'one')")
    compared = compare_studies(["one", "two"])
    assert repr(compared).startswith("StudyComparison(bcr: MethodComparison(4 methods on 2 data")
    found = find_interactions(make_data(p=200), "graph", s=50, t=1)
    assert repr(found) == "Interactions('made' by mcfs; 'graph')"
    for result in (one, compared, compared.ranks, compared.win_loss, found):
        assert len(repr(result)) <= LONGEST, repr(result)
        assert "<b>" in result._repr_html_()
    assert compared.write_report("compared.html").exists()
