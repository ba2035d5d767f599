"""A study whose decision declines one sample in five: every number of its page, by hand."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, matthews_corrcoef, roc_auc_score

from common.decisions import DECLINES
from common.studies import make_data
from tamis._core.registry import with_rows
from tamis.metrics import METRICS
from tamis.report import write_report
from tamis.report._render import render_study
from tamis.report._view import page_tables, study_page
from tamis.study import run_study

CLASSES = ("ALL", "AML")
METHODS = [
    {"select": "moderated_t", "sizes": [2, 5]},
    {"select": "welch_t", "classify": "knn", "sizes": [3], "decide": "arg_max"},
    {"select": "pam", "parameters": {"n_thresholds": 4}},
]


def plan(**more):
    return {
        "outer": {"folds": 4, "repeats": 2},
        "inner": {"folds": 3, "repeats": 1},
        "permutations": 1,
        "decide": {"name": "decline_some", "share": 0.2},
        "method": METHODS,
        **more,
    }


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """(result, predictions of each procedure, folder)."""
    folder = tmp_path_factory.mktemp("declined") / "s"
    with with_rows([DECLINES]):
        result = run_study(make_data(classes=CLASSES, n=60), plan(), folder)
    return result, predictions(folder), folder


def predictions(folder):
    """Procedure -> rows of the table, as they are written."""
    found = defaultdict(list)
    with open(folder / "tables" / "predictions.tsv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found[row["procedure"]].append(row)
    return found


@pytest.fixture(scope="module")
def page(study):
    with with_rows([DECLINES]):
        return study_page(study[0].to_dict())


@pytest.fixture(scope="module")
def text(page):
    """The page's words, one space between any two."""
    html = render_study(page).partition("<body>")[2].partition("<script")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("\u00a0", " ").split())


def given(rows):
    return [row for row in rows if row["accepted"] == "yes"]


def by_repeat(rows):
    found = defaultdict(list)
    for row in rows:
        found[row["repeat"]].append(row)
    return found.values()


def score(metric, rows):
    """Of labels, over the accepted rows of each repeat."""
    pools = [given(pool) for pool in by_repeat(rows)]
    return np.mean([metric([r["true"] for r in p], [r["predicted"] for r in p]) for p in pools])


def downloaded(page, name):
    """Rows of a table as the page lets one download them."""
    data = next(t["data"] for t in page_tables(page) if t["name"] == name)
    return [dict(zip(data["columns"], row, strict=True)) for row in data["rows"]]


def test_a_row_declined_has_no_class_but_beliefs(study):
    _, rows, _ = study
    every = [row for own in rows.values() for row in own]
    assert {row["accepted"] for row in every} == {"yes", "no"}
    for row in every:
        assert (row["predicted"] in CLASSES) == (row["accepted"] == "yes")
        assert row["predicted"] == "" or row["accepted"] == "yes"
        assert float(row["p(ALL)"]) + float(row["p(AML)"]) == pytest.approx(1)
    decided = [row["accepted"] for row in rows["welch_t+knn"]]
    assert set(decided) == {"yes"}  # this method's own decision takes all
    share = len(given(rows["moderated_t"])) / len(rows["moderated_t"])
    assert 0.68 < share < 0.92


@pytest.mark.parametrize("who", ["headline", "moderated_t", "welch_t+knn", "pam"])
def test_metrics_are_of_the_samples_accepted(study, page, who):
    _, rows, _ = study
    shown = {row["name"]: row for row in downloaded(page, "methods")}[who]
    own = rows[who]
    assert shown["bcr"] == pytest.approx(score(balanced_accuracy_score, own))
    assert shown["mcc"] == pytest.approx(score(matthews_corrcoef, own))
    accuracy = score(lambda true, told: np.mean(np.array(true) == np.array(told)), own)
    assert shown["accuracy"] == pytest.approx(accuracy)
    assert shown["loss"] == pytest.approx(1 - accuracy)
    assert shown["coverage"] == len(given(own)) / len(own)
    for name in CLASSES:
        of_class = [row for row in own if row["true"] == name]
        assert shown[f"coverage {name}"] == len(given(of_class)) / len(of_class)
    beliefs = np.array([float(row[f"p({row['true']})"]) for row in own])
    true = np.array([row["true"] for row in own])
    bcm = np.mean([beliefs[true == name].mean() for name in CLASSES])
    assert shown["bcm"] == pytest.approx(bcm)  # of all, those declined too


