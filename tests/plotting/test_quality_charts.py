"""Charts of quality control."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from tamis import plotting

NAME = "<script>x</script>"


def bars(svg, name):
    return [e for e in ElementTree.fromstring(svg).iter() if e.get("class") == name]


def test_bars_are_as_high_as_counts():
    told = {"step": 0.1, "before": [8, 4, 0, 2], "after": [8, 2, 0, 0], "limit": 0.25}
    svg = plotting.before_after(told, "share", "variants")
    before, after = (
        [float(e.get("height")) for e in bars(svg, kind)] for kind in ("before", "headdot")
    )
    np.testing.assert_allclose(np.array(before) / before[0], [1, 0.5, 0.25], atol=0.01)
    np.testing.assert_allclose(np.array(after) / before[0], [1, 0.25], atol=0.01)
    assert "0.1 to 0.2: 4 variants, 2 kept" in svg
    assert "logarithmic" not in svg
    x = float(bars(svg, "edge")[0].get("x1"))
    left = [float(e.get("x")) for e in bars(svg, "before")]
    assert left[1] < x < left[2]


@pytest.mark.parametrize("before", [[100_000, 3, 1, 1], [1, 0, 0, 0], [0, 0], [7_000, 10, 12]])
def test_steep_counts_and_none_stay_in_the_frame(before):
    told = {"step": 0.05, "before": before, "after": before, "limit": None}
    svg = plotting.before_after(told, NAME, "samples")
    assert ("logarithmic" in svg) == (max(before) > 1)
    for e in bars(svg, "before"):
        assert float(e.get("height")) > 0
        assert float(e.get("y")) >= 26


def test_quantiles_stand_where_they_belong():
    points = [[2.0, 6.0, NAME], [1.0, 1.0, ""], [0.0, 0.0, ""]]
    svg = plotting.quantile_plot(
        {
            "all": {"tested": 3, "points": points},
            "kept": {"tested": 2, "points": points[1:]},
        }
    )
    x, y = np.array([[float(e.get(k)) for k in ("cx", "cy")] for e in bars(svg, "other")]).T
    np.testing.assert_allclose((x - x[2]) / (x[0] - x[2]), [1, 0.5, 0], atol=0.01)
    np.testing.assert_allclose((y - y[2]) / (y[0] - y[2]), [1, 1 / 6, 0], atol=0.01)
    assert len(bars(svg, "headdot")) == 2
    assert "&lt;script&gt;x&lt;/script&gt;: p = 1e-06" in svg


def test_nothing_tested_is_a_chart_too():
    none = {"tested": 0, "points": []}
    assert "0 variants tested" in plotting.quantile_plot({"all": none, "kept": none})
