"""The checks are silent on every row of the registry, and on estimators that a user might bring."""

from __future__ import annotations

import pytest

from common.null_methods import QUICK_PARAMETERS, QUICK_SETTINGS
from common.own_estimators import HERE
from common.saved import RULE_GIVEN
from tamis._core.rows import all_rows
from tamis.checks import check_method, every_check
from tamis.checks.roles import rows_named

FEW = {"mtd": {"n_permutations": 20}, "mutual_information": {"n_permutations": 20}}
PARAMETERS = {**QUICK_PARAMETERS, **RULE_GIVEN, **FEW}
# chance is that of tests/study/test_null.py, which runs all methods on the same tables
CODES = [check.code for check in every_check() if check.code != "chance"]
OWN = ["RECURSIVE", "LASSO", "BOOSTING", "PIPELINE", "MACHINE", "Labels", "Plain"]
ROWS = [row for row in all_rows() if (row.name, row.role) != ("covariates", "select")]


def checked(row, codes=CODES):
    grid = QUICK_SETTINGS.get(row.name, {}) if row.role == "classify" else {}
    return check_method(row, PARAMETERS.get(row.name), grid, codes)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.role}-{row.name}" for row in ROWS])
def test_every_row_passes(row):
    report = checked(row)
    assert report.failed == [], report.summary()


@pytest.mark.parametrize("name", [*(f"{HERE}:{name}" for name in OWN),
                                  "sklearn.feature_selection:SelectKBest"])  # fmt: skip
def test_estimators_of_a_users_own_pass(name):
    (row,) = rows_named(name)
    report = checked(row)
    assert report.failed == [], report.summary()
