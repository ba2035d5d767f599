"""A saved model whose decision declines: predictions, evaluation and what the commands print."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from common.decisions import DECLINES
from common.studies import make_data
from common.tables import write_table
from tamis._core.errors import ModelError
from tamis._core.registry import with_rows
from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.cli.main import main as cli
from tamis.model import file as modelfile
from tamis.model.evaluate import evaluate, evaluation_text
from tamis.study import run_study

PLAN = {
    "outer": {"folds": 2},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "decide": {"name": "decline_some", "share": 0.2},
    "method": [{"select": "pearson", "sizes": [4], "classify": "naive_bayes"}],
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A model file; it is read where the row of its decision is known."""
    folder = tmp_path_factory.mktemp("declining") / "s"
    with with_rows([DECLINES]):
        run_study(make_data(n=60, p=4, informative=4), PLAN, folder)
    return folder / "model.npz"


@pytest.fixture(scope="module")
def cohort():
    return make_data(seed=1, n=100, p=4, informative=4)


@pytest.fixture(scope="module")
def model(path):
    with with_rows([DECLINES]):
        return modelfile.load_model(path)


@pytest.fixture(scope="module")
def found(model, cohort):
    return evaluate(model, cohort)


@pytest.fixture(scope="module")
def told(model, cohort):
    """True labels, labels given (None where declined), probability of the positive class."""
    return cohort.y.astype(str), model.predict(cohort), model.predict_proba(cohort)[:, 1]


def test_the_decision_comes_back_with_the_file(path, model):
    assert (model.decision.share, model.decided_by.name) == (0.2, "decline_some")
    with pytest.raises(ModelError, match="decline_some"):
        modelfile.load_model(path)  # where nobody knows it


def test_the_same_samples_are_declined_one_at_a_time(model, cohort, told):
    singles = [replace(cohort, X=cohort.X[[i]], y=cohort.y[[i]]) for i in range(30)]
    one_by_one = [model.predict(one)[0] for one in singles]
    assert one_by_one == told[1][:30].tolist()
    assert None in one_by_one


def test_every_figure_is_that_of_the_samples_accepted(found, told):
    true, labels, positive = told
    kept = np.array([label is not None for label in labels])
    assert 0.65 < kept.mean() < 0.95
    right = true[kept] == labels[kept].astype(str)
    metrics = found["metrics"]
    expected = balanced_accuracy_score(true[kept], labels[kept].astype(str))
    assert metrics["bcr"]["mean"] == pytest.approx(expected)
    assert metrics["accuracy"]["mean"] == pytest.approx(right.mean())
    assert metrics["auc"]["mean"] == pytest.approx(roc_auc_score(true == "b", positive))
    assert found["coverage"]["mean"] == kept.mean()
    for k, name in enumerate(("a", "b")):
        own = true == name
        assert found["coverage"]["by_class"][name] == kept[own].mean()
        assert found["declined"][k] == (~kept[own]).sum()
        hits = (labels[own & kept] == name).sum()
        assert found["recalls"][name]["mean"] == pytest.approx(hits / (own & kept).sum())
        assert found["confusion"][k][k] == hits
    assert np.sum(found["confusion"]) + sum(found["declined"]) == found["n_samples"] == 100


def test_the_print_has_them_and_the_matrix_a_row(found):
    text = evaluation_text(found)
    a, b = (1 - found["coverage"]["by_class"][name] for name in ("a", "b"))
    share = 1 - found["coverage"]["mean"]
    said = f"declined: {share:.0%} of the samples ({a:.0%} of class = a, {b:.0%} of class = b)"
    assert said in text
    last = text.splitlines()[-1].split()
    assert last == ["declined", *map(str, found["declined"])]


def test_without_declines_neither_is_there(model, cohort):
    text = evaluation_text(evaluate(replace(model, decision=ArgMax()), cohort))
    assert "declined" not in text


def test_nothing_accepted_has_reasons(model, cohort):
    none = replace(
        model,
        decision=replace(model.decision, decision=replace(model.decision.decision, share=1.0)),
    )
    found = evaluate(none, cohort)
    assert found["metrics"]["bcr"]["note"] == "every sample was declined"
    assert found["recalls"]["b"]["note"] == "every sample of this class was declined"
    assert "undefined (every sample was declined)" in evaluation_text(found)


def test_the_commands_tell_it(path, cohort, found, told, tmp_path):
    table = write_table(tmp_path / "cohort.csv", cohort)
    with with_rows([DECLINES]):
        runner = CliRunner()
        printed = runner.invoke(cli, ["predict", str(path), str(table)])
        asked = ["evaluate", str(path), str(table), "--target", "diagnosis"]
        as_json = runner.invoke(cli, [*asked, "--json"])
        as_text = runner.invoke(cli, asked)
    rows = list(csv.DictReader(io.StringIO(printed.stdout), delimiter="\t"))
    assert [row["predicted"] or None for row in rows] == told[1].tolist()
    assert [row["accepted"] for row in rows].count("no") == sum(found["declined"])
    assert f"{sum(found['declined'])} of 100 samples declined" in printed.stderr
    given = json.loads(as_json.stdout)
    assert given["coverage"] == found["coverage"]
    assert given["declined"] == found["declined"]
    assert given["metrics"] == found["metrics"]
    assert "declined:" in as_text.stdout
