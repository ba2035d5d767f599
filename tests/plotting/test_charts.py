"""Every chart: well formed, numbers in their places, nothing undefined breaks it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tamis import plotting

NS = "{http://www.w3.org/2000/svg}"
NAME = '</title><script>alert("x")</script>'

ROC = [
    {"label": NAME, "points": [[0, 0], [0.5, 1], [1, 1]], "headline": True, "note": "AUC 0.75"},
    {"label": "other", "points": [[0, 0], [1, 1]], "headline": False},
    {"label": "none", "points": [], "headline": False},
]
BINS = [
    {"mean_predicted": 0.25, "observed": 0.5, "n": 8, "low": 0.2, "high": 0.8},
    {"mean_predicted": 0.9, "observed": None, "n": 0, "low": None, "high": None},
]
METHODS = {
    "metric": "BCR",
    "chance": {"mean": 0.5, "low": 0.4, "high": 0.6},
    "rows": [
        {"label": NAME, "mean": 0.8, "low": 0.7, "high": 0.9, "headline": True},
        {"label": "m", "mean": 0.75, "low": None, "high": None, "headline": False},
        {"label": "u", "mean": None, "low": None, "high": None, "headline": False},
    ],
}
SIZES = {
    "label": NAME,
    "metric": "BCR",
    "chosen": [2, 2, 8],
    "optimistic": 0.8,
    "points": [
        {"size": 2, "inner": 0.8, "outer": 0.7},
        {"size": 8, "inner": 0.9, "outer": 0.8},
        {"size": 16, "inner": None, "outer": None},
    ],
}
RUNS = {"metric": "BCR", "values": [0.4, 0.5, 0.5, 0.6, None], "observed": 0.8, "p_value": 0.2}
FEATURES = {
    "features": [
        {"name": NAME, "frequency": 1.0, "in_final": True},
        {"name": "b", "frequency": 0.25, "in_final": False},
    ]
}
DECISION = [
    {
        "label": NAME,
        "headline": True,
        "points": [
            {"threshold": 0.25, "net_benefit": 0.4, "treat_all": 1 / 3},
            {"threshold": 0.5, "net_benefit": 0.3, "treat_all": 0.0},
            {"threshold": 0.75, "net_benefit": -0.5, "treat_all": -1.0},
            {"threshold": 0.9, "net_benefit": 0.2, "treat_all": None},
        ],
    },
    {"label": "none", "points": [], "headline": False},
    {
        "label": "other",
        "headline": False,
        "points": [
            {"threshold": 0.25, "net_benefit": -9.0, "treat_all": 1 / 3},
            {"threshold": 0.5, "net_benefit": 0.1, "treat_all": 0.0},
        ],
    },
]
COST = [
    {
        "label": NAME,
        "headline": True,
        "points": [
            {"x": 0.0, "threshold": 1.0, "loss": 0.0, "envelope": 0.0},
            {"x": 0.5, "threshold": 0.25, "loss": 0.75, "envelope": 0.25},
            {"x": 1.0, "threshold": 0.0, "loss": None, "envelope": None},
        ],
    },
    {"label": "none", "points": [], "headline": False},
    {
        "label": "other",
        "headline": False,
        "points": [
            {"x": 0.25, "threshold": 0.5, "loss": 0.2, "envelope": 0.1},
            {"x": 0.75, "threshold": 0.1, "loss": 0.2, "envelope": 0.1},
        ],
    },
]
THRESHOLDS = [
    {
        "label": NAME,
        "headline": True,
        "points": [
            {"threshold": 0.0, "sensitivity": 1.0, "specificity": 0.0, "loss": 2.0},
            {"threshold": 0.5, "sensitivity": 0.75, "specificity": 0.5, "loss": 1.0},
            {"threshold": 1.0, "sensitivity": 0.0, "specificity": 1.0, "loss": 4.0},
        ],
    },
    {"label": "none", "points": [], "headline": False},
    {
        "label": "other",
        "headline": False,
        "points": [
            {"threshold": 0.3, "sensitivity": None, "specificity": 0.5, "loss": None},
            {"threshold": 0.6, "sensitivity": 0.75, "specificity": 0.5, "loss": None},
        ],
    },
]
STRIPS = {"name": NAME, "classes": [
    {"label": NAME, "n": 5, "missing": 2, "min": 0.0, "q1": 1.0, "median": 2.0, "q3": 3.0,
     "max": 4.0, "points": [0.0, 1.0, 2.0, 3.0, 4.0]},
    {"label": "empty", "n": 0, "missing": 5, "min": None, "q1": None, "median": None, "q3": None,
     "max": None, "points": []}]}  # fmt: skip
BARS = {
    "name": NAME,
    "classes": [
        {"label": "a", "n": 4, "missing": 0, "shares": {NAME: 0.25, "no": 0.75}},
        {"label": "b", "n": 0, "missing": 4, "shares": {NAME: None, "no": None}},
    ],
}

CHARTS = [
    (plotting.cost_curve, COST),
    (plotting.cost_curve, []),
    (plotting.threshold_view, THRESHOLDS),
    (plotting.threshold_view, []),
    (plotting.decision_curve, DECISION),
    (plotting.decision_curve, []),
    (plotting.feature_distribution, STRIPS),
    (plotting.feature_distribution, BARS),
    (plotting.feature_distribution, {**STRIPS, "classes": STRIPS["classes"][1:]}),
    (plotting.roc_curve, ROC),
    (plotting.roc_curve, []),
    (plotting.pr_curve, ROC),
    (plotting.calibration_curve, [{"label": NAME, "points": BINS, "headline": True}]),
    (plotting.calibration_curve, []),
    (plotting.method_intervals, METHODS),
    (plotting.method_intervals, {"metric": "BCR", "rows": METHODS["rows"][2:], "chance": None}),
    (plotting.size_curve, SIZES),
    (plotting.size_curve, {**SIZES, "points": [], "chosen": []}),
    (plotting.permutation_histogram, RUNS),
    (plotting.permutation_histogram, {**RUNS, "values": [0.5] * 500, "observed": None}),
    (plotting.permutation_histogram, {**RUNS, "values": [], "observed": 0.5}),
    (plotting.selection_frequency, FEATURES),
    (plotting.selection_frequency, {"features": []}),
]


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def of_class(root: ElementTree.Element, name: str, kind: str) -> list[ElementTree.Element]:
    return [e for e in root.iter(f"{NS}{kind}") if name in (e.get("class") or "").split()]


@pytest.mark.parametrize(("draw", "data"), CHARTS)
def test_charts_are_well_formed_and_told_in_words(draw, data):
    root = parse(draw(data))
    assert root.get("role") == "img"
    assert root[0].tag == f"{NS}title"
    assert root[1].tag == f"{NS}desc"
    assert not list(root.iter(f"{NS}script"))
    assert draw(data) == draw(data)
    width = float(root.get("viewBox").split()[2])
    for element in root.iter():
        for key in ("x", "cx", "x1", "x2"):
            assert 0 <= float(element.get(key, 0)) <= width


def test_roc_points_are_where_they_belong():
    root = parse(plotting.roc_curve(ROC))
    (curve,) = of_class(root, "head", "polyline")
    points = [tuple(map(float, p.split(","))) for p in curve.get("points").split()]
    assert len(points) == 3
    (x0, y0), (xm, ym), (x1, y1) = points
    assert xm == pytest.approx((x0 + x1) / 2, abs=0.1)
    assert ym == y1 < y0  # up is less in SVG
    assert len(of_class(root, "thin", "polyline")) == 1  # the empty one is not drawn


def test_twelve_methods_can_be_told_apart():
    series = [{"label": str(i), "points": [[0, 0], [1, 1]]} for i in range(12)]
    lines = of_class(parse(plotting.roc_curve(series)), "thin", "polyline")
    looks = {(e.get("stroke"), e.get("stroke-dasharray")) for e in lines}
    assert len(looks) == 12


def test_intervals_are_symmetric_where_the_numbers_are():
    root = parse(plotting.method_intervals(METHODS))
    (dot,) = of_class(root, "headdot", "circle")
    low, high = (float(of_class(root, "head", "line")[0].get(k)) for k in ("x1", "x2"))
    assert float(dot.get("cx")) == pytest.approx((low + high) / 2, abs=0.1)
    assert "undefined" in "".join(root.itertext())


def test_the_best_outer_size_is_ringed():
    root = parse(plotting.size_curve(SIZES))
    rings = [e for e in of_class(root, "best", "circle") if list(e)]  # not the legend's
    assert len(rings) == 1
    assert "0.800 at 8 features: optimistic" in rings[0][0].text
    worst = {**SIZES, "optimistic": 0.7}  # a loss: the least is the best
    ring = [e for e in of_class(parse(plotting.size_curve(worst)), "best", "circle") if list(e)]
    assert "0.700 at 2 features" in ring[0][0].text


def test_every_permuted_run_is_drawn():
    assert len(of_class(parse(plotting.permutation_histogram(RUNS)), "bar", "circle")) == 4
    many = {**RUNS, "values": [0.4 + i / 5000 for i in range(1000)]}
    root = parse(plotting.permutation_histogram(many))
    told = [e.text for e in root.iter(f"{NS}title")]
    counts = [
        int(t.split(": ")[1].split()[0]) for t in told if "permuted runs" in t and " to " in t
    ]
    assert sum(counts) == 1000


def test_frequencies_are_bar_heights():
    root = parse(plotting.selection_frequency(FEATURES))
    bars = [e for e in root.iter(f"{NS}rect") if list(e)]
    heights = [float(e.get("height")) for e in bars]
    assert heights[1] == pytest.approx(heights[0] / 4, abs=0.2)


def test_a_decision_curve_leaves_the_chart_at_its_floor():
    root = parse(plotting.decision_curve(DECISION))
    (curve,) = of_class(root, "head", "path")
    first, second = curve.get("d").removeprefix("M").split("M")
    places = [tuple(map(float, p.split())) for p in first.split("L")]
    assert len(places) == 3  # two points and where the line crosses the floor
    again = [tuple(map(float, p.split())) for p in second.split("L")]
    assert places[-1][1] == again[0][1] > max(y for _, y in [*places[:-1], again[1]])
    assert places[1][0] < places[-1][0] < again[0][0] < again[1][0]
    (other,) = of_class(root, "thin", "path")
    assert "s1" in other.get("class")  # numbered like the methods, drawn or not
    (_, zero), *_ = [(e, float(e.get("y1"))) for e in of_class(root, "chance", "line")]
    everybody = next(p for p in of_class(root, "chance", "path"))
    ends = [tuple(map(float, p.split())) for p in everybody.get("d")[1:].split("L")]
    assert ends[1][1] == pytest.approx(zero)


def places_of(line: ElementTree.Element) -> list[tuple[float, float]]:
    return [tuple(map(float, p.split(","))) for p in line.get("points").split()]


def test_a_cost_curve_has_the_trivial_lines_the_envelope_and_the_studys_own_point():
    own = {"x": 0.25, "threshold": 0.6, "loss": 0.75}
    root = parse(plotting.cost_curve(COST, own))
    (curve,), (envelope,) = of_class(root, "head", "polyline"), of_class(root, "best", "polyline")
    (_, zero), (half, up) = places_of(curve)  # the undefined point is not drawn
    assert places_of(envelope)[1] == (half, pytest.approx(zero + (up - zero) / 3, abs=0.1))
    nobody, everybody, here = of_class(root, "chance", "line")
    top = [float(nobody.get(k)) for k in ("x2", "y2")]
    assert top == [pytest.approx(half, abs=0.1), pytest.approx(zero + (up - zero) / 1.5, abs=0.1)]
    assert [float(everybody.get(k)) for k in ("x1", "y1")] == top
    assert float(everybody.get("y2")) == zero
    (dot,) = of_class(root, "headdot", "circle")
    assert dot.get("cx") == here.get("x1") == here.get("x2")
    assert float(dot.get("cy")) == up  # 0.75, as the curve at its middle
    assert "as decided in this study: 0.750" in "".join(root.itertext())
    (other,) = of_class(root, "thin", "polyline")
    assert "s1" in other.get("class")
    unknown = parse(plotting.cost_curve(COST, {**own, "loss": None}))
    assert not of_class(unknown, "headdot", "circle")


def test_thresholds_are_drawn_as_steps_over_the_mean_cost():
    root = parse(plotting.threshold_view(THRESHOLDS, 0.5, [0.25], 2.0))
    sensitivity, specificity, cost = of_class(root, "head", "polyline")
    places = places_of(sensitivity)
    (left, top), (_, quarter), (middle, _), (_, foot), (right, _) = places
    assert [x for x, _ in places] == [left, left, middle, middle, right]  # holds down to the last
    assert quarter == pytest.approx(top + (foot - top) / 4, abs=0.1)
    assert specificity.get("stroke-dasharray")
    constant = of_class(root, "chance", "line")[0]
    assert places_of(cost)[0][1] == float(constant.get("y1")) == float(constant.get("y2"))
    assert min(y for _, y in places_of(cost)) > max(y for _, y in places)  # another panel
    lines = [e for e in of_class(root, "chance", "line") if e.get("x1") == e.get("x2")]
    assert [float(e.get("x1")) for e in lines[2:]] == [middle, middle]  # p* in both panels
    assert len(lines) == 4
    assert "sensitivity 0.75, specificity 0.50 when called from 0.50 on" in root[1].text
    without = parse(plotting.threshold_view(THRESHOLDS[1:]))
    assert len(of_class(without, "thin", "polyline")) == 2
    assert "Mean cost" not in "".join(without.itertext())
    assert float(without.get("viewBox").split()[3]) < float(root.get("viewBox").split()[3])


def test_points_and_box_of_a_strip_are_where_the_values_are():
    root = parse(plotting.feature_distribution(STRIPS))
    (dots,) = of_class(root, "points", "path")
    places = [tuple(map(float, d.split())) for d in dots.get("d")[1:].replace("h0", "").split("M")]
    xs = [x for x, _ in places]
    assert xs[2] - xs[1] == pytest.approx(xs[4] - xs[3], abs=0.15)
    (box,) = of_class(root, "head", "rect")
    assert float(box.get("x")) == pytest.approx(xs[1], abs=0.1)
    assert float(box.get("width")) == pytest.approx(xs[3] - xs[1], abs=0.15)
    (median,) = of_class(root, "head", "line")
    assert float(median.get("x1")) == xs[2]
    top, height = float(box.get("y")), float(box.get("height"))
    assert all(top < y < top + height for _, y in places)
    text = "".join(root.itertext())
    assert "5 values, 2 missing" in text
    assert "empty: no value" in text


def test_bars_are_shares_and_rare_levels_are_added_up():
    root = parse(plotting.feature_distribution(BARS))
    widths = [float(e.get("width")) for e in of_class(root, "headdot", "rect")]
    assert widths[1] == pytest.approx(3 * widths[0], abs=0.3)
    many = {f"L{i}": (i + 1) / 78 for i in range(12)}
    one = {"label": "a", "n": 78, "missing": 0, "shares": many}
    root = parse(plotting.feature_distribution({"name": "f", "classes": [one]}))
    assert len(of_class(root, "headdot", "rect")) == 8
    text = "".join(root.itertext())
    assert "5 other levels" in text
    assert "L4" not in [e.text for e in root.iter(f"{NS}text")]
    assert "L5" in [e.text for e in root.iter(f"{NS}text")]
    assert f"{100 * sum(range(1, 6)) / 78:.0f} %" in text


def test_the_line_of_chance_pauses_where_a_name_stands():
    rows = [
        {"label": label, "mean": 0.5, "low": 0.1, "high": 0.9, "headline": False}
        for label in ("a long name that reaches across the chance line", "x")
    ]
    root = parse(
        plotting.method_intervals({"metric": "BCR", "rows": rows, "chance": {"mean": 0.5}})
    )
    spans = [(float(e.get("y1")), float(e.get("y2"))) for e in of_class(root, "chance", "line")]
    texts = {e.text: float(e.get("y")) for e in root.iter(f"{NS}text")}
    long, short = (texts[row["label"]] for row in rows)
    assert not any(low < long < high for low, high in spans)
    assert any(low < short < high for low, high in spans)
