"""Charts of a look at a table."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tamis import plotting

NAME = "<script>x</script>"


def numbers(root, cls, key):
    return [float(e.get(key)) for e in root.iter() if e.get("class") == cls]


def test_bars_are_as_high_as_there_are_values():
    told = {"start": -1.0, "step": 0.5, "counts": [0, 40, 10, 20]}
    root = ElementTree.fromstring(plotting.value_histogram(told, NAME, "values"))
    heights = numbers(root, "headdot", "height")
    assert heights[0] == pytest.approx(4 * heights[1], abs=0.2)
    assert heights[2] == pytest.approx(2 * heights[1], abs=0.2)
    words = [e.text for e in root.iter() if e.tag.endswith("title")]
    assert words[1:] == ["−0.5 to 0: 40 values", "0 to 0.5: 10 values", "0.5 to 1: 20 values"]


def box(name, place, shift):
    return {
        "name": name,
        "class": place,
        "low": shift,
        "q1": shift + 1,
        "median": shift + 2,
        "q3": shift + 3,
        "high": shift + 4,
    }


@pytest.mark.parametrize("n", [0, 1, 3, 6, 7, 20])
def test_a_sample_has_a_box_in_the_colour_of_its_class(n):
    classes = [NAME, *(f"c{k}" for k in range(1, n))][:n]
    samples = [box(f"s{k}", k % n if n else None, k) for k in range(12)]
    root = ElementTree.fromstring(plotting.sample_boxes(samples, classes, "value", "batch"))
    groups = [e for e in root.iter() if e.tag.endswith("}g")]
    assert len(groups) == 12
    looks = [group[2].get("class") for group in groups]
    shown = n if n <= 6 else 5
    assert looks == [f"k{k % n}" if n and k % n < shown else "other" for k in range(12)]
    assert f"s0, {NAME}: median 2" in groups[0][0].text or not n
    keys = [e.text for e in root.iter() if e.get("class") == "note"]
    assert len(keys) == shown + (n > 6)
    if n > 6:
        assert keys[-1] == f"{n - 5} other b…" or keys[-1].startswith(f"{n - 5} other")


def test_boxes_follow_the_values():
    samples = [box("a", None, 0.0), box("b", None, 2.0)]
    root = ElementTree.fromstring(plotting.sample_boxes(samples, [], "value"))
    first, second = (
        [float(r.get("y")) for r in group if r.get("y")]
        for group in root.iter()
        if group.tag.endswith("}g")
    )
    assert second[0] < first[0]  # upwards


def test_no_sample_is_no_fault():
    assert "0 samples" in plotting.sample_boxes([], [], "value")
