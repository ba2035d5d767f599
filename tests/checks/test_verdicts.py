"""What comes of a check, and what a report says of all of them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sklearn.feature_selection import SelectKBest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from checks.faulty import ROWS, SOUND
from tamis._core.errors import DataError, PlanError
from tamis._core.registry import find_row
from tamis._core.rows import ClassifierRow, DecisionRow, PathRow, RankerRow, SearchRow, StepRow
from tamis.checks import check_method, every_check, roles, searches
from tamis.checks.check_method import _outcome_of_check, n_checks
from tamis.checks.procedure import Settings
from tamis.checks.verdict import (
    Check,
    Fault,
    Inapplicable,
    Report,
    Verdict,
    error_words,
    waiting_words,
)


def raising(error):
    def run(method):
        raise error

    return run


class Coded(Exception):
    check = "refit"


@pytest.mark.every
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
            ("it is checked once 'refit' passes", "not applicable"),
            {"refit": "it stops (Coded: w)"},
        ),
        (raising(Fault("x")), {"sizes": "v"}, True, ("v", "failed"), {}),
        (
            raising(Fault("x")),
            {"leak": "u"},
            True,
            ("it is checked once 'leak' passes", "not applicable"),
            {},
        ),
        (raising(Fault("x")), {"gaps": "u"}, True, ("x", "failed"), {"sizes": "x"}),
        (
            raising(Fault("x")),
            {"gaps": "u"},
            False,
            ("it is checked once 'gaps' passes", "not applicable"),
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
    assert waiting_words(["a"]) == "it is checked once 'a' passes"
    assert waiting_words(["a", "b"]) == "it is checked once 'a', 'b' pass"


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
            roles.refuse_untested(
                Packed(name, "", "", enter="intensities" if probes else "numbers")
            )
    roles.refuse_untested(Packed("plain", "", ""))
    roles.refuse_untested(SOUND)


def test_what_is_raised_is_shortened_to_one_line():
    assert error_words(DataError("no " + "file " * 60 + ".")) == "no " + "file " * 60 + "."
    assert error_words(ValueError("no\n  way")) == "ValueError: no way"
    assert len(error_words(ValueError("x" * 300))) == 200
    assert error_words(ValueError("x" * 188)) == f"ValueError: {'x' * 188}"


def test_rows_are_found_by_name_or_in_a_module():
    assert [row.role for row in roles.rows_named("pearson")] == ["filter"]
    with pytest.raises(PlanError, match=r"^no method 'pearsn': did you mean 'pearson'\? \(one of"):
        roles.rows_named("pearsn")
    assert roles.rows_named("checks.faulty:SOUND") == [SOUND]
    assert roles.rows_named("checks.faulty:ROWS") == ROWS
    for name, kind in [
        ("sklearn.svm:SVC", ClassifierRow),
        ("sklearn.feature_selection:SelectKBest", RankerRow),
        (f"{__name__}:CHOOSES", RankerRow),
        (f"{__name__}:PREDICTS", ClassifierRow),
    ]:
        [row] = roles.rows_named(name)
        assert (type(row), row.name) == (kind, name)
    with pytest.raises(PlanError):
        roles.rows_named(f"{__name__}:MIXED")  # not all of them are rows


CHOOSES = make_pipeline(StandardScaler(), SelectKBest())
PREDICTS = make_pipeline(SelectKBest(), StandardScaler(), SVC())
MIXED = [SOUND, 3]
RANKED = {"select": "moderated_t", "sizes": [3]}


@pytest.mark.every
@pytest.mark.parametrize(
    ("name", "kind", "sizes", "plans"),
    [
        ("log2", StepRow, None, [{**RANKED, "prepare": [{"name": "log2", "a": 1}]}]),
        ("lda", ClassifierRow, None, [{**RANKED, "classify": "lda", "grid": {"a": [1], "g": [2]}}]),
        (
            "bagging",
            ClassifierRow,
            None,
            [
                {
                    **RANKED,
                    "classify": {"name": "bagging", "of": "naive_bayes"},
                    "grid": {"a": [1], "g": [2]},
                }
            ],
        ),
        (
            "arg_max",
            DecisionRow,
            None,
            [{**RANKED, "sizes": [2, 4], "decide": {"name": "arg_max", "a": 1}}],
        ),
        (
            "pam",
            PathRow,
            None,
            [
                {"select": "pam", "parameters": {"a": 1}},
                {"select": "pam", "parameters": {"a": 1}, "sizes": [1, 3]},
            ],
        ),
        ("mtfc", RankerRow, None, [{"select": "mtfc", "parameters": {"a": 1}, "sizes": [2, 5]}]),
        ("mtfc", RankerRow, [1], [{"select": "mtfc", "parameters": {"a": 1}, "sizes": [1]}]),
        ("all", RankerRow, [1], [{"select": "all", "parameters": {"a": 1}}]),
    ],
)
def test_a_method_takes_part_in_the_smallest_plan(name, kind, sizes, plans):
    assert roles.plans_of(find_row(name, kind), Settings({"a": 1}, {"g": [2]}), sizes) == plans


def test_a_search_is_checked_under_its_settings(monkeypatch):
    given = []
    monkeypatch.setattr(searches, "check_search", lambda row, advance: given.append(row) or "found")
    row = find_row("pairs", SearchRow)
    assert check_method(row, {"level": 0.5}) == "found"
    assert given[0].quick == {**row.quick, "level": 0.5}
    assert check_method(row) == "found"
    assert given[1] == row
    with pytest.raises(PlanError, match="level"):
        check_method(row, {"level": 2})
    assert n_checks(row) == len(searches.CHECKS)
    assert n_checks(SOUND) == len(every_check())
