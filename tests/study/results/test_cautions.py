"""Warnings: each where it belongs, nowhere else, and where people see them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data
from tamis._core.interfaces import Decision
from tamis.data.cautions import class_cautions
from tamis.data.dataset import Dataset
from tamis.report._view import study_page
from tamis.study import run_study

PLAN = {
    "outer": {"folds": 4},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "final": False,
    "describe": False,
    "method": [{"select": "pearson", "sizes": [2]}],
}
TRIED = {
    "plan": {"metric": "bcr"},
    "methods": [{"name": "a", "size_curve": [{"size": 2.0, "own": False, "outer": 0.7}]}],
}


def warnings_of(tmp_path, data, **more):
    result = run_study(data, {**PLAN, **more}, tmp_path / "s")
    return result, {w["code"]: w["text"] for w in result.to_dict()["warnings"]}


def test_noise_is_not_above_chance_in_every_place(tmp_path):
    data = make_data(seed=8, n=40, p=40, informative=0)
    result, found = warnings_of(tmp_path, data)
    assert "reaches chance (0.50)" in found["not-above-chance"]
    assert "! not-above-chance: " in result.summary()
    assert "not-above-chance" in result.frame().loc["headline", "warnings"]
    assert "reaches-chance" in result.frame().loc["pearson", "warnings"]
    from tamis.report._headline import headline_sentences

    assert "do not show that the class can be predicted" in headline_sentences(result.to_dict())[0]


def test_perfection_is_said_of_a_perfect_matrix_only(tmp_path):
    data = make_data(seed=2, n=40, p=10, informative=2, shift=12.0)
    _, found = warnings_of(tmp_path, data, allow=["*"])
    assert found["no-width"].startswith("every prediction was right")
    assert 0.5 < float(found["no-width"].rstrip(".").rsplit(" ", 1)[1]) < 0.95
    # one class all right, the other all wrong: an interval of the other has no errors to vary
    X = np.zeros((40, 10))
    X[0, 0] = 1.0
    _, found = warnings_of(tmp_path / "wrong", replace(data, X=X))
    assert "no-width" not in found


def test_small_classes_and_few_groups(tmp_path):
    data = make_data(seed=3, n=40, p=10, shift=3.0)
    y = np.array(["a"] * 32 + ["b"] * 8)
    _, found = warnings_of(tmp_path, replace(data, y=y))
    assert found["small-class"] == "fewer than ten samples of class = b (8): intervals are wide."
    few = replace(data, y=np.array(["a"] * 38 + ["b"] * 2))
    ((_, text),) = class_cautions(few)
    assert text.endswith("class = b (2): a study in folds refuses a class of fewer than 3.")
    groups = np.array([f"p{i // 4}" for i in range(40)])
    y = np.array(["a", "b"])[(np.arange(40) // 4) % 2]
    _, found = warnings_of(tmp_path / "g", replace(data, y=y, groups=groups), outer={"folds": 3})
    assert "class = a (5), class = b (5)" in found["few-groups"]
    assert "small-class" not in found


@pytest.mark.parametrize(("runs", "code"), [(0, "no-permutations"), (5, "few-permutations")])
def test_too_few_permuted_runs_are_told(tmp_path, runs, code):
    data = make_data(seed=4, n=40, p=10)
    result, found = warnings_of(tmp_path, data, permutations=runs)
    assert "no p-value and no verdict on stability: ask for --permutations 19" in found[code]
    assert result.to_dict()["permutation"]["p_value"] is None
    assert "p =" not in result.summary().replace("p = 0.05, so", "")


def test_a_part_that_keeps_everything_is_told(tmp_path):
    data = make_data(seed=5, n=40, p=10)
    result, found = warnings_of(tmp_path, data, method=[{"select": "all"}])
    assert found["no-selection"].startswith("4 of 4 training sets kept all features: nothing")
    assert "stability" not in found["no-permutations"]
    stable = next(x for x in result.summary().splitlines() if x.startswith("  stability"))
    assert stable.endswith("not computed: all 4 training sets kept every feature")
    from tamis.report._sections import stability_view

    assert "say nothing of a selection" in stability_view(result.to_dict())["verdict"]


def test_mostly_full_lists_have_no_figure_of_stability():
    """Nogueira's measure of nine full lists and one other is below zero."""
    from tamis.study.results.cautions import method_codes
    from tamis.study.results.first_screen import how_stable

    again = {
        "observed": -0.05,
        "values": [],
        "median": 0.2,
        "most": 0.4,
        "excess": -0.25,
        "above": False,
    }
    level = {"theory": 0.5, "permuted": None}
    data = make_data(n=20, p=30)
    for full, told in (
        (10, "computed: all 10 training sets kept every feature"),
        (9, "computed: 9 of 10 training sets kept every feature"),
        (4, "-0.05"),
    ):
        sizes = [30] * full + [5] * (10 - full)
        entry = {
            "name": "t",
            "n_possible": 30,
            "sizes": sizes,
            "repeatability": again,
            "metrics": {k: {"low": 0.6} for k in ("bcr", "auc")},
            "chance": {"bcr": level},
        }
        head = {
            "folds": [{"size": k, "method": "t"} for k in sizes],
            "stability": {"nogueira": {"mean": -0.05}},
        }
        permutation = {"stability": again, "n": 19, "outer_short": "5 folds"}
        content = {"methods": [entry], "headline": head, "permutation": permutation}
        assert told in how_stable(content)
        assert ("unstable" in method_codes(entry, data, False)) == (full < 5)


