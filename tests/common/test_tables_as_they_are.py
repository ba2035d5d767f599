"""Rankers and classifiers that take tables as they are: what they see, and what moves nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from common.folds import PLAN, check_refitted, fold, made_up_table, same_beliefs
from common.null_methods import QUICK_PARAMETERS
from common.null_studies import at_chance, pooled_rates
from common.studies import offered
from tamis._core.registry import rows_of, selecting_row
from tamis._core.rows import ClassifierRow, SelectingRow
from tamis.checks.tables import two_levels, with_a_level_before, with_a_new_level
from tamis.classifiers import C45Classifier
from tamis.classifiers.base.natural_scale import natural_beliefs_by_size
from tamis.classifiers.base.scaling import ScaledPredictor, fit_in_units, from_arrays
from tamis.classifiers.classifier_labels import build_classifier, takes_raw
from tamis.data.dataset import Dataset
from tamis.model.file import load_model, save_model
from tamis.study import run_study
from tamis.study.plan import MethodPlan, StepPlan
from tamis.study.protocol import prepared
from tamis.study.protocol.methods import method_of
from tamis.study.protocol.nested_cv import Task, fold_of
from tamis.study.protocol.prepared import prepared_fold
from tamis.study.run import prepare_study

ALONE = ["tree", "forest", "c45", "c44", "adaboost", "logitboost", "aode", "aodesr"]
LABELS = [*ALONE, "bagging(c45)", "bagging(forest)", "as_categories(tree)"]
SETTINGS = {
    "adaboost": {"max_rounds": 12},
    "logitboost": {"max_rounds": 20},
    "aode": {"min_support": 5.0},
    "aodesr": {"min_support": 5.0, "subsumption_support": 4.0},
    "forest": {"n_estimators": 7},
    "bagging(c45)": {"n_estimators": 3},
    "bagging(forest)": {"n_estimators": 2, "forest.n_estimators": 3},
}
CODES = ["mcfs", "chi2", "mtd", "mutual_information"]  # rankers that see a category as one column
labels = pytest.mark.parametrize("label", LABELS)
classes = pytest.mark.parametrize("C", [2, 3])


def built(label):
    return build_classifier(label, SETTINGS.get(label, {}))


def samples(C, seed=0, n=90, holes=0.2):
    """Three columns of numbers, and categories of three, two and four levels; gaps in all."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % C
    X = rng.normal(size=(n, 6))
    X[:, 0] += y
    X[:, 3] = np.where(rng.random(n) < 0.7, y, rng.integers(0, 3, n))
    X[:, 4], X[:, 5] = rng.integers(0, 2, n), rng.integers(0, 4, n)
    X[rng.random(X.shape) < holes] = np.nan
    return X, y, {3: 3, 4: 2, 5: 4}


def classify_by(label):
    """As a plan has it, of few trees."""
    grid = {key: [value] for key, value in SETTINGS.get(label, {}).items()}
    outer, _, of = label.rstrip(")").partition("(")
    return {"name": outer, "grid": grid, **({"of": of} if of else {})}


def plan_of(select="mcfs", classify="c45", **more):
    parameters = {**QUICK_PARAMETERS.get(select, {})}
    if select in ("mtd", "mutual_information"):
        parameters = {"n_permutations": 20}
    values = {"select": select, "classify": classify, "sizes": [2, 4], "parameters": parameters}
    return MethodPlan.model_validate({**values, **more})


def test_who_takes_tables_as_they_are():
    able = [*rows_of(SelectingRow), *rows_of(ClassifierRow)]
    named = {row.name for row in able if row.takes.raw}
    around = {
        "bagging",
        "cost_weighted",
        "cost_resampled",
        "costing",
        "metacost",
        "data_space_expansion",
        "as_categories",
    }
    assert named == {"mcfs", *ALONE} | around
    assert not takes_raw("cost_smote(tree)")
    assert takes_raw("bagging(bagging(tree))")
    assert not takes_raw("bagging(naive_bayes)")


