"""Tables and settings that random intersection trees refuse, each in one line that names it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from tamis._core.errors import DataError, PlanError
from tamis.interactions import PackedRows, random_intersection_trees

FINE = np.array([[0, 1], [1, 1], [1, 0]])


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[0, 1], [1, np.nan], [1, 0]], [0, 1, 1], "'column 1' holds a missing value"),
        ([[0, 1], [1, None], [1, 0]], [0, 1, 1], "'column 1' holds a missing value"),
        ([[0, 1], [1, 2], [1, 0]], [0, 1, 1], "'column 1' holds 2"),
        (np.array([[0, 1], [1, 200], [1, 0]], np.uint8), [0, 1, 1], "'column 1' holds 200"),
        ([[0, 1], [1, -1], [1, 0]], [0, 1, 1], "'column 1' holds -1"),
        ([[0, 1], [1, 0.5], [1, 0]], [0, 1, 1], "'column 1' holds 0.5"),
        (sparse.csr_matrix([[0, 1], [1, 2], [1, 0]]), [0, 1, 1], "'column 1' holds 2"),
        (sparse.coo_matrix(([1, 1, 1], ([0, 0, 1], [1, 1, 0]))), [0, 1], "'column 1' holds 2"),
        (sparse.csr_matrix([[0, 1], [1, np.nan]]), [0, 1], "'column 1' holds a missing value"),
        (pd.DataFrame({"a": [0, 1], "b": [1, 3]}), [0, 1], "'b' holds 3"),
        (pd.DataFrame({"a": [0, 1], "b": [1, None]}), [0, 1], "'b' holds a missing value"),
        (
            pd.DataFrame({"a": [0, 1], "b": [1, None]}, dtype="Int64"),
            [0, 1],
            "'b' holds a missing value",
        ),
        (pd.DataFrame({"a": [0, 1], "b": ["low", "high"]}), [0, 1], "'b' holds 'low'"),
        ([["low", "high"], ["high", "low"]], [0, 1], "'column 0' holds 'low'"),
        (FINE, [1, 1, 1], "only one class: 1"),
        (FINE, [0, 1], "X has 3 rows and y 2"),
        (FINE, [0, None, 1], "missing class labels"),
        (FINE, [[0, 1], [1, 0], [1, 1]], "one label a row"),
        (FINE, None, "one label a row"),
        (np.zeros((0, 3)), [], r"shape \(0, 3\)"),
        (np.zeros((3, 0)), [0, 1, 1], r"shape \(3, 0\)"),
        (sparse.csr_matrix((0, 3)), [], r"shape \(0, 3\)"),
        (PackedRows(np.zeros((0, 1), np.uint8), 3), [], r"shape \(0, 3\)"),
        (PackedRows(np.zeros((3, 0), np.uint8), 0), [0, 1, 1], r"shape \(3, 0\)"),
        (np.zeros(3), [0, 1, 1], r"shape \(3,\)"),
    ],
)
def test_bad_tables_are_named(X, y, words):
    with pytest.raises(DataError, match=words) as error:
        random_intersection_trees(X, y)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("bits", "p", "words"),
    [
        (np.zeros((3, 1)), 3, "must be a matrix of uint8"),
        (np.zeros((3, 2), np.uint8), 3, "has 2 bytes a row; 3 features take 1"),
        (np.full((3, 1), 8, np.uint8), 3, "ones behind feature 3"),
    ],
)
def test_bad_packed_rows_are_named(bits, p, words):
    with pytest.raises(DataError, match=words):
        PackedRows(bits, p)


@pytest.mark.parametrize(
    "plan",
    [
        {"theta": 1.5},
        {"theta": -0.1},
        {"theta": "most"},
        {"theta": None},
        {"theta": [0.1]},
        {"theta": np.nan},
        {"theta": "0.3"},
        {"theta_out": 2},
        {"theta_out": "auto"},
        {"theta_out": [0.1] * 3},
        {"n_trees": 0},
        {"n_trees": True},
        {"depth": 1.5},
        {"branch": 0.5},
        {"branch": np.nan},
        {"branch": "5"},
        {"min_size": 0},
        {"max_sets": 0},
        {"n_permutations": -1},
        {"n_bootstraps": 2.0},
        {"random_state": -1},
        {"random_state": "a"},
    ],
)
def test_bad_settings_are_named(plan):
    (name,) = plan
    with pytest.raises(PlanError, match=name) as error:
        random_intersection_trees(FINE, [0, 1, 1], **plan)
    assert "\n" not in str(error.value)