def test_doubts_of_the_table_are_warnings(tmp_path):
    data = replace(make_data(seed=6, n=40, p=10), doubts=("column 'patient' is dropped, but ...",))
    result, found = warnings_of(tmp_path, data)
    assert found["repeated-measures"].startswith("column 'patient'")
    assert result.warnings[0].startswith("repeated-measures")


def test_groups_widen_intervals_and_repeats_narrow_them_a_little(tmp_path):
    data = make_data(seed=7, n=40, p=20, informative=2, shift=1.0)
    y = np.array(["a", "b"])[(np.arange(40) // 2) % 2]
    data = replace(make_data(seed=7, n=40, p=20, informative=0), y=y)
    groups = np.array([f"p{i // 2}" for i in range(40)])

    def width(name, **more):
        grouped = more.pop("groups", None)
        result = run_study(replace(data, groups=grouped), {**PLAN, **more}, tmp_path / name)
        found = result.metrics["bcr"]
        return found["high"] - found["low"]

    once = width("once")
    often = width("often", outer={"folds": 4, "repeats": 5})
    assert width("grouped", groups=groups) > 1.2 * once
    assert 0.7 * once < often < 1.05 * once


@pytest.mark.longer
def test_a_small_p_value_outweighs_a_wide_interval(tmp_path):
    """Ten and ten samples one at a time: a perfect score whose interval still reaches a half."""
    data = make_data(seed=9, n=20, p=8, informative=3, shift=5.0)
    _, found = warnings_of(
        tmp_path, data, outer={"kind": "leave-one-out"}, permutations=19, allow=["*"]
    )
    assert "not-above-chance" not in found
    assert "while p = 0.05 in the permutation test: how well" in found["wide-interval"]
    more = {
        "permutations": 19,
        "allow": ["*"],
        "metric": "accuracy",
        "outer": {"kind": "leave-one-out"},
    }
    _, found = warnings_of(tmp_path / "a", data, **more)
    assert "in the permutation test in accuracy" in found["wide-interval"]


def test_a_constant_answer_is_the_chance_that_is_told():
    """Also beside permuted labels that do worse; several classes have no such F. Costs have a line
    of their own."""
    from tamis.study.results.first_screen import chance_of

    for name, theory, median, classes, batches, told in (
        ("accuracy", 0.75, 0.62, "ab", 1, (0.75, "by calling all samples class = a")),
        ("accuracy", 0.75, 0.62, "ab", 2, (0.75, "by calling all samples class = a")),
        ("accuracy", 0.75, 0.80, "ab", 2, (0.80, "with labels permuted inside batches")),
        ("loss", 0.25, 0.38, "ab", 2, (0.25, "by calling all samples class = a")),
        ("bcr", 0.50, 0.48, "ab", 2, (0.48, "with labels permuted inside batches")),
        ("f", 0.40, 0.25, "ab", 1, (0.40, "by calling all samples class = b")),
        ("f", 1 / 3, 0.33, "abc", 1, (1 / 3, "in theory")),
    ):
        chance = {"theory": theory, "permuted": {"median": median, "n": 19}}
        data = {"classes": list(classes), "n_batches": batches, "target": "class"}
        confusion = [[30.0 - 10 * k for k in range(len(classes))]] + [[0.0] * len(classes)] * (
            len(classes) - 1
        )
        content = {
            "chance": {name: chance},
            "data": data,
            "permutation": {},
            "headline": {"confusion": confusion},
        }
        assert chance_of(content, name) == told


def test_covariates_alone_are_told_where_they_are_above_chance(tmp_path):
    for shift, told in ((3.0, True), (0.0, False)):
        data = make_data(seed=3, n=40, p=10, informative=1, shift=shift)
        _, found = warnings_of(tmp_path / str(shift), replace(data, covariates=(0,)))
        assert ("baseline" in found) == told, found.get("baseline")
        assert not told or "balanced accuracy 0." in found["baseline"]
        assert not told or found["baseline"].count("chance 0.50") == 1


def test_methods_that_ran_without_covariates_are_named(tmp_path):
    data = replace(make_data(seed=3, n=40, p=10), covariates=(0,))
    for number, (select, told) in enumerate((("pam", True), ("pearson", False))):
        method = {"select": select, **({"sizes": [2]} if select == "pearson" else {})}
        _, found = warnings_of(tmp_path / str(number), data, method=[method])
        text = found.get("covariates-unused", "")
        assert text == "pam cannot carry covariates and ran without them." * told


def test_the_first_screen_names_every_extreme_of_several_methods(tmp_path):
    methods = [{"select": "pearson", "sizes": [2, 4]}, {"select": "welch_t", "sizes": [3]}]
    result, _ = warnings_of(tmp_path, make_data(seed=3, n=40, p=10), method=methods)
    lines = {x[2:12].strip(): x[12:] for x in result.summary().splitlines()}
    assert lines["methods"].startswith("2 compared; training sets took pearson (")
    assert all(f"({m})" in lines["methods"] for m in ("pearson", "welch_t"))
    assert lines["by size"].endswith("features by pearson")


def test_sizes_of_thousands_are_written_as_elsewhere():
    from tamis.study.results.first_screen import price_of_few

    curve = [{"size": k, "own": False, "outer": 0.7} for k in (5.0, 3051.0, 1e6)]
    method = {"name": "a", "reference": False, "size_curve": curve, "n_possible": 1_000_000}
    plan = {"metric": "bcr", "method": [{"name": "a", "sizes": [5, 3051, 1_000_000]}]}
    told = "balanced accuracy 0.70 with 5, 0.70 with 3,051, 0.70 with all 1,000,000 features"
    assert price_of_few({"plan": plan, "methods": [method]}) == told


def test_folds_of_one_class_are_known_by_what_they_hold(tmp_path):
    """One row a predefined fold is leaving one out under another name."""
    data = make_data(seed=10, n=16, p=8)
    split = np.array([f"s{i}" for i in range(16)])
    plan = {"outer": {"kind": "predefined"}, "inner": {"folds": 2, "repeats": 1}}
    result, found = warnings_of(tmp_path, replace(data, split=split), **plan)
    loo, _ = warnings_of(tmp_path / "l", data, outer={"kind": "leave-one-out"}, inner={"folds": 2})
    assert "leave-one-out" in found
    assert result.to_dict()["chance"]["bcr"]["theory"] is None
    one, other = result.metrics["bcr"], loo.metrics["bcr"]
    assert one["high"] - one["low"] == pytest.approx(other["high"] - other["low"], abs=0.1)
    assert "chance" not in result.summary().partition("how well")[2]


def test_centres_with_other_class_shares_are_told(tmp_path):
    data = make_data(seed=11, n=40, p=8)
    y = np.array(["a"] * 16 + ["b"] * 4 + ["a"] * 4 + ["b"] * 16)
    split = np.array(["u"] * 20 + ["v"] * 20)
    plan = {"outer": {"kind": "predefined"}}
    result, found = warnings_of(tmp_path, replace(data, y=y, split=split), **plan)
    assert "60%" in found["uneven-folds"]
    assert result.to_dict()["chance"]["bcr"]["theory"] is None
    _, found = warnings_of(tmp_path / "e", data)
    assert "uneven-folds" not in found


def test_another_cohort_has_its_own_class_shares_and_chance(tmp_path):
    """One test set is pooled with no other: noise has a balanced accuracy of one half there."""
    data = make_data(seed=11, n=40, p=8)
    y = np.array(["a"] * 8 + ["b"] * 14 + ["a"] * 14 + ["b"] * 4)
    split = np.array(["train"] * 22 + ["test"] * 18)
    plan = {"outer": {"kind": "predefined"}}
    result, found = warnings_of(tmp_path, replace(data, y=y, split=split), **plan)
    assert "uneven-folds" not in found
    assert result.to_dict()["chance"]["bcr"]["theory"] == 0.5
    page = study_page(result.to_dict())
    assert page["curves"]["prevalence"] == pytest.approx(4 / 18)  # of the samples judged


def test_without_a_chance_covariates_are_not_said_to_tell_the_class(tmp_path):
    data = make_data(seed=3, n=20, p=6, shift=3.0)
    plan = {"outer": {"kind": "leave-one-out"}, "inner": {"folds": 2, "repeats": 1}}
    _, found = warnings_of(tmp_path, replace(data, covariates=(0,)), **plan)
    assert "leave-one-out" in found
    assert "baseline" not in found


def test_groups_of_both_classes_are_told_of_with_the_auc(tmp_path):
    data = make_data(seed=12, n=40, p=8)  # classes alternate
    groups = np.array([f"p{i // 2}" for i in range(40)])
    _, found = warnings_of(tmp_path, replace(data, groups=groups))
    assert "paired-auc" in found


@pytest.mark.parametrize(
    ("winners", "sizes", "final", "says"),
    [
        (["a", "a", "b"], [5, 8, 5], ("a", 10), None),
        (["a", "a", "b"], [8, 5, 5], ("a", 17), "where a chose 5 to 8 in the"),
        (["a", "a", "a"], [5, 7, 8], ("a", 17), "where a chose 5 to 8 in the"),
        (["a", "a", "b"], [1, 1, 5], ("a", 5), "where a chose 1 in the"),
        (["a", "a", "b"], [5, 8, 5], ("a", 2), "has 2 features"),
        (["b", "a", "b"], [5, 8, 5], ("a", 8), "won in 1 of 3"),
        (["a", "a"], [0, 0], ("a", 0), None),
    ],
)
def test_a_final_model_unlike_what_the_training_parts_chose_is_told(winners, sizes, final, says):
    from types import SimpleNamespace

    from tamis.study.results.cautions import final_cautions

    folds = [
        SimpleNamespace(method=m, size=k, decision=Decision())
        for m, k in zip(winners, sizes, strict=True)
    ]
    last = SimpleNamespace(method=final[0], features=np.arange(final[1]), decision=Decision())
    found = list(final_cautions(SimpleNamespace(headline=folds, final=last), TRIED))
    assert [code for code, _ in found] == ([] if says is None else ["final-differs"])
    assert says is None or says in found[0][1]
    tried = "(a with 2 features had a balanced accuracy of 0.70 in the outer folds; picked after"
    assert says is None or (tried in found[0][1]) == (final[1] == 2)
    assert not list(final_cautions(SimpleNamespace(headline=folds, final=None), TRIED))


@pytest.mark.parametrize(
    ("shares", "final", "says"),
    [
        ([0.1, 0.3], 0.35, ""),
        ([0.1, 0.3], 0.4, "declines 40% of the samples held out inside"),
        ([0.1, None, 0.3], 0.0, "10% to 30%"),
        ([None, None], 0.4, ""),
        ([0.1, 0.3], None, ""),
    ],
)
def test_a_final_model_that_declines_otherwise_is_told(shares, final, says):
    from types import SimpleNamespace

    from tamis.study.results.cautions import final_cautions

    last, *folds = (
        SimpleNamespace(
            method="a", size=2, features=np.arange(2), decision=SimpleNamespace(share=share)
        )
        for share in (final, *shares)
    )
    found = list(final_cautions(SimpleNamespace(headline=folds, final=last), TRIED))
    assert [code for code, _ in found] == ["final-differs"] * bool(says)
    assert not says or says in found[0][1]


def test_the_first_method_alone_is_told_where_the_choice_is_not_better(tmp_path):
    """With the difference; silent where nothing can be predicted, and where choosing is better."""
    data = make_data(n=40, p=30, informative=4, shift=1.5)
    twice = [{"name": str(k), "select": "pearson", "sizes": [3]} for k in range(2)]
    plan = {
        "outer": {"folds": 4},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 0,
        "choose": "best",
    }

    def told(data, methods, name):
        found = run_study(data, {**plan, "method": methods}, tmp_path / name).to_dict()
        return [w["text"] for w in found["warnings"] if w["code"] == "plain-as-good"]

    assert not told(data, twice, "same")  # the first is taken everywhere: there is no difference
    poor = {"name": "poor", "select": "pearson", "sizes": [1], "classify": "knn"}
    other = {"name": "other", "select": "pearson", "sizes": [2], "classify": "knn"}
    near = make_data(seed=3, n=40, p=30, informative=4, shift=1.0)
    (text,) = told(near, [{**twice[0], "sizes": [4]}, other], "lottery")
    assert "not shown to be better than 0, the first named, alone (the choice less it -0." in text
    assert not told(data, [poor, *twice], "better")
    assert not told(data, twice[:1], "alone")
    noise = make_data(n=40, p=30, informative=0)
    assert not told(noise, twice, "noise")


def test_the_first_method_alone_is_told_in_the_costs_of_the_study(tmp_path):
    data = make_data(seed=2, n=40, p=30, informative=4, shift=1.5)
    methods = [
        {"name": "first", "select": "pearson", "sizes": [4]},
        {"name": "other", "select": "pearson", "sizes": [2], "classify": "knn"},
    ]
    plan = {"outer": {"folds": 4}, "inner": {"folds": 2, "repeats": 1}, "permutations": 0}
    plan |= {"costs": {"a": {"b": 600}, "b": {"a": 100}}, "method": methods, "choose": "best"}
    found = run_study(data, plan, tmp_path / "s").to_dict()
    gap = found["metrics"]["loss"]["mean"] - found["methods"][0]["metrics"]["loss"]["mean"]
    assert abs(gap) > 1  # of an error rate it would be less
    (text,) = [w["text"] for w in found["warnings"] if w["code"] == "plain-as-good"]
    assert f"(the choice less it {gap:+.1f}, " in text


@pytest.mark.longer
@pytest.mark.parametrize("metric", ["loss", "accuracy", "bcr"])
def test_groups_whose_size_tells_the_class_leave_no_p_value_of_scores_of_shares(tmp_path, metric):
    """Whole groups exchange labels, and with them the class shares."""
    groups = np.repeat(np.arange(24), np.where(np.arange(24) % 2, 1, 8))
    rng = np.random.default_rng(3)
    X = rng.normal(size=(len(groups), 8)) + rng.normal(size=(24, 8))[groups]
    y = np.where(groups % 2, "b", "a")
    data = Dataset(X, y, tuple(f"g{j}" for j in range(8)), groups=groups.astype(str))
    plan = {
        "outer": {"folds": 4},
        "inner": {"folds": 2, "repeats": 1},
        "permutations": 19,
        "costs": {"a": 1, "b": 1},
        "method": [{"select": "pearson", "sizes": [2]}],
    }
    found = run_study(data, {**plan, "metric": metric}, tmp_path / "s").to_dict()
    codes = {w["code"] for w in found["warnings"]}
    assert (found["permutation"]["p_value"] is None) == (metric != "bcr")
    assert ("no-p-value" in codes) == (metric != "bcr")


def test_a_rule_that_declines_nobody_says_why(tmp_path):
    """In noise errors gather nowhere; without a statement all samples are declined."""
    data = make_data(seed=8, n=40, p=10, informative=0)
    for reject, words in (
        ("f_beta", "no sample is declined"),
        ("risk", "all samples are declined"),
    ):
        plan = {
            "method": [{"select": "welch_t", "sizes": [2]}],
            "outer": {"folds": 3},
            "permutations": 0,
            "reject": reject,
        }
        found = run_study(data, plan, tmp_path / reject).to_dict()["warnings"]
        texts = [w["text"] for w in found if w["code"] == "no-threshold"]
        assert len(texts) == 1
        assert words in texts[0]
        assert "no-statement" not in [w["code"] for w in found]


def test_an_interval_below_chance_is_not_said_to_reach_it():
    """A classifier that is turned round: what may do that is listed."""
    from types import SimpleNamespace

    from tamis.study.results.cautions import _chance_cautions

    content = {
        "metrics": {
            "bcr": {"mean": 0.1, "low": 0.0, "high": 0.27},
            "auc": {"mean": 0.1, "low": 0.0, "high": 0.3},
        },
        "chance": {"bcr": {"theory": 0.5, "permuted": None}},
        "permutation": {"p_value": None, "n": 0},
        "data": {},
    }
    plan, data = SimpleNamespace(metric="bcr"), SimpleNamespace(classes=("a", "b"))
    ((code, text),) = _chance_cautions(plan, data, content)
    assert code == "below-chance"
    assert "balanced accuracy (0.00 to 0.27) lies below 0.50: something inverts" in text
    content["metrics"]["bcr"]["high"] = 0.5
    ((code, text),) = _chance_cautions(plan, data, content)
    assert code == "below-chance"
    assert "of the AUC (0.00 to 0.30) lies below 0.50" in text
    content["metrics"]["auc"]["high"] = 0.5
    assert "(0.00 to 0.50) reaches chance (0.50)." in next(_chance_cautions(plan, data, content))[1]
