"""Charts that results draw by themselves: members of a vote, coefficients, steps of a search."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from tamis.plotting import coefficient_paths, learning_curve, member_ranks, search_trace
from tamis.plotting._svg import CHART_WIDTH
from tamis.plotting.learning_curve import CHART_HEIGHT

NS = "{http://www.w3.org/2000/svg}"


def test_ranks_of_the_members_of_a_vote():
    features = [{"name": "a", "ranks": [1.0, 3.0]}, {"name": "b", "ranks": [2.5, 1.0]}]
    drawn = member_ranks(features, ["pearson", "hsic"], 5)
    assert drawn.index("a: pearson 1, hsic 3") < drawn.index("b: pearson 2.5, hsic 1")


def test_coefficients_of_a_path():
    coef = [[], [[3, 0.25]], [[0, 0.125], [3, 0.5]]]
    (drawn,) = coefficient_paths([0.5, 0.1, 0.02], ["no", "yes"], coef)
    assert "column 3: 0.5 at the end" in drawn
    several = [[], [[3, 0.25, -0.25, 0.0]]]
    assert len(coefficient_paths([0.5, 0.1], ["no", "yes", "maybe"], several)) == 3


def test_the_trace_of_a_search():
    points = [{"at": k, "score": -1 / k, "error": 0.1 / k} for k in (1, 2, 4)]
    more = {"axis": "features", "criterion": "log_score", "chosen": 2, "method": "forward"}
    assert "from -1 to -0.25" in search_trace({"points": points, **more})


def point(n, mean, low=None, high=None):
    return {"n_train": n, "mean": mean, "low": low, "high": high}


def test_scores_stand_above_their_numbers_of_training_samples():
    points = [point(30.0, 0.5, 0.375, 0.625), point(60.0, 0.75, 0.7), point(90.0, None)]
    root = ElementTree.fromstring(
        learning_curve({"metric": "BCR", "points": points, "chance": 0.5})
    )
    dots = [one for one in root.iter(f"{NS}circle") if "headdot" in one.get("class", "")]
    (x1, y1), (x2, y2) = ((float(one.get("cx")), float(one.get("cy"))) for one in dots)
    left, right, bottom, top = 46, CHART_WIDTH - 16, CHART_HEIGHT - 44, 26
    assert (x1, x2) == pytest.approx(
        (left + 0.3 * (right - left), left + 0.6 * (right - left)), abs=0.05
    )
    low, high = 0.3, 0.8  # the ends of the axis
    for y, mean in ((y1, 0.5), (y2, 0.75)):
        expected = bottom - (mean - low) / (high - low) * (bottom - top)
        assert y == pytest.approx(expected, abs=0.05)
    titles = [one.text for one in root.iter(f"{NS}title")]
    assert "chance: 0.500" in titles
    words = ["30 samples: 0.500 (0.375 to 0.625)", "60 samples: 0.750", "90 samples: undefined"]
    assert "; ".join(words) in [one.text for one in root.iter(f"{NS}desc")]
    bars = [one for one in root.iter(f"{NS}line") if one.get("class") == "interval"]
    assert len(bars) == 3  # of the one whose ends are both known
    ends = [(float(bar.get("x1")), float(bar.get("x2"))) for bar in bars]
    expected = [(x1 - 4, x1 + 4)] * 2 + [(x1, x1)]
    np.testing.assert_allclose(sorted(ends), expected, atol=0.1)


def test_a_curve_without_a_score_is_drawn():
    root = ElementTree.fromstring(
        learning_curve({"metric": "BCR", "points": [point(1234.0, None)], "chance": None})
    )
    assert "1,234 samples: undefined" in [one.text for one in root.iter(f"{NS}desc")]
    assert not [one for one in root.iter(f"{NS}title") if one.text.startswith("chance")]
    assert not list(root.iter(f"{NS}circle"))
