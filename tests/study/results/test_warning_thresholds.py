"""Where a study begins to warn, and from where on it gives a p-value, a verdict or a chance in
theory: at the numbers that docs/warnings.md, docs/methods/metrics.md and stability.md state."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize, stats


def chance(median=None, n=19, theory=0.5):
    permuted = None if median is None else {"median": median, "n": n}
    return {"bcr": {"theory": theory, "permuted": permuted}}


def scores(bcr=0.6, auc=0.4):
    return {"bcr": {"low": bcr, "high": 0.9}, "auc": {"low": auc, "high": 0.9}}


def chance_codes(bcr=0.6, auc=0.4, p=None, n=99, metric="bcr", batches=1, median=None, runs=19):
    from tamis.study.results.cautions import _chance_cautions

    content = {
        "metrics": scores(bcr, auc),
        "chance": chance(median, runs),
        "permutation": {"p_value": p, "n": n},
        "data": {"n_batches": batches},
    }
    plan, data = SimpleNamespace(metric=metric), SimpleNamespace(classes=("a", "b"))
    return [code for code, _ in _chance_cautions(plan, data, content)]


@pytest.mark.every
@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ({"bcr": 0.5}, ["not-above-chance"]),
        ({"bcr": 0.501}, []),
        ({"bcr": 0.499, "p": 0.05}, ["wide-interval"]),
        ({"bcr": 0.499, "p": 0.051}, ["not-above-chance"]),
        ({"bcr": 0.6, "p": 0.05}, []),
        ({"bcr": 0.6, "p": 0.051}, ["not-above-chance"]),
        ({"bcr": 0.5, "auc": 0.5}, ["not-above-chance"]),
        ({"bcr": 0.5, "auc": 0.501}, ["labels-at-chance"]),
        ({"bcr": 0.5, "auc": 0.6, "p": 0.06, "metric": "auc"}, ["not-above-chance"]),
        # what batches tell is the chance, if enough runs permuted inside them say it
        ({"bcr": 0.6, "batches": 2, "median": 0.6}, ["not-above-chance"]),
        ({"bcr": 0.6, "batches": 2, "median": 0.599}, []),
        ({"bcr": 0.6, "batches": 2, "median": 0.7, "runs": 18}, []),
    ],
)
def test_chance_is_told_where_an_interval_reaches_it_or_p_is_above_five_in_a_hundred(given, codes):
    assert chance_codes(**given) == codes


@pytest.mark.every
@pytest.mark.parametrize(
    ("above", "value", "words"),
    [(True, 0.399, "agrees poorly"), (True, 0.4, ""), (False, 0.9, "not shown"), (None, 0.1, "")],
)
def test_an_agreement_below_40_is_called_poor(above, value, words):
    from tamis.study.results.cautions import instability_text

    text = instability_text({"observed": value, "most": 0.2, "above": above})
    assert words in text
    assert bool(text) == bool(words)


@pytest.mark.parametrize(("unlike", "told"), [(4, False), (5, True)])
def test_five_of_a_hundred_chosen_features_missing_unlike_are_told(unlike, told):
    from tamis.study.results.cautions import _missing_cautions

    missing = {
        "unguarded": {"chosen": 100, "unlike": unlike},
        "largest": 0.01,
        "unlike": 30,
        "tested": 200,
    }
    assert len(list(_missing_cautions({"missing_by_class": missing}))) == told


@pytest.mark.parametrize(("p", "unlike"), [([0.05], 1), ([0.0501], 0), ([0.025, 0.9], 1)])
def test_missing_values_are_unlike_at_a_false_discovery_rate_of_five_in_a_hundred(p, unlike):
    from tamis.study.results.missing_classes import missing_section

    nothing = SimpleNamespace(headline=[], final=None, methods={})
    found = missing_section(SimpleNamespace(method=[]), nothing, np.array(p))
    assert found["unlike"] == unlike
    assert found["largest"] == (p[0] if unlike else None)


def final_codes(sizes, size, shares=(None,), share=None):
    from tamis.study.results.cautions import final_cautions

    def choice(size, share):
        decision = SimpleNamespace(share=share)
        return SimpleNamespace(method="a", size=size, features=np.arange(size), decision=decision)

    folds = [choice(k, s) for k, s in zip(sizes, [*shares] * len(sizes), strict=False)]
    content = {"plan": {"metric": "bcr"}, "methods": [{"name": "a", "size_curve": []}]}
    collected = SimpleNamespace(headline=folds, final=choice(size, share))
    return [code for code, _ in final_cautions(collected, content)]


@pytest.mark.every
@pytest.mark.parametrize(("size", "told"), [(2, True), (3, False), (16, False), (17, True)])
def test_a_final_model_of_twice_as_many_features_or_half_is_told(size, told):
    """Training sets have 6 to 8: from 3 to 16 it is one of them."""
    assert final_codes([6, 8, 7], size) == ["final-differs"] * told


@pytest.mark.parametrize(("won", "parts", "told"), [(2, 5, True), (2, 4, False)])
def test_a_final_method_that_won_in_fewer_than_half_is_told(won, parts, told):
    from tamis.study.results.cautions import final_cautions

    decision = SimpleNamespace(share=None)
    folds = [
        SimpleNamespace(method="a" if k < won else "b", size=4, decision=decision)
        for k in range(parts)
    ]
    final = SimpleNamespace(method="a", features=np.arange(4), decision=decision)
    content = {"plan": {"metric": "bcr"}, "methods": [{"name": "a", "size_curve": []}]}
    found = list(final_cautions(SimpleNamespace(headline=folds, final=final), content))
    assert [code for code, _ in found] == ["final-differs"] * told


@pytest.mark.parametrize(("full", "selects"), [(4, True), (5, False)])
def test_half_of_the_training_parts_with_full_or_empty_lists_have_no_stability(full, selects):
    """Of 10: in the study, and of a single method."""
    from tamis.study.results.cautions import method_codes
    from tamis.study.results.first_screen import selects_features

    for size in (9, 0):
        sizes = [size] * full + [3] * (10 - full)
        entry = {
            "name": "a",
            "n_possible": 9,
            "sizes": sizes,
            "repeatability": {"observed": 0.1, "most": 0.2, "above": False},
            "metrics": scores(),
            "chance": chance(),
        }
        head = {"folds": [{"size": k, "method": "a"} for k in sizes]}
        assert selects_features({"methods": [entry], "headline": head}) == selects
        data = SimpleNamespace(classes=("a", "b"))
        assert method_codes(entry, data, False) == ["unstable"] * selects


@pytest.mark.parametrize(("low", "told"), [(0.5, True), (0.501, False)])
def test_a_method_whose_interval_reaches_chance_is_told(low, told):
    from tamis.study.results.cautions import method_codes

    entry = {
        "n_possible": 9,
        "sizes": [3],
        "repeatability": {"observed": None, "most": None, "above": None},
        "metrics": scores(low),
        "chance": chance(),
    }
    data = SimpleNamespace(classes=("a", "b"))
    assert method_codes(entry, data, False) == ["reaches-chance"] * told


@pytest.mark.every
@pytest.mark.parametrize(
    ("share", "told"), [(0.04, True), (0.06, False), (0.34, False), (0.36, True)]
)
def test_a_final_model_that_declines_five_in_a_hundred_more_is_told(share, told):
    """Training sets decline .1 to .3."""
    assert final_codes([4, 4], 4, (0.1, 0.3), share) == ["final-differs"] * told


@pytest.mark.parametrize(("uneven", "told"), [(0.2, False), (0.201, True)])
def test_class_shares_that_differ_by_more_than_a_fifth_are_told(uneven, told):
    from tamis.study.results.cautions import _fold_cautions

    data = SimpleNamespace(groups=None, intra_group_correlation=None)
    found = list(_fold_cautions(data, {"headline": {"alone": False, "uneven": uneven}}))
    assert [code for code, _ in found] == ["uneven-folds"] * told


@pytest.mark.every
@pytest.mark.parametrize(
    ("n", "more", "code"),
    [
        (0, {}, "no-permutations"),
        (1, {}, "few-permutations"),
        (18, {}, "few-permutations"),
        (19, {}, None),
        (19, {"moved": 0.25}, None),
        (19, {"moved": 0.249}, "no-p-value"),
        (18, {"moved": 0.1}, "few-permutations"),
        (19, {"shifted": 0.11, "p_value": None}, "no-p-value"),
        (19, {"p_value": None}, "no-p-value"),
    ],
)
def test_nineteen_permuted_runs_and_labels_that_move_give_a_p_value(n, more, code):
    from tamis.study.results.cautions import run_cautions

    permutation = {"n": n, "p_value": 0.05, **more}
    part = {"size": 2, "method": "a"}
    content = {
        "permutation": permutation,
        "headline": {"folds": [part] * 4},
        "methods": [{"name": "a", "n_possible": 9}],
    }
    assert [found for found, _ in run_cautions(content)] == ([code] if code else [])


@pytest.mark.every
@pytest.mark.parametrize(
    ("runs", "reached", "verdict"),
    [
        (18, 0, None),
        (19, 0, True),  # (1 + 0) / 20
        (38, 1, False),  # 2 / 39
        (19, 1, False),
        (39, 1, True),  # 2 / 40
        (39, 2, False),
        (99, 4, True),  # 5 / 100
        (99, 5, False),
    ],
)
def test_a_selection_is_stabler_than_chance_at_p_of_five_in_a_hundred(runs, reached, verdict):
    from tamis.study.results.summary import Context

    context = SimpleNamespace(moved=None)
    for equal in (0.7, 0.8):  # a run that is as stable counts as one that is stabler
        values = [equal] * reached + [0.1] * (runs - reached)
        assert Context.beside_chance(context, 0.7, values)["above"] is verdict
    undefined = [math.nan] * (runs - reached) + [0.9] * reached
    assert Context.beside_chance(context, 0.7, undefined)["above"] is verdict
    assert Context.beside_chance(SimpleNamespace(moved=0.249), 0.7, values)["above"] is None
    assert Context.beside_chance(SimpleNamespace(moved=0.25), 0.7, values)["above"] is verdict


@pytest.mark.every
@pytest.mark.parametrize(
    ("metric", "shifted", "told"),
    [("accuracy", 0.1, False), ("accuracy", 0.101, True), ("loss", 0.2, True), ("bcr", 0.2, False)],
)
def test_scores_of_class_shares_have_no_p_value_where_permuted_runs_shift_these(
    metric, shifted, told
):
    from tamis.metrics import METRICS
    from tamis.study.results.summary import _permutation_entry

    context = SimpleNamespace(
        plan=SimpleNamespace(metric=metric),
        collected=SimpleNamespace(observed={"": []}),
        metrics=METRICS,
        runs=lambda who: [],
        repeatability=lambda who: {},
        labels=SimpleNamespace(given_batches=None, groups=None),
        moved=None,
        shifted=shifted,
    )
    companion = SimpleNamespace(sentence=lambda grouped: "", short=lambda: "")
    assert ("shifted" in _permutation_entry(context, companion)) == told


@pytest.mark.parametrize(("runs", "p"), [(18, None), (19, 0.1), (39, 0.05)])
def test_a_p_value_takes_nineteen_permuted_runs(runs, p):
    """One of them as good as the true labels: (1 + 1) / (1 + runs)."""
    from tamis.metrics import METRICS
    from tamis.study.results.summary import _permutation_entry

    def held_out(choices, run=None):
        value = 0.8 if run in (None, 0) else 0.5
        return SimpleNamespace(score=lambda metric: value)

    context = SimpleNamespace(
        plan=SimpleNamespace(metric="bcr"),
        collected=SimpleNamespace(observed={"": []}),
        metrics=METRICS,
        runs=lambda who: [(k, []) for k in range(runs)],
        held_out=held_out,
        repeatability=lambda who: {},
        labels=SimpleNamespace(given_batches=None, groups=None),
        moved=None,
        shifted=0.0,
    )
    companion = SimpleNamespace(sentence=lambda grouped: "", short=lambda: "")
    assert _permutation_entry(context, companion)["p_value"] == p
    context.moved = 0.249  # labels that hardly move tell nothing
    assert _permutation_entry(context, companion)["p_value"] is None


@pytest.mark.every
@pytest.mark.parametrize(
    ("runs", "reached", "moved", "raised"),
    [
        (39, 0, None, True),  # p = 1/40
        (39, 1, None, False),
        (38, 0, None, False),
        (79, 1, None, True),  # p = 2/80
        (79, 2, None, False),
        (39, 0, 0.249, False),
        (39, 0, 0.25, True),
    ],
)
def test_the_lower_limit_of_an_auc_is_not_below_one_half_from_a_p_value_of_25_in_1000(
    runs, reached, moved, raised
):
    from tamis.metrics import METRICS
    from tamis.study.results.summary import Context

    def held_out(choices, run=0):
        value = 0.9 if run == 0 or run <= reached else 0.4
        return SimpleNamespace(score=lambda metric: value)

    context = SimpleNamespace(
        runs=lambda who: [(k, []) for k in range(1, runs + 1)],
        moved=moved,
        collected=SimpleNamespace(observed={"": []}),
        metrics={"auc": METRICS["auc"], "bcr": METRICS["bcr"]},
        held_out=held_out,
    )
    found = {"mean": 0.9, "low": 0.45, "high": 1.0}
    told = Context.not_below_chance(context, "", {"auc": found, "bcr": found})
    assert told["auc"]["low"] == (0.5 if raised else 0.45)
    assert told["bcr"] == found
    assert found["low"] == 0.45
    narrow = {"auc": {**found, "low": 0.6}, "bcr": found}
    assert Context.not_below_chance(context, "", narrow)["auc"]["low"] == 0.6


def test_runs_that_did_as_well_are_counted_from_the_p_value():
    from tamis.study.results.cautions import _chance_cautions

    content = {
        "metrics": scores(),
        "chance": chance(),
        "permutation": {"p_value": 0.8, "n": 99},
        "data": {"n_batches": 1},
    }
    plan, data = SimpleNamespace(metric="bcr"), SimpleNamespace(classes=("a", "b"))
    ((_, text),) = _chance_cautions(plan, data, content)
    assert "79 of 99 permuted runs did as well (p = 0.8)" in text


def pooled_halves(first: int, n: int = 16, right: bool = True):
    """Predictions of two folds of n samples, so many of class a in the one and of b in the other;
    and the labels."""
    from tamis.metrics import HeldOut
    from tamis.study.protocol.splits import Labels

    y = np.concatenate([np.arange(n) >= first, np.arange(n) < first]).astype(int)
    folds = [(rows, y[rows], y[rows], np.eye(2)[y[rows]]) for rows in np.split(np.arange(2 * n), 2)]
    return HeldOut.of([folds]), Labels(y, ("a", "b"))


@pytest.mark.parametrize(("n", "first", "known"), [(20, 12, True), (16, 10, False)])
def test_uneven_folds_have_no_chance_in_theory(n, first, known):
    """Shares of a test set and its training set differ by .2 and by .25."""
    from tamis.metrics import METRICS
    from tamis.study.results.sampling import uneven_shares
    from tamis.study.results.summary import Context

    held, labels = pooled_halves(first, n)
    assert uneven_shares(held, labels) == pytest.approx(2 * first / n - 1)
    context = SimpleNamespace(labels=labels, metrics={"bcr": METRICS["bcr"]}, runs=lambda who: [])
    found = Context.chance(context, "", held)["bcr"]["theory"]
    assert found == (0.5 if known else None)


def predictions(rows, y, up=0.5):
    proba = np.tile([1 - up, up], (len(rows), 1))
    return rows, y[rows], proba.argmax(axis=1), proba


@pytest.mark.every
@pytest.mark.parametrize(
    ("design", "units", "factors"),
    [
        # one test set of 12 of 40: ratio 12/28
        ("holdout", (6, 6), (1 + 2.4 * 12 / 28, 1 + 1.2 * 12 / 28, 1 + 1.4 * 12 / 28)),
        # two parts of 12, which share 4 of all 20: of one part 12 / 20 of the 10 and 10
        ("two holdouts", (6, 6), (0.5 + 2.4 * 12 / 28, 0.5 + 1.2 * 12 / 28, 0.5 + 1.4 * 12 / 28)),
        ("leave one out", (20, 20), (6, 3, math.nan)),
        ("four folds", (20, 20), (3.0, 1.8, 3.2)),
        ("four folds twice", (20, 20), (2.6, 1.5, 2.875)),
    ],
)
def test_what_stands_behind_predictions_follows_from_the_split(design, units, factors):
    """Numbers of independent samples and f of labels, a recall and the AUC: metrics.md."""
    from tamis.metrics import HeldOut
    from tamis.study.plan import Split
    from tamis.study.protocol.splits import Labels
    from tamis.study.results.sampling import sampling_of

    y, rows = np.arange(40) % 2, np.arange(40)
    folds = [predictions(part, y) for part in np.array_split(rows, 4)]
    repeats = {
        "holdout": [[predictions(rows[:12], y)]],
        "two holdouts": [[predictions(rows[:12], y)], [predictions(rows[8:20], y)]],
        "leave one out": [[predictions(rows[k : k + 1], y) for k in rows]],
        "four folds": [folds],
        "four folds twice": [folds, folds],
    }
    told = sampling_of(HeldOut.of(repeats[design]), Labels(y, ("a", "b")), Split(folds=4))
    assert told.units == pytest.approx(units)
    assert (told.labels, told.recall, told.area) == pytest.approx(factors, nan_ok=True)


def test_calibration_counts_samples_once_and_by_the_f_of_a_recall():
    """Two repeats of 40 predictions: Wilson's interval of 40 / 1.5."""
    from tamis.metrics import HeldOut, VarianceInflation
    from tamis.study.results.curve_points import curve_points

    y = (np.arange(40) % 4 == 0).astype(int)
    folds = [predictions(rows, y, 0.3) for rows in np.split(np.arange(40), 4)]
    held = HeldOut.of([folds, folds])
    (found,) = curve_points(held, VarianceInflation.k_fold(np.array([30.0, 10.0]), 2))[
        "calibration"
    ]
    z, n = stats.norm.ppf(0.975), 40 / 1.5

    def gap(share: float) -> float:
        return (share - 0.25) ** 2 - z * z * share * (1 - share) / n

    assert found["low"] == pytest.approx(optimize.brentq(gap, 1e-9, 0.25))
    assert found["high"] == pytest.approx(optimize.brentq(gap, 0.25, 1 - 1e-9))


