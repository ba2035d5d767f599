"""Counts of a plan that would never end, or that no array holds, are one line with the bound."""

from __future__ import annotations

import re

import pytest

from tamis._core.errors import PlanError
from tamis._core.registry import rows_of
from tamis._core.rows import (
    ClassifierRow,
    DecisionRow,
    PathRow,
    RankerRow,
    RuleRow,
    SearchRow,
    StepRow,
)
from tamis.study.plan import Plan

HUGE = (100_000_000_000, 9_223_372_036_854_775_807, 10**30)
BOUND = re.compile(r"(less than or equal to|at most) ([\d,]+)")
KINDS = (RankerRow, PathRow, ClassifierRow, StepRow, DecisionRow, RuleRow)
NO_COUNTS = {("random_projection", "seed")}


def one_method(**settings):
    return {"method": [{"select": "welch_t", **settings}]}


@pytest.mark.parametrize(
    ("plan", "most"),
    [
        (lambda k: {"permutations": k}, 100_000),
        (lambda k: {"outer": {"folds": k}}, 100_000),
        (lambda k: {"outer": {"repeats": k}}, 10_000),
        (lambda k: {"outer": {"kind": "holdout", "repeats": k}}, 10_000),
        (lambda k: {"inner": {"folds": k}}, 100_000),
        (lambda k: {"inner": {"repeats": k}}, 10_000),
        (lambda k: {"bootstrap": {"repeats": k}}, 10_000),
        (lambda k: one_method(sizes=[5, k]), 100_000_000),
        (lambda k: one_method(sizes=[{"rna": 3, "protein": k}]), 100_000_000),
        (lambda k: one_method(classify="forest", grid={"n_estimators": [10, k]}), 100_000),
        (lambda k: one_method(classify="knn", grid={"n_neighbors": k}), 100_000_000),
        (lambda k: one_method(prepare=[{"name": "impute_knn", "n_neighbors": k}]), 100_000_000),
        (lambda k: {"method": [{"select": "rfs", "parameters": {"n_pairs": k}}]}, 100_000),
    ],
)
@pytest.mark.parametrize("value", HUGE)
def test_what_would_not_end_is_one_line_with_the_bound(plan, most, value):
    with pytest.raises(PlanError) as refused:
        Plan.resolve(plan(value))
    text = str(refused.value)
    assert BOUND.search(text)[2].replace(",", "") == str(most)
    assert str(value)[:12] in text
    assert "\n" not in text
    Plan.resolve(plan(7))


def counts():
    """Parameters of all rows that are numbers of something, found by what their rows take."""
    for kind in KINDS:
        for row in rows_of(kind):
            for key in row.parameters:
                if (row.name, key) not in NO_COUNTS:
                    for value in (7, [7], 25):  # some are lists, some begin at 20
                        try:
                            found = row.validated({key: value})[key]
                        except PlanError:
                            continue
                        first = found[0] if isinstance(found, list) else found
                        if type(first) is int:
                            yield row, key, value
                            break


def test_no_count_of_any_method_is_without_a_bound():
    names = set()
    for row, key, value in counts():
        names.add(key)
        for number in HUGE:
            huge = [number] if isinstance(value, list) else number
            with pytest.raises(PlanError) as refused:
                row.validated({key: huge})
            assert BOUND.search(str(refused.value)), (row.name, key, str(refused.value))
    assert {"n_trees", "n_estimators", "rounds", "n_pairs", "t", "s", "population"} <= names
    assert {"n_permutations", "max_depth", "screened", "n_components", "window"} <= names


def test_defaults_are_within_the_bounds():
    for kind in KINDS:
        for row in rows_of(kind):
            for key, value in row.defaults.items():
                if type(value) is int:
                    assert row.validated({key: value}) == {key: value}, row.name


def test_no_count_of_a_search_is_without_a_bound():
    bounds = {}
    for row in rows_of(SearchRow):
        for one in row.load().settings:
            if one.type is int and not one.choices:
                with pytest.raises(PlanError) as refused:
                    one.known().check(10**30)
                bounds[one.name] = BOUND.search(str(refused.value))[2]
    assert bounds["n_permutations"] == bounds["n_trees"] == bounds["n_bootstraps"] == "100,000"
    assert bounds["s"] == "10,000,000"
    assert bounds["keep"] == "2,147,483,647"
