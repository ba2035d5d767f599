"""Bars of pairs, with the best of permuted runs and what has to be exceeded."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tamis.plotting import _svg as svg
from tamis.plotting import pair_scores

PAIRS = [
    {"features": ["a", "b"], "interaction": 0.5, "singles": [0.1, 0.2]},
    {"features": ["a", "c"], "interaction": 0.25, "singles": [0.1, 0.0]},
]


@pytest.mark.every
@pytest.mark.parametrize("by", ["interaction", "score"])
@pytest.mark.parametrize("maxima", [(), (0.3, 0.4)])
@pytest.mark.parametrize("threshold", [None, 0.4])
def test_pairs_are_drawn_in_their_order(by, maxima, threshold):
    drawn = pair_scores(PAIRS, by, maxima, threshold)
    ElementTree.fromstring(drawn)
    assert drawn.index("a × b") < drawn.index("a × c")
    assert ("best of a permuted run" in drawn) == bool(maxima)


def test_long_names_share_the_width():
    """Each has half of what lies between the edges, but for the sign between them."""
    long = {"features": ["a" * 200, "b" * 200], "interaction": 0.5, "singles": [0.1, 0.2]}
    root = ElementTree.fromstring(pair_scores([long], "score", (), None))
    (name,) = [one.text for one in root.iter() if " × " in (one.text or "") and one.get("x")]
    first, last = name.split(" × ")
    assert len(first) == len(last)
    left = min(float(one.get("x")) for one in root.iter() if one.get("class") == "name")
    room = svg.CHART_WIDTH - left
    assert 0.8 * room < svg.text_width(name) <= room
