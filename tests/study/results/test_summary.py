"""The numbers of a study, against the same numbers written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from common.studies import QUICK, make_data, run_in_memory
from tamis.data.dataset import Dataset
from tamis.metrics import VarianceInflation, lustgarten_stability
from tamis.study import Plan, run_study
from tamis.study.protocol.error_costs import Costs, costs_of
from tamis.study.results.collect import headline_choice
from tamis.study.results.curve_points import curve_points
from tamis.study.results.filter_scores import FILTERS
from tamis.study.results.held_out import held_out
from tamis.study.results.prose import _costs_text

PLAN = {**QUICK, "outer": {"folds": 4, "repeats": 2}, "permutations": 3}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    data = make_data(seed=11, n=40, p=50, shift=1.0)
    folder = tmp_path_factory.mktemp("study") / "s"
    result = run_study(data, PLAN, folder)
    *_, found = run_in_memory(data, PLAN)
    return data, result.to_dict(), found, folder


def test_headline_metrics_are_the_mean_over_repeats_of_pooled_predictions(study):
    data, content, found, _ = study
    y = data.codes
    rates = []
    for repeat in (0, 1):
        predicted = np.full(40, -1)
        for c in found.headline:
            if c.repeat == repeat:
                predicted[c.test] = c.predicted
        rates.append(balanced_accuracy_score(y, predicted))
    assert content["metrics"]["bcr"]["mean"] == pytest.approx(np.mean(rates))


def test_the_auc_counts_the_pairs_of_each_fold(study):
    data, content, found, _ = study
    y = data.codes
    areas = [roc_auc_score(y[c.test], c.proba[:, 1]) for c in found.headline]
    pairs = [y[c.test].sum() * (1 - y[c.test]).sum() for c in found.headline]
    assert content["metrics"]["auc"]["mean"] == pytest.approx(np.average(areas, weights=pairs))
    roc = np.array(content["headline"]["curves"]["roc"])
    area = np.trapezoid(roc[:, 1], roc[:, 0])
    assert area == pytest.approx(content["metrics"]["auc"]["mean"])


def test_recalls_are_those_of_the_confusion_matrix(study):
    _, content, *_ = study
    matrix = np.array(content["headline"]["confusion"])
    shares = matrix.diagonal() / matrix.sum(axis=0)
    assert [one["mean"] for one in content["recalls"].values()] == pytest.approx(shares)
    for one in content["recalls"].values():
        assert one["low"] < one["mean"] < one["high"] or one["mean"] == one["high"] == 1


def test_the_headline_takes_the_method_with_the_best_inner_score(study):
    """If the plan says so; ties to the first."""
    data, content, found, _ = study
    best = Plan(choose="best")
    for i in range(len(found.headline)):
        choices = [one[i] for one in found.methods.values()]
        winner = headline_choice(best, choices, data.codes)
        scores = [one.inner for one in choices]
        assert winner.inner == max(scores)
        first = next(n for n, c in found.methods.items() if c[i].inner >= max(scores) - 1e-13)
        assert winner.method == first
    assert sum(content["headline"]["winners"].values()) == len(found.headline)
    ties = [replace(winner, inner=0.5), replace(winner, inner=0.5)]
    assert headline_choice(best, ties, data.codes) is ties[0]


def test_the_headline_takes_the_first_method_unless_another_is_clearly_better(study):
    data, _, found, _ = study
    y, n = data.codes, len(data.codes)
    first = found.headline[0]
    base = np.where(np.isfinite(first.points), np.sin(np.arange(n)), np.nan)
    jitter = np.tile([0.3, -0.3], n)[:n]

    def taken(*gains):
        choices = [replace(first, method=str(k), points=base + g) for k, g in enumerate(gains)]
        return headline_choice(Plan(), choices, y).method

    assert taken(0.0, 1.0) == "1"  # better on each sample
    assert taken(0.0, -1.0) == "0"
    assert taken(0.0, jitter) == "0"  # better on half of the samples, worse on the others
    assert taken(0.0, 0.3 + jitter) == "1"  # and better by many standard errors
    assert taken(0.0, 0.0) == "0"


def test_permutations_compare_like_with_like(study):
    _, content, found, _ = study
    p = content["permutation"]
    assert p["n"] == 3
    assert p["p_value"] is None  # three runs test nothing
    assert p["stability"]["above"] is None
    assert all(c.repeat == 0 for run in found.permuted.values() for c in run[""])
    chance = content["chance"]["bcr"]
    assert chance["theory"] == 0.5
    assert chance["permuted"]["median"] == pytest.approx(np.median(p["values"]))
    assert p["outer"].startswith("stratified 4-fold")  # the plan's folds, being fewer than five
    first = [c for c in found.headline if c.repeat == 0]
    assert [c.features.tolist() for c in found.observed[""]] == [c.features.tolist() for c in first]


def test_stability_is_that_of_the_folds_sets(study):
    _, content, found, _ = study
    sets = [c.features for c in found.headline]
    stable = content["headline"]["stability"]
    assert stable["asm"] == pytest.approx(lustgarten_stability(sets, 50))
    counts = np.bincount(np.concatenate(sets), minlength=50)
    assert stable["common"] == int((counts >= len(sets) / 2).sum())
    shown = {f["name"]: f["frequency"] for f in content["features"]}
    assert shown == {f"g{j}": counts[j] / len(sets) for j in range(50) if f"g{j}" in shown}
    assert content["n_selected"] == int((counts > 0).sum())


def test_the_size_curve_and_its_optimistic_best(study):
    data, content, found, _ = study
    entry = content["methods"][0]
    assert [s["size"] for s in entry["size_curve"]] == [1, 2, 5]
    assert entry["optimistic"] == max(s["outer"] for s in entry["size_curve"])
    rates = []
    for repeat in (0, 1):
        predicted = np.full(40, -1)
        for c in found.curves[entry["name"]]:
            if c.repeat == repeat:
                predicted[c.test] = c.predicted[1]
        rates.append(balanced_accuracy_score(data.codes, predicted))
    assert entry["size_curve"][1]["outer"] == pytest.approx(np.mean(rates))


def test_the_tables_say_what_the_json_says(study):
    import pandas as pd

    data, content, _, folder = study
    methods = pd.read_csv(folder / "tables" / "methods.tsv", sep="\t", index_col=0)
    assert methods.loc["headline", "bcr"] == content["metrics"]["bcr"]["mean"]
    features = pd.read_csv(folder / "tables" / "features.tsv", sep="\t", index_col=0)
    assert len(features) == data.shape[1]
    assert features.index[0] == content["features"][0]["name"]
    assert features["frequency"].iloc[0] == content["features"][0]["frequency"]
    predictions = pd.read_csv(folder / "tables" / "predictions.tsv", sep="\t")
    head = predictions[predictions["procedure"] == "headline"]
    assert len(head) == 80
    right = [balanced_accuracy_score(p["true"], p["predicted"]) for _, p in head.groupby("repeat")]
    assert np.mean(right) == pytest.approx(content["metrics"]["bcr"]["mean"])


def test_repeated_samples_across_folds_are_reported(tmp_path):
    data = make_data(seed=3, n=24, p=10)
    X = data.X.copy()
    X[1::2] = X[1]
    result = run_study(replace(data, X=X), QUICK, tmp_path / "s").to_dict()
    codes = {w["code"]: w["text"] for w in result["warnings"]}
    assert "--group" in codes["repeated-rows"]


def test_covariates_are_in_every_model_and_a_baseline_by_themselves(tmp_path):
    rng = np.random.default_rng(5)
    data = make_data(seed=5, n=40, p=20, informative=0)
    X = data.X.copy()
    X[:, 4] = data.codes * 3 + rng.normal(size=40)
    plan = {**QUICK, "method": [{"select": "pearson", "sizes": [1]}], "allow": ["g4"]}
    result = run_study(replace(data, X=X, covariates=(4,)), plan, tmp_path / "s").to_dict()
    names = [m["name"] for m in result["methods"]]
    assert names == ["pearson", "covariates"]
    assert result["methods"][1]["metrics"]["bcr"]["mean"] > 0.85
    assert all(f["name"] != "g4" for f in result["features"])
    assert result["data"]["n_features"] == 19


def test_categories_are_chosen_as_whole_features(tmp_path):
    rng = np.random.default_rng(6)
    data = make_data(seed=6, n=60, p=6, informative=0)
    X = data.X.copy()
    X[:, 2] = np.where(rng.random(60) < 0.9, data.codes * 2, rng.integers(0, 3, 60))
    X[3, 2] = np.nan
    mixed = replace(data, X=X, levels={2: ("low", "middle", "high")})
    plan = {**QUICK, "method": [{"select": "moderated_t", "sizes": [1]}]}
    result = run_study(mixed, plan, tmp_path / "s").to_dict()
    assert result["features"][0]["name"] == "g2"
    assert result["features"][0]["frequency"] == 1.0
    assert result["metrics"]["bcr"]["mean"] > 0.8


def test_a_study_of_noise_says_so(tmp_path):
    data = make_data(seed=8, n=30, p=40, informative=0)
    result = run_study(data, QUICK, tmp_path / "s").to_dict()
    assert "not-above-chance" in {w["code"] for w in result["warnings"]}
    assert result["methods_text"].startswith("Data were 30 samples (15 a, 15 b)")
    assert "More than 50 features" not in result["methods_text"]  # which there are not
    keys = [c["key"] for c in result["citations"]]
    assert len(keys) == len(set(keys))
    for number in range(1, len(keys) + 1):
        assert f"{number}]" in result["methods_text"] or f"{number}," in result["methods_text"]


@pytest.mark.parametrize(
    ("outer", "tested"),
    [
        ({"folds": 3}, True),
        ({"kind": "holdout"}, False),
        ({"kind": "holdout", "repeats": 3}, True),
        ({"kind": "leave-one-out"}, False),
        ({"kind": "predefined"}, False),
    ],
)
def test_the_paragraph_has_covariates_costs_and_no_test_that_there_was_not(tmp_path, outer, tested):
    data = replace(make_data(seed=9, n=24, p=8), covariates=(0,))
    data = replace(data, split=np.array(["train", "test"])[(np.arange(24) % 4) // 3])
    methods = [{"select": "pearson", "sizes": [2]}, {"select": "welch_t", "sizes": [2]}]
    plan = {
        **QUICK,
        "permutations": 0,
        "method": methods,
        "outer": outer,
        "costs": {"a": 1, "b": 3},
    }
    result = run_study(data, {**plan, "inner": {"folds": 2}}, tmp_path / "s").to_dict()
    text, keys = result["methods_text"], [c["key"] for c in result["citations"]]
    covariates = f"Covariates ('{data.feature_names[0]}') were in every model and never ranked."
    assert covariates in text
    assert "An error on a cost 1, an error on b cost 3." in text
    assert ("corrected resampled t-test" in text) == ("nadeau2003" in keys) == tested
    assert tested == any((m["difference"] or {}).get("low") is not None for m in result["methods"])


def test_costs_by_predicted_and_true_class_are_told_the_right_way_round():
    data = make_data(n=30, p=4, classes=("a", "b", "c"))
    said = {"a": {"b": 2, "c": 3}, "b": {"a": 5, "c": 3}, "c": {"a": 7, "b": 9}}
    costs, _ = costs_of(said, data)
    assert _costs_text(costs, data.classes) == [
        "Calling a b cost 5, calling a c cost 7, calling b a cost 2, calling b c cost 9, "
        "an error on c cost 3."
    ]
    sizes, _ = costs_of("class_sizes", data)
    assert "more the smaller the class" in _costs_text(sizes, data.classes)[0]


def test_what_was_tried_is_told(tmp_path):
    data = make_data(seed=9, n=30, p=12)
    methods = [
        {
            "select": "pearson",
            "sizes": [2],
            "classify": ["lda", "svm_linear"],
            "grid": {"svm_linear": {"C": [0.1, 1.0]}},
        },
        {"select": "elastic_net", "grid": {"alpha": [0.5, 1.0]}, "sizes": [3]},
    ]
    plan = {**QUICK, "permutations": 1, "method": methods}
    text = run_study(data, plan, tmp_path / "s").to_dict()["methods_text"]
    mended = "its probabilities recalibrated on inner held-out predictions by one slope"
    assert f"on 2 features, trying svm_linear C of 0.1, 1.0, {mended}" in text
    assert "(but for svm_linear: the class of its largest score);" in text
    assert f"on at most 3 features, trying alpha of 0.5, 1.0, {mended}" in text
    assert "repeated on 1 data set with" in text


def test_a_covariate_in_first_place_and_the_last_feature_chosen(tmp_path):
    data = make_data(seed=12, n=40, p=8, informative=0)
    X = data.X.copy()
    X[:, 7] += 3 * data.codes
    plan = {**QUICK, "method": [{"select": "pearson", "sizes": [1]}]}
    result = run_study(replace(data, X=X, covariates=(0,)), plan, tmp_path / "s").to_dict()
    assert result["features"][0]["name"] == "g7"
    assert result["headline"]["stability"]["n_sets"] == 4


def test_a_perfect_marker_is_not_thrown_away(tmp_path):
    """A column equal to the class has no spread within it, where plain LDA drops it."""
    data = make_data(seed=13, n=40, p=10, informative=0)
    X = data.X.copy()
    X[:, 2] = data.codes
    methods = [{"name": f"top {k}", "select": "pearson", "sizes": [k]} for k in (1, 3)]
    plan = {**QUICK, "method": methods, "allow": ["g2"]}
    result = run_study(replace(data, X=X), plan, tmp_path / "s").to_dict()
    assert [m["metrics"]["bcr"]["mean"] for m in result["methods"]] == [1.0, 1.0]


def test_mtfc_never_keeps_more_than_pass_its_gate():
    from tamis.selection._moments import class_moments
    from tamis.selection._mtfc import mtfc_scores
    from tamis.study.protocol.nested_cv import fold_of

    data = make_data(seed=14, n=40, p=200, informative=4, shift=0.8)
    plan = {**QUICK, "permutations": 0, "method": [{"select": "mtfc"}]}
    plan, tasks, design, _, found = run_in_memory(data, plan)
    for task, choice in zip(tasks[:-1], found.methods["mtfc"], strict=True):
        rows = fold_of(design, plan, task).parts.rows[0]
        scores = mtfc_scores(class_moments(data.X[rows], design.labels.y[rows]), 0.005)
        assert len(choice.features) <= max(2, int((scores >= 0).sum()))


def test_an_impossible_inner_split_is_told_before_anything_runs(tmp_path):
    from tamis._core.errors import PlanError

    data = make_data(seed=15, n=40, p=5)
    y = np.array(["a"] * 29 + ["b"] * 11)
    plan = {"outer": {"folds": 10}, "inner": {"folds": 10, "repeats": 1}, "permutations": 0}
    with pytest.raises(
        PlanError, match="9 samples in a training set, fewer than the 10 inner folds"
    ):
        run_study(replace(data, y=y), plan, tmp_path / "s")
    assert not (tmp_path / "s").exists()


@pytest.mark.longer
def test_grouped_permutations_never_stop_a_study_midway(tmp_path):
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 7, size=18)
    groups = np.repeat([f"p{k}" for k in range(18)], sizes)
    y = np.array(["a", "b"])[np.repeat((np.arange(18) < 6).astype(int), sizes)]
    X = rng.normal(size=(len(y), 5))
    data = Dataset(X, y, tuple("abcde"), groups=groups)
    for seed in range(8):
        plan = {
            "seed": seed,
            "outer": {"folds": 3},
            "inner": {"folds": 3, "repeats": 1},
            "permutations": 6,
            "describe": False,
            "final": False,
            "method": [{"select": "pearson", "sizes": [1]}],
        }
        result = run_study(data, plan, tmp_path / str(seed)).to_dict()
        assert result["permutation"]["n"] == 6


def test_lower_is_better_metrics_keep_their_sign(tmp_path):
    data = make_data(seed=16, n=30, p=10)
    result = run_study(data, {**QUICK, "metric": "loss"}, tmp_path / "s").to_dict()
    assert all(fold["inner"] >= 0 for fold in result["headline"]["folds"])
    best = result["methods"][0]
    assert best["optimistic"] == min(s["outer"] for s in best["size_curve"])


def test_the_confusion_of_a_repeated_holdout_is_a_mean(tmp_path):
    data = make_data(seed=17, n=40, p=10)
    plan = {**QUICK, "outer": {"kind": "holdout", "repeats": 5}}
    result = run_study(data, plan, tmp_path / "s").to_dict()
    assert np.sum(result["headline"]["confusion"]) == pytest.approx(12)


def test_decision_curves_are_those_of_the_pooled_predictions(study):
    data, content, found, _ = study
    y = data.codes
    points = content["headline"]["curves"]["decision"]
    gains = []
    for repeat in (0, 1):
        score = np.full(40, np.nan)
        for c in found.headline:
            if c.repeat == repeat:
                score[c.test] = c.proba[:, 1]
        acted = score >= 0.3
        gains.append(np.mean(acted & (y == 1)) - np.mean(acted & (y == 0)) * 0.3 / 0.7)
    assert points[29]["threshold"] == 0.3
    assert points[29]["net_benefit"] == pytest.approx(np.mean(gains))
    assert all(len(m["curves"]["decision"]) == 99 for m in content["methods"])


def test_scores_and_ranks_are_those_of_the_filters(study):
    from tamis import selection

    data, content, *_ = study
    for feature in content["features"]:
        j = data.feature_names.index(feature["name"])
        assert feature["kind"] == "numeric"
        for name, entry in feature["scores"].items():
            assert FILTERS[name].display.show_in_report
            more = {"random_state": 0} if name == "mutual_information" else {}
            result = getattr(selection, name)(data.X, data.codes, **more)
            scores, p = result if isinstance(result, tuple) else (result, None)
            assert entry["score"] == pytest.approx(scores[j], abs=1e-12)
            size = np.abs(scores)
            better = (size > size[j]).sum() + (size[:j] == size[j]).sum()  # ties by column
            assert entry["rank"] == 1 + better
            assert entry["p_value"] == (None if p is None else pytest.approx(p[j], abs=1e-12))
    there = [one.name for one in FILTERS.values() if one.display.show_in_report]
    assert list(content["features"][0]["scores"]) == there
    assert {"pearson", "moderated_t", "mtd"} <= set(there)


def test_thresholds_and_cost_curves_are_those_of_the_pooled_predictions(study):
    data, content, found, _ = study
    codes = np.concatenate([data.codes[c.test] for c in found.headline])
    up = np.concatenate([c.proba[:, 1] for c in found.headline])
    curves = content["headline"]["curves"]
    for point in curves["thresholds"]:
        called = up >= point["threshold"]
        assert point["sensitivity"] == pytest.approx(called[codes == 1].mean())
        assert point["specificity"] == pytest.approx(1 - called[codes == 0].mean())
        assert point["loss"] is None  # errors cost nothing in particular here
    for point in curves["cost"]:
        called, x = up >= point["threshold"], point["x"]
        miss, alarm = 1 - called[codes == 1].mean(), called[codes == 0].mean()
        assert point["loss"] == pytest.approx(miss * x + alarm * (1 - x))
    for one in (content["headline"], *content["methods"]):
        assert 2 <= len(one["curves"]["thresholds"]) <= 100
        assert len(one["curves"]["cost"]) == 51


@pytest.mark.parametrize("own", [False, True])
def test_with_costs_a_threshold_has_a_mean_cost(study, own):
    data, _, found, _ = study
    held = held_out(found.headline, data.codes)
    rng = np.random.default_rng(0)
    table = rng.uniform(0, 5, (len(data.codes), 2, 2)) if own else np.array([[0, 10.0], [1, 0]])
    costs = Costs(table.mean(axis=0), table, ()) if own else Costs(table, None, ())
    sampling = VarianceInflation.k_fold(np.bincount(data.codes), 2)
    each = table[held.rows] if own else np.tile(table, (len(held.rows), 1, 1))
    for point in curve_points(held, sampling, costs)["thresholds"]:
        called = (held.proba[:, 1] >= point["threshold"]).astype(int)
        mean = np.mean([c[i, j] for c, i, j in zip(each, called, held.codes, strict=True)])
        assert point["loss"] == pytest.approx(mean)


@pytest.mark.longer
@pytest.mark.parametrize("outer", [{"folds": 4, "repeats": 2}, {"kind": "leave-one-out"}])
def test_the_difference_to_the_best_is_that_of_the_scores_with_unequal_classes(tmp_path, outer):
    """Means of fold scores are other numbers, and of single samples may have the other sign."""
    data = make_data(n=30, p=20, shift=0.5)
    data = replace(data, y=np.array(["a", "b"])[(np.arange(30) % 5 == 0).astype(int)])
    methods = [{"select": name, "sizes": [2, 8]} for name in ("welch_t", "wilcoxon", "pearson")]
    plan = {**PLAN, "outer": outer, "permutations": 0, "method": methods}
    content = run_study(data, plan, tmp_path / "s").to_dict()
    scores = {m["name"]: m["metrics"]["bcr"]["mean"] for m in content["methods"]}
    for method in content["methods"]:
        if (told := method["difference"]) is not None:
            assert told["mean"] == pytest.approx(scores[method["name"]] - scores[told["against"]])
            assert told["mean"] <= 0
            assert (told["low"] is None) == ("kind" in outer or told["p_value"] == 1)
