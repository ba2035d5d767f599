"""Every number of a result has a row that says what it estimates."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache

import numpy as np
import pytest

from common.studies import make_data, number_data
from report import fixture
from tamis.study import run_study
from tamis.study.results.numbers import NUMBER_ROWS


@cache
def results():
    """Of two small studies, of one with all that a plan may ask for, and of one of a number."""
    data = make_data(5, n=120, p=30)
    batches = np.array(["a", "b", "c"])[np.arange(120) % 3]
    plan = {
        "outer": {"folds": 3},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 19,
        "bootstrap": {"repeats": 5},
        "learning_curve": {"shares": [0.5]},
        "costs": "class_sizes",
        "method": [
            {"select": "welch_t", "sizes": [2, 5], "classify": "c45"},
            {"select": "welch_t", "name": "few", "sizes": [2], "reject": "coverage"},
        ],
    }
    with tempfile.TemporaryDirectory() as folder:
        full = run_study(replace(data, batches=batches), plan, f"{folder}/study").to_dict()
        short = {"outer": {"folds": 3}, "inner": {"folds": 2, "repeats": 1}, "permutations": 1}
        short["prediction_intervals"] = True
        number = run_study(with_a_category(), short, f"{folder}/number").to_dict()
    return [*(json.loads(fixture.study_text(n)) for n in (2, 4)), full, number]


def with_a_category():
    """A number that a feature of three levels carries too."""
    data = number_data(n=60)
    X = np.column_stack([data.X, np.arange(60) % 3])
    numbers = data.numbers + 4.0 * (X[:, -1] == 2)
    names, levels = (*data.feature_names, "site"), {30: ("a", "b", "c")}
    return replace(data, X=X, numbers=numbers, feature_names=names, levels=levels)


def leaves(value, path=""):
    """Paths and values of the numbers of a result."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            name = str(key).replace(".", "_")
            yield from leaves(one, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one, f"{path}[]")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, value


def numbers_of(path):
    """The rows that a path belongs to, which ought to be one."""
    return [row for row in NUMBER_ROWS if any(matches(path, one) for one in row.paths.split(" | "))]


def matches(path, pattern):
    """``*`` stands for whatever follows, of any depth."""
    return fnmatchcase(path.replace("[]", "()"), pattern.replace("[]", "()"))


@pytest.mark.longer
def test_every_number_has_one_row():
    found = {path for result in results() for path, _ in leaves(result)}
    assert len(found) > 200
    odd = {
        path: [row.paths for row in rows] for path in found if len(rows := numbers_of(path)) != 1
    }
    assert odd == {}


@pytest.mark.longer
def test_rows_are_of_numbers_that_there_are():
    """But for those that ask for a plan of their own."""
    found = {path for result in results() for path, _ in leaves(result)}
    unseen = [
        row.paths for row in NUMBER_ROWS if not any(row in numbers_of(path) for path in found)
    ]
    of_own = ("places", "missing_by_class", "filtered")  # of genotypes and of steps
    assert [paths for paths in unseen if not paths.startswith(of_own)] == []


@pytest.mark.parametrize(
    ("path", "count"),
    [("permutation.p_value", 1), ("methods[].metrics.auc.mean", 1), ("nowhere", 0)],
)
def test_a_path_finds_its_row(path, count):
    assert len(numbers_of(path)) == count


@pytest.mark.longer
def test_a_number_below_its_least_is_not_there():
    """The slope below 50 samples of each class, the p-value below 19 permuted runs."""
    few, _, many, _ = results()
    assert min(few["data"]["counts"].values()) < 25
    assert few["headline"]["calibration"]["slope"]["mean"] is None
    assert many["permutation"]["n"] == 19
    assert many["permutation"]["p_value"] is not None
    assert few["permutation"]["n"] < 19
    assert few["permutation"]["p_value"] is None
