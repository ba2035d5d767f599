"""Tables of categories and numbers, and cut-offs other than sizes, inside the protocol."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import QUICK, make_data, run_in_memory
from tamis._core.errors import PlanError
from tamis.model import file as modelfile
from tamis.selection import FilterSelector, chi2, mtd
from tamis.study import Plan, run_study
from tamis.study.protocol.nested_cv import fold_of


def mixed(seed=0, n=48, signal=True):
    """Eight features: 0 a number and 1 a category that tell the classes apart, with gaps."""
    rng = np.random.default_rng(seed)
    data = make_data(seed=seed, n=n, p=8, informative=0)
    X = data.X.copy()
    for j in (1, 4, 5):
        X[:, j] = rng.integers(0, 3, n)
    if signal:
        X[:, 0] += 2.5 * data.codes
        X[:, 1] = np.where(rng.random(n) < 0.9, 2 * data.codes, X[:, 1])
    X[3, 1] = X[5, 0] = np.nan
    levels = dict.fromkeys((1, 4, 5), ("low", "middle", "high"))
    return replace(data, X=X, levels=levels)


def plan(*methods, **more):
    return {**QUICK, "permutations": 0, "final": False, "method": list(methods), **more}


@pytest.mark.parametrize("select", ["mtd", "mutual_information"])
def test_numbers_and_categories_rank_on_one_scale(select):
    method = {"select": select, "sizes": [2], "parameters": {"n_permutations": 100}}
    _, _, _, _, found = run_in_memory(mixed(), plan(method))
    for choice in found.methods[select]:
        assert set(choice.features) == {0, 1}


def test_a_study_ranks_a_mixed_part_as_the_selector_does():
    data = mixed(seed=2)
    method = {"select": "chi2", "sizes": [3], "classify": "naive_bayes"}
    _, tasks, design, _, found = run_in_memory(data, plan(method))
    resolved = Plan.resolve(plan(method))
    for task, choice in zip(tasks, found.methods["chi2+naive_bayes"], strict=True):
        rows = fold_of(design, resolved, task).parts.rows[0]
        statistics, _ = chi2(data.X[rows], data.y[rows])
        assert choice.features.tolist() == np.argsort(-statistics, kind="stable")[:3].tolist()


def test_missing_categories_are_left_out_of_a_discrete_ranking():
    data = mixed(seed=3)
    method = {"select": "mtd_discrete", "sizes": [1]}
    _, tasks, design, _, found = run_in_memory(data, plan(method))
    resolved = Plan.resolve(plan(method))
    for task, choice in zip(tasks, found.methods["mtd_discrete"], strict=True):
        rows = fold_of(design, resolved, task).parts.rows[0]
        scores = mtd(data.X[rows], data.y[rows], discrete_features=True)
        assert choice.features[0] == scores.argmax()


def test_a_mixed_table_of_noise_is_at_chance(tmp_path):
    values = []
    for seed in range(12):
        method = {"select": "mtd", "sizes": [2], "parameters": {"n_permutations": 30}}
        result = run_study(mixed(seed, signal=False), plan(method, seed=seed), tmp_path / str(seed))
        values.append(result.metrics["bcr"]["mean"])
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values) - 0.5) < 3 * error


def test_fdr_cuts_off_inside_each_training_part():
    data = make_data(seed=4, n=40, p=100, informative=4, shift=2.0)
    method = {"select": "welch_t", "sizes": [50], "parameters": {"max_fdr": 0.05}}
    _, tasks, design, _, found = run_in_memory(data, plan(method))
    resolved = Plan.resolve(plan(method))
    for task, choice in zip(tasks, found.methods["welch_t"], strict=True):
        rows = fold_of(design, resolved, task).parts.rows[0]
        selector = FilterSelector("welch_t", size=None, max_fdr=0.05)
        kept = selector.fit(data.X[rows], data.y[rows]).get_support(indices=True)
        assert sorted(choice.features) == kept.tolist()


def test_nothing_passes_and_the_class_shares_decide(tmp_path):
    data = make_data(seed=5, n=40, p=10, informative=0)
    method = {"select": "pearson", "sizes": [5], "parameters": {"threshold": 0.999}}
    result = run_study(data, plan(method, final=True), tmp_path / "s").to_dict()
    assert result["metrics"]["bcr"]["mean"] == 0.5
    assert result["headline"]["stability"]["asm"] is None
    assert result["final"]["features"] == []
    model = modelfile.load_model(tmp_path / "s" / "model.npz")
    np.testing.assert_allclose(model.predict_proba(data), 0.5)


@pytest.mark.parametrize(
    ("select", "parameters", "says"),
    [
        ("fold_change", {"max_p": 0.01}, "no parameter 'max_p'"),
        ("welch_t", {"max_fdr": 2}, "max_fdr = 2"),
        ("welch_t", {"treshold": 1}, "did you mean 'threshold'?"),
        ("mtd", {"n_permutations": 1}, "n_permutations = 1"),
    ],
)
def test_cut_offs_that_do_not_apply_are_named(select, parameters, says):
    with pytest.raises(PlanError, match=says.replace("?", r"\?")):
        Plan.resolve({"method": [{"select": select, "parameters": parameters}]})


@pytest.mark.parametrize("select", ["moderated_t", "svm_rfe", "mtd", "hhsvm", "mtfc"])
def test_sizes_above_the_features_and_about_the_columns_mean_all_of_them(select):
    """Eight features are fourteen columns: a size of nine is neither."""
    method = {"select": select, "sizes": [2, 9, 50], "classify": "naive_bayes"}
    if select == "mtd":
        method["parameters"] = {"n_permutations": 20}
    plain = {**method, "sizes": [2, 8]}
    found = run_in_memory(mixed(seed=6), plan(method))[-1]
    same = run_in_memory(mixed(seed=6), plan(plain))[-1]
    for a, b in zip(found.headline, same.headline, strict=True):
        assert a.features.tolist() == b.features.tolist()
        assert len(a.features) <= 8
