"""The graph of what sets have in common, against its plain definition."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.discovery.set_result import graph_of_sets


@given(
    sets=st.lists(
        st.tuples(st.sets(st.integers(0, 7), min_size=1, max_size=5), st.floats(0, 1)), max_size=12
    )
)
@settings(max_examples=60, deadline=None)
def test_the_graph_joins_what_stands_together(sets):
    """By the plain definition: each pair of features of each set."""
    sets.sort(key=lambda one: -one[1])
    found = [
        {
            "parts": [{"feature": f"f{j}", "value": ""} for j in sorted(one)],
            "label": None,
            "numbers": {"d": value},
            "passes": k == 0,
        }
        for k, (one, value) in enumerate(sets)
    ]
    weight, count = {}, {}
    for one, value in sets:
        for a, b in [*((j, j) for j in one), *combinations(sorted(one), 2)]:
            weight[a, b] = max(weight.get((a, b), 0.0), value)
            count[a, b] = count.get((a, b), 0) + 1
    graph = graph_of_sets(found, "d")
    nodes = {f["name"]: (f["value"], f["sets"]) for f in graph["features"]}
    assert nodes == {f"f{a}": (w, count[a, b]) for (a, b), w in weight.items() if a == b}
    edges = {
        tuple(sorted((e["source"], e["target"]))): (e["weight"], e["sets"]) for e in graph["edges"]
    }
    assert edges == {(f"f{a}", f"f{b}"): (w, count[a, b]) for (a, b), w in weight.items() if a < b}
    assert [e["weight"] for e in graph["edges"]] == sorted(
        (e["weight"] for e in graph["edges"]), reverse=True
    )
    kept = {f"f{j}" for j in sets[0][0]} if sets else set()
    assert {f["name"] for f in graph["features"] if f["selected"]} == kept