def test_the_auc_is_of_all_samples_within_folds(study):
    result, rows, _ = study
    right = pairs = 0.0
    folds = defaultdict(list)
    for row in rows["headline"]:
        folds[row["repeat"], row["fold"]].append(row)
    for fold in folds.values():
        true = [row["true"] == "AML" for row in fold]
        n = sum(true) * (len(true) - sum(true))
        right += n * roc_auc_score(true, [float(row["p(AML)"]) for row in fold])
        pairs += n
    assert result.metrics["auc"]["mean"] == pytest.approx(right / pairs)


def test_folds_have_their_own_coverage_and_scores(study, page):
    _, rows, _ = study
    for shown in downloaded(page, "folds"):
        at = (str(shown["repeat"]), str(shown["fold"]))
        fold = [r for r in rows["headline"] if (r["repeat"], r["fold"]) == at]
        kept = given(fold)
        assert shown["coverage"] == len(kept) / len(fold)
        right = np.mean([row["true"] == row["predicted"] for row in kept])
        assert shown["accuracy"] == pytest.approx(right)
    assert (
        "Metrics of labels are of the samples of the fold that were given a class."
        in (page["folds"]["note"])
    )


def test_the_confusion_matrix_counts_everyone(study, page):
    result, rows, _ = study
    counts = defaultdict(float)
    for row in rows["headline"]:
        counts[row["predicted"] or "(abstained)", row["true"]] += 1 / 2  # two repeats
    shown = page["confusion"]
    assert [row["label"] for row in shown["rows"]] == [*CLASSES, "(abstained)"]
    totals = dict.fromkeys(CLASSES, 0.0)
    for row in shown["rows"]:
        for name, cell in zip(CLASSES, row["cells"], strict=True):
            count = counts[row["label"], name]
            assert float(cell["text"]) == pytest.approx(count)
            assert cell["share"] == f"{100 * count / 30:.0f}\u00a0%"
            assert cell["right"] == (row["label"] == name)
            totals[name] += count
    assert totals == {"ALL": 30, "AML": 30}
    head = result.to_dict()["headline"]
    assert head["declined"] == [counts["(abstained)", name] for name in CLASSES]


def test_recalls_and_declined_by_class(study, page):
    result, rows, _ = study
    for shown in downloaded(page, "declined"):
        own = [row for row in rows["headline"] if row["true"] == shown["class"]]
        kept = given(own)
        assert shown["declined"] == (len(own) - len(kept)) / 2
        assert shown["coverage"] == len(kept) / len(own)
        right = np.mean([row["predicted"] == shown["class"] for row in kept])
        assert shown["recall"] == pytest.approx(right)
        assert result.to_dict()["recalls"][shown["class"]]["mean"] == pytest.approx(right)


def test_chance_and_the_permuted_run_are_of_accepted_samples(study):
    result, rows, _ = study
    content = result.to_dict()
    kept = given(rows["headline"])
    true = np.array([[row["true"] == name for name in CLASSES] for row in kept]).mean(axis=0)
    assert content["chance"]["accuracy"]["theory"] == pytest.approx(true.max())
    assert content["chance"]["bcr"]["theory"] == 0.5


def test_the_page_says_it_where_it_speaks_of_labels(study, page, text):
    _, rows, _ = study
    share = len(given(rows["headline"])) / len(rows["headline"])
    assert f"The procedure gave a class to {100 * share:.0f} % of the samples held out" in text
    assert f"The procedure gives a class to {100 * share:.0f} % of the samples; expect " in text
    assert "They use the scores of all samples, including those declined." in text
    assert "Of the samples that were given a class: others were declined." in text
    assert "in brackets the share of the true class, those declined counted" in text
    assert "headline and every method; samples declined have no class there" in text
    of = {row["metric"]: row["of"] for row in downloaded(page, "headline")}
    of_beliefs = {name for name, metric in METRICS.items() if metric.needs == "proba"}
    assert {name for name, value in of.items() if value == 1} == of_beliefs
    assert {value for value in of.values() if value != 1} == {share}


