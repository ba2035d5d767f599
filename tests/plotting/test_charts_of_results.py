"""Charts that results draw by themselves: members of a vote, coefficients, steps of a search."""

from __future__ import annotations

from tamis.plotting import coefficient_paths, member_ranks, search_trace


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
