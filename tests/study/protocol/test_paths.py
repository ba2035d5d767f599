"""Paths cut at sizes: one that begins with features has nothing for fewer."""

from __future__ import annotations

import pytest

from checks.faulty import BeginsWithThree
from common.studies import make_data, run_in_memory
from tamis._core.errors import MethodError
from tamis._core.registry import with_rows
from tamis._core.row_groups import SelectorTakes
from tamis._core.rows import PathRow

ROW = PathRow(
    "begins_with_three",
    f"{BeginsWithThree.__module__}:BeginsWithThree",
    "a path without a step of no features",
    takes=SelectorTakes(covariates=False),
)
PLAN = {
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "final": False,
}


def chosen(sizes):
    data = make_data(seed=3, n=36, p=12, informative=2, shift=1.0)
    with with_rows([ROW]):
        method = {"select": "begins_with_three", "sizes": sizes}
        return run_in_memory(data, {**PLAN, "method": [method]})[-1].headline


def test_a_path_without_a_step_as_small_as_a_size_is_refused_in_one_line():
    with pytest.raises(
        MethodError, match=r"first step has \d+ features, .* sizes = \[2\]"
    ) as error:
        chosen([2])
    assert "begin with a step without features" in str(error.value)
    assert error.value.check == "sizes"
    assert "\n" not in str(error.value)


def test_no_set_is_larger_than_the_size_asked_for():
    assert all(3 <= len(choice.features) <= 8 for choice in chosen([8]))
