"""Studies of one table: paired over the same outer folds, or beside each other without a test."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.comparisons import write_study
from common.typed import faults, keys_of
from tamis._core.errors import PlanError
from tamis.data import load_golub
from tamis.metrics import nadeau_bengio
from tamis.metrics.holm import holm_adjusted
from tamis.study import (
    PlanComparison,
    StudyComparison,
    compare_studies,
    open_study,
    run_study,
)
from tamis.study.results.comparison_schema import PlansContent, ReadStudy
from tamis.study.results.predictions import fold_scores

PAGE = Path(__file__).parents[3] / "docs" / "methods" / "comparison.md"
T = {"select": "moderated_t", "sizes": [5, 20], "classify": ["lda"]}
ONE = {"select": "moderated_t", "sizes": [1], "classify": ["lda"]}
PAM = {"select": "pam", "parameters": {"n_thresholds": 5}}
PLAN = {
    "outer": {"folds": 4},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "describe": False,
    "final": False,
}


@pytest.fixture(scope="module")
def golub(tmp_path_factory):
    """Folders of studies of the leukaemia data, by name."""
    root, data = tmp_path_factory.mktemp("golub"), load_golub()
    place = np.argsort(data.y, kind="stable")
    groups = np.empty(len(data.y), dtype="U9")
    groups[place] = [f"p{k // 2}" for k in range(len(place))]
    grouped = replace(data, groups=groups)
    plans = {
        "t": (data, {**PLAN, "method": [T]}),
        "again": (data, {**PLAN, "method": [T]}),
        "pam": (data, {**PLAN, "method": [PAM]}),
        "one": (data, {**PLAN, "method": [ONE]}),
        "several": (data, {**PLAN, "method": [T, PAM], "choose": "best"}),
        "seed": (data, {**PLAN, "method": [T], "seed": 1}),
        "grouped": (grouped, {**PLAN, "method": [T]}),
    }
    for name, (table, plan) in plans.items():
        run_study(table, plan, root / name, n_jobs=1, quiet=True)
    return {name: root / name for name in plans}


def pair_of(found, *names):
    (pair,) = [p for p in found.content["pairs"] if {p["first"], p["second"]} == set(names)]
    return pair


def test_two_plans_differ_as_methods_of_one_study_do(golub):
    """The study of both methods tests their difference itself, on the same folds."""
    found = compare_studies([golub["t"], golub["pam"]])
    assert isinstance(found, PlanComparison)
    assert list(faults(found.to_dict(), PlansContent)) == []
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    (pair,) = found.content["pairs"]
    both = json.loads((golub["several"] / "results.json").read_text())
    (told,) = [m["difference"] for m in both["methods"] if m["difference"]]  # less the best
    assert pair["first"] == {"moderated_t+lda": "t"}.get(told["against"], told["against"])
    assert pair["mean"] == pytest.approx(-told["mean"])
    assert (pair["low"], pair["high"]) == pytest.approx((-told["high"], -told["low"]))
    assert pair["p_value"] == pair["p_holm"] == pytest.approx(told["p_value"])
    assert (pair["n_folds"], pair["note"]) == (4, "")
    first, second = found.content["studies"]
    assert pair["mean"] == pytest.approx(first["mean"] - second["mean"])
    assert f"p = {pair['p_value']:.3g}" in found.summary()
    assert "Holm" not in found.summary()
    assert found.frame()["difference"].tolist() == [pair["mean"]]


def test_the_page_tells_every_key():
    text = PAGE.read_text(encoding="utf-8").partition("## Ranks")[0]
    assert keys_of(PlansContent) - set(re.findall(r"`(\w+)`", text)) == set()


def test_identical_plans_never_differ(golub):
    found = compare_studies([golub["t"], golub["again"]])
    (pair,) = found.content["pairs"]
    assert (pair["mean"], pair["low"], pair["high"]) == (0.0, None, None)
    assert (pair["p_value"], pair["p_holm"], pair["different"]) == (1.0, 1.0, False)
    assert "t - again: 0.000 (the same score in every fold), p = 1" in found.summary()


def test_other_folds_are_not_paired(golub):
    found = compare_studies([golub["t"], golub["grouped"]])
    (pair,) = found.content["pairs"]
    first, second = found.content["studies"]
    assert pair["mean"] == first["mean"] - second["mean"]
    assert [pair[key] for key in ("low", "high", "p_value", "p_holm", "different")] == [None] * 5
    assert pair["note"] in {
        "different outer folds: groups none and 19; align --group",
        "different outer folds: groups 19 and none; align --group",
    }
    assert "1 pair of studies cannot be tested" in found.content["remarks"][0]
    assert "not tested" in found.summary()
    assert "significantly" not in found.summary()
    assert pair_of(compare_studies([golub["t"], golub["seed"]]), "t", "seed")["note"].endswith(
        "align --seed"
    )


def test_five_plans(golub):
    """Every pair, its p-value by Holm over those that were tested; order does not matter."""
    names = ["one", "seed", "pam", "several", "t"]
    found = compare_studies([golub[name] for name in names])
    assert len(found.content["pairs"]) == 10
    scores = [one["mean"] for one in found.content["studies"]]
    assert scores == sorted(scores, reverse=True)
    tested = [pair for pair in found.content["pairs"] if pair["p_value"] is not None]
    assert len(tested) == 6
    assert not any("seed" in (pair["first"], pair["second"]) for pair in tested)
    expected = holm_adjusted([pair["p_value"] for pair in tested])
    np.testing.assert_array_equal([pair["p_holm"] for pair in tested], expected)
    assert "by Holm" in found.summary()
    assert len(found.frame()) == 10
    other = compare_studies([golub[name] for name in reversed(names)])
    assert pair_of(other, "one", "pam")["p_holm"] == pair_of(found, "one", "pam")["p_holm"]


def test_the_difference_is_that_of_the_printed_scores(tmp_path):
    """Folds of unequal classes: the mean of fold scores is another number; the spread is theirs."""
    same = {"digest": "d", "n": 44, "folds": 5}
    a, b = (write_study(tmp_path / x, "x", seed=k, **same) for k, x in enumerate("ab"))
    found = compare_studies([a, b])
    (pair,) = found.content["pairs"]
    first, second = found.content["studies"]
    assert pair["mean"] == pytest.approx(first["mean"] - second["mean"])
    (x, held), (y, _) = (
        fold_scores(open_study(tmp_path / one["name"], ReadStudy), ["headline"], "bcr")
        for one in (first, second)
    )
    plain = nadeau_bengio(x["headline"] - y["headline"], 44 - held, held)
    assert pair["high"] - pair["low"] == pytest.approx(plain.high - plain.low)


def test_losses_have_the_metrics_own_sign(tmp_path):
    a, b = (write_study(tmp_path / x, "x", seed=3 * k, digest="d") for k, x in enumerate("ab"))
    found = compare_studies([a, b], "loss")
    first, second = found.content["studies"]
    assert first["mean"] < second["mean"]
    assert found.content["pairs"][0]["mean"] == pytest.approx(first["mean"] - second["mean"])


def test_losses_under_different_costs_are_refused(golub, tmp_path):
    plan = {**PLAN, "method": [ONE], "metric": "loss", "costs": {"AML": 5, "ALL": 1}}
    run_study(load_golub(), plan, tmp_path / "dear", n_jobs=1, quiet=True)
    with pytest.raises(PlanError, match="different costs"):
        compare_studies([golub["one"], tmp_path / "dear"], "loss")
    found = compare_studies([golub["one"], tmp_path / "dear"])
    assert "tuned on different metrics" in found.content["remarks"][0]


def test_several_pairs_over_repeated_folds_are_remarked_on(tmp_path):
    """The test is liberal there (docs/results/plan_comparison.md)."""
    same = {"digest": "d", "repeats": 3}
    a, b, c = (write_study(tmp_path / x, "x", seed=k, **same) for k, x in enumerate("abc"))
    (said,) = compare_studies([a, b, c]).content["remarks"]
    assert said.startswith("Several pairs tested over repeated folds")
    assert compare_studies([a, b]).content["remarks"] == []


def test_one_table_is_known_by_its_values(tmp_path):
    """Groups, batches or the positive class change the digest and not the table."""
    a, b, c = (
        write_study(tmp_path / x, "x", seed=k, values="v" if k < 2 else "w")
        for k, x in enumerate("abc")
    )
    assert isinstance(compare_studies([a, b]), PlanComparison)
    assert isinstance(compare_studies([a, b, c]), StudyComparison)
    old = write_study(tmp_path / "old", "x", seed=0)  # of a version that had no such digest
    assert isinstance(compare_studies([a, old]), PlanComparison)
    assert isinstance(compare_studies([b, old]), StudyComparison)
    with pytest.raises(PlanError, match="leave out the sources"):
        compare_studies([a, b], sources={"a": "s"})


def test_values_are_those_of_the_table():
    data = load_golub()
    same = replace(data, groups=np.arange(38).astype(str), classes=data.classes[::-1])
    assert same.digest() != data.digest()
    assert same.digests() == (same.digest(), data.digests()[1])
    X = data.X.copy()
    X[3, 5] += 1
    for other in (replace(data, X=X), replace(data, sample_names=tuple(map(str, range(38))))):
        assert other.digests()[1] != data.digests()[1]


def test_what_cannot_be_told(tmp_path):
    """Folds of one sample, one fold, other positive classes, undefined scores."""
    one = {"digest": "d", "n": 20, "folds": 20}
    a, b = (write_study(tmp_path / x, "x", seed=k, **one) for k, x in enumerate("ab"))
    (pair,) = compare_studies([a, b], "accuracy").content["pairs"]
    assert (pair["p_value"], pair["low"]) == (None, None)
    assert pair["note"] == "test sets of one sample"
    (pair,) = compare_studies([a, b], "auc").content["pairs"]  # undefined in every fold
    assert (pair["mean"], pair["p_value"]) == (None, None)
    single = {"digest": "d", "folds": 1, "n_samples": 60}
    c, d = (write_study(tmp_path / x, "x", seed=3 * k, **single) for k, x in enumerate("cd"))
    assert compare_studies([c, d]).content["pairs"][0]["p_value"] is None
    turned = write_study(tmp_path / "e", "x", seed=2, classes=("b", "a"), **single)
    (said,) = compare_studies([c, turned]).content["remarks"]
    assert said.startswith("The studies have different positive classes, ")
    with pytest.raises(PlanError, match="alpha is 2"):
        compare_studies([c, d], alpha=2)
