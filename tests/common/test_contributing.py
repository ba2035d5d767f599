"""The examples of CONTRIBUTING.md, as they stand: one file and one row each."""

from __future__ import annotations

import importlib
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click import UsageError
from sklearn.metrics import cohen_kappa_score

from common.metric_checks import CHECKS
from common.studies import make_data
from tamis._core.errors import PlanError
from tamis._core.registry import find_row, with_rows
from tamis._core.rows import ClassifierRow
from tamis.checks import check_method, every_check
from tamis.checks.searches import check_search
from tamis.cli.main import main
from tamis.data import make_planted_interaction
from tamis.metrics import METRICS
from tamis.model.file import load_model
from tamis.report._render import render_study
from tamis.report._view import study_page
from tamis.study import run_study

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"
NAMES = ("a_filter", "a_path", "a_decision", "a_step", "a_search", "a_metric")


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """The code blocks as importable modules."""
    folder = tmp_path_factory.mktemp("examples")
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == len(NAMES)
    for name, block in zip(NAMES, blocks, strict=True):
        (folder / f"{name}.py").write_text(block, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        yield [importlib.import_module(name) for name in NAMES]
    finally:
        sys.path.remove(str(folder))
        for name in NAMES:
            sys.modules.pop(name, None)


def studied(method, folder, **more):
    """Result and saved model of a quick study of data that are easy to tell apart."""
    data = make_data(seed=1, n=48, p=30, shift=3.0)
    plan = {
        "outer": {"folds": 4},
        "inner": {"folds": 3, "repeats": 1},
        "permutations": 0,
        "method": [method],
        **more,
    }
    result = run_study(data, plan, folder).to_dict()
    return data, result, load_model(folder / "model.npz")


def test_a_filter_is_one_function_and_one_row(examples, tmp_path):
    with with_rows([examples[0].ROW]):
        _, result, model = studied({"select": "median_gap", "sizes": [3]}, tmp_path / "s")
    assert result["metrics"]["bcr"]["mean"] > 0.9
    assert sorted(model.features) == ["g0", "g1", "g2"]
    assert "distance between class medians" in result["methods_text"]


@pytest.mark.parametrize("sizes", [[], [4]])
def test_a_path_classifier_is_one_file_and_one_row(examples, tmp_path, sizes):
    method = {"select": "leading_means", "sizes": sizes, "grid": {"most": [8, 16]}}
    with with_rows([examples[1].ROW]):
        data, result, model = studied(method, tmp_path / "s")
    assert result["metrics"]["bcr"]["mean"] > 0.9
    assert len({"g0", "g1", "g2"} & set(model.features)) >= 2
    params = result["final"]["params"]
    assert params["most"] in (8, 16)
    assert params.get("features") == (4 if sizes else None)
    assert np.mean(model.predict(data) == data.y) > 0.9


def test_a_decision_is_one_file_and_one_row(examples, tmp_path):
    method = {"select": "pearson", "sizes": [1], "classify": "logistic"}
    with with_rows([examples[2].ROW]):
        decide = {"name": "confident", "at_least": 0.6}
        data, result, model = studied(method, tmp_path / "s", decide=decide)
        labels = model.predict(data)
    coverage = result["headline"]["coverage"]["mean"]
    assert 0.2 < coverage < 1
    assert np.sum(result["headline"]["confusion"]) == pytest.approx(coverage * 48)
    proba = model.predict_proba(data)
    assert [label is None for label in labels] == (proba.max(axis=1) < 0.6).tolist()


def test_a_step_is_one_file_and_one_row(examples, tmp_path):
    """The model clips a new sample at the training rows' edges."""
    method = {"select": "pearson", "sizes": [2]}
    with with_rows([examples[3].ROW]):
        prepare = [{"name": "clip", "tail": 0.25}]
        data, result, model = studied(method, tmp_path / "s", prepare=prepare)
    assert (
        "on 2 features, prepared by clipped tails (tail 0.25), its probabilities recalibrated"
        in result["methods_text"]
    )
    columns = [data.feature_names.index(name) for name in model.features]
    clipped = data.X.copy()
    for j in columns:
        clipped[:, j] = np.clip(clipped[:, j], *np.quantile(clipped[:, j], [0.25, 0.75]))
    assert np.abs(clipped - data.X).max() > 0.5
    np.testing.assert_allclose(
        model.predict_proba(replace(data, X=clipped)), model.predict_proba(data), atol=1e-12
    )


@pytest.mark.parametrize("at", range(5), ids=NAMES[:5])
def test_the_examples_pass_the_checks(examples, at):
    codes = [check.code for check in every_check() if check.code != "chance"]
    report = check_method(examples[at].ROW, codes=codes)
    assert report.failed == [], report.summary()


def test_a_search_is_one_file_and_one_row(examples, tmp_path, monkeypatch, capsys):
    """The command, its help and options, the list of methods and the page know it."""
    data = make_planted_interaction(n_per_class=40, n_features=8, order=2)
    names = ["ill", *data.feature_names]
    table = np.column_stack([data.codes, data.X.astype(int)])
    monkeypatch.chdir(tmp_path)
    np.savetxt("t.csv", table, "%d", ",", header=",".join(names), comments="")

    def tamis(*arguments):
        main(list(arguments), standalone_mode=False)
        return " ".join(capsys.readouterr().out.replace("│", "").split())

    with with_rows([examples[4].ROW]):
        said = tamis(
            "interact", "t.csv", "--target", "ill", "--method", "pairs_mi", "--most-pairs", "5"
        )
        told = tamis("interact", "--help")
        listed = tamis("methods")
        with pytest.raises(UsageError, match="--best is no option of --method pairs_mi, but of"):
            tamis("interact", "t.csv", "--target", "ill", "--method", "pairs_mi", "--best", "5")
        assert check_search(examples[4].ROW).failed == []
    assert "of 28 pairs at level 0.05" in said
    assert "S1_1 + S1_2" in said
    assert "pairs_mi: every pair of features, by what both say of the class" in told
    assert "pairs, pairs_mi" in told
    assert "pairs_mi: pairs by mutual information" in told
    assert "pairs_mi every pair of features" in listed
    assert "[bins, keep, level, n_permutations]" in listed
    folder = tmp_path / "tamis-interact-t-pairs_mi"
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Interactions were searched for by pairs by mutual information" in page
    assert "mutual information of both features and the class" in page
    assert "Pairs that are written down" in page
    assert len(json.loads((folder / "interactions.json").read_text())["sets"]["sets"]) == 5


def test_a_metric_is_one_row(examples, tmp_path, monkeypatch):
    """The checks of every metric, the plan, the result and the page know it."""
    row = examples[5].ROW
    for check in CHECKS:
        check(row)
    monkeypatch.setitem(METRICS, row.name, row)
    method = {"select": "pearson", "sizes": [1]}
    _, result, _ = studied(method, tmp_path / "s", metric="kappa")
    confusion = np.array(result["headline"]["confusion"], dtype=int)
    predicted, true = np.repeat(np.argwhere(confusion >= 0), confusion.ravel(), axis=0).T
    found = result["metrics"]["kappa"]
    assert found["mean"] == pytest.approx(cohen_kappa_score(true, predicted))
    assert 0.1 < found["mean"] < 1
    assert "no interval" in found["note"]
    assert result["chance"]["kappa"]["theory"] == 0.0
    assert all(-1 <= fold["kappa"] <= 1 for fold in result["headline"]["folds"])
    assert "Kappa" in render_study(study_page(result))


def test_rows_that_are_none_or_taken_are_refused_in_one_line():
    row = find_row("lda", ClassifierRow)
    with pytest.raises(PlanError, match="which there is already"), with_rows([row]):
        pass
    with pytest.raises(PlanError, match="make it one of a role"), with_rows([np.mean]):
        pass