@pytest.mark.parametrize("label", ["tree", "forest"])
@classes
def test_missing_values_go_where_scikit_learn_sends_them(label, C):
    """Also in columns, and at splits, that had none in training."""
    peers = {
        "tree": DecisionTreeClassifier(random_state=5),
        "forest": RandomForestClassifier(7, random_state=5),
    }
    X, y, _ = samples(C)
    X, new = X[:, :3].copy(), samples(C, seed=1, holes=0.4)[0][:, :3]
    X[:, 2] = np.where(np.isnan(X[:, 2]), 0.5, X[:, 2])
    assert np.isnan(new).any(axis=0).all()
    peer = peers[label].fit(X, y)
    ours = fit_in_units(built(label), X, y, C, 5, {})
    np.testing.assert_allclose(ours.beliefs(new).proba, peer.predict_proba(new), atol=1e-12)
    y[np.isnan(X[:, 0])] = C - 1  # only missing values say so
    alone = X[:, :1]
    peer = peers[label].fit(alone, y)
    ours = fit_in_units(built(label), alone, y, C, 5, {})
    np.testing.assert_allclose(
        ours.beliefs(new[:, :1]).proba, peer.predict_proba(new[:, :1]), atol=1e-12
    )


@classes
def test_c45_in_a_plan_is_the_classifier_on_a_frame(C):
    X, y, levels = samples(C)
    new = samples(C, seed=1)[0]
    new[0, 3] = new[1, 5] = 9  # a category of no training row

    def frame(X):
        words = pd.DataFrame(X).astype(object)
        for j in levels:
            words[j] = [None if np.isnan(v) else f"level {v:.0f}" for v in X[:, j]]
        return words.astype({0: float, 1: float, 2: float})

    for settings in ({}, {"prune": False, "collapse": False, "laplace": True}):
        peer = C45Classifier(categorical_features="from_dtype", **settings).fit(frame(X), y)
        ours = fit_in_units(build_classifier("c45", settings), X, y, C, 0, levels)
        assert len(ours.feature) == peer.n_nodes_ > 5
        for rows in (X, new):
            np.testing.assert_allclose(
                ours.beliefs(rows).proba, peer.predict_proba(frame(rows)), atol=1e-12
            )


@pytest.mark.parametrize("label", ["tree", "forest"])
def test_trees_spread_the_categories_that_they_have_seen(label):
    """By hand; one not seen is missing."""
    X, y, levels = samples(3, holes=0.1)
    X[X[:, 5] == 2, 5] = 0
    new = samples(3, seed=1)[0]

    def spread(X):
        holes = np.isnan(X)
        three = np.where(holes[:, [3]], np.nan, X[:, [3]] == [0, 1, 2])
        kinds = np.where(holes[:, [5]] | (X[:, [5]] == 2), np.nan, X[:, [5]] == [0, 1, 3])
        return np.column_stack([X[:, :3], three, X[:, 4], kinds])

    one = fit_in_units(built(label), X, y, 3, 5, levels)
    other = fit_in_units(built(label), spread(X), y, 3, 5, {})
    same_beliefs(one.beliefs(new), other.beliefs(spread(new)))


@labels
@classes
def test_a_predictor_read_back_believes_the_same_row_by_row(label, C):
    X, y, levels = samples(C)
    new = samples(C, seed=1)[0]
    new[0, 3] = 17
    classifier = built(label)
    fitted = fit_in_units(classifier, X, y, C, 3, levels)
    arrays = {k: np.ascontiguousarray(v, float) for k, v in fitted.to_arrays().items()}
    again = from_arrays(classifier, arrays, X.shape[1], C)
    batch = fitted.beliefs(new)
    same_beliefs(again.beliefs(new), batch)
    np.testing.assert_allclose(batch.proba.sum(axis=1), 1)
    for i in range(len(new)):
        same_beliefs(again.beliefs(new[i : i + 1]), batch.take(np.array([i])), 1e-15)


@labels
def test_numbers_have_units_and_codes_have_none(label):
    X, y, levels = samples(2)
    new, units = samples(2, seed=1)[0], np.ones(6)
    units[:3] = 2.0**100, 2.0**-200, 2.0**-40
    one = fit_in_units(built(label), X, y, 2, 3, levels)
    far = fit_in_units(built(label), X * units, y, 2, 3, levels)
    if not label.startswith("bagging"):
        assert isinstance(far, ScaledPredictor)
        assert far.units[3:].tolist() == [1, 1, 1]
    same_beliefs(far.beliefs(new * units), one.beliefs(new), 1e-12)


