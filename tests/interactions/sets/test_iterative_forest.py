"""Iterative forests: weights by columns, paths against a recursion, and planted interactions."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import ExtraTreeClassifier

from tamis._core.errors import PlanError
from tamis.interactions import IterativeForest
from tamis.interactions.sets.decision_paths import leaf_paths, path_classes
from tamis.interactions.sets.forest_interactions import Recovered, sets_of_paths, without_parts
from tamis.interactions.sets.intersection_search import TreeSettings
from tamis.interactions.sets.iterative_forest import tried_features
from tamis.interactions.sets.weighted_forest import (
    ForestSettings,
    SortedTable,
    fit_forest,
    iterate_forests,
    offered_by_weight,
    systematic_draws,
)

SMALL = {"n_estimators": 60, "n_bootstraps": 8, "n_trees": 300}


def rng_of(seed=0):
    return np.random.default_rng(seed)


def planted(n=500, p=150, noise=0.0, seed=0):
    """Cases: high in feature 3, low in 5, high in 8."""
    rng = rng_of(seed)
    X = rng.normal(size=(n, p))
    y = (X[:, 3] > 0) & (X[:, 5] < 0) & (X[:, 8] > 0)
    return X, np.where(y ^ (rng.random(n) < noise), "case", "control")


PLANTED = ((3, 5, 8), (1, -1, 1))


def found_by(model):
    found = model.interactions_
    return list(zip(found.columns, found.signs, strict=True))


def forest_of(X, codes, weights=None, n_estimators=7, tried=None):
    weights = np.ones(X.shape[1]) if weights is None else weights
    tried = int(np.sqrt(X.shape[1])) if tried is None else tried
    settings = ForestSettings(n_estimators, tried, 1, 0)
    return fit_forest(SortedTable.of(X, codes), np.arange(len(X)), weights, settings, "test")


def slow_paths(fitted, signed):
    """Every leaf of every tree: items, samples and class, going down from the root."""
    out = []

    def go_down(node, signs):
        j, child = int(fitted.feature[node]), fitted.child[node]
        if j < 0:
            items = signs.items() if signed else ((k, 1) for k in signs)
            numbers = tuple(sorted(2 * k + (sign > 0) for k, sign in items))
            counts = fitted.counts[node]
            out.append((numbers, int(counts.sum()), int(np.argmax(counts))))
            return
        for side, sign in ((child, -1), (child + 1, 1)):
            go_down(side, signs if j in signs else {**signs, j: sign})

    for root in fitted.starts[:-1]:
        go_down(root, {})
    return out


def unpacked(paths):
    half = 64 * paths.rows.shape[1] // (2 if paths.signed else 1)
    bits = np.unpackbits(paths.rows.view(np.uint8), axis=1, bitorder="little")
    return [
        tuple(sorted(int(2 * paths.features[j % half] + (j < half)) for j in np.flatnonzero(row)))
        for row in bits
    ]


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_paths_equal_a_recursion(signed, n_classes):
    rng = rng_of(1)
    X, codes = rng.normal(size=(150, 90)), rng.integers(0, n_classes, 150)
    fitted = forest_of(X, codes, np.maximum(rng.normal(size=90), 0), tried=4)
    paths = leaf_paths(fitted, signed, rng)
    expected = slow_paths(fitted, signed)
    assert paths.n_leaves == len(expected) == len(paths.rows)
    assert any(len({j // 2 for j in one}) < len(one) for one, _, _ in expected) is False
    leaves = zip(unpacked(paths), paths.weights.tolist(), paths.labels.tolist(), strict=True)
    assert sorted(leaves) == sorted(expected)
    assert paths.weights.sum() == 150 * 7
    sets = [expected[0][0], expected[5][0][:2], (2 * 89 + 1,), (3, 2 * 20 + 1)]
    counts = [
        [
            sum(n for one, n, label in expected if label == c and set(s) <= set(one))
            for c in range(n_classes)
        ]
        for s in sets
    ]
    assert paths.counts(sets, n_classes).tolist() == counts
    assert paths.sizes(n_classes).sum() == 150 * 7


def test_leaves_are_drawn_by_weight_where_memory_is_short():
    X, codes = rng_of(3).normal(size=(200, 10)), rng_of(4).integers(0, 2, 200)
    fitted = forest_of(X, codes, n_estimators=20)
    whole = leaf_paths(fitted, True, rng_of())
    few = leaf_paths(fitted, True, rng_of(), most_bytes=16 * 300)
    assert len(few.rows) <= 300 < few.n_leaves == len(whole.rows)
    assert few.weights.sum() == 300
    share = whole.counts([(1,)], 2).sum() / whole.weights.sum()
    assert few.counts([(1,)], 2).sum() / 300 == pytest.approx(share, abs=0.1)
    packed = path_classes(whole, 2, rng_of(), most=50)
    assert [len(rows) for rows in packed.members] == [50, 50]


def test_rows_are_drawn_as_often_as_a_leaf_has_samples():
    X, codes = rng_of(3).normal(size=(60, 4)), rng_of(4).integers(0, 2, 60)
    paths = leaf_paths(forest_of(X, codes), True, rng_of())
    packed = path_classes(paths, 2, rng_of())
    times = sum(np.bincount(rows, minlength=len(paths.rows)) for rows in packed.members)
    assert times.tolist() == paths.weights.tolist()
    assert all((paths.labels[rows] == c).all() for c, rows in enumerate(packed.members))


def test_a_set_is_shared_by_two_draws():
    """What a root holds alone is none, else most sets would be whole paths of one tree."""
    X, codes = rng_of(5).normal(size=(200, 30)), np.arange(200) % 2
    paths = leaf_paths(forest_of(X, codes, n_estimators=30), True, rng_of())
    trees = TreeSettings(200, 5, 2, 2, 1000, alone=False)
    settings = ForestSettings(1, 1, 1, 0)
    recovered = Recovered()
    recovered.add(sets_of_paths(paths, 2, trees, settings, rng_of(), 0), paths, 200)
    leaves = unpacked(paths)
    assert recovered.samples
    for c, one in recovered.samples:
        held = [k for k, leaf in enumerate(leaves) if set(one) <= set(leaf)]
        of_class = [k for k in held if paths.labels[k] == c]
        assert len(of_class) > 1 or paths.weights[of_class[0]] > 1
    alone = TreeSettings(200, 5, 2, 2, 1000)
    more = Recovered()
    more.add(sets_of_paths(paths, 2, alone, settings, rng_of(), 0), paths, 200)
    whole = {(c, one) for one, c in zip(leaves, paths.labels.tolist(), strict=True)}
    assert len(whole & set(more.samples)) > len(whole & set(recovered.samples)) + 50


def test_features_are_offered_by_their_share_and_those_without_weight_never():
    weights = np.array([0.5, 0, 0.25, 0.2, 0.05, 0])
    for seed in range(50):
        offered = offered_by_weight(weights, rng_of(seed))
        assert len(offered) == 1000
        assert (np.diff(offered) >= 0).all()
        assert (np.abs(np.bincount(offered, minlength=6) - 1000 * weights) < 1).all()
    assert offered_by_weight(np.full(4, 0.25), rng_of()).tolist() == [0, 1, 2, 3]
    times = [np.bincount(systematic_draws(weights, 3, rng_of(s)), minlength=6) for s in range(4000)]
    np.testing.assert_allclose(np.mean(times, axis=0), 3 * weights, atol=0.03)
    assert len(offered_by_weight(rng_of().random(5000), rng_of())) == 5000


def test_splits_follow_the_weights():
    """Where no feature says anything and one is tried at a split, splits are as the weights."""
    X, codes = rng_of(6).normal(size=(300, 8)), rng_of(7).integers(0, 2, 300)
    weights = np.array([0.4, 0.2, 0.15, 0.1, 0.1, 0.05, 0, 0])
    fitted = forest_of(X, codes, weights, 60, tried=1)
    splits = fitted.feature[fitted.inner]
    shares = np.bincount(splits, minlength=8) / len(splits)
    np.testing.assert_allclose(shares, weights, atol=0.02)
    assert fitted.importances(8).sum() == pytest.approx(1)
    assert (fitted.importances(8)[6:] == 0).all()


def test_each_forest_has_the_importances_of_the_one_before():
    X, y = planted(100, 30)
    model = IterativeForest(n_iterations=1, n_bootstraps=0, n_estimators=20, random_state=0)
    model.fit(X, y)
    assert model.importances_.sum() == pytest.approx(1)
    more = IterativeForest(n_iterations=2, n_bootstraps=0, n_estimators=20, random_state=0)
    more.fit(X, y)
    np.testing.assert_allclose(more.weights_[0], 1 / 30)
    assert np.array_equal(more.weights_[1], model.importances_)
    assert np.array_equal(more.importances_, more.forest_.importances(30))


def test_weights_stay_where_nothing_can_be_split():
    X = np.ones((20, 3), dtype=np.float32)
    codes = np.arange(20) % 2
    _, weights = iterate_forests(SortedTable.of(X, codes), ForestSettings(3, 1, 1, 0), 3)
    np.testing.assert_allclose(weights, 1 / 3)
    model = IterativeForest(n_estimators=5, n_bootstraps=2).fit(X, codes)
    assert len(model.interactions_) == 0
    assert model.interactions_.frame().empty
    assert model.interactions_.reason == "no two paths share 2 features: lower min_size"
    assert model.predict_proba(X).shape == (20, 2)


def test_a_planted_interaction_is_the_first_with_its_signs():
    model = IterativeForest(random_state=0, **SMALL).fit(*planted())
    found = model.interactions_
    assert found_by(model)[0] == PLANTED
    assert found.classes[found.origin[0]] == "case"
    assert found.stability[0] > 0.9
    assert found.prevalence[0, 0] > 0.9  # of the leaves of cases
    assert found.prevalence[0, 1] < 0.05
    assert (found.stability >= 0.5).all()
    assert found.features(0) == ("x3 high", "x5 low", "x8 high")
    assert set(np.argsort(-model.importances_)[:3]) == {3, 5, 8}
    assert {3, 5, 8} <= set(model.selected())
    assert model.weights_[2][[3, 5, 8]].sum() > 0.7
    assert "x3 high + x5 low + x8 high" in found.summary()
    plain = found.to_dict()["sets"][0]
    assert (plain["signs"], plain["class"], plain["stability"]) == (
        [1, -1, 1],
        "case",
        found.stability[0],
    )


@pytest.mark.longer
def test_with_wrong_labels_it_still_is_and_noise_does_not_hide_it():
    found = IterativeForest(random_state=0, **SMALL).fit(*planted(noise=0.1)).interactions_
    assert (found.columns[0], found.signs[0]) == PLANTED
    assert found.stability[0] > 0.7


def test_unsigned_sets_have_no_signs():
    model = IterativeForest(signed=False, random_state=0, **SMALL).fit(*planted())
    assert found_by(model)[0] == ((3, 5, 8), ())
    assert model.interactions_.features(0) == ("x3", "x5", "x8")


def test_a_feature_on_every_path_can_be_in_a_set():
    X, _ = planted(300, 10)
    y = (X[:, 0] > 0.5) ^ (X[:, 0] < -0.5) & (X[:, 1] > 0)
    model = IterativeForest(signed=False, max_features=None, random_state=0, **SMALL).fit(X, y)
    assert all(1 in one for one in unpacked(leaf_paths(model.forest_, False, rng_of())))
    assert (0, 1) in model.interactions_.columns


@pytest.mark.longer
def test_what_noise_gives_is_few_pairs_of_little_prevalence():
    """Nothing bounds false ones: the weights are learned on the rows that are then resampled."""
    for seed in range(3):
        X, _ = planted(100, 150, seed=seed)
        found = IterativeForest(random_state=seed, **SMALL).fit(X, np.arange(100) % 2).interactions_
        assert len(found) < 20
        assert all(len(one) == 2 for one in found.columns)
        assert found.prevalence.max(initial=0) < 0.25
    strict = IterativeForest(stability=1.0, random_state=0, **SMALL).fit(X, np.arange(100) % 2)
    reason, nearest = strict.interactions_.reason, strict.interactions_.nearest
    assert reason.startswith("no set was found in stability=1 or more of the bootstrap samples")
    again = strict.set_params(stability=nearest["stability"]).fit(X, np.arange(100) % 2)
    assert len(again.interactions_) > 0


def test_three_classes_have_sets_of_their_own():
    X = rng_of(8).normal(size=(450, 40))
    y = np.repeat("a", 450)
    y[(X[:, 2] < 0) & (X[:, 3] < 0)] = "c"
    y[(X[:, 0] > 0) & (X[:, 1] > 0)] = "b"
    found = IterativeForest(random_state=0, **SMALL).fit(X, y).interactions_
    sets = set(
        zip(found.columns, found.signs, [found.classes[c] for c in found.origin], strict=True)
    )
    assert ((0, 1), (1, 1), "b") in sets
    assert any({2, 3} <= set(columns) and label == "c" for columns, _, label in sets)
    assert found.counts.shape == (len(found), 3)
    assert found.sizes.sum() == 450 * 60
    assert (found.difference > 0).all()
    assert (np.diff(found.difference) <= 1e-12).all()


def test_a_class_of_few_samples():
    X = rng_of(8).normal(size=(400, 40))
    few = (X[:, 2] < -1.0) & (X[:, 3] > 0.9)
    assert 5 < few.sum() < 15
    found = IterativeForest(random_state=0, **SMALL).fit(X, few).interactions_
    best = next(s for s in range(len(found)) if found.classes[found.origin[s]])
    assert (found.columns[best], found.signs[best]) == ((2, 3), (-1, 1))


def test_a_class_of_one_sample():
    X = rng_of(9).normal(size=(40, 5))
    model = IterativeForest(n_estimators=10, n_bootstraps=3).fit(X, np.arange(40) == 0)
    assert model.predict_proba(X).shape == (40, 2)
    assert np.isfinite(model.interactions_.difference).all()


def test_threads_do_not_matter():
    X, y = planted(150, 40, noise=0.1)
    one, two = (IterativeForest(random_state=1, n_jobs=k, **SMALL).fit(X, y) for k in (1, 2))
    assert one.interactions_.to_dict() == two.interactions_.to_dict()
    assert len(one.interactions_)
    assert np.array_equal(one.predict_proba(X), two.predict_proba(X))
    assert np.array_equal(one.weights_, two.weights_)


def test_a_random_state_moves_on():
    X, y = planted(60, 10)
    state = np.random.RandomState(0)
    a, b = (IterativeForest(n_estimators=5, n_bootstraps=1, random_state=state) for _ in range(2))
    assert not np.array_equal(a.fit(X, y).predict_proba(X), b.fit(X, y).predict_proba(X))


def test_missing_values_are_taken():
    X, y = planted(500, 60)
    X[rng_of(1).random(X.shape) < 0.05] = np.nan
    model = IterativeForest(random_state=0, **SMALL).fit(X, y)
    assert found_by(model)[0] == PLANTED
    assert not np.isnan(model.predict_proba(X)).any()


def test_sets_that_are_mostly_part_of_a_larger_one_are_left_out():
    keys = [(0, (1, 3)), (0, (1, 5)), (0, (1, 3, 5)), (1, (1, 3)), (0, (1, 3, 5, 7)), (0, (7, 9))]
    own = np.array([50, 99, 49, 10, 10, 0])
    counts = np.column_stack([own, own])
    kept = [keys[s] for s in without_parts(keys, counts)]
    # (1, 3) is on 50 paths, 49 of them with 5; (1, 5) on as many without; the four are few
    assert sorted(kept) == sorted([keys[1], keys[2], keys[3], keys[4], keys[5]])


def test_names_of_features():
    X, y = planted(300, 40)
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(40)])
    model = IterativeForest(random_state=0, **SMALL).fit(frame, y)
    assert model.interactions_.features(0) == ("gene 3 high", "gene 5 low", "gene 8 high")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"n_iterations": 0}, "n_iterations=0: give a whole number of at least 1"),
        ({"n_estimators": 2.5}, "n_estimators=2.5: give a whole number"),
        ({"n_trees": 0}, "n_trees=0"),
        ({"depth": 0}, "depth=0"),
        ({"branch": 0.5}, "branch=0.5"),
        ({"min_size": 0}, "min_size=0"),
        ({"n_bootstraps": -1}, "n_bootstraps=-1"),
        ({"stability": 0}, "stability=0: give a share above 0, of at most 1"),
        ({"stability": "high"}, "stability='high'"),
        ({"max_features": "all"}, "max_features='all': give 'sqrt'"),
        ({"max_features": 11}, "a whole number from 1 to 10"),
        ({"max_features": 0.0}, "max_features=0.0"),
        ({"max_features": True}, "max_features=True"),
    ],
)
def test_settings_out_of_range_are_named(settings, says):
    with pytest.raises(PlanError, match=says):
        IterativeForest(**settings).fit(*planted(30, 10))


def test_features_tried_are_those_of_scikit_learn():
    for given, tried in (("sqrt", 5), ("log2", 4), (7, 7), (0.5, 15), (None, 30), (1.0, 30)):
        assert tried_features(given, 30) == tried
        forest = ExtraTreeClassifier(max_features=given).fit(np.eye(30), np.arange(30) % 2)
        assert forest.max_features_ == tried


def test_values_however_near_are_told_apart():
    X = np.array([1.0, 1 + 2.0**-23, 2.0])[:, None]
    model = IterativeForest(1, 50, n_bootstraps=0, random_state=0).fit(X, [0, 1, 0])
    assert model.predict(X).tolist() == [0, 1, 0]


def test_the_room_stays_light():
    code = (
        "import sys, tamis.interactions as room; assert 'sklearn' not in sys.modules; "
        "assert 'numba' not in sys.modules; assert 'IterativeForest' in dir(room); "
        "room.IterativeForest; assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
