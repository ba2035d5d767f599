"""The ID-graph: order, filters, files; and that weights do not depend on how often a pair met."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import MissingExtraError, PlanError, StoreError
from tamis._core.progress import Progress
from tamis.data import make_mcfs_toy
from tamis.interactions import InteractionGraph
from tamis.kernels import c45, mcfs
from tamis.selection import MonteCarloSelector
from tamis.selection._monte_carlo_graph import pair_edges
from tamis.selection._monte_carlo_runs import Forest, Run, loop_of, run_all

HOSTILE = ['a"<&>', "b,\nc", "d\x00\ud800", "é 基因"]
EDGES = [(0, 1, 0.2, 0.01, 9, 50), (1, 2, 0.3, np.nan, 1, 1), (3, 0, 0.1, 0.02, 4, 60)]


def made(names=HOSTILE, **more):
    return InteractionGraph.of(names, [0.1, 0.4, 0.3, 0.2], EDGES, **more)


def test_features_and_edges_are_put_in_order():
    graph = made("abcd", offered=[1, 2, 3, 4], selected=[0, 1, 1, 0], p_values=[0.9, 0.1, 0.2, 0.3])
    assert graph.names == ("b", "c", "d", "a")
    assert graph.offered.tolist() == [2, 3, 4, 1]
    assert graph.p_values.tolist() == [0.1, 0.2, 0.3, 0.9]
    frame = graph.frame()
    assert frame[["source", "target"]].agg("".join, axis=1).tolist() == ["bc", "ab", "da"]
    assert frame["met"].tolist() == [1, 50, 60]
    assert graph.degrees().tolist() == [2, 1, 1, 2]
    assert graph.features()["p_value"].tolist() == [0.1, 0.2, 0.3, 0.9]


def test_filters_by_features_edges_and_weight():
    graph = made("abcd")
    assert len(graph.filter(features=2).weight) == 1
    assert graph.filter(edges=2).weight.tolist() == [0.3, 0.2]
    assert graph.filter(min_weight=0.2).weight.tolist() == [0.3, 0.2]
    assert graph.filter(edges=1, min_met=2).weight.tolist() == [0.2]
    assert graph.filter(min_errors=1).weight.tolist() == [0.2, 0.1]
    assert graph.filter(min_errors=5.1).weight.tolist() == [0.2]
    few = graph.filter(edges=1, orphans=False)
    assert few.names == ("b", "c")
    assert few.frame()[["source", "target"]].values.tolist() == [["b", "c"]]
    assert graph.filter(features=0).summary() == "0 features, 0 edges"
    with pytest.raises(PlanError, match="edges=-1"):
        graph.filter(edges=-1)


@given(
    n=st.integers(1, 8),
    features=st.none() | st.integers(0, 9),
    edges=st.none() | st.integers(0, 9),
    least=st.none() | st.floats(0, 1),
    seed=st.integers(0, 99),
)
def test_a_filtered_graph_is_a_part_of_the_whole(n, features, edges, least, seed):
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b and rng.random() < 0.5]
    rows = [(a, b, rng.random(), 0.1, 1, 5) for a, b in pairs]
    graph = InteractionGraph.of([f"g{j}" for j in range(n)], rng.random(n), rows)
    part = graph.filter(features, edges, least)
    kept = set(graph.names[:features])
    whole = graph.frame()
    whole = whole[whole["source"].isin(kept) & whole["target"].isin(kept)].head(edges)
    if least is not None:
        whole = whole[whole["weight"] >= least]
    pd.testing.assert_frame_equal(part.frame(), whole.reset_index(drop=True), check_dtype=False)


def test_to_dict_is_json_with_the_agreed_keys():
    graph = made(
        accuracy=0.8,
        n_trees=7,
        cutoff={"rule": "angle"},
        settings={"m": 3},
        convergence=[{"projections": i} for i in range(450)],
    )
    found = json.loads(json.dumps(graph.to_dict(), allow_nan=False))
    assert set(found) == {
        "features",
        "edges",
        "cutoff",
        "settings",
        "n_trees",
        "accuracy",
        "preset",
        "convergence",
    }
    assert found["features"][0] == {
        "name": HOSTILE[1],
        "importance": 0.4,
        "p_value": None,
        "fdr": None,
        "selected": False,
        "offered": 0,
    }
    assert np.isnan(graph.se).sum() == 1  # an edge met but once is for no page
    assert len(found["edges"]) == 2
    assert found["edges"][0] == {
        "source": HOSTILE[0],
        "target": HOSTILE[1],
        "weight": 0.2,
        "se": 0.01,
        "count": 9,
        "met": 50,
    }
    assert found["preset"] == {"features": 6, "edges": 12}
    assert len(found["convergence"]) == 150
    assert found["convergence"][-1] == {"projections": 449}


def test_to_dict_is_cut_at_200_features_and_1000_edges():
    n = 210
    rows = [(a, b, 1.0, 0.1, 1, 5) for a in range(n) for b in range(5) if a != b]
    graph = InteractionGraph.of([f"g{j}" for j in range(n)], np.ones(n), rows)
    found = graph.to_dict()
    assert (len(found["features"]), len(found["edges"])) == (200, 995)
    names = {f["name"] for f in found["features"]}
    assert all(e["source"] in names and e["target"] in names for e in found["edges"])


def test_graphml_holds_any_name(tmp_path):
    made(p_values=[0.1, 0.2, np.nan, 0.4], fdr=[1, 1, 1, 1]).to_graphml(tmp_path / "g.graphml")
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = ElementTree.parse(tmp_path / "g.graphml").getroot()
    nodes = root.findall(f"{space}graph/{space}node")
    names = [node.find(f"{space}data[@key='node_name']").text for node in nodes]
    assert names == ["b,\nc", "d\ufffd\ufffd", "é 基因", 'a"<&>']
    edges = root.findall(f"{space}graph/{space}edge")
    assert [e.get("source") + e.get("target") for e in edges] == ["n0n1", "n3n0", "n2n3"]
    assert edges[0].find(f"{space}data[@key='edge_se']") is None  # not known
    assert float(edges[1].find(f"{space}data[@key='edge_se']").text) == 0.01
    assert {key.get("attr.type") for key in root.findall(f"{space}key")} == {
        "string",
        "double",
        "long",
        "boolean",
    }


def test_csv_is_the_frame(tmp_path):
    graph = made(["a", "b,\n c", 'd"', "e"])
    graph.to_csv(tmp_path / "g.csv")
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "g.csv"), graph.frame())
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        graph.to_csv(tmp_path / "file" / "g.csv")


def test_networkx(tmp_path):
    graph = made("abcd")
    try:
        import networkx
    except ImportError:
        with pytest.raises(MissingExtraError, match="networkx"):
            graph.to_networkx()
        return
    found = graph.to_networkx()
    assert list(found) == ["b", "c", "d", "a"]
    assert found.edges["a", "b"] == {"weight": 0.2, "se": 0.01, "count": 9, "met": 50}
    graph.to_graphml(tmp_path / "g.graphml")
    read = networkx.read_graphml(tmp_path / "g.graphml")
    assert networkx.is_isomorphic(read, found, edge_match=lambda a, b: a["weight"] == b["weight"])


@pytest.fixture(scope="module")
def toy():
    return make_mcfs_toy(n_noise=60)


def graph_of(toy, **parameters):
    selector = MonteCarloSelector(
        size=6, categorical_features=sorted(toy.levels), random_state=5, **parameters
    )
    return selector.fit(pd.DataFrame(toy.X, columns=toy.feature_names), toy.y).graph_


def between(graph, pairs):
    frame = graph.frame().set_index(["source", "target"])
    return frame.loc[pairs]


@pytest.mark.longer
def test_weights_do_not_depend_on_how_often_a_pair_met(toy):
    """Three times the projections: pairs meet, and raw sums grow, three times as much."""
    pairs = [("A1", "B1"), ("A2", "C2"), ("B1", "C1"), ("B2", "C2")]
    few, many = (between(graph_of(toy, second_stage=0, m=10, s=s), pairs) for s in (2000, 6000))
    raw = (many["weight"] * many["met"]) / (few["weight"] * few["met"])
    assert raw.mean() == pytest.approx(3, rel=0.2)
    gap = (many["weight"] - few["weight"]) / np.hypot(many["se"], few["se"])
    assert (gap.abs() < 3.5).all()
    assert (many["se"] / few["se"]).mean() == pytest.approx(1 / np.sqrt(3), rel=0.2)


@pytest.mark.longer
@pytest.mark.parametrize("s", [40, 300])
def test_standard_errors_are_those_of_means_over_projections(s):
    """Of a pair's weight in each projection with both features, 0 where no tree has the pair."""
    n, p, m, t, sizes = 40, 8, 3, 2, np.array([13, 13])
    rng = np.random.default_rng(4)
    y = np.arange(n) % 2
    X = np.round(rng.normal(size=(n, p)) + 0.8 * y[:, None], 1)
    forest = Forest(c45.prepare_table(X, np.zeros(p, dtype=np.int64)), 2, sizes, m, t, 1.0, 1.0, 9)
    run = Run(0, y, s, mcfs.make_offer(p), np.ones(p, dtype=bool))
    (totals,) = run_all(forest, [run], Progress(0, ""))
    found = pair_edges(forest, run, s, totals.pairs)

    drawn, _, _, ends, _, _, keys, weights, *_ = mcfs.run_projections(
        forest.table,
        mcfs.make_sample(y, sizes),
        c45.make_options(raising=False),
        loop_of(forest, run),
        run.offer,
        0,
        s,
        c45.make_workspace(forest.table, 2, m),
    )
    values = {int(key): [] for key in keys}
    for q in range(s):
        start, end = ends[q - 1, 1] if q else 0, ends[q, 1]
        here = dict(zip(keys[start:end].tolist(), weights[start:end], strict=True))
        for key, of_pair in values.items():
            if set(divmod(key, p)) <= set(drawn[q].tolist()):
                of_pair.append(here.get(key, 0.0) / t)
    assert len(found[0]) == len(values) > 20
    for source, target, weight, se, _, met in zip(*found, strict=True):
        of_pair = values[source * p + target]
        assert met == len(of_pair)
        assert weight == pytest.approx(np.mean(of_pair), rel=1e-12)
        if met == 1:
            assert np.isnan(se)
        else:
            expected = np.std(of_pair, ddof=1) / np.sqrt(met)
            assert se == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.longer
