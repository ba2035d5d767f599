"""From where on a search says what makes its result doubtful: just below and just above the
numbers that its remarks name."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tamis.data import Dataset


def table(sizes=(20, 20), X=None, levels=None) -> Dataset:
    y = np.repeat(list("ab"), sizes)
    X = np.random.default_rng(0).normal(size=(len(y), 4)) if X is None else X
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    return Dataset(X, y, names, levels=levels or {})


@pytest.mark.parametrize(("n", "told"), [(10, False), (9, True)])
def test_classes_of_fewer_than_ten_samples_are_told(n, told):
    from tamis.discovery.interface import small_classes

    assert small_classes(table((20, n))) == ["Fewer than 10 samples in 'b' (9)."] * told


def forest_remarks(data=None, accuracy=0.9, offered=100, kept=1, p_values=False) -> str:
    """Of a Monte Carlo feature selection, all remarks put together."""
    from tamis.data.checks import summarize_columns
    from tamis.discovery.monte_carlo_summary import search_remarks

    data = table() if data is None else data
    p = data.shape[1]
    task = SimpleNamespace(
        data=data,
        columns=summarize_columns(data.X),
        settings={"balance": None, "projections": 10, "second_stage": 2},
    )
    own = {"p_value": 0.5} if p_values else {}
    ranking = {
        "cutoff": {"rule": "permutations", "size": kept, "level": 0.05},
        "accuracy": accuracy,
        "settings": {"balance": None, "s": offered, "m": p},
        "features": [{"column": j, **own} for j in range(p)],
    }
    return "\n".join(search_remarks(task, ranking, {"edges": [1]}))


@pytest.mark.parametrize(("accuracy", "told"), [(0.52, False), (0.519, True)])
def test_trees_within_two_in_a_hundred_of_chance_are_told(accuracy, told):
    assert ("hardly better than chance" in forest_remarks(accuracy=accuracy)) == told


@pytest.mark.parametrize(("offered", "told"), [(30, False), (29, True)])
def test_features_offered_fewer_than_thirty_times_are_told(offered, told):
    assert ("importance is rough" in forest_remarks(offered=offered)) == told


@pytest.mark.parametrize(("missing", "told"), [(7, False), (8, True)])
def test_features_of_which_a_fifth_is_missing_are_told(missing, told):
    """Of 40 samples, if they are among those kept."""
    X = np.random.default_rng(0).normal(size=(40, 4))
    X[:missing, 0] = np.nan
    assert ("missing in 'x0'" in forest_remarks(table(X=X))) == told
    assert "missing in" not in forest_remarks(table(X=X[:, ::-1]))


@pytest.mark.parametrize(("levels", "told"), [(9, False), (10, True)])
def test_features_of_ten_levels_are_told(levels, told):
    X = np.random.default_rng(0).normal(size=(40, 4))
    X[:, 0] = np.arange(40) % levels
    data = table(X=X, levels={0: tuple(f"l{k}" for k in range(levels))})
    assert ("levels in 'x0'" in forest_remarks(data)) == told


@pytest.mark.every
@pytest.mark.parametrize(("flags", "told"), [(3, False), (4, True), (36, True), (37, False)])
def test_a_tenth_of_either_kind_makes_columns_mixed(flags, told):
    """Of 40 columns so many have two values, the others are numbers."""
    from tamis.discovery.monte_carlo_summary import MIXED_KINDS

    X = np.random.default_rng(0).normal(size=(40, 40))
    X[:, :flags] = X[:, :flags] > 0
    assert (MIXED_KINDS in forest_remarks(table(X=X), p_values=True)) == told
    assert MIXED_KINDS not in forest_remarks(table(X=X))


@pytest.mark.every
@pytest.mark.parametrize(
    ("stability", "told"),
    [
        ([0.49, 0.2], True),
        ([0.5, 0.2], False),
        ([0.1] * 10 + [0.9], True),
        ([0.1] * 9 + [0.9], False),
    ],
)
def test_sets_of_which_none_comes_again_in_half_of_the_samples_are_told(stability, told):
    """Of the first ten."""
    from tamis.discovery.random_intersection_trees import _search_warnings

    class Found(list):
        settings = {"auto": False, "theta": [0.3], "theta_out": [0.1]}

    found = Found(stability)
    found.stability = np.array(stability)
    assert bool(_search_warnings(found)) == told


@pytest.mark.parametrize(("theta", "told"), [(0.8, True), (0.79, False)])
def test_a_theta_by_chance_of_four_fifths_is_told(theta, told):
    from tamis.discovery.random_intersection_trees import _search_warnings

    class Found(list):
        stability, classes = None, ("a", "b")
        settings = {"auto": True, "theta": [0.2, theta]}

    assert bool(_search_warnings(Found([1]))) == told


@pytest.mark.parametrize(("gaps", "told"), [(4, True), (3, False)])
def test_values_missing_a_fifth_more_in_one_class_are_told_of_sets(gaps, told):
    """4 or 3 of 20 samples of one class, none of the other."""
    from tamis.data.checks import summarize_columns
    from tamis.discovery.set_result import _set_remarks

    X = np.random.default_rng(0).normal(size=(40, 4))
    X[:gaps, 1] = np.nan
    task = SimpleNamespace(data=table(X=X), columns=summarize_columns(X))
    found = SimpleNamespace(sets=[{"parts": [{"feature": "x1"}, {"feature": "x2"}]}], noun="pair")
    said = "\n".join(_set_remarks(task, found, tested=True, passing=1))
    assert ("missing much more often" in said.lower()) == told