def test_the_decision_is_told_in_words(study, page, text):
    result, _, _ = study
    shown = {row["name"]: row["decision"] for row in downloaded(page, "methods")}
    assert shown == {
        "headline": "",
        "moderated_t": "declining by lot (share = 0.2)",
        "welch_t+knn": "the likeliest class",
        "pam": "declining by lot (share = 0.2)",
    }
    assert "deciding by declining by lot" in text
    final = result.to_dict()["final"]
    expected = "" if final["decide"] == "arg_max" else "declining by lot"
    words = [one for one in (expected, final["recalibrated"]) if one]
    assert page["features"]["final"]["decision"] == ", ".join(words)
    assert "deciding by the likeliest class, but for samples drawn by lot" in text  # the paper


def test_the_terminal_says_it(study):
    result, rows, _ = study
    own = rows["headline"]
    share = 1 - len(given(own)) / len(own)
    by_class = []
    for name in CLASSES:
        of_class = [row for row in own if row["true"] == name]
        by_class.append(f"{1 - len(given(of_class)) / len(of_class):.0%} of {name}")
    said = f"abstained {share:.0%} of the samples ({', '.join(by_class)}); label metrics use the"
    assert said in result.summary()
    assert result.frame()["coverage"]["headline"] == pytest.approx(1 - share)


def test_results_and_page_do_not_need_the_decision_again(study, tmp_path):
    """A page written where a plug-in is not installed names its decision as the plan does."""
    result, _, folder = study
    content = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert content == result.to_dict()
    written = write_report(content, folder, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "deciding by decline_some (share = 0.2)" in written


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_where_everything_is_declined_labels_are_undefined_and_it_is_said_why(tmp_path):
    decide = {"name": "decline_some", "share": 1.0}
    with with_rows([DECLINES]):
        short = plan(decide=decide, permutations=0, method=METHODS[:1])
        result = run_study(make_data(classes=CLASSES, n=60), short, tmp_path / "s")
    content = result.to_dict()
    of_labels = [name for name, metric in METRICS.items() if metric.needs == "labels"]
    for name in of_labels:
        assert content["metrics"][name] == {
            "mean": None,
            "low": None,
            "high": None,
            "note": "every sample was declined",
        }
    assert content["metrics"]["auc"]["mean"] > 0.5
    assert content["headline"]["declined"] == [30.0, 30.0]
    assert "balanced accuracy undefined (every sample was declined)" in result.summary()
    page = study_page(content)
    html = render_study(page)
    assert "The performance is undefined: the rule abstained on every held-out sample." in html
    assert page["headline"]["card"]["note"] == "every sample was declined"
    heads = ", ".join(METRICS[name].head or name.upper() for name in of_labels)
    assert page["methods"]["notes"] == [f"{heads}: every sample was declined"]
    assert page["confusion"]["rows"][-1]["cells"][0]["share"] == "100\u00a0%"


def test_where_nothing_can_be_declined_nothing_is_said_of_it(made, tmp_path):
    data = replace(make_data(classes=CLASSES), name="all given")
    result = run_study(
        data, plan(decide="arg_max", recalibrate="platt", permutations=0), tmp_path / "s"
    )
    for content in (result.to_dict(), made.make_result(), made.make_result(bare=True)):
        page = study_page(content)
        html = render_study(page).partition("<body>")[2]
        assert "eclined" not in html
        assert "Decided" not in html
        assert "given a class" not in html
        assert not any("coverage" in t["data"]["columns"] for t in page_tables(page))
    assert "eclined" not in result.summary()
    assert "coverage" not in result.frame().columns


@pytest.mark.parametrize("share", [0.996, 0.004])
def test_a_share_is_never_rounded_to_all_or_nothing(study, share):
    content = json.loads(json.dumps(study[0].to_dict()))
    content["headline"]["coverage"]["mean"] = share
    said = " ".join(study_page(content)["headline"]["declined"]["sentences"]).replace("\u00a0", " ")
    assert "over 99 %" in said
    assert "under 1 %" in said
    assert "100 %" not in said


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_its_page_fits(driver, study, tmp_path, width):
    from report.test_browser import show

    result, _, folder = study
    driver.get_log("browser")
    show(driver, write_report(result.to_dict(), folder, tmp_path / "page.html"), width)
    driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    ask = driver.execute_script
    assert ask("return document.documentElement.scrollWidth") <= width
    assert ask(
        "const e = document.querySelector('#table-declined').closest('.scroll');"
        "return e.scrollWidth <= e.clientWidth + 1"
    )
    assert driver.get_log("browser") == []
