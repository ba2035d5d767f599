"""The critical-difference diagram and the pairwise scatter: numbers in their places."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from tamis import plotting

NS = "{http://www.w3.org/2000/svg}"
NAME = '</title><script>alert("x")</script>'
LONG = "monte_carlo_feature_selection then linear_discriminant_analysis, sizes 1 to 200, shrunken"

RANKS = {
    "methods": [
        {"name": NAME, "rank": 1.5},
        {"name": "b", "rank": 2.0},
        {"name": "c", "rank": 2.5},
    ],
    "groups": [[NAME, "b"], ["b", "c"]],
    "critical_difference": 0.8,
    "alpha": 0.05,
    "n_sets": 9,
}
POINTS = {
    "first": NAME,
    "second": "b",
    "metric": "BCR",
    "above": 1,
    "on": 1,
    "below": 1,
    "points": [
        {"label": "s", "first": 0.9, "second": 0.6},
        {"label": "t", "first": 0.7, "second": 0.7},
        {"label": NAME, "first": 0.5, "second": 0.8},
    ],
}

CHARTS = [
    (plotting.critical_difference, RANKS),
    (plotting.critical_difference, {**RANKS, "groups": []}),
    (plotting.critical_difference, {**RANKS, "critical_difference": 7.0}),
    (plotting.pairwise_scatter, POINTS),
    (plotting.pairwise_scatter, {**POINTS, "points": POINTS["points"][:1], "domain": (0, 1)}),
    (plotting.pairwise_scatter, {**POINTS, "points": []}),
]


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def of_class(root: ElementTree.Element, name: str, kind: str) -> list[ElementTree.Element]:
    return [e for e in root.iter(f"{NS}{kind}") if name in (e.get("class") or "").split()]


def at(element: ElementTree.Element, *keys: str) -> list[float]:
    return [float(element.get(key, "nan")) for key in keys]


@pytest.mark.parametrize(("draw", "data"), CHARTS)
def test_charts_are_well_formed_and_told_in_words(draw, data):
    root = parse(draw(data))
    assert root.get("role") == "img"
    assert [child.tag for child in root[:2]] == [f"{NS}title", f"{NS}desc"]
    assert not list(root.iter(f"{NS}script"))
    width, height = map(float, root.get("viewBox").split()[2:])
    for element in root.iter():
        for keys, most in ((("x", "cx", "x1", "x2"), width), (("y", "cy", "y1", "y2"), height)):
            for key in keys:
                assert 0 <= float(element.get(key, 0)) <= most


def test_dots_stand_at_their_ranks():
    root = parse(plotting.critical_difference(RANKS))
    (x1, y1), (x2, y2), (x3, y3) = (at(e, "cx", "cy") for e in of_class(root, "headdot", "circle"))
    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.2)  # 1.5, 2.0 and 2.5
    assert y1 < y2 < y3
    measure = of_class(root, "head", "line")[0]
    start, stop = at(measure, "x1", "x2")
    assert (stop - start) / (x3 - x1) == pytest.approx(0.8 / 1.0, abs=0.01)


def test_bars_span_their_groups_side_by_side():
    root = parse(plotting.critical_difference(RANKS))
    dots = [at(e, "cy")[0] for e in of_class(root, "headdot", "circle")]
    first, second = of_class(root, "group", "line")
    for bar, (top, bottom), other in ((first, dots[:2], dots[2]), (second, dots[1:], dots[0])):
        low, high = at(bar, "y1", "y2")
        assert low < top < bottom < high
        assert not low < other < high
    assert first.get("x1") != second.get("x1")  # both pass the row of b
    apart = [["a", "b"], ["c", "d"]]
    methods = [{"name": n, "rank": r} for n, r in zip("abcd", (1, 1.2, 3, 3.2), strict=True)]
    root = parse(plotting.critical_difference({**RANKS, "methods": methods, "groups": apart}))
    assert len({bar.get("x1") for bar in of_class(root, "group", "line")}) == 1  # one lane


def test_a_difference_longer_than_the_axis_says_so():
    text = plotting.critical_difference({**RANKS, "critical_difference": 7.0})
    assert "longer than the axis" in text
    assert "longer than the axis" not in plotting.critical_difference(RANKS)


def test_twelve_long_names_are_legible():
    names = [f"{LONG} {i}" for i in range(12)]
    methods = [{"name": name, "rank": 1.0 + i} for i, name in enumerate(names)]
    groups = [names[i : i + 5] for i in range(8)]
    data = {**RANKS, "methods": methods, "groups": groups, "critical_difference": 4.5}
    root = parse(plotting.critical_difference(data))
    lines = of_class(root, "name", "text")
    assert len(lines) == 24  # on two lines each
    assert "".join(e.text for e in lines[:2]).startswith("monte_carlo_feature_selection then")
    bars = [float(bar.get("x1")) for bar in of_class(root, "group", "line")]
    leftmost = min(bars)
    for e in lines:
        assert float(e.get("x")) + plotting._svg.text_width(e.text) < leftmost
    ys = [float(e.get("y")) for e in lines]
    assert all(b - a >= 13 for a, b in pairwise(ys))
    assert all(name in "".join(root.itertext()) for name in names)  # whole in the tooltips


def test_points_stand_at_their_scores_on_equal_axes():
    root = parse(plotting.pairwise_scatter(POINTS))
    above, on, below = (at(e, "cx", "cy") for e in of_class(root, "headdot", "circle"))
    x1, y1, x2, y2 = at(of_class(root, "chance", "line")[0], "x1", "y1", "x2", "y2")
    assert x2 - x1 == pytest.approx(y1 - y2)

    def over(point):  # how far above the diagonal, in the chart's units
        return (y1 - point[1]) - (point[0] - x1)

    unit = (x2 - x1) / 0.4  # the axes run from 0.5 to 0.9
    assert over(above) == pytest.approx(0.3 * unit, abs=0.3)
    assert over(on) == pytest.approx(0, abs=0.3)
    assert over(below) == pytest.approx(-0.3 * unit, abs=0.3)
    assert [e.text for e in of_class(root, "count", "text")] == ["above 1", "on 1", "below 1"]
