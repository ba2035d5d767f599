"""`tamis check` names a fault by its code, and by no other."""

from __future__ import annotations

import pytest

from checks.faulty import FAULTS, SOUND
from tamis._core.errors import PlanError
from tamis.checks import check_method, every_check
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
