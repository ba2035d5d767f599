"""The matplotlib figures of graphs, networks and the cut-off hold what they were given."""

from __future__ import annotations

import io

import numpy as np
import pytest

from tamis.interactions import InteractionGraph, Rule, RuleNetwork
from tamis.plotting.network_figure import importance_figure

pytest.importorskip("matplotlib")


def drawn(figure):
    """Arrows, names and points."""
    axes = figure.axes[0]
    texts = [t for t in axes.texts if t.arrow_patch is None]
    return [t for t in axes.texts if t.arrow_patch is not None], texts, axes.collections[0]


def graph(edges):
    return InteractionGraph.of(
        ["a", "$b$", "", "d"], [0.5, 0.4, 0.3, 0.1], edges, selected=[True, True, False, False]
    )


def test_the_graph_draws_features_and_edges_between_them():
    found = graph([(0, 1, 0.2, 0.01, 9, 50), (1, 2, 0.1, 0.01, 5, 50), (2, 3, 0.3, 0.01, 9, 50)])
    arrows, names, points = drawn(found.plot(features=3))
    assert [t.get_text() for t in names] == ["a", r"\$b\$", "(no name)"]
    assert len(arrows) == 2  # the third edge ends at a feature that is not shown
    widths = [t.arrow_patch.get_linewidth() for t in arrows]
    assert widths[0] > widths[1]
    np.testing.assert_array_equal(points.get_array(), [0.5, 0.4, 0.3])
    at = points.get_offsets()
    assert (at[0] == arrows[0].xyann).all()
    assert (at[1] == arrows[0].xy).all()
    found.plot().savefig(io.BytesIO(), format="png")


def test_an_edge_within_two_standard_errors_is_not_drawn():
    found = graph([(0, 1, 0.2, 0.11, 9, 50), (1, 0, 0.1, 0.05, 5, 50), (0, 2, 0.5, np.nan, 1, 1)])
    assert [e["weight"] for e in found.to_dict()["edges"]] == [0.1]
    assert len(drawn(found.plot())[0]) == 1
    assert len(found.frame()) == 3


def test_the_network_draws_conditions():
    rules = [Rule((("a", ">", 1.0), ("b", "=", "x")), "ill", 10, 8)]
    arrows, names, _ = drawn(RuleNetwork.of("ill", 20, rules).plot())
    assert [t.get_text() for t in names] == ["a > 1", "b = x"]
    assert len(arrows) == 1


def test_the_cutoff_is_a_line_between_kept_and_other_features():
    ranking = {
        "features": [{"importance": 0.5}, {"importance": 0.2}, {"importance": None}],
        "maxima": [0.3, 0.1], "cutoff": {"size": 1, "threshold": 0.3},
    }  # fmt: skip
    axes = importance_figure(ranking).axes[0]
    np.testing.assert_array_equal(axes.collections[0].get_offsets()[:, 1], [0.5, 0.2])
    np.testing.assert_array_equal(axes.collections[1].get_offsets()[:, 1], [0.3, 0.1])
    assert axes.lines[0].get_ydata()[0] == 0.3
