"""`tamis check` names a fault by its code, and by no other."""

from __future__ import annotations

import pytest

from checks.faulty import FAULTS, SOUND
from tamis.checks import check_method, every_check


@pytest.mark.parametrize(("code", "row"), FAULTS, ids=[row.name for _, row in FAULTS])
def test_a_fault_is_named_by_its_code_alone(code, row):
    report = check_method(row)
    assert report.failed == [code], report.summary()
    (said,) = [one.words for one in report.verdicts if one.outcome == "failed"]
    assert said
    assert "\n" not in said


def test_every_code_is_of_a_fault_that_is_found():
    assert {code for code, _ in FAULTS} == {check.code for check in every_check()}


def test_a_method_without_a_fault_passes():
    report = check_method(SOUND)
    assert report.failed == []
    assert [v.code for v in report.verdicts if v.outcome != "passed"] == ["left-alone"]
