"""Where chosen variants are."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest

from tamis import plotting

NAME = "<script>x</script>"
TWO = [["1", 0], [NAME, 100]]


def drawn(svg, tag, name=""):
    return [
        e
        for e in ElementTree.fromstring(svg).iter()
        if e.tag.endswith(tag) and name in (e.get("class") or "")
    ]


def picture(dots, chromosomes=TWO, n=200.0, origin=None):
    return {"n": n, "chromosomes": chromosomes, "dots": dots, "origin": origin}


def test_dots_stand_at_their_place_and_share():
    svg = plotting.chosen_places(
        picture([[0, 0, "a", False], [50, 0.5, NAME, False], [200, 1, "b", True]])
    )
    (low, middle), (final,) = drawn(svg, "circle"), drawn(svg, "polygon")[:1]
    assert float(low.get("cx")) < float(middle.get("cx")) < 200
    assert float(low.get("cy")) > float(middle.get("cy")) > 30
    x, y = final.get("points").split()[0].split(",")
    assert (float(x), float(y)) == (350, 25)
    assert NAME not in svg
    assert "b: 100 % of the outer folds, in the final model" in svg


def test_colours_take_turns_by_chromosome():
    svg = plotting.chosen_places(picture([[k, 0.5, "v", False] for k in (10, 99, 101, 199)]))
    assert [e.get("class") for e in drawn(svg, "circle")] == ["headdot"] * 2 + ["other"] * 2


def test_one_chromosome_has_positions():
    one = picture([[1e6, 0.5, "v", False]], [["22", 0]], 35e6, 16e6)
    texts = [e.text for e in drawn(plotting.chosen_places(one), "text")]
    assert [t for t in texts if t in ("20", "30", "40", "50")] == ["20", "30", "40", "50"]
    assert "chromosome 22, million base pairs" in texts


@pytest.mark.parametrize("final", [False, True])
def test_many_are_few_elements_and_none_is_lost(final):
    dots = [[k % 200, (1 + k % 5) / 5, f"v{k}", final] for k in range(10_000)]
    svg = plotting.chosen_places(picture(dots))
    assert len(svg) < 40_000
    paths = drawn(svg, "path", "gathered")
    assert 0 < len(paths) <= 6
    heights = Counter(move.split(" ")[1] for e in paths for move in e.get("d")[1:-2].split("h0M"))
    assert len(heights) == 5
    assert not drawn(svg, "circle")


def test_nothing_chosen_is_an_empty_frame():
    svg = plotting.chosen_places(picture([], [["?", 0]], 1))
    assert not drawn(svg, "circle")
    assert "0 variants" in svg
