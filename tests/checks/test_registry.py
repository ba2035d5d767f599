"""The checks are silent on every row of the registry, and on estimators that a user might bring."""

from __future__ import annotations

import pytest

from common.null_methods import QUICK_PARAMETERS, QUICK_SETTINGS
from common.own_estimators import HERE
from common.saved import RULE_GIVEN
from tamis._core.registry import rows_of
from tamis._core.rows import ClassifierRow, PlanRow, StepRow
from tamis.checks import check_method, every_check
from tamis.checks.roles import rows_named

FEW = {"mtd": {"n_permutations": 20}, "mutual_information": {"n_permutations": 20}}
PARAMETERS = {**QUICK_PARAMETERS, **RULE_GIVEN, **FEW}
# of all methods at once: chance in tests/study/test_null.py, bytes in test_cells_however_run.py
CODES = [check.code for check in every_check() if check.code not in ("chance", "same-bytes")]
LONG = ("irf", "relrit", "elastic_net", "elastic_net_stability", "hhsvm", "mcfs", "rfs")
OWN = ["RECURSIVE", "LASSO", "BOOSTING", "PIPELINE", "MACHINE", "Labels", "Plain"]
ROWS = [row for row in rows_of(PlanRow) if (row.name, row.role) != ("covariates", "select")]
# few steps look at the outcome: they are checked on classes
NUMBER_ROWS = [
    row
    for row in rows_of(PlanRow, "number")
    if (row.name, row.role) != ("covariates", "select") and not isinstance(row, StepRow)
]


def checked(row, codes=CODES, response=None):
    grid = QUICK_SETTINGS.get(row.name, {}) if isinstance(row, ClassifierRow) else {}
    quick = PARAMETERS.get(row.name, {})  # of a row for numbers of the same name those it has
    given = quick if response is None else {k: v for k, v in quick.items() if k in row.parameters}
    return check_method(row, given, grid, codes, response=response)


def named(rows, *marks):
    return [
        pytest.param(
            row,
            id=f"{row.role}-{row.name}",
            marks=[*marks, *([pytest.mark.longer] if row.name in LONG and not marks else [])],
        )
        for row in rows
    ]


@pytest.mark.parametrize("row", named(ROWS))
@pytest.mark.full
def test_every_row_passes(row):
    report = checked(row)
    assert report.failed == [], report.summary()


@pytest.mark.parametrize("row", named(NUMBER_ROWS))
@pytest.mark.full
def test_every_row_passes_on_numbers(row):
    report = checked(row, response="number")
    assert report.failed == [], report.summary()


@pytest.mark.parametrize("row", named(NUMBER_ROWS, pytest.mark.longer))
def test_every_row_of_numbers_gives_the_same_bytes_elsewhere(row):
    assert checked(row, ["same-bytes"], "number").failed == []


@pytest.mark.parametrize("row", named(NUMBER_ROWS, pytest.mark.slow))
def test_every_row_of_numbers_passes_every_check(row):
    report = checked(row, (), "number")
    assert report.failed == [], report.summary()


@pytest.mark.parametrize("row", named(ROWS, pytest.mark.longer))
def test_every_row_gives_the_same_bytes_elsewhere(row):
    assert checked(row, ["same-bytes"]).failed == []


@pytest.mark.parametrize("row", named(ROWS, pytest.mark.slow))
def test_every_row_passes_every_check(row):
    report = checked(row, ())
    assert report.failed == [], report.summary()


@pytest.mark.longer
@pytest.mark.parametrize(
    "name", [*(f"{HERE}:{name}" for name in OWN), "sklearn.feature_selection:SelectKBest"]
)
def test_estimators_of_a_users_own_pass(name):
    (row,) = rows_named(name)
    report = checked(row)
    assert report.failed == [], report.summary()
