"""ElasticNetClassifier and elastic_net_path: grid, results, the choice of lambda, errors."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from kernels.elastic_net_reference import standardised, violation
from tamis._core.errors import DataError, PlanError
from tamis._core.interfaces import Part
from tamis.classifiers import ElasticNetClassifier, elastic_net_path
from tamis.classifiers.elastic_net.path import (
    ElasticNetPath,
    factors_of,
    labelled_table,
    share_up_to_one,
)
from tamis.classifiers.elastic_net.steps import ElasticNet, ElasticNetSteps
from tamis.data import load_golub

SMALL = {"n_lambdas": 12, "cv": 3, "random_state": 0}


def planted(seed=0, n=45, p=60, labels=("no", "yes"), shift=1.5):
    """Class k stands out in column k; the columns have unequal means and scales."""
    rng = np.random.default_rng(seed)
    y = np.array(labels)[rng.permutation(np.arange(n) % len(labels))]
    X = rng.normal(size=(n, p))
    for k, label in enumerate(labels):
        X[y == label, k] += shift
    return X * rng.uniform(0.5, 2, p) + rng.normal(size=p), y


THREE = ("u", "v", "w")


# The path


@pytest.mark.parametrize("name", ["alon", "golub", "brain_pomeroy", "breast_tcga"])
@pytest.mark.parametrize(
    "alpha", [*(pytest.param(a, marks=pytest.mark.longer) for a in (0.2, 0.5)), 1.0]
)
def test_shared_sets_certified(shared_data, name, alpha):
    import pandas as pd

    frame = pd.read_parquet(shared_data / "expression" / f"{name}.parquet")
    y, X = frame.pop("class").to_numpy(), frame.to_numpy(float)
    path = elastic_net_path(X, y, alpha=alpha, n_lambdas=30)
    assert path.converged.all()
    assert path.n_active[0] == 0
    assert path.n_active[-1] > 5
    Z, scale = standardised(X)
    codes, last = np.unique(y, return_inverse=True)[1], len(path.lambdas) - 1
    b = path.coef_at(last)
    centred = path.intercept[last] + b @ X.mean(axis=0)
    ones = np.ones(X.shape[1])
    found = violation(Z, codes, path.lambdas[last], alpha, ones, centred, b * scale)
    assert found <= 1e-9


@pytest.mark.parametrize("labels", [("no", "yes"), THREE])
def test_the_result_holds_together(labels):
    X, y = planted(labels=labels)
    path = elastic_net_path(X, y, n_lambdas=15, penalty_factors=[0.0] + [1.0] * 59)
    K = 1 if len(labels) == 2 else 3
    assert path.coef.shape == (len(path.lambdas), K, 60)
    assert path.intercept.shape == (len(path.lambdas), K)
    np.testing.assert_array_equal(path.n_active, path.coef.any(axis=1).sum(axis=1))
    np.testing.assert_array_equal(path.coef_at(-1), path.coef[-1])
    plain = np.einsum("lkp,np->lnk", path.coef, X) + path.intercept[:, None]
    np.testing.assert_allclose(path.decision(X), plain, atol=1e-12)
    codes = np.unique(y, return_inverse=True)[1]
    eta = path.decision(X)[-1]
    eta = np.hstack([0 * eta, eta]) if K == 1 else eta
    shares = np.exp(eta) / np.exp(eta).sum(axis=1, keepdims=True)
    loss = -2 * np.log(shares[np.arange(45), codes]).sum()
    assert path.deviance[-1] == pytest.approx(loss, rel=1e-9)
    counts = np.bincount(codes) / 45
    assert path.null_deviance == pytest.approx(-90 * (counts * np.log(counts)).sum())
    assert (np.diff(path.explained) > 0).all()
    assert path.n_active[0] == 1  # the free column alone
    told = json.loads(json.dumps(path.to_dict()))
    assert len(told["coef"]) == len(path.lambdas)
    assert [entry[0] for entry in told["coef"][-1]] == np.flatnonzero(path.coef[-1].any(0)).tolist()
    assert list(path.frame().columns) == [
        "lambdas",
        "n_active",
        "deviance",
        "explained",
        "kkt",
        "converged",
    ]
    assert f"{len(path.lambdas)} of {len(path.lambdas)} certified" in path.summary()


def test_lambdas_in_the_order_asked_for():
    X, y = planted(labels=THREE)
    grid = elastic_net_path(X, y, n_lambdas=10, min_ratio=0.1).lambdas
    order = np.random.default_rng(0).permutation(10)
    path, turned = elastic_net_path(X, y, lambdas=grid), elastic_net_path(X, y, lambdas=grid[order])
    np.testing.assert_array_equal(turned.lambdas, grid[order])
    np.testing.assert_array_equal(turned.coef, path.coef[order])
    np.testing.assert_array_equal(turned.intercept, path.intercept[order])
    np.testing.assert_array_equal(turned.deviance, path.deviance[order])


def test_layout_of_memory_does_not_matter():
    X, y = planted()
    one, other = elastic_net_path(X, y), elastic_net_path(np.asfortranarray(X), y)
    np.testing.assert_array_equal(one.coef, other.coef)
    rows = np.ascontiguousarray(np.repeat(X, 2, axis=1))[:, ::2]
    np.testing.assert_array_equal(one.coef, elastic_net_path(rows, y).coef)


@pytest.mark.parametrize("labels", [("no", "yes"), THREE])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_as_scikit_learns_saga(labels, alpha):
    X, y = planted(labels=labels, n=60, p=20)
    Z, _ = standardised(X)
    path = elastic_net_path(Z, y, alpha=alpha, lambdas=[0.05])
    peer = LogisticRegression(
        solver="saga", l1_ratio=alpha, C=1 / (60 * 0.05), tol=1e-10, max_iter=100_000
    ).fit(Z, y)
    np.testing.assert_allclose(path.coef[0], peer.coef_, atol=1e-6)


def test_figure():
    for labels in (("no", "$yes"), THREE):
        X, y = planted(labels=labels)
        path = elastic_net_path(X, y, n_lambdas=10)
        charts = path.plot().charts
        assert len(charts) == (1 if len(labels) == 2 else 3)
        for chart, title in zip(charts, path.classes[-len(charts) :], strict=True):
            root = ElementTree.fromstring(chart)
            lines = [e for e in root.iter() if e.tag.endswith("polyline")]
            assert len(lines) == len(set(path.columns.tolist()))
            assert f"coefficients for {title}" in "".join(root.itertext())


# The classifier


def plain_scores(X, y, lambdas, splits, alpha):
    """Mean log-loss and error of each lambda, one fit at a time."""
    losses, errors, classes = [], [], np.unique(y)
    for lam in lambdas:
        shares, truth, wrong = [], [], []
        for train, test in splits:
            fixed = ElasticNetClassifier(alpha, lam=lam).fit(X[train], y[train])
            shares.append(np.maximum(fixed.predict_proba(X[test]), 1e-5))
            truth.append(y[test])
            wrong.append(fixed.predict(X[test]) != y[test])
        own = np.vstack(shares)[np.arange(len(y)), np.searchsorted(classes, np.concatenate(truth))]
        losses.append(-np.log(own).mean())
        errors.append(np.concatenate(wrong).mean())
    return np.array(losses), np.array(errors)


@pytest.mark.parametrize("labels", [("no", "yes"), THREE])
def test_lambda_is_that_of_the_least_score(labels):
    X, y = planted(labels=labels, shift=1.0)
    splits = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    model = ElasticNetClassifier(**SMALL).fit(X, y)
    losses, errors = plain_scores(X, y, model.path_.lambdas, splits, 0.5)
    weights = model.fold_weights_ / model.fold_weights_.sum()
    np.testing.assert_allclose(weights @ model.fold_losses_, losses, rtol=1e-6)
    np.testing.assert_allclose(weights @ model.fold_errors_, errors, atol=1e-12)
    assert model.lambda_ == model.path_.lambdas[losses.argmin()]
    given = ElasticNetClassifier(**{**SMALL, "cv": splits}).fit(X, y)
    assert given.lambda_ == model.lambda_
    few = ElasticNetClassifier(**SMALL, criterion="error").fit(X, y)
    assert few.lambda_ == model.path_.lambdas[errors.argmin()]
    sparse = ElasticNetClassifier(**SMALL, rule="1se").fit(X, y)
    assert sparse.lambda_ >= model.lambda_
    assert sparse.n_active_ <= model.n_active_


@pytest.mark.longer
@pytest.mark.parametrize("labels", [("no", "yes"), THREE])
def test_predictions_hold_together(labels):
    X, y = planted(labels=labels)
    model = ElasticNetClassifier(**SMALL).fit(X, y)
    shares, decision = model.predict_proba(X), model.decision_function(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[shares.argmax(axis=1)])
    if len(labels) == 2:
        np.testing.assert_allclose(np.log(shares[:, 1] / shares[:, 0]), decision, atol=1e-9)
    else:
        np.testing.assert_allclose(np.diff(np.log(shares)), np.diff(decision), atol=1e-9)
    assert log_loss(y, shares) < 0.7 * np.log(len(labels))
    assert model.n_active_ == model.coef_.any(axis=0).sum()


@pytest.mark.longer
def test_threads_change_nothing():
    X, y = planted(labels=THREE)
    one, two = (ElasticNetClassifier(**SMALL, n_jobs=n).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.coef_, two.coef_)
    np.testing.assert_array_equal(one.fold_losses_, two.fold_losses_)


def test_a_covariate_stays_in():
    golub = load_golub()
    factors = np.ones(golub.X.shape[1])
    factors[7] = 0.0
    model = ElasticNetClassifier(**SMALL, penalty_factors=factors).fit(golub.X, golub.y)
    assert (model.path_.coef[:, 0, 7] != 0).all()


def test_rare_classes():
    """A class of two, and one of one, which the training set without it gives no chance."""
    X, y = planted(n=32)
    y = y.astype("<U5")
    y[:2] = "two"
    model = ElasticNetClassifier(**SMALL).fit(X, y)
    assert len(model.fold_losses_) == 2
    y[0] = "one"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the splitter: too few members
        model = ElasticNetClassifier(**SMALL).fit(X, y)
    assert model.coef_.shape == (4, 60)
    assert np.isfinite(model.fold_losses_).all()


# What cannot be


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": 1.5}, "alpha=1.5"),
        ({"alpha": -0.1}, "alpha=-0.1"),
        ({"alpha": "half"}, "alpha='half'"),
        ({"n_lambdas": 0}, "n_lambdas=0"),
        ({"min_ratio": 2.0}, "min_ratio=2.0"),
        ({"penalty_factors": [1.0, 2.0]}, "penalty_factors"),
        ({"penalty_factors": [-1.0] * 60}, "penalty_factors"),
        ({"penalty_factors": [1.0] * 59 + [-1.0]}, "penalty_factors"),
        ({"penalty_factors": [1.0] * 59 + [np.inf]}, "penalty_factors"),
    ],
)
def test_parameters_out_of_range(options, words):
    X, y = planted()
    with pytest.raises(PlanError, match=words):
        elastic_net_path(X, y, **options)
    with pytest.raises(PlanError, match=words):
        ElasticNetClassifier(**options).fit(X, y)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"lam": 0.0}, "lam=0.0"),
        ({"lam": "auto"}, "lam='auto'"),
        ({"criterion": "auc"}, "criterion='auc'"),
        ({"rule": "2se"}, "rule='2se'"),
        ({"cv": 1}, "cv=1"),
        ({"cv": "five"}, "cv='five'"),
        ({"min_ratio": "a"}, "min_ratio='a'"),
    ],
)
def test_a_classifier_that_cannot_be(options, words):
    with pytest.raises(PlanError, match=words):
        ElasticNetClassifier(**options).fit(*planted())


def test_tables_that_cannot_be():
    X, y = planted()
    for lambdas in ([], [0.0], [np.nan], ["a"]):
        with pytest.raises(PlanError, match="lambdas="):
            elastic_net_path(X, y, lambdas=lambdas)
    broken = X.copy()
    broken[3, 4] = np.nan
    with pytest.raises(DataError, match="NaN or infinite"):
        elastic_net_path(broken, y)
    with pytest.raises(DataError, match="1 label"):
        elastic_net_path(X, np.repeat("no", 45))
    with pytest.raises(DataError, match="shape"):
        elastic_net_path(X, y[1:])
    with pytest.raises(DataError, match="missing labels"):
        elastic_net_path(X, np.where(y == "no", 1.0, np.nan))
    with pytest.raises(DataError, match="lambda_max is 0"):
        elastic_net_path(np.ones((45, 3)), y)
    with pytest.raises(DataError, match="too large to square"):
        elastic_net_path(X * 1e200, y)
    with pytest.raises(DataError, match="numeric"):
        elastic_net_path(X.astype(complex), y)
    with pytest.raises(DataError, match="no class has two samples"):
        ElasticNetClassifier().fit(X[:2], ["a", "b"])


def by_hand(classes=("no", "yes"), **changed):
    """Three penalties of four columns, in the order asked for."""
    K = 1 if len(classes) == 2 else len(classes)
    values = np.array([[0.5, -1.0, 2.0, 0.0]])
    parts = {
        "lambdas": np.array([0.5, 0.125, 0.25]),
        "intercept": np.tile([[1.0], [2.0], [3.0]], (1, K)),
        "starts": np.array([0, 0, 3, 4]),
        "columns": np.array([0, 1, 3, 2]),
        "values": values if K == 1 else np.vstack([values, 0 * values, [[0.0, 1.0, 0.0, 0.0]]]),
        "kkt": np.array([1e-10, 1e-9, 2e-9]),
        "deviance": np.array([4.0, 1.0, 2.0]),
        "null_deviance": 4.0,
        "classes": classes,
        "n_features": 4,
        "alpha": 0.5,
    }
    return ElasticNetPath(**(parts | changed))


def test_a_path_by_hand():
    path = by_hand()
    assert repr(path) == "ElasticNetPath(3 lambdas, 4 features, 2 classes; alpha 0.5)"
    assert path.coef.tolist() == [[[0, 0, 0, 0]], [[0.5, -1, 0, 2]], [[0, 0, 0, 0]]]
    assert path.coef_at(-2).tolist() == [[0.5, -1, 0, 2]]
    with pytest.raises(IndexError):
        path.coef_at(3)
    assert path.n_active.tolist() == [0, 3, 0]  # the last is 0 of a column without a penalty
    assert path.explained.tolist() == [0, 0.75, 0.5]
    assert path.converged.tolist() == [True, True, False]
    X = np.array([[1.0, 2.0, 4.0, 8.0], [0.0, 1.0, 0.0, 0.0]])
    assert path.decision(X).tolist() == [[[1], [1]], [[2 + 0.5 - 2 + 16], [1]], [[3], [3]]]
    told = path.to_dict()
    assert told["coef"] == [[], [[0, 0.5], [1, -1.0], [3, 2.0]], [[2, 0.0]]]
    assert (told["alpha"], told["n_features"], told["null_deviance"]) == (0.5, 4, 4.0)
    assert told["classes"] == ["no", "yes"]
    assert told["intercept"] == [[1], [2], [3]]
    frame = path.frame()
    assert list(frame) == ["lambdas", "n_active", "deviance", "explained", "kkt", "converged"]
    assert frame["lambdas"].tolist() == told["lambdas"] == [0.5, 0.125, 0.25]
    assert path.summary() == (
        "Elastic net path of 3 lambdas from 0.5 to 0.125 (alpha 0.5), 2 classes: up to 3 of 4 "
        "columns and 75.0% of the deviance; 2 of 3 certified, KKT / lambda at most 2.0e-09"
    )
    three = by_hand(("a", "b", np.str_("c")))
    assert three.n_active.tolist() == [0, 3, 0]
    assert three.to_dict()["coef"][1][1] == [1, -1.0, 0.0, 1.0]
    assert type(three.to_dict()["classes"][2]) is str
    assert len(three.plot().charts) == 3
    assert len(path.plot().charts) == 1


def steps_by_hand():
    """Two penalties after one covariate, of three columns."""
    return ElasticNetSteps(
        lambdas=np.array([0.5, 0.25]),
        intercepts=np.array([[1.0], [2.0]]),
        coefs=[
            (np.array([0]), np.array([[3.0]])),
            (np.array([0, 1, 2, 3]), np.array([[3.0, 0.5, 0.0, -0.25]])),
        ],
        spread=np.array([1.0, 1.0, 1.0, 4.0]),
        n_covariates=1,
    )


def test_steps_begin_with_the_covariates_alone():
    steps = steps_by_hand()
    assert steps.settings == [{"lambda": 0.5}, {"lambda": 0.25}]
    assert [one.tolist() for one in steps.columns] == [[], [2, 0]]  # 0.25 x 4 is above 0.5 x 1
    X, Z = np.array([[1.0, 9.0, 2.0], [0.0, 9.0, 0.0]]), np.array([[1.0], [-1.0]])
    odds = [[1 + 3, 1 - 3], [2 + 3 + 0.5 - 0.5, 2 - 3]]
    for step, (beliefs, own) in enumerate(zip(steps.beliefs(X, Z), odds, strict=True)):
        share = 1 / (1 + np.exp(-np.array(own)))
        np.testing.assert_allclose(beliefs.proba, np.column_stack([1 - share, share]))
        own_columns = np.array([2, 0])
        again = steps.predictor(step, own_columns).beliefs(np.hstack([Z, X[:, own_columns]]))
        np.testing.assert_allclose(again.proba, beliefs.proba)
    predictor = steps.predictor(1, np.array([2, 1]))
    assert predictor.coef.tolist() == [[3.0, -0.25, 0.0]]
    assert predictor.intercept.tolist() == [2.0]


@pytest.mark.quick
def test_covariates_are_in_every_step_without_a_penalty():
    X, y = planted(n=12, p=2)
    codes = (y == "yes").astype(np.int64)
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(12, 1))
    part = replace(Part.of(X, codes), covariates=Z)
    method = ElasticNet(alpha=1.0, n_lambdas=3)
    assert method.count() == 3
    steps = method.follow(part, None, np.random.SeedSequence(0))
    assert steps.n_covariates == 1
    assert len(steps.settings) == 3
    assert not len(steps.columns[0])
    alone = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(Z, codes)
    np.testing.assert_allclose(steps.coefs[0][1][0], alone.coef_[0], rtol=1e-4)
    np.testing.assert_allclose(steps.spread, np.hstack([Z, X]).std(axis=0))
    some = method.follow(part, steps.settings[1:], np.random.SeedSequence(0))
    np.testing.assert_allclose(some.lambdas, steps.lambdas[1:])
    np.testing.assert_allclose(some.intercepts, steps.intercepts[1:], atol=1e-8)
    flat = replace(part, X=np.ones((12, 2)))  # nothing varies with the classes
    one = method.follow(flat, None, np.random.SeedSequence(0))
    assert (one.lambdas.tolist(), one.columns[0].tolist()) == ([1.0], [])
    np.testing.assert_allclose(one.coefs[0][1][0][:1], alone.coef_[0], rtol=1e-4)


def test_held_out_losses_and_errors_choose_lambda():
    made = ElasticNetClassifier()
    made.path_ = by_hand(("a", "b", "c"))
    made.classes_ = np.array(["a", "b", "c"])
    codes = np.array([0, 1, 2, 0])
    splits = [(np.array([2, 3]), np.array([0, 1])), (np.array([0, 1, 2]), np.array([3]))]
    first = np.array([[[0.5, 0.25, 0.25]] * 2, [[0.5, 0.5, 0.0]] * 2, [[0.25, 0.5, 0.25]] * 2])
    last = np.array([[[0.25, 0.5, 0.25]], [[1.0, 0.0, 0.0]], [[0.5, 0.5, 0.0]]])
    for criterion, chosen in [("loss", 1), ("error", 1)]:
        made.criterion, made.rule = criterion, "min"
        assert made._choice([first, last], codes, splits) == chosen
    log = np.log
    np.testing.assert_allclose(
        made.fold_losses_,
        [[(log(2) + log(4)) / 2, log(2), (log(4) + log(2)) / 2], [log(4), 0, log(2)]],
    )
    assert made.fold_errors_.tolist() == [[0.5, 0.5, 0.5], [1, 0, 0]]
    assert made.fold_weights_.tolist() == [2, 1]
    shares = made._held_out(np.zeros((4, 2)), codes, np.array([2]), np.array([0, 1]))
    assert shares.tolist() == [[[0.0, 0.0, 1.0]] * 2] * 3  # of one class alone


@pytest.mark.parametrize(
    ("given", "expected"),
    [(None, [1, 1]), ([0, 2.5], [0, 2.5]), ([1], ""), ([1, -1], ""), ([1, np.inf], ""), ("ab", "")],
)
def test_penalty_factors_are_finite_and_one_a_column(given, expected):
    if expected:
        assert factors_of(given, 2).tolist() == expected
        return
    with pytest.raises(PlanError, match=r"penalty_factors=.*: give 2 finite numbers of at least 0"):
        factors_of(given, 2)


@pytest.mark.parametrize(
    ("value", "fine"), [(0.0, True), (1.0, True), (1.01, False), (-0.1, False)]
)
def test_alpha_is_a_share(value, fine):
    if fine:
        assert share_up_to_one(value, "alpha") == value
        return
    with pytest.raises(PlanError, match="alpha="):
        share_up_to_one(value, "alpha")


@pytest.mark.parametrize(
    ("X", "y", "says"),
    [
        ([[1.0], [np.inf]], "ab", "X holds NaN or infinite values: impute or drop them first"),
        ([[1.0], [1.1e150]], "ab", "X holds values too large to square: rescale its columns"),
        ([[1.0], [-1.1e150]], "ab", "X holds values too large to square"),
        ([[1.0], [2.0]], "aa", "y has 1 label: give at least two"),
    ],
)
def test_tables_that_cannot_be_fitted_are_refused(X, y, says):
    with pytest.raises(DataError, match=says):
        labelled_table(np.array(X), np.array(list(y)))