@labels
def test_columns_that_say_nothing_leave_the_class_shares(label):
    y = np.arange(20) % 2
    X = np.column_stack([np.full(20, np.nan), np.ones(20), np.full(20, np.nan)])
    found = fit_in_units(built(label), X, y, 2, 0, {2: 3})
    assert set(found.to_arrays()) == {"class_shares"}
    X[0, 1] = np.nan  # a constant with a gap, and columns without values, must not break a fit
    found = fit_in_units(built(label), X, y, 2, 0, {2: 3})
    assert np.isfinite(found.beliefs(X).proba).all()


@pytest.mark.parametrize("kind", ["plain", "mixed", "holes"])
@pytest.mark.parametrize("select", ["mcfs", "chi2"])
def test_what_a_ranker_sees(kind, select, monkeypatch):
    """Monte Carlo selection: gaps as gaps in every table; chi-square: beside categories."""
    one, seen = fold(kind), []
    cls = type(selecting_row(select).build({}))
    rank = cls.rank
    monkeypatch.setattr(cls, "rank", lambda s, part, *r: seen.append(part) or rank(s, part, *r))
    method = method_of(plan_of(select))
    method.shared(one, [method.plan])
    design = one.design
    if select == "chi2" and kind != "mixed":
        assert all(not np.isnan(part.X).any() for part in seen)
        return
    for part, rows in zip(seen, one.parts.rows, strict=True):
        raw = design.X if design.raw is None else design.raw
        np.testing.assert_array_equal(part.X, raw[rows])
        assert dict(part.levels) == ({2: 3, 4: 2, 5: 4} if kind == "mixed" else {})


@labels
@pytest.mark.parametrize("kind", ["plain", "mixed", "holes"])
def test_what_a_classifier_sees(kind, label, monkeypatch):
    """The columns of the table, covariates first, as they are."""
    one, data, seen = fold(kind), made_up_table(kind), []

    def spy(classifier, X, y, n_classes, test, sizes, seed, levels=None):
        assert sizes == [X.shape[1]]
        seen.append((X, levels))
        return natural_beliefs_by_size(classifier, X, y, n_classes, test, sizes, seed, levels)

    monkeypatch.setattr("tamis.study.protocol.ranked.natural_beliefs_by_size", spy)
    plan = plan_of("chi2", classify_by(label), sizes=[3])
    _, outcomes = offered(one, plan)
    assert len(seen) == len(one) == len(outcomes)
    for (X, levels), rows, part in zip(seen, one.parts.rows, outcomes, strict=True):
        columns = [*data.covariates, *part[0].features]
        np.testing.assert_array_equal(X, data.X[np.ix_(rows, columns)])
        expected = {k: len(data.levels[j]) for k, j in enumerate(columns) if j in data.levels}
        assert levels == expected


@labels
@pytest.mark.parametrize(
    "steps",
    [
        ["impute_median"],
        ["log2", "variance", "standardize"],
        ["impute_median", "pca"],
        ["level_presence"],
    ],
)
@pytest.mark.parametrize("kind", ["mixed", "holes"])
def test_behind_steps_numbers_are_what_the_steps_give(kind, label, steps):
    plan = plan_of("moderated_t", classify_by(label), sizes=[1, 4])
    check_refitted(kind, [StepPlan(name=name) for name in steps], plan)


def test_blocks_of_a_table_are_as_they_are_too():
    data = made_up_table("mixed")
    blocks = {"one": np.array([0, 2, 3]), "two": np.array([1, 4, 5, 6, 7])}
    design = replace(fold("mixed").design, blocks=blocks, created=()).restricted(["two"])
    rows, features = np.array([5, 2, 20]), np.array([5, 1, 4])
    np.testing.assert_array_equal(design.as_it_is(rows, features), data.X[np.ix_(rows, features)])
    assert design.levels_of(features) == {0: 3, 1: 4, 3: 2}  # the covariate stands first


