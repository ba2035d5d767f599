"""`tamis check` names a fault by its code, and by no other."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from checks.faulty import FAULTS, SOUND
from tamis._core.errors import PlanError
from tamis.checks import check_method, every_check
from tamis.checks.categories import check_categories
from tamis.checks.on_tables import OnTables
from tamis.checks.verdict import Fault
from tamis.selection import pearson
from tamis.selection._filters import FilterRow


@pytest.mark.longer
@pytest.mark.parametrize(("code", "row"), FAULTS, ids=[row.name for _, row in FAULTS])
def test_a_fault_is_named_by_its_code_alone(code, row):
    report = check_method(row)
    assert report.failed == [code], report.summary()
    (said,) = [one.words for one in report.verdicts if one.outcome == "failed"]
    assert said
    assert "\n" not in said


def test_every_code_is_of_a_fault_that_is_found():
    assert {code for code, _ in FAULTS} == {check.code for check in every_check()}


@pytest.mark.longer
def test_a_method_without_a_fault_passes():
    report = check_method(SOUND)
    assert report.failed == []
    assert [v.code for v in report.verdicts if v.outcome != "passed"] == ["left-alone"]


def test_a_row_of_a_name_that_is_taken_is_not_taken_for_the_one_there():
    row = FilterRow("pearson", title="mine", summary="mine", score=pearson)
    with pytest.raises(PlanError, match="names a method 'pearson', which there is already"):
        check_method(row)


@pytest.mark.parametrize(
    ("features", "passes"), [([0, 2], True), ([0, 0], False), ([0, 10**6], False)]
)
def test_features_of_a_table_with_categories_are_of_it_and_each_once(features, passes):
    class Chooses(OnTables):
        def fold(self, kind):
            return SimpleNamespace(design=SimpleNamespace(created=()))

        def kept_run(self, kind):
            return SimpleNamespace(learnt={"features": np.array(features), "rates": np.ones(1)})

    method = Chooses(SOUND, {})
    if passes:
        check_categories(method)
        return
    with pytest.raises(Fault, match="it names features twice, or none of the table"):
        check_categories(method)
