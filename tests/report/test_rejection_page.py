"""Whom to decline: the numbers of a study by hand, and its page."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from common.studies import make_data
from common.typed import faults
from tamis.metrics import risk_coverage_curve
from tamis.report import write_report
from tamis.report._render import render_study
from tamis.report._view import page_tables, study_page
from tamis.study import run_study
from tamis.study.results.first_screen import declined_sentence
from tamis.study.results.schema import StudyContent

METHODS = [
    {"select": "moderated_t", "sizes": [2, 5]},
    {
        "select": "welch_t",
        "sizes": [3],
        "classify": "svm_linear",
        "reject": {"name": "coverage", "at": 0.6},
    },
    {"select": "pam", "parameters": {"n_thresholds": 4}, "reject": "nobody"},
]
PLAN = {
    "outer": {"folds": 4, "repeats": 2},
    "inner": {"folds": 3, "repeats": 2},
    "permutations": 0,
    "reject": {"name": "fisher", "significance": False},
    "method": METHODS,
}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """(table, result, folder)."""
    data = make_data(n=60, p=12, informative=2, shift=0.8)
    folder = tmp_path_factory.mktemp("rejection") / "s"
    return data, run_study(data, PLAN, folder).to_dict(), folder


@pytest.fixture(scope="module")
def rows(study):
    """Predictions of each procedure, as they are written."""
    found = {}
    with open(study[2] / "tables" / "predictions.tsv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found.setdefault(row["procedure"], []).append(row)
    return found


def entries(result):
    yield "headline", result["headline"]
    yield from ((m["name"], m) for m in result["methods"])


def test_the_result_is_of_its_types(study):
    assert not list(faults(study[1], StudyContent))


def test_error_rates_are_those_of_the_predictions(study, rows):
    _, result, _ = study
    for name, entry in entries(result):
        if "rejection" not in entry:
            continue
        found, own = entry["rejection"], rows[name]
        by_repeat = {}
        for row in own:
            by_repeat.setdefault(row["repeat"], []).append(row)
        given = [[r for r in part if r["accepted"] == "yes"] for part in by_repeat.values()]
        wrong = [np.mean([r["true"] != r["predicted"] for r in part]) for part in given]
        assert found["error"]["mean"] == pytest.approx(np.mean(wrong))
        assert entry["coverage"]["mean"] == pytest.approx(
            np.mean([r["accepted"] == "yes" for r in own])
        )
        errors = found["full_error"]["mean"] * len(own)
        declined = [r for r in own if r["accepted"] == "no"]
        inside = sum(map(len, given))
        if declined and found["declined_error"]["mean"] is not None:
            sizes = [
                len(part) - len(kept) for part, kept in zip(by_repeat.values(), given, strict=True)
            ]
            among = errors - sum(w * len(kept) for w, kept in zip(wrong, given, strict=True))
            if len(set(sizes)) == 1:
                assert found["declined_error"]["mean"] == pytest.approx(among / len(declined))
        assert inside + len(declined) == len(own)
        for metric in ("error", "full_error"):
            low, mean, high = (found[metric][k] for k in ("low", "mean", "high"))
            assert 0 <= low <= mean <= high <= 1
        assert found["full"]["accuracy"]["mean"] == pytest.approx(1 - found["full_error"]["mean"])


def test_the_terminal_says_what_a_best_guess_for_all_comes_to(study, rows):
    _, result, _ = study
    own, recalls = rows["headline"], []
    for name in result["data"]["classes"]:
        mine = [r for r in own if r["true"] == name]
        recalls.append(np.mean([(r["predicted"] or r["guess"]) == name for r in mine]))
    assert (
        f"with no sample declined: balanced accuracy {np.mean(recalls):.2f} ("
        in declined_sentence(result)
    )
    assert declined_sentence({**result, "headline": result["methods"][2]}) == ""


def test_a_method_of_nobody_has_no_entry(study):
    _, result, _ = study
    methods = {m["select"]: m for m in result["methods"]}
    assert "rejection" not in methods["pam"]
    assert methods["pam"]["coverage"]["mean"] == 1
    assert abs(methods["welch_t"]["coverage"]["mean"] - 0.6) < 0.2


def test_points_run_from_nobody_declined_and_their_area_is_that_of_the_curve(study):
    _, result, _ = study
    for _, entry in entries(result):
        if "rejection" not in entry:
            continue
        found = entry["rejection"]
        first = found["points"][0]
        assert (first["standing"], first["coverage"], first["declined_error"]) == (0.0, 1.0, None)
        assert first["error"] == pytest.approx(found["full_error"]["mean"])
        coverage = [p["coverage"] for p in found["points"]]
        assert coverage == sorted(coverage, reverse=True)
        assert found["least_area"] <= found["area"] <= 1
        for p in found["points"][1:]:
            whole = p["coverage"] * p["error"] + (1 - p["coverage"]) * p["declined_error"]
            assert whole == pytest.approx(first["error"])


def test_the_page_says_it_and_draws_it(study):
    _, result, _ = study
    page = study_page(result)
    html = render_study(page)
    assert 'href="#rejection"' in html
    assert "Risk and coverage" in html
    assert "Declining by certainty" in html
    lead = page["rejection"]["sentences"][0].replace("\u00a0", " ")
    share = result["headline"]["coverage"]["mean"]
    assert lead.startswith(
        f"{100 * share:.0f} % of the samples held out were decided on; of these "
    )
    tables = {t["name"]: t["data"] for t in page_tables(page)}
    names = [
        row[tables["rejection"]["columns"].index("name")] for row in tables["rejection"]["rows"]
    ]
    assert names == ["headline", "moderated_t", "welch_t+svm_linear"]
    assert "full" in tables


def test_without_rules_nothing_is_said_of_them(made):
    page = study_page(made.make_result())
    assert page["rejection"] is None
    assert "Whom to decline" not in render_study(page)


def test_a_page_with_undefined_numbers(made):
    rule = {"name": "f_beta", "parameters": {}, "score": "auto", "novelty": 0.05}
    result = made.make_result(rule=rule)
    html = render_study(study_page(result))
    assert "every sample was declined" in html
    assert "novelty = 0.05" in html


def test_standing_is_on_one_scale_in_all_training_parts():
    """Margins of one part a hundred times those of another move no point of the curve."""
    from tamis._core.interfaces import Beliefs
    from tamis.classifiers.decisions.arg_max import ArgMax
    from tamis.classifiers.rejection.decision import NamedRule, rejecting_decision

    rng = np.random.default_rng(0)
    y, f = rng.integers(0, 2, 80), rng.normal(size=80)
    margin = np.column_stack([-f, f])
    standings = []
    for scale in (1.0, 100.0):
        beliefs = Beliefs(np.full((80, 2), 0.5), scale * margin)
        fitted = rejecting_decision(ArgMax(), NamedRule("f_beta"), None).fit(beliefs, y)
        standings.append(fitted.standing(fitted.decide(beliefs).certainty))
    np.testing.assert_allclose(*standings)
    predicted = (f > 0).astype(int)
    by_standing = risk_coverage_curve(y, predicted, standings[0])
    assert by_standing.area == pytest.approx(risk_coverage_curve(y, predicted, np.abs(f)).area)


def test_a_written_page_has_the_section(study):
    path = write_report(study[1], study[2])
    assert "Abstaining" in path.read_text(encoding="utf-8")
