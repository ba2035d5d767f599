"""Circles are taken out of a hierarchy as a plain reference does it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tamis.ontology.reading.hierarchy import without_circles


@st.composite
def hierarchies(draw):
    """Superclasses of up to 9 classes, and pairs of equivalent ones."""
    n = draw(st.integers(1, 9))
    one = st.integers(0, n - 1)
    above = draw(st.lists(st.sets(one, max_size=3), min_size=n, max_size=n))
    return above, draw(st.lists(st.tuples(one, one), max_size=3))


def plain(above, same):
    """Parents by reachability: classes that reach each other are one."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(above)))
    graph.add_edges_from((a, b) for a, ups in enumerate(above) for b in ups)
    graph.add_edges_from(same)
    graph.add_edges_from((b, a) for a, b in same)
    reach = [nx.descendants(graph, a) | {a} for a in graph]
    found = []
    for a in graph:
        group = {b for b in graph if b in reach[a] and a in reach[b]}
        found.append(tuple(sorted({up for b in group for up in above[b]} - group)))
    return tuple(found)


@given(hierarchies())
def test_parents_are_those_of_the_plain_reference(case):
    import networkx as nx

    above, same = case
    parents, circles = without_circles(above, same)
    assert parents == plain(above, same)
    edges = [(a, b) for a, ups in enumerate(parents) for b in ups]
    assert nx.is_directed_acyclic_graph(nx.DiGraph(edges))
    assert all(len(circle) > 1 for circle in circles)


@given(hierarchies(), st.randoms())
def test_the_numbering_does_not_matter(case, random):
    above, same = case
    order = list(range(len(above)))
    random.shuffle(order)
    turned = [set() for _ in above]
    for a, ups in enumerate(above):
        turned[order[a]] = {order[b] for b in ups}
    parents, _ = without_circles(above, same)
    again, _ = without_circles(turned, [(order[a], order[b]) for a, b in same])
    for a, ups in enumerate(parents):
        assert again[order[a]] == tuple(sorted(order[b] for b in ups))


def test_stated_equivalence_is_no_circle():
    assert without_circles([{2}, set(), set()], [(0, 1)]) == (((2,), (2,), ()), [])
    assert without_circles([{1}, {0}], [(0, 1)])[1] == []