def test_differences_of_printed_scores_have_the_corrected_t_interval():
    """Nadeau and Bengio: variance (1 / 5 + 12 / 48) s^2, moved to the printed difference."""
    from tamis.study.results.held_out import printed_difference

    gaps = np.array([0.1, 0.05, 0.0, 0.2, -0.05])
    found = printed_difference(0.08, gaps, [12] * 5, 60)
    error = math.sqrt((1 / 5 + 12 / 48) * gaps.var(ddof=1))
    reach = stats.t(4).ppf(0.975) * error
    assert (found.mean, found.low, found.high) == pytest.approx((0.08, 0.08 - reach, 0.08 + reach))
    assert found.p_value == pytest.approx(2 * stats.t(4).sf(0.08 / error))


def test_folds_of_one_sample_have_a_difference_without_an_interval():
    from tamis.study.results.held_out import printed_difference

    for gaps, p in (([0.0, 0.0, 0.0], 1.0), ([1.0, 0.0, 0.0], math.nan)):
        found = printed_difference(0.1, np.array(gaps), [1, 1, 1], 3)
        assert (found.mean, found.p_value) == pytest.approx((0.1, p), nan_ok=True)
        assert math.isnan(found.low)
        assert math.isnan(found.high)
    assert math.isfinite(printed_difference(0.1, np.array([1.0, 0.0, 0.5]), [1, 2, 1], 4).low)


@pytest.mark.parametrize(
    ("runs", "again", "size", "shown"),
    [
        (99, 0.6, 5, (0.6, "5 folds")),
        (99, None, 5, (None, "5 folds")),  # a reference has no permuted runs
        (0, None, 5, (0.4, "the outer folds")),
        (99, 0.6, 10, (None, "")),  # all features were kept
    ],
)
def test_one_value_of_stability_is_shown_with_its_folds(runs, again, size, shown):
    from tamis.study.results.first_screen import stability_shown

    content = {
        "permutation": {"n": runs, "outer_short": "5 folds"},
        "methods": [{"name": "t", "n_possible": 10}],
        "headline": {"folds": [{"method": "t", "size": size}] * 3},
    }
    assert stability_shown(content, {"nogueira": {"mean": 0.4}}, {"observed": again}) == shown