def test_weights_hardly_depend_on_the_size_of_projections(toy):
    """Twice the features a projection: a pair meets 4.4 times as often in as many of them."""
    pairs = [("A1", "B1"), ("A2", "B2"), ("A1", "B2"), ("A2", "B1")]
    small, large = (between(graph_of(toy, second_stage=0, m=m, s=4000), pairs) for m in (6, 12))
    assert (large["met"] / small["met"]).mean() == pytest.approx(12 * 11 / (6 * 5), rel=0.25)
    ratio = large["weight"].mean() / small["weight"].mean()
    assert 0.75 < ratio < 1.25


def test_the_second_stage_lets_every_pair_of_the_top_meet(toy):
    graph = graph_of(toy, s=300, second_stage=10, meetings=200)
    assert len(graph.names) == 10
    assert 40 < len(graph.weight) <= 90
    assert graph.met.min() > 120
    assert graph.met.mean() == pytest.approx(200, rel=0.15)
    assert np.isfinite(graph.se).all()


def test_weights_of_the_second_stage_do_not_depend_on_m(toy):
    """With the same best features the projections are the same, whatever the ranking's m."""
    small, large = (graph_of(toy, s=600, second_stage=6, meetings=400, m=m) for m in (12, 48))
    assert set(small.names) == set(large.names)
    of = [g.frame().set_index(["source", "target"]).sort_index() for g in (small, large)]
    pd.testing.assert_frame_equal(*of)
    assert len(of[0]) > 12


def test_only_the_nearest_ancestors_count_if_asked(toy):
    near, every = (
        graph_of(toy, s=300, second_stage=10, meetings=60, max_ancestors=k) for k in (1, None)
    )
    assert near.count.sum() < every.count.sum()
    assert near.settings["max_ancestors"] == 1
