"""Monte Carlo feature selection: what it finds, its parameters, and that threads change nothing."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from tamis._core.errors import DataError, PlanError
from tamis._core.interfaces import Part
from tamis._core.progress import Progress
from tamis.data import make_mcfs_toy
from tamis.selection import MonteCarloSelector, _monte_carlo_runs
from tamis.selection._monte_carlo_runs import Convergence, Pairs, Run

INFORMATIVE = {"A1", "A2", "B1", "B2", "C1", "C2"}
QUICK = {"s": 40, "t": 2, "meetings": 20, "random_state": 1}


@pytest.fixture(scope="module")
def toy():
    return make_mcfs_toy(n_noise=100)


@pytest.fixture(scope="module")
def fitted(toy):
    frame = pd.DataFrame(toy.X, columns=toy.feature_names)
    markers = sorted(INFORMATIVE)
    return MonteCarloSelector(s=400, categorical_features=markers, random_state=3).fit(frame, toy.y)


def noisy(n=40, p=12, seed=0, shift=2.5):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, p))
    X[:, 4] += shift * y
    return X, y


def everything(selector):
    """All that fit has learned, as bytes."""
    parts = [selector.scores_, selector.p_values_, selector.family_p_values_, selector.recalls_]
    parts += [selector.fdr_, selector.offered_, selector.result_.maxima]
    graph = selector.graph_
    parts += [graph.weight, graph.se, graph.count, graph.met, graph.source, graph.target]
    return (
        b"".join(np.ascontiguousarray(a).tobytes() for a in parts)
        + repr((selector.cutoff_, selector.accuracy_, selector.convergence_, graph.names)).encode()
    )


@pytest.mark.longer
def test_the_toy_is_solved(toy, fitted):
    order = np.argsort(fitted.ranking_)[:6]
    assert {toy.feature_names[j] for j in order} == INFORMATIVE
    assert fitted.cutoff_["size"] == 6
    assert set(fitted.get_feature_names_out()) == INFORMATIVE
    assert (fitted.family_p_values_[fitted.support_] == 1 / 20).all()
    assert (fitted.family_p_values_[~fitted.support_] > 1 / 20).all()
    assert fitted.result_.frame()["name"].head(6).isin(INFORMATIVE).all()


@pytest.mark.longer
def test_strong_edges_join_informative_features_of_different_classes(fitted):
    strong = fitted.graph_.frame().head(8)
    assert set(strong["source"]) | set(strong["target"]) <= INFORMATIVE
    assert (strong["source"].str[0] != strong["target"].str[0]).all()
    assert (strong["weight"] > 5 * strong["se"]).all()


@pytest.mark.longer
def test_scores_are_sums_over_trees_divided_by_what_was_offered(fitted):
    assert fitted.offered_.sum() == 400 * fitted.result_.settings["m"]
    assert fitted.result_.n_trees == 2000
    assert fitted.recalls_.mean() == pytest.approx(fitted.accuracy_, rel=1e-12)


@pytest.mark.parametrize("extra", [{}, {"projections": "auto", "s": 900}, {"second_stage": 0}])
def test_threads_and_tasks_change_no_bit(extra, monkeypatch):
    X, y = noisy()
    X[::7, 3] = np.nan
    one = MonteCarloSelector(**{**QUICK, **extra}).fit(X, y)
    for n_jobs, most in ((2, 256), (3, 7), (1, 1)):
        monkeypatch.setattr(_monte_carlo_runs, "MOST_AT_ONCE", most)
        again = clone(one).set_params(n_jobs=n_jobs).fit(X, y)
        assert everything(again) == everything(one)


def test_merging_pairs_early_changes_sums_by_rounding_only(monkeypatch):
    X, y = noisy()
    one = MonteCarloSelector(**QUICK).fit(X, y)
    monkeypatch.setattr(_monte_carlo_runs, "MAX_HELD_RECORDS", 1)
    other = clone(one).fit(X, y)
    assert other.graph_.count.sum() == one.graph_.count.sum()
    np.testing.assert_allclose(np.sort(other.graph_.weight), np.sort(one.graph_.weight), 1e-12)


def test_merged_pairs_are_sums():
    a = Pairs(np.array([3, 5]), np.array([1.0, 2.0]), np.array([1.0, 4.0]), np.array([1, 2]))
    b = Pairs(np.array([1, 5]), np.array([4.0, 8.0]), np.array([16.0, 64.0]), np.array([3, 4]))
    found = Pairs.merged([a, b])
    assert found.keys.tolist() == [1, 3, 5]
    assert found.weights.tolist() == [4.0, 1.0, 10.0]
    assert found.squares.tolist() == [16.0, 1.0, 68.0]
    assert found.counts.tolist() == [3, 1, 6]
    assert len(Pairs.merged([]).keys) == 0


def test_p_values_and_cut_off_come_from_the_permuted_runs():
    X, y = noisy()
    selector = MonteCarloSelector(**QUICK, n_permutations=39, interactions=False).fit(X, y)
    maxima = selector.result_.maxima
    assert len(maxima) == 39
    for j, score in enumerate(selector.scores_):
        assert selector.family_p_values_[j] == (1 + (maxima >= score).sum()) / 40
    # floor(.05 * 40) = 2: the second largest has to be exceeded
    assert selector.cutoff_["threshold"] == np.sort(maxima)[-2]
    assert np.array_equal(selector.support_, selector.family_p_values_ <= 0.05)
    assert (selector.p_values_ <= selector.family_p_values_ + 1e-12).all()
    assert (selector.fdr_ >= selector.p_values_).all()


def test_balance_raises_the_recall_of_the_small_class():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [200, 20])
    X = rng.normal(size=(220, 60)) + np.outer(y, np.arange(60) < 10)
    settings = {"s": 100, "size": 10, "interactions": False, "random_state": 0}
    recall = {}
    for balance in (None, "auto", 1.0):
        recall[balance] = MonteCarloSelector(balance=balance, **settings).fit(X, y).recalls_
    assert recall[None][1] < 0.25 < recall["auto"][1] < recall[1.0][1]
    assert MonteCarloSelector(**settings).fit(X, y).result_.settings["train"] == [26, 13]
    mild = MonteCarloSelector(**settings).fit(X[120:], y[120:])  # 4 to 1
    assert mild.result_.settings["train"] == [52, 13]


def test_training_takes_two_thirds_and_at_least_one_row_of_every_class():
    X, y = noisy(30)
    y[:2], y[2:] = 2, np.arange(28) % 2
    selector = MonteCarloSelector(**QUICK, balance=None, size=2).fit(X, y)
    assert selector.result_.settings["train"] == [9, 9, 1]
    y[1] = 0
    alone = MonteCarloSelector(**QUICK, balance=None, size=2).fit(X, y)
    assert alone.result_.settings["train"] == [9, 9, 1]
    assert alone.recalls_[2] == 0  # never in a test set


def test_features_of_weight_zero_are_left_out():
    X, y = noisy()
    weights = np.r_[np.zeros(3), np.ones(8), 20.0]
    selector = MonteCarloSelector(**QUICK, feature_weights=weights, size=2).fit(X, y)
    assert (selector.scores_[:3] == -np.inf).all()
    assert (selector.offered_[:3] == 0).all()
    assert selector.offered_[11] > 1.5 * selector.offered_[3:11].mean()
    assert not {"x0", "x1", "x2"} & set(selector.graph_.names)
    assert selector.result_.to_dict()["features"][-1]["importance"] is None
    assert not MonteCarloSelector(**QUICK, feature_weights=weights).fit(X, y).support_[:3].any()


def test_categories_are_split_by_level_whatever_their_codes():
    rng = np.random.default_rng(2)
    X, y = noisy(60, shift=0)
    X[:, 0] = np.where(rng.random(60) < 0.9, np.where(y == 1, 3, rng.choice([1, 9], 60)), 9)
    settings = {**QUICK, "size": 1, "interactions": False}
    nominal = MonteCarloSelector(**settings, categorical_features=[0]).fit(X, y)
    numeric = MonteCarloSelector(**settings).fit(X, y)
    assert nominal.support_[0]
    recoded = X.copy()
    recoded[:, 0] = np.select([X[:, 0] == 1, X[:, 0] == 3], [7, 0], 4)  # another order
    mask = np.arange(12) == 0
    again = MonteCarloSelector(**settings, categorical_features=mask).fit(recoded, y)
    np.testing.assert_allclose(again.scores_, nominal.scores_, rtol=1e-12)
    assert not np.allclose(MonteCarloSelector(**settings).fit(recoded, y).scores_, numeric.scores_)


def test_missing_values_are_taken():
    X, y = noisy(60)
    X[::5] = np.where(np.arange(12) == 4, X[::5], np.nan)
    selector = MonteCarloSelector(**{**QUICK, "s": 200}).fit(X, y)
    assert np.flatnonzero(selector.ranking_ == 1).tolist() == [4]


@pytest.mark.parametrize("cutoff", ["kmeans", "angle", "mean", "contrast"])
def test_other_cut_offs_keep_the_strong_feature(cutoff):
    X, y = noisy(60, 30, shift=4)
    selector = MonteCarloSelector(**{**QUICK, "s": 150}, cutoff=cutoff).fit(X, y)
    assert selector.support_[4]
    assert selector.cutoff_["rule"] == cutoff
    assert selector.cutoff_["size"] == selector.support_.sum() < 30
    assert selector.scores_.shape == (30,)
    assert (selector.p_values_ is not None) == (cutoff == "mean")


def test_a_given_size_needs_no_permuted_runs():
    X, y = noisy()
    selector = MonteCarloSelector(**QUICK, size=3).fit(X, y)
    assert selector.support_.sum() == 3
    assert selector.p_values_ is None
    assert selector.cutoff_ == {}
    assert selector.graph_.selected.sum() == 3
    with_p = MonteCarloSelector(**QUICK, size=3, n_permutations=19).fit(X, y)
    assert with_p.p_values_ is not None
    assert np.array_equal(with_p.scores_, selector.scores_)


def test_rank_cuts_by_size_or_else_by_the_cut_off():
    X, y = noisy()
    selector = MonteCarloSelector(**QUICK)
    seed = np.random.SeedSequence(1)
    sized = selector.rank(Part.of(X, y), [1, 5], seed)
    assert sorted(sized.path) == [1, 5]
    assert sized.p_values is None
    assert sized.graph is None
    free = selector.rank(Part.of(X, y), [], seed)
    fit = clone(selector).set_params(random_state=1).fit(X, y)
    assert free.chosen == fit.support_.sum()
    assert np.array_equal(free.scores, fit.scores_)
    assert np.array_equal(sized.scores, fit.scores_)


@pytest.mark.longer
def test_auto_ends_where_the_ranking_has_levelled_off(toy):
    markers = sorted(toy.levels)
    settings = {"size": 6, "interactions": False, "random_state": 0}
    all_of_it = MonteCarloSelector(**settings, categorical_features=markers).fit(toy.X, toy.y)
    early = clone(all_of_it).set_params(projections="auto").fit(toy.X, toy.y)
    done = early.result_.settings["s"]
    assert done < 0.8 * all_of_it.result_.settings["s"]
    assert np.array_equal(early.support_, all_of_it.support_)
    # the same projections, so the same curve as far as it goes
    assert early.convergence_ == all_of_it.convergence_[: len(early.convergence_)]
    assert early.convergence_[-1]["projections"] == done
    assert early.convergence_[-1]["distance"] < early.convergence_[0]["distance"]


def test_convergence_counts_moves_and_newcomers():
    curve = Convergence(10)
    scores = np.arange(40.0)[::-1]
    curve.update(10, scores)
    curve.update(20, scores)
    assert curve.updates[-1] == {"projections": 20, "distance": 0.0, "common": 1.0}
    scores[[0, 1, 29, 30]] = scores[[1, 0, 30, 29]]
    curve.update(30, scores)  # two features change places, one is new
    assert curve.updates[-1]["distance"] == pytest.approx((1 + 1 + 30) / 30)
    assert curve.updates[-1]["common"] == pytest.approx(29 / 30)


@pytest.mark.parametrize(
    ("distances", "levelled"),
    [
        (np.full(20, 0.3), True),
        (np.full(20, 0.6), False),  # moves more than half a place
        (np.full(19, 0.0), False),  # too few updates
        (np.linspace(0.8, 0.1, 20), False),  # falls
        (np.linspace(0.1, 0.8, 20), True),  # does not fall
        (0.4 - 0.009 * np.arange(20), True),
        (0.4 - 0.011 * np.arange(20), False),
        (np.r_[np.linspace(30, 0.3, 50), np.full(20, 0.3)], True),  # only the last 20 count
        (np.r_[np.full(50, 0.3), np.linspace(0.8, 0.1, 20)], False),
    ],
)
def test_a_curve_has_levelled_off_where_it_is_low_and_does_not_fall(distances, levelled):
    curve = Convergence(10)
    curve.updates = [{"distance": float(d)} for d in distances]
    assert bool(curve.levelled) is levelled


def test_every_permuted_run_has_its_own_order_of_the_classes():
    y = np.repeat([0, 1, 2], [12, 9, 5])
    stream = np.random.SeedSequence(4)
    first = Run(0, y, 50, None)
    runs = list(MonteCarloSelector._permuted_runs(first, 30, y, 19, stream))
    assert [run.number for run in runs] == list(range(1, 20))
    assert {run.s for run in runs} == {30}
    assert len({run.y.tobytes() for run in runs} | {y.tobytes()}) == 20
    for run in runs:
        assert np.array_equal(np.sort(run.y), y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"m": "log"}, "m='log'"),
        ({"m": 1.5}, "m=1.5"),
        ({"m": 0}, "m=0"),
        ({"s": 0}, 's=0: give a whole number of at least 1, or "auto"'),
        ({"t": 2.5}, "t=2.5"),
        ({"u": -1}, "u=-1"),
        ({"projections": "some"}, "projections='some'"),
        ({"cutoff": "permutation"}, "did you mean 'permutations'"),
        ({"level": 0}, "level=0"),
        ({"n_permutations": 5}, "at least 19"),
        ({"balance": 0.5}, "balance=0.5"),
        ({"balance": "on"}, "balance='on'"),
        ({"feature_weights": [1.0]}, r"feature_weights has shape \(1,\)"),
        ({"feature_weights": [-1.0] * 12}, "feature_weights: give finite"),
        ({"categorical_features": [12]}, "categorical_features 12: X has columns 0 to 11"),
        ({"categorical_features": ["x"]}, "categorical_features 'x': X has no names"),
        ({"size": 0}, "size=0"),
        ({"max_ancestors": 0}, "max_ancestors=0"),
        ({"second_stage": -1}, "second_stage=-1"),
        ({"second_stage": None}, "second_stage=None"),
        ({"feature_weights": "abc"}, "feature_weights: give one number a feature, 12"),
        ({"categorical_features": "x"}, "categorical_features='x': give None, 'from_dtype'"),
        ({"random_state": 1.5}, "random_state=1.5"),
        ({"checkpoint": "folder"}, "checkpoint needs a random_state"),
        ({"meetings": 1}, "meetings=1"),
    ],
)
def test_what_is_refused(parameters, message):
    X, y = noisy()
    with pytest.raises(PlanError, match=message):
        MonteCarloSelector(**parameters).fit(X, y)


def test_units_do_not_matter():
    """C4.5 does not tell values nearer than 1e-5 apart; columns with such are magnified."""
    X, y = noisy()
    here, there = (MonteCarloSelector(**QUICK).fit(Z, y) for Z in (X, X * 2.0**-30))
    np.testing.assert_array_equal(here.scores_, there.scores_)
    assert here.scores_[4] > 0.2
    for one, small in zip(here.rules_.rules, there.rules_.rules, strict=True):
        assert [c[:2] for c in one.conditions] == [c[:2] for c in small.conditions]
        assert (one.support, one.correct) == (small.support, small.correct)


def test_one_large_value_does_not_hide_small_differences():
    """A marker of 1e-6 against 7e-6, as a fraction, with one value of .02."""
    X, y = noisy()
    X[:, 0] = np.where(y == 0, 1e-6, 7e-6) + np.linspace(0, 1e-6, len(y))
    X[3, 0] = 0.02
    parts = X * np.where(np.arange(X.shape[1]) == 0, 2.0**20, 1)
    here, there = (MonteCarloSelector(**QUICK).fit(Z, y) for Z in (X, parts))
    np.testing.assert_array_equal(here.scores_, there.scores_)
    assert here.scores_[0] > 0.2


@pytest.mark.longer
@pytest.mark.parametrize("extra", [{"feature_weights": [1] * 6 + [0] * 30}, {"s": 12, "m": 3}])
def test_p_values_hold_without_effect_where_not_all_is_offered(extra):
    rng, found = np.random.default_rng(1), []
    for seed in range(40):
        X = rng.normal(size=(30, 36))
        selector = MonteCarloSelector(
            t=2, random_state=seed, second_stage=0, **{"s": 20, "m": 3, **extra}
        ).fit(X, np.arange(30) % 2)
        offered = selector.offered_ > 0
        assert not offered.all()
        np.testing.assert_array_equal(np.isnan(selector.p_values_), ~offered)
        np.testing.assert_array_equal(np.isnan(selector.fdr_), ~offered)
        found.append(selector.p_values_[offered])
    p = np.concatenate(found)
    assert p.max() == 1
    for level in (0.05, 0.2, 0.5):
        assert (p <= level).mean() <= level + 0.04
    assert (p <= 0.2).mean() >= 0.1


@pytest.mark.longer
def test_weights_may_be_huge_and_unoffered_features_are_not_kept():
    X, y = noisy()
    weights = np.full(12, 1e308)
    weights[[0, 4]] = 0
    selector = MonteCarloSelector(size=12, feature_weights=weights, **QUICK).fit(X, y)
    assert (selector.offered_[1:4] > 0).all()
    assert selector.get_support(indices=True).tolist() == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11]


def test_a_category_with_a_level_for_every_sample_is_refused():
    X = np.column_stack([np.arange(4000.0), np.zeros(4000)])
    with pytest.raises(DataError, match="4,000 levels among 4,000 samples: leave it out"):
        MonteCarloSelector(categorical_features=[0], **QUICK).fit(X, np.arange(4000) % 2)


def test_categories_must_be_codes():
    X, y = noisy()
    with pytest.raises(DataError, match="categorical column 2 holds"):
        MonteCarloSelector(**QUICK, categorical_features=[2]).fit(X, y)


@pytest.mark.parametrize(("m", "expected"), [("sqrt", 3), (0.5, 6), (4, 4), (50, 12), (0.01, 1)])
def test_features_of_a_projection(m, expected):
    X, y = noisy()
    selector = MonteCarloSelector(m=m, **QUICK, size=2).fit(X, y)
    assert selector.result_.settings["m"] == expected
    by_default = MonteCarloSelector(m=m, t=1, size=2, interactions=False).fit(X, y)
    assert by_default.result_.settings["s"] == round(12 / expected * 100)


@pytest.mark.parametrize("extra", [{"m": 1}, {"second_stage": 1}, {"cutoff": "contrast"}])
def test_a_graph_without_pairs(extra):
    """Of one feature, or of projections of one."""
    X, y = noisy()
    graph = MonteCarloSelector(**QUICK, **extra).fit(X[:, 4:5], y).graph_
    assert graph.names == ("x0",)
    assert len(graph.weight) == 0
    assert graph.to_dict()["edges"] == []


def test_progress_is_told_only_where_it_is_asked_for(monkeypatch, capsys):
    X, y = noisy()
    told = []
    monkeypatch.setattr(Progress, "advance", lambda self, n: told.append((self.quiet, n)))
    MonteCarloSelector(**QUICK).fit(X, y)
    stage = MonteCarloSelector(**QUICK, progress=True).fit(X, y).graph_.settings["projections"]
    trees = 2 * 20 * 40 + 2 * stage
    assert sum(n for quiet, n in told if quiet) == trees
    assert sum(n for quiet, n in told if not quiet) == trees
    assert capsys.readouterr().err == ""


def test_the_room_does_not_load_numba():
    code = (
        "import sys, tamis.selection, tamis.interactions, tamis.data; print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_levels_of_a_part_are_its_categories():
    """Codes of levels that no row has change nothing, nor do the parameters of the selector."""
    rng = np.random.default_rng(6)
    X, y = noisy(60)
    X[:, 0], X[:, 5] = np.where(rng.random(60) < 0.8, y, 2), rng.integers(0, 4, 60)
    X[rng.random(X.shape) < 0.1] = np.nan
    codes = np.unique(y, return_inverse=True)[1]
    settings = {**QUICK, "size": 1, "interactions": False}
    fitted = MonteCarloSelector(**settings, categorical_features=[0, 5]).fit(X, y)
    numeric = MonteCarloSelector(**settings).fit(X, y)
    assert not np.allclose(fitted.scores_, numeric.scores_)
    stream = np.random.SeedSequence(settings["random_state"])
    for given, levels, part_of in (
        (None, {0: 3, 5: 4}, X),
        (None, {0: 9, 5: 40}, np.where(np.arange(12) == 5, 7 * X, X)),
        ([1, 2], {0: 3, 5: 4}, X),
        ([0, 5], {}, X),
    ):
        part = replace(Part.of(part_of, codes), levels=levels)
        ranker = MonteCarloSelector(**settings, categorical_features=given)
        np.testing.assert_array_equal(ranker.rank(part, [1], stream).scores, fitted.scores_)
