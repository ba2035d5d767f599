"""Stability paths: lines where the probabilities are, names apart, few lines for many features."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis import plotting
from tamis.plotting._line_ends import spread_places

NS = "{http://www.w3.org/2000/svg}"
NAME = '</title><script>alert("x")</script>'


def feature(name, path):
    return {"name": name, "probability": max(path), "path": path}


def made(n, steps=10, top=1.0):
    """n features whose probabilities rise to `top` and less."""
    rise = np.linspace(0, 1, steps)
    return [feature(f"gene {i}", (top * (1 - i / (2 * n)) * rise).tolist()) for i in range(n)]


DATA = {
    "threshold": 0.75,
    "pfer": 0.971,
    "bound": "r_concave",
    "n_stable": 1,
    "n_selected": 40,
    "lambdas": [0.4, 0.2, 0.1],
    "sizes": None,
    "features": [feature(NAME, [0.0, 0.5, 1.0]), feature("b", [0.0, 0.0, 0.5])],
}
NESTED = {**DATA, "lambdas": None, "sizes": [1, 2, 4]}
BARE = {key: NESTED[key] for key in ("threshold", "lambdas", "sizes", "features")}
MANY = {**DATA, "lambdas": np.geomspace(1, 0.01, 10).tolist(), "features": made(100)}
EVERY = [
    DATA,
    NESTED,
    BARE,
    MANY,
    {**MANY, "label": NAME},
    {**DATA, "features": []},
    {**NESTED, "sizes": [1], "features": [feature("a", [0.9])]},
    {**DATA, "lambdas": [0.4], "features": [feature("x" * 90, [0.9])]},
]


def parse(data):
    return ElementTree.fromstring(plotting.stability_paths(data))


def lines(root, kind):
    return [e for e in root.iter(f"{NS}polyline") if kind in e.get("class").split()]


def places(element):
    return [tuple(map(float, p.split(","))) for p in element.get("points").split()]


@pytest.mark.parametrize("data", EVERY)
def test_charts_are_well_formed_and_told_in_words(data):
    root = parse(data)
    assert root.get("role") == "img"
    assert [child.tag for child in root[:2]] == [f"{NS}title", f"{NS}desc"]
    assert not list(root.iter(f"{NS}script"))
    width, height = map(float, root.get("viewBox").split()[2:])
    for element in root.iter():
        for keys, most in ((("x", "x1", "x2"), width), (("y", "y1", "y2"), height)):
            for key in keys:
                assert 0 <= float(element.get(key, 0)) <= most


@pytest.mark.parametrize("data", [DATA, NESTED])
def test_lines_are_where_the_probabilities_are(data):
    root = parse(data)
    (stable,), (other,) = lines(root, "stable"), lines(root, "other")
    (x0, y0), (x1, y1), (x2, y2) = places(stable)
    assert x0 < x1 < x2  # the penalty falls to the right
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)  # on a log axis
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.2)
    assert places(other)[2][1] == pytest.approx(y1, abs=0.2)
    (threshold,) = [
        e for e in root.iter(f"{NS}line") if e.get("class") == "chance" and float(e.get("x1")) == x0
    ]
    assert float(threshold.get("y1")) == pytest.approx(y0 + 0.75 * (y2 - y0), abs=0.2)


def test_the_threshold_is_told_with_its_promise():
    text = "".join(parse(DATA).itertext())
    assert "from 0.75 up at most 0.98 false are expected" in text  # a bound is rounded up
    assert "r concave bound" in text
    assert "coloured: 1 stable; grey: 1 of 39" in text
    few = "".join(parse({**DATA, "inconclusive": True}).itertext())
    assert "coloured: 1 stable (inconclusive); grey" in few
    assert f"{NAME}: largest probability 1.00" in text
    assert "threshold 0.75" in "".join(parse(BARE).itertext())
    assert "none is stable" in "".join(parse({**DATA, "features": [], "n_stable": 0}).itertext())


def test_many_features_are_few_lines_and_names_apart():
    root = parse(MANY)
    stable, others = lines(root, "stable"), lines(root, "other")
    assert len(stable) == sum(one["probability"] >= 0.75 for one in MANY["features"])
    assert len(others) <= 60
    names = [e for e in root.iter(f"{NS}text") if e.get("class") == "name"]
    assert [e.text for e in names] == [f"gene {i}" for i in range(12)]
    ys = [float(e.get("y")) for e in names]
    assert all(b - a >= 13.9 for a, b in pairwise(ys))
    looks = {(e.get("stroke"), e.get("stroke-dasharray")) for e in stable[-12:]}
    assert len(looks) == 12


@given(st.lists(st.floats(0, 100), max_size=7), st.floats(1, 14))
@settings(max_examples=200, deadline=None)
def test_names_are_moved_as_little_as_may_be(wanted, gap):
    wanted = sorted(wanted)
    places = spread_places(wanted, gap, 0.0, 100.0)
    assert len(places) == len(wanted)
    assert all(b - a >= gap - 1e-6 for a, b in pairwise(places))
    assert all(-1e-9 <= y <= 100 + 1e-9 for y in places)
    if all(b - a >= gap for a, b in pairwise(wanted)):
        assert places == pytest.approx(wanted)
