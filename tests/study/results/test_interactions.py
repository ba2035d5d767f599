"""Interactions from a model's terms and from a ranking's evidence, over the outer folds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from common.studies import make_data
from tamis._core.interfaces import Term
from tamis._core.registry import with_rows
from tamis._core.row_groups import SelectorTakes
from tamis._core.rows import PathRow
from tamis.classifiers.shrunken_centroids import ShrunkenCentroids, ShrunkenPath
from tamis.metrics import nogueira_stability
from tamis.study import run_study
from tamis.study.protocol.cellfile import MOST_TERMS
from tamis.study.results.interactions import interaction_stability, possible_terms

NAMES, CLASSES = tuple("abcdefgh"), ("no", "yes")


@dataclass(frozen=True)
class PairedPath(ShrunkenPath):
    """Shrunken centroids that say every pair of surviving columns acts together."""

    def terms(self, step):
        kept = np.sort(self.columns[step])
        pairs = [(int(a), int(b)) for k, a in enumerate(kept) for b in kept[k + 1 :]]
        return [Term(pair, (1, -1), 1, {"weight": 1.0 / (1 + sum(pair))}) for pair in pairs]


@dataclass
class Paired(ShrunkenCentroids):
    def follow(self, part, settings, stream):
        found = super().follow(part, settings, stream)
        return PairedPath(found.full, found.thresholds)


ROW = PathRow(
    "paired", f"{__name__}:Paired", "pairs", "pairs", takes=SelectorTakes(covariates=False)
)


def test_terms_of_models_are_kept_counted_and_followed_over_the_folds(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    data = make_data(seed=3, n=40, p=40, informative=4, shift=2.5)
    plan = {
        "outer": {"folds": 4},
        "inner": {"folds": 3, "repeats": 1},
        "permutations": 0,
        "method": [{"select": "paired"}],
    }
    row = replace(ROW, target=f"{__name__}:Paired")
    with with_rows([row]):
        result = run_study(data, plan, tmp_path / "s").to_dict()
    (method,) = result["methods"]
    found = method["interactions"]
    sizes = method["sizes"]
    counts = [k * (k - 1) // 2 for k in sizes]
    assert found["most"] == max(counts)
    assert found["kept"] == min(max(counts), MOST_TERMS)
    assert found["n_folds"] == 4
    assert found["mean_size"] == pytest.approx(np.mean(np.minimum(counts, MOST_TERMS)))
    best = found["terms"][0]
    assert best["class"] == "b"
    assert best["signs"] == [1, -1]
    assert set(best["features"]) <= set(data.feature_names)


def test_the_stability_of_terms_is_nogueiras_of_their_sets():
    a, b, c = Term((0, 1)), Term((1, 0)), Term((2, 3), about={"weight": 2.0})
    folds = [[a, c], [b, c], [a, replace(c, about={"weight": 4.0})]]
    found = interaction_stability(folds, NAMES, CLASSES, 8)
    possible = 8 * 7  # in every order, without signs
    sets = [np.array([0, 1]), np.array([2, 1]), np.array([0, 1])]
    assert found["nogueira"] == pytest.approx(nogueira_stability(sets, possible).value)
    assert found["n_different"] == 3
    first, second, third = found["terms"]
    assert first["features"] == ["c", "d"]
    assert first["frequency"] == 1
    assert first["about"] == {"weight": pytest.approx(8 / 3)}
    assert (second["features"], second["frequency"]) == (["a", "b"], pytest.approx(2 / 3))
    assert third["features"] == ["b", "a"]


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([Term((0, 1))], 28),
        ([Term((1, 0))], 56),
        ([Term((0, 1), (1, -1))], 28 * 4),
        ([Term((0, 1), class_=1)], 28 * 2),
        ([Term((0, 1)), Term((0, 1, 2))], 28 + 56),
        ([Term(tuple(range(150)))], 0),
    ],
)
def test_possible_terms_are_those_of_their_kinds(terms, expected):
    assert possible_terms(terms, 8, 2) == expected
    assert possible_terms([Term(tuple(range(150)))], 20_000, 2) == 2**62  # no overflow


def test_random_terms_have_no_stability_and_none_have_no_number():
    rng = np.random.default_rng(0)
    folds = [
        [Term(tuple(map(int, rng.choice(100, 2, replace=False)))) for _ in range(12)]
        for _ in range(10)
    ]
    names = tuple(map(str, range(100)))
    assert abs(interaction_stability(folds, names, CLASSES, 100)["nogueira"]) < 0.02
    assert interaction_stability([[], []], names, CLASSES, 100)["nogueira"] is None


def test_monte_carlo_selection_tells_how_stable_its_edges_are(tmp_path):
    """Two features whose product decides: their edge is in every training set."""
    rng = np.random.default_rng(1)
    data = make_data(seed=1, n=80, p=8, informative=0)
    X = data.X.copy()
    X[:, 0] = np.where(data.codes == 1, 1, -1) * np.sign(X[:, 1]) * np.abs(rng.normal(size=80))
    data = replace(data, X=X)
    plan = {
        "outer": {"folds": 3},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "method": [{"select": "mcfs", "sizes": [2], "parameters": {"m": 4, "s": 150, "t": 2}}],
    }
    result = run_study(data, plan, tmp_path / "s").to_dict()
    found = result["methods"][0]["evidence"]["id_graph"]["interactions"]
    assert found["n_folds"] == 3
    assert set(found["terms"][0]["features"]) == {"g0", "g1"}
    assert found["terms"][0]["frequency"] == 1
    assert 0 < found["nogueira"] <= 1
    silent = {
        **plan,
        "method": [
            {
                **plan["method"][0],
                "parameters": {**plan["method"][0]["parameters"], "interactions": False},
            }
        ],
    }
    other = run_study(data, silent, tmp_path / "t").to_dict()
    assert "evidence" not in other["methods"][0]


@pytest.mark.longer
def test_a_graph_draws_from_streams_of_its_own():
    from tamis._core.interfaces import Part
    from tamis.selection import MonteCarloSelector

    data = make_data(seed=2, n=40, p=12)
    part, seed = Part.of(data.X, data.codes), np.random.SeedSequence(3)
    selector = MonteCarloSelector(s=40, t=2, n_jobs=1)
    plain = selector.rank(part, [3], seed)
    told = selector.rank(replace(part, outer=True), [3], seed)
    np.testing.assert_array_equal(plain.scores, told.scores)
    assert plain.evidence(np.arange(12), data.feature_names) == ()
    (evidence,) = told.evidence(np.arange(12), data.feature_names)
    assert evidence.kind == "id_graph"
    assert 0 < len(evidence.terms) <= 12
