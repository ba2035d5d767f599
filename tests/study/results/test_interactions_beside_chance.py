"""Interactions of models beside those of permuted labels: the same measure, run by run."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.interfaces import Term
from tamis.data import make_planted_interaction
from tamis.metrics import nogueira_stability
from tamis.study import run_study
from tamis.study.results.interactions import mean_size, terms_nogueira

PLAN = {
    "method": [{"name": "rit", "select": "rit", "parameters": {"theta": 0.3, "theta_out": 0.3}}],
    "outer": {"folds": 4},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 19,
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    data = make_planted_interaction(n_per_class=60, n_features=16)
    folder = tmp_path_factory.mktemp("study") / "s"
    return run_study(data, PLAN, folder, quiet=True, n_jobs=2).to_dict()["methods"][0]


@pytest.mark.longer
def test_permuted_runs_are_told_with_true_labels_in_their_design(found):
    chance = found["interactions"]["permuted"]
    assert len(chance["sizes"]) == len(chance["repeatability"]["values"]) == 19
    again = chance["repeatability"]
    known = [v for v in again["values"] if v is not None]
    assert again["median"] == pytest.approx(np.median(known))
    reached = sum(v >= again["observed"] for v in known)
    assert again["above"] is ((1 + reached) / 20 <= 0.05)
    assert chance["size"] >= 1
    assert again["observed"] > again["median"]


@pytest.mark.quick
def test_without_permuted_runs_there_is_nothing_to_stand_beside(tmp_path):
    data = make_planted_interaction(n_per_class=80, n_features=12)
    result = run_study(data, {**PLAN, "permutations": 0}, tmp_path / "s", quiet=True).to_dict()
    assert "permuted" not in result["methods"][0]["interactions"]


def test_the_measure_is_that_of_sets_of_interactions():
    """Nogueira's over the items that the sizes found allow."""
    folds = [[Term((0, 1)), Term((2, 3))], [Term((0, 1))], [Term((0, 1)), Term((1, 3))]]
    pairs = [(a, b) for a in range(6) for b in range(a + 1, 6)]
    sets = [[pairs.index(t.features) for t in fold] for fold in folds]
    expected = nogueira_stability([np.array(s) for s in sets], len(pairs)).value
    assert terms_nogueira(folds, 6, 2) == pytest.approx(expected)
    assert mean_size(folds) == pytest.approx(5 / 3)
    assert np.isnan(terms_nogueira([], 6, 2))
    assert mean_size([]) == 0