@labels
def test_refitted_on_a_table_with_gaps_a_candidate_believes_what_it_was_judged_by(label):
    one = fold("holes")
    method = method_of(plan_of("mcfs", classify_by(label)))
    candidates, outcomes = offered(one, method.plan)
    for candidate, outcome in zip(candidates, outcomes[0], strict=True):
        found = method.refit(one, candidate, outcome.features)
        X = made_up_table("holes").X[np.ix_(one.tests[0], outcome.features)]
        same_beliefs(found.predictor.beliefs(X), outcome.beliefs)


def fold_of_table(data):
    method = {"select": "pearson", "sizes": [1]}
    plan, design, _ = prepare_study(data, {**PLAN, "method": [method]})
    return fold_of(design, plan, Task(0, 0, 1, ()))


@pytest.mark.parametrize("few", [False, True])
@pytest.mark.parametrize(
    ("select", "classify"),
    [(select, "c45") for select in CODES]
    + [("mcfs", c) for c in ("tree", "forest")]
    + [("mcfs", {"name": "bagging", "of": "c45"})],
)
def test_a_level_or_a_gap_seen_in_held_out_rows_alone_moves_nothing(select, classify, few):
    """Rankings, predictors and what other rows are told, to the bit."""
    data = two_levels(made_up_table("mixed")) if few else made_up_table("mixed")
    one = fold_of_table(data)
    test = one.tests[0]
    other = fold_of_table(with_a_new_level(data, test[::2]))
    assert [rows.tolist() for rows in other.parts.rows] == [r.tolist() for r in one.parts.rows]
    grid = {"n_estimators": [4]} if classify in ("forest", {"name": "bagging", "of": "c45"}) else {}
    method = method_of(plan_of(select, classify, grid=grid, sizes=[1, 3, 5]))
    ours, theirs = (method.shared(f, [method.plan]) for f in (one, other))
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(a.scores, b.scores)
    ours, theirs = method.outcomes(one, ours), method.outcomes(other, theirs)
    assert ours[0] == theirs[0]
    for k, (part, twin) in enumerate(zip(ours[1], theirs[1], strict=True)):
        for a, b in zip(part, twin, strict=True):
            assert a.features.tolist() == b.features.tolist()
            kept = np.arange(1, len(test), 2) if k == 0 else np.arange(len(one.tests[k]))
            same_beliefs(b.beliefs.take(kept), a.beliefs.take(kept))
            assert np.isfinite(b.beliefs.proba).all()
    features = ours[1][0][-1].features
    fitted = [method.refit(f, ours[0][-1], features) for f in (one, other)]
    ours, theirs = (found.predictor.to_arrays() for found in fitted)
    assert ours.keys() == theirs.keys()
    for name, array in ours.items():
        np.testing.assert_array_equal(array, theirs[name])


@pytest.mark.parametrize("steps", [["standardize"], ["variance", "quantile"], ["impute_median"]])
def test_a_level_of_held_out_rows_alone_moves_no_step(steps):
    data = two_levels(made_up_table("mixed"))
    other = with_a_level_before(data, fold_of_table(data).tests[0][::2])
    named = [StepPlan.model_validate(step) for step in steps]
    for ours, theirs in zip(
        *(prepared_fold(fold_of_table(d), named).views for d in (data, other)), strict=True
    ):
        np.testing.assert_array_equal(
            ours.design.matrix[ours.train], theirs.design.matrix[theirs.train]
        )


@pytest.mark.parametrize(("room", "fitting"), [(0, 0), (prepared.MAX_HELD_BYTES, None)])
def test_what_parts_see_is_made_once_if_there_is_room(room, fitting, monkeypatch):
    monkeypatch.setattr(prepared, "MAX_HELD_BYTES", room)
    data = two_levels(made_up_table("mixed"))
    fold = fold_of_table(with_a_level_before(data, fold_of_table(data).tests[0][::2]))
    views = prepared_fold(fold, []).views
    first, again = list(views), list(views)
    assert len(first) > 2
    same = [one is other for one, other in zip(first, again, strict=True)]
    assert sum(same) == (len(first) if fitting is None else fitting)
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.design.matrix, other.design.matrix)


