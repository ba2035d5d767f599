"""Charts of principal components."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from tamis import plotting
from tamis.plotting._class_marks import MAX_MARKED_CLASSES

NAME = "<script>x</script>"


def picture(classes, places):
    rows = [[f"s{i}", place, float(i), -float(i), 0.5, i / 3] for i, place in enumerate(places)]
    return {"classes": classes, "samples": rows, "of": len(rows)}


@pytest.mark.parametrize("n", [0, 1, 6, 7, MAX_MARKED_CLASSES, MAX_MARKED_CLASSES + 1, 30])
def test_every_sample_has_a_mark_and_every_mark_a_name(n):
    classes = [NAME, *(f"c{k}" for k in range(1, n))][:n]
    places = [None, *range(n), *range(n)]
    root = ElementTree.fromstring(
        plotting.component_scatter(picture(classes, places), 0, [0.2, 0.1, 0.1, 0.0])
    )
    marks = [e for e in root.iter() if e.get("fill-opacity")]
    keys = [e.text for e in root.iter() if e.get("class") == "note"]
    assert len(marks) == len(places) + len(keys)
    assert len(keys) == min(n + (n > 0), MAX_MARKED_CLASSES + (n == MAX_MARKED_CLASSES))
    looks = {(e.tag, e.get("fill")) for e in marks}
    assert len(looks) == max(1, len(keys))


def test_places_follow_the_scores():
    svg = plotting.component_scatter(picture(["a"], [0, 0, 0]), 2, [0.4, 0.3, 0.2, 0.1])
    root = ElementTree.fromstring(svg)
    dots = [e for e in root.iter() if e.tag.endswith("circle")][:3]
    x, y = (np.array([float(e.get(key)) for e in dots]) for key in ("cx", "cy"))
    assert (x == x[0]).all()
    assert (np.diff(y) < 0).all()
    assert "PC3 (20\u00a0% of variance)" in svg


def test_a_bar_is_as_long_as_its_eigenvalue():
    root = ElementTree.fromstring(plotting.eigenvalue_bars([4.0, 2.0, 1.0], [0.2, 0.1, 0.05]))
    heights = [float(e.get("height")) for e in root.iter() if e.tag.endswith("rect")]
    np.testing.assert_allclose(np.array(heights) / heights[0], [1, 0.5, 0.25], atol=0.002)


def test_few_bars_are_headed_by_their_shares():
    assert ">20\u00a0%</text>" in plotting.eigenvalue_bars([4.0, 2.0], [0.2, 0.1])
    many = plotting.eigenvalue_bars([1.0] * 20, [0.05] * 20)
    assert "5\u00a0%" not in many


def test_a_view_is_two_components():
    samples = {"classes": [], "samples": [["s", None, 1.0, 2.0, 3.0, 4.0]]}
    assert [len(plotting.component_views(samples, [0.1] * k)) for k in (1, 2, 3, 4)] == [0, 1, 1, 2]


def test_a_key_of_a_legend_has_room_for_its_name():
    names = ["a name of twenty five letters", "b"]
    samples = [[f"s{k}", k, 1.0, 2.0] for k in range(2)]
    chart = plotting.component_scatter({"classes": names, "samples": samples}, 0, [0.2, 0.1])
    texts = ElementTree.fromstring(chart).iter("{http://www.w3.org/2000/svg}text")
    assert [e.text for e in texts if e.get("class") == "note"] == names
