"""What comes of a check, and what a report says of all of them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from checks.faulty import SOUND
from tamis._core.rows import StepRow
from tamis.checks import roles
from tamis.checks.check_method import _outcome_of_check
from tamis.checks.verdict import Check, Fault, Inapplicable, Report, Verdict, waiting_words


def raising(error):
    def run(method):
        raise error

    return run


class Coded(Exception):
    check = "refit"


@pytest.mark.parametrize(
    ("run", "found", "runs", "outcome", "left"),
    [
        (lambda method: None, {}, True, ("", "passed"), {}),
        (raising(Fault("x")), {}, True, ("x", "failed"), {"sizes": "x"}),
        (raising(Inapplicable("y")), {}, True, ("y", "not applicable"), {}),
        (raising(ValueError("z")), {}, True, ("it stops (ValueError: z)", "failed"), {}),
        (
            raising(Coded("w")),
            {},
            True,
            ("it can be told once 'refit' passes", "not applicable"),
            {"refit": "it stops (Coded: w)"},
        ),
        (raising(Fault("x")), {"sizes": "v"}, True, ("v", "failed"), {}),
        (
            raising(Fault("x")),
            {"leak": "u"},
            True,
            ("it can be told once 'leak' passes", "not applicable"),
            {},
        ),
        (raising(Fault("x")), {"gaps": "u"}, True, ("x", "failed"), {"sizes": "x"}),
        (
            raising(Fault("x")),
            {"gaps": "u"},
            False,
            ("it can be told once 'gaps' passes", "not applicable"),
            {},
        ),
    ],
)
def test_what_comes_of_one_check(run, found, runs, outcome, left):
    check = Check("sizes", "asks", run, after=("leak", "memory"))
    kept = dict(found)
    assert _outcome_of_check(check, None, kept, runs) == outcome
    expected = {"sizes": outcome[0]} if outcome[1] == "failed" else {}
    assert kept == found | expected | left


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_what_is_no_fault_of_a_method_is_raised(error):
    with pytest.raises(error):
        _outcome_of_check(Check("sizes", "asks", raising(error())), None, {}, True)


def test_a_report_counts_what_its_checks_found():
    verdicts = (
        Verdict("leak", "asks of leaks", "passed"),
        Verdict("gaps", "asks of gaps", "failed", "seen"),
        Verdict("sizes", "asks of sizes", "not applicable", "why not"),
        Verdict("memory", "asks of memory", "passed"),
    )
    report = Report("mine", "ranker", verdicts)
    assert report.failed == ["gaps"]
    assert report.summary().splitlines() == [
        "mine (ranker)",
        "  ok      leak           asks of leaks",
        "  FAILED  gaps           seen",
        "  -       sizes          why not",
        "  ok      memory         asks of memory",
        "  2 passed, 1 failed, 1 not applicable",
    ]
    found = report.to_dict()
    assert found["passed"] is False
    assert found["checks"][1] == vars(verdicts[1])
    assert Report("mine", "ranker", verdicts[:1]).to_dict()["passed"] is True
    assert waiting_words(["a"]) == "it can be told once 'a' passes"
    assert waiting_words(["a", "b"]) == "it can be told once 'a', 'b' pass"


def test_methods_without_a_made_up_table_are_not_checked():
    on_packed = SimpleNamespace(on_matrix=False)
    matrix = SimpleNamespace(on_matrix=True)

    class Packed(StepRow):
        def load(self):
            return on_packed if self.name == "packed" else matrix

    for name, probes, reason in [
        ("packed", False, "it takes packed genotypes alone, of which there is no made-up table"),
        ("probes", True, "it takes intensities of probes alone, of which there is no made-up tab"),
    ]:
        with pytest.raises(Inapplicable, match=reason):
            roles.refuse_untested(Packed(name, "", "", intensities=probes))
    roles.refuse_untested(Packed("plain", "", ""))
    roles.refuse_untested(SOUND)