@labels
def test_a_model_predicts_what_its_study_refitted(label, tmp_path):
    """Also behind steps, in a table of another order, whose levels stand in another order too."""
    data = made_up_table("mixed")
    classify = classify_by(label)
    for steps in ([], ["variance", "standardize"]):
        method = {
            "select": "mcfs",
            "sizes": [4],
            "classify": classify,
            "prepare": steps,
            "parameters": QUICK_PARAMETERS["mcfs"],
        }
        plan = {**PLAN, "final": True, "describe": False, "method": [method]}
        run_study(data, plan, tmp_path / f"s{len(steps)}")
        path = tmp_path / f"s{len(steps)}" / "model.npz"
        model = load_model(path)
        assert model.view == "raw"
        assert not len(model.medians)
        assert set(model.features) & {data.feature_names[j] for j in data.levels}
        X = data.X[:, ::-1].copy()
        levels = {data.shape[1] - 1 - j: v[::-1] for j, v in data.levels.items()}
        for j, known in levels.items():
            X[:, j] = len(known) - 1 - X[:, j]
        other = replace(
            data, X=X, feature_names=data.feature_names[::-1], levels=levels, covariates=()
        )
        expected = model.predict_proba(data)
        np.testing.assert_array_equal(model.predict_proba(other), expected)
        if not steps:
            columns = [data.feature_names.index(name) for name in model.columns]
            found = model.predictor.beliefs(data.X[:, columns]).proba
            np.testing.assert_array_equal(model.predictor.beliefs(model.matrix(data)).proba, found)
        save_model(model, tmp_path / "again")
        np.testing.assert_array_equal(load_model(tmp_path / "again").predict_proba(data), expected)


@pytest.mark.parametrize("steps", [[], ["standardize"], ["quantile"]])
def test_a_model_without_features_has_the_class_shares(steps, tmp_path):
    method = {
        "select": "welch_t",
        "sizes": [2],
        "parameters": {"max_p": 1e-300},
        "classify": "c45",
        "prepare": steps,
    }
    plan = {**PLAN, "final": True, "describe": False, "method": [method]}
    data = made_up_table("holes")
    run_study(data, plan, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    assert model.features == ()
    np.testing.assert_allclose(model.predict_proba(data), 0.5)


def test_the_view_of_a_model_must_be_that_of_its_classifier(tmp_path):
    from tamis._core.errors import ModelError

    method = {"select": "moderated_t", "sizes": [2], "classify": "c45"}
    plan = {**PLAN, "final": True, "describe": False, "method": [method]}
    run_study(made_up_table("holes"), plan, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    for part, wrong, says in (
        ("view", "filled", "the parts of the model do not fit together"),
        ("view", "codes", "the model's part 'view' does not fit the others"),
        ("medians", np.zeros(2), "the model's part 'medians' does not fit the others"),
    ):
        save_model(replace(model, **{part: wrong}), tmp_path / "wrong")
        with pytest.raises(ModelError, match=says):
            load_model(tmp_path / "wrong")


@pytest.mark.full
@pytest.mark.longer
def test_nothing_is_found_in_categories_and_gaps_without_effect():
    methods = [
        {
            "name": "mcfs+c45",
            "select": "mcfs",
            "sizes": [3],
            "classify": "c45",
            "parameters": {"s": 20, "t": 1, "interactions": False},
        },
        {
            "name": "mcfs+forest",
            "select": "mcfs",
            "sizes": [3],
            "classify": "forest",
            "parameters": {"s": 20, "t": 1, "interactions": False},
            "grid": {"n_estimators": [10]},
        },
        {"name": "chi2+tree", "select": "chi2", "sizes": [3], "classify": "tree"},
        {
            "name": "trend+view",
            "select": "trend",
            "sizes": [3],
            "classify": {"name": "as_categories", "of": "naive_bayes"},
        },
    ]
    rates = []
    for seed in range(16):
        rng = np.random.default_rng([seed, 5])
        X = rng.normal(size=(40, 16))
        X[:, :8] = rng.integers(0, 2 + np.arange(8) % 4, size=(40, 8))
        X[rng.random(X.shape) < 0.15] = np.nan
        levels = {j: tuple("abcde"[: 2 + j % 4]) for j in range(8)}
        y = np.array(["a", "b"])[np.arange(40) % 2]
        data = Dataset(X, y, tuple(f"g{j}" for j in range(16)), levels=levels)
        rates.append(pooled_rates(data, methods))
    assert {k for k in rates[0] if not at_chance([r[k] for r in rates])} == set()
