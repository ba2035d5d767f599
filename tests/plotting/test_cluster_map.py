"""The map of clusters: shapes inside the chart, shades by size, words for all of it."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from tamis import plotting
from tamis.kernels.self_organising_map import grid_places, grid_shape

NS = "{http://www.w3.org/2000/svg}"
NAME = '</title><script>alert("x")</script>'


def cluster(i, place=None, **more):
    return {
        "name": f"gene {i}",
        "n": 3 + 7 * i,
        "mean_correlation": 0.5,
        "score": 4.0 - i,
        "chosen": True,
        "place": place,
        "members": [],
        **more,
    }


def made(k, mapped):
    places = grid_places(*grid_shape(k)).tolist() if mapped else [None] * k
    return {"clusters": [cluster(i, place) for i, place in enumerate(places)]}


def shapes(root):
    for e in root.iter(f"{NS}polygon"):
        points = np.array([list(map(float, p.split(","))) for p in e.get("points").split()])
        yield e, points


@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("k", [1, 2, 5, 12, 50, 100])
def test_shapes_stay_inside_and_apart(k, mapped):
    data = made(k, mapped)
    root = ElementTree.fromstring(plotting.cluster_map(data))
    height = float(root.get("viewBox").split()[3])
    filled = [p for e, p in shapes(root) if e.get("fill") != "none"]
    assert len(filled) == len(data["clusters"])
    for points in filled:
        assert points.min() >= 0
        assert points[:, 0].max() <= 360
        assert 36 <= points[:, 1].min() < points[:, 1].max() <= height
    centres = np.array([p.mean(axis=0) for p in filled])
    widths = [np.ptp(p[:, 0]) for p in filled]
    apart = np.sqrt(((centres[:, None] - centres) ** 2).sum(axis=2))
    assert (apart[~np.eye(len(centres), dtype=bool)] >= min(40.0, min(widths))).all()


def test_the_darker_the_more_features():
    root = ElementTree.fromstring(plotting.cluster_map(made(5, False)))
    shades = [float(e.get("fill-opacity")) for e, _ in shapes(root) if e.get("fill-opacity")]
    assert shades == sorted(shades)
    assert 0 < shades[0] < shades[-1] < 0.7  # letters stay legible


def test_what_is_not_kept_is_dashed_and_said():
    data = made(4, True)
    data["clusters"][3] |= {"chosen": False, "score": None, "mean_correlation": None}
    text = plotting.cluster_map(data)
    assert text.count("stroke-dasharray") == 1
    assert "gene 3: 24 features, not kept" in text
    assert "dashed: 1 not kept" in text


def test_names_are_escaped_and_nothing_is_drawn_of_nothing():
    data = {"clusters": [cluster(0, name=NAME)], "label": NAME}
    assert "<script" not in plotting.cluster_map(data)
    ElementTree.fromstring(plotting.cluster_map(data))
    ElementTree.fromstring(plotting.cluster_map({"clusters": []}))
