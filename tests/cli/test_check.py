"""`tamis check`: verdicts for people and programs, and its exit codes."""

from __future__ import annotations

import json

import pytest

from tamis.checks import every_check

CODES = [
    "memory",
    "global-random",
    "leak",
    "one-at-a-time",
    "refit",
    "sizes",
    "same-bytes",
    "missing-made",
    "left-alone",
    "gaps",
    "categories",
    "unseen-levels",
    "chance",
]


def test_codes_are_stable():
    assert [check.code for check in every_check()] == CODES
    assert all(set(check.after) <= set(CODES) for check in every_check())


def test_a_fault_is_told_and_the_exit_code_is_1(tamis):
    code, out, err = tamis("check", "checks.faulty:FROM_ALL_ROWS")
    assert code == 1
    (failed,) = [line for line in out.splitlines() if "FAILED" in line]
    assert failed.split()[1] == "leak"
    assert "1 failed" in out
    assert "Traceback" not in err


def test_a_sound_method_has_exit_code_0_and_json(tamis):
    code, out, _ = tamis("check", "coverage", "--set", "at=0.7", "--json", "--quiet")
    assert code == 0
    found = json.loads(out)
    assert found["passed"]
    (method,) = found["methods"]
    assert [one["code"] for one in method["checks"]] == CODES
    assert {one["outcome"] for one in method["checks"]} == {"passed", "not applicable"}
    assert all(one["words"] for one in method["checks"] if one["outcome"] != "passed")


def test_a_search_is_checked_with_other_settings(tamis):
    code, out, _ = tamis("check", "pairs", "--set", "keep=3", "--json", "--quiet")
    assert code == 0
    (search,) = json.loads(out)["methods"]
    assert {one["outcome"] for one in search["checks"]} == {"passed"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pearsonn"], "did you mean 'pearson'"),
        (["no_such_module:ROW"], "no module 'no_such_module'"),
        (["checks.faulty:NONE"], "has no 'NONE'"),
        (["checks.faulty:RAISES"], "does not run on a made-up table of numbers"),
        (["pearson", "--set", "x=1"], "no parameter 'x'"),
        (["pearson", "--set", "x"], "give a name and a value"),
        (["pairs", "--set", "kep=3"], "unknown setting 'kep' of pairs: did you mean 'keep'?"),
        (["checks.faulty:NO_ROLE"], "make it one of a role"),
    ],
)
def test_what_cannot_be_run_is_one_line(tamis, arguments, message):
    code, out, err = tamis("check", *arguments)
    assert code == 2
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1
