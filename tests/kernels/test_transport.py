"""Optimal transport: every permutation, the whole linear program, networkx and POT."""

from __future__ import annotations

import json
from itertools import permutations
from math import gcd
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog

from common.examples import settings
from tamis.kernels import transport
from tamis.kernels.transport import movable_share, transport_cost

GOLDEN = Path(__file__).parents[1] / "goldens" / "pot_transport.json"
SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7))
COSTS = SIZES.flatmap(lambda n: arrays(np.int64, n, elements=st.integers(0, 6)))  # many ties


def plain_cost(cost):
    """All pairs in one program, the weights in its equations."""
    n0, n1 = cost.shape
    moved = np.arange(n0 * n1).reshape(n0, n1)
    A = np.zeros((n0 + n1, n0 * n1))
    for i in range(n0):
        A[i, moved[i]] = 1
    for j in range(n1):
        A[n0 + j, moved[:, j]] = 1
    weights = np.repeat([1 / n0, 1 / n1], [n0, n1])
    return linprog(cost.ravel(), A_eq=A, b_eq=weights).fun


@given(st.integers(1, 5).flatmap(lambda n: arrays(np.float64, (n, n), elements=st.floats(0, 9))))
def test_equal_sizes_are_the_best_permutation(cost):
    n = len(cost)
    best = min(cost[range(n), list(order)].mean() for order in permutations(range(n)))
    assert transport_cost(cost) == pytest.approx(best, rel=1e-12, abs=1e-12)


@settings(max_examples=50)
@given(COSTS)
def test_any_sizes_are_the_whole_program(cost):
    found = transport_cost(cost.astype(float))
    assert found == pytest.approx(plain_cost(cost), abs=1e-9 * max(1, cost.max()))
    assert transport_cost(cost.T.astype(float)) == pytest.approx(found, abs=1e-12)


@settings(max_examples=50)
@given(COSTS)
def test_any_sizes_are_networkx(cost):
    networkx = pytest.importorskip("networkx")
    n0, n1 = cost.shape
    shared = gcd(n0, n1)
    graph = networkx.DiGraph()
    for i in range(n0):
        graph.add_node(("row", i), demand=-n1 // shared)
    for j in range(n1):
        graph.add_node(("column", j), demand=n0 // shared)
    for (i, j), value in np.ndenumerate(cost):
        graph.add_edge(("row", i), ("column", j), weight=int(value))
    total, _ = networkx.network_simplex(graph)
    weight = n0 * n1 // shared
    assert transport_cost(cost.astype(float)) == pytest.approx(total / weight, abs=1e-12)


@settings(max_examples=50)
@given(SIZES.flatmap(lambda n: arrays(np.bool_, n)))
def test_the_movable_share_is_the_cost_of_zeros_and_ones(near):
    assert movable_share(near) == pytest.approx(1 - plain_cost((~near).astype(int)), abs=1e-9)


@pytest.mark.parametrize("nearest", [1, 3, 8])
@pytest.mark.parametrize("cap", [1.0, 0.4])
def test_pairs_left_out_at_first_come_in(monkeypatch, nearest, cap):
    monkeypatch.setattr(transport, "N_ENTERING_PAIRS", nearest)
    rng = np.random.default_rng(nearest)
    cost = np.minimum(rng.random((31, 18)) ** 0.5, cap)
    assert transport_cost(cost) == pytest.approx(plain_cost(cost), abs=1e-10)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_units_do_not_matter(size):
    cost = np.random.default_rng(0).random((9, 4))
    assert transport_cost(cost * size) == pytest.approx(transport_cost(cost) * size, rel=1e-12)


def test_nothing_to_move_and_one_cost():
    assert transport_cost(np.zeros((3, 5))) == 0
    assert transport_cost(np.full((3, 5), 0.3)) == pytest.approx(0.3)
    assert transport_cost(np.full((1, 1), 0.3)) == 0.3


def golden_costs(case):
    """The table of `goldens/make_pot.py`, drawn again."""
    rng = np.random.default_rng(case["seed"])
    a, b = (rng.normal(size=(n, 20)) for n in case["sizes"])
    apart = np.sqrt(((a[:, None] - b - 0.3) ** 2).sum(axis=2)) / 20
    return (apart >= case["cap"]) * 1.0 if case["steps"] else np.minimum(apart, case["cap"])


@pytest.mark.parametrize("case", json.loads(GOLDEN.read_text())["cases"], ids=str)
def test_costs_of_pot(case):
    cost = golden_costs(case)
    assert transport_cost(cost) == pytest.approx(case["cost"], abs=1e-12)
    if case["steps"]:
        assert movable_share(cost == 0) == pytest.approx(1 - case["cost"], abs=1e-12)
