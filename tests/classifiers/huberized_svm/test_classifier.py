"""HuberizedSVMClassifier: penalties by cross-validation, one-vs-rest, weights, probabilities."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from common.examples import settings
from tamis._core.errors import DataError, PlanError
from tamis.classifiers import HuberizedSVMClassifier, hhsvm_path
from tamis.classifiers.base.temperature_scaling import MIN_SLOPE_MARGIN, fit_slope
from tamis.classifiers.huberized_svm.penalty_choice import choose_penalties, mean_and_error
from tamis.data import load_golub

SMALL = {"n_lambdas": 8, "lambda2": (0.01, 1.0), "cv": 3, "random_state": 0}


def planted(seed=0, n=45, p=60, labels=("no", "yes"), shift=1.5):
    """Class k stands out in column k; the columns have unequal means and scales."""
    rng = np.random.default_rng(seed)
    y = np.array(labels)[rng.permutation(np.arange(n) % len(labels))]
    X = rng.normal(size=(n, p))
    for k, label in enumerate(labels):
        X[y == label, k] += shift
    return X * rng.uniform(0.5, 2, p) + rng.normal(size=p), y


def phi(t, delta):
    return np.where(
        t > 1, 0, np.where(t > 1 - delta, (1 - t) ** 2 / (2 * delta), 1 - t - delta / 2)
    )


def plain_fit(X, signs, lambda1, lambda2, delta, weights):
    """Coefficients of one binary problem at one lambda1, standardised by hand."""
    weights = weights / weights.mean()
    mean = np.average(X, axis=0, weights=weights)
    sd = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weights))
    path = hhsvm_path(
        (X - mean) / sd, signs, lambda2, delta, lambdas=[lambda1], sample_weight=weights
    )
    return path.coef[0] / sd, path.intercept[0] - path.coef[0] @ (mean / sd)


def plain_margins(model, X, y, rows, lambda1, lambda2, weights):
    """One column a binary problem, fitted on the training rows one at a time."""
    train, test = rows
    labels = model.classes_[1:] if len(model.classes_) == 2 else model.classes_
    margins = []
    for label in labels:
        signs = np.where(y[train] == label, 1, -1)
        b, b0 = plain_fit(X[train], signs, lambda1, lambda2, model.delta, weights[train])
        margins.append(X[test] @ b + b0)
    return np.array(margins).T, np.where(y[test][:, None] == labels, 1, -1)


def plain_scores(model, X, y, splits, weights):
    """Held-out losses and errors, (folds, lambda2s, lambdas), by loops."""
    shape = (len(splits), len(model.lambda2s_), len(model.lambdas_))
    losses, errors = np.zeros(shape), np.zeros(shape)
    for f, rows in enumerate(splits):
        w = weights[rows[1]]
        for r, lambda2 in enumerate(model.lambda2s_):
            for k, lambda1 in enumerate(model.lambdas_):
                margins, signs = plain_margins(model, X, y, rows, lambda1, lambda2, weights)
                if margins.shape[1] == 1:
                    said = model.classes_[(margins[:, 0] > 0).astype(int)]
                else:
                    said = model.classes_[margins.argmax(axis=1)]
                value = phi(signs * margins, model.delta).mean(axis=1)
                losses[f, r, k] = w @ value / w.sum()
                errors[f, r, k] = w @ (said != y[rows[1]]) / w.sum()
    return losses, errors


@pytest.mark.longer
@pytest.mark.parametrize("labels", [("no", "yes"), ("a", "b", "c")])
@pytest.mark.parametrize(("criterion", "rule"), [("loss", "min"), ("error", "1se")])
def test_the_choice_is_that_of_a_plain_loop(labels, criterion, rule):
    X, y = planted(1, n=36, p=40, labels=labels, shift=1.2)
    weights = np.random.default_rng(2).integers(1, 4, len(y)).astype(float)
    model = HuberizedSVMClassifier(criterion=criterion, rule=rule, delta=1.0, **SMALL)
    model.fit(X, y, sample_weight=weights)
    splits = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    losses, errors = plain_scores(model, X, y, splits, weights)
    np.testing.assert_allclose(model.fold_losses_, losses, atol=1e-8)
    np.testing.assert_allclose(model.fold_errors_, errors, atol=1e-12)
    sizes = np.array([weights[test].sum() for _, test in splits])
    scores = losses if criterion == "loss" else errors
    mean = sum(s * w for s, w in zip(scores, sizes, strict=True)) / sizes.sum()
    pairs = [
        (l1, l2, mean[r, k])
        for r, l2 in enumerate(model.lambda2s_)
        for k, l1 in enumerate(model.lambdas_)
    ]
    least = min(score for _, _, score in pairs)
    lambda1, lambda2 = max((l1, l2) for l1, l2, score in pairs if score <= least + 1e-9)
    if rule == "1se":
        r, k = list(model.lambda2s_).index(lambda2), list(model.lambdas_).index(lambda1)
        spread = sum(w * (s[r, k] - mean[r, k]) ** 2 for s, w in zip(scores, sizes, strict=True))
        reach = mean[r, k] + np.sqrt(spread / sizes.sum() / 2) + 1e-9
        lambda1 = max(l1 for l1, l2, score in pairs if l2 == lambda2 and score <= reach)
    assert (model.lambda1_, model.lambda2_) == (lambda1, lambda2)
    assert 0 < least < 0.5


def test_ties_go_to_the_larger_lambda1_then_the_larger_lambda2():
    scores = np.array([[[0.3, 0.2, 0.1, 0.1], [0.3, 0.1, 0.1, 0.2], [0.4, 0.1, 0.1, 0.1]]])
    assert choose_penalties(scores, np.ones(1), "min") == (2, 1)
    assert choose_penalties(np.empty((0, 1, 1)), np.empty(0), "min") == (0, 0)
    folds = np.concatenate([scores, scores + 0.2])
    assert choose_penalties(folds, np.array([1.0, 3.0]), "min") == (2, 1)
    with pytest.raises(PlanError, match="one fold"):
        choose_penalties(scores, np.ones(1), "1se")


def test_one_standard_error_stays_at_its_lambda2():
    first = np.array([[0.30, 0.20, 0.10], [0.15, 0.14, 0.20]])
    folds = np.array([first, first + 0.1])
    mean, error = mean_and_error(folds, np.ones(2))
    np.testing.assert_allclose(mean, first + 0.05)
    np.testing.assert_allclose(error, folds.std(axis=0, ddof=1) / np.sqrt(2))
    assert choose_penalties(folds, np.ones(2), "min") == (0, 2)
    assert choose_penalties(folds, np.ones(2), "1se") == (0, 2)  # 0.20 is two errors away
    folds[:, 0, 1] -= 0.06
    assert choose_penalties(folds, np.ones(2), "1se") == (0, 1)


@pytest.mark.parametrize("standardize", [True, False])
def test_equals_the_path_at_the_chosen_penalties(standardize):
    X, y = planted()
    model = HuberizedSVMClassifier(standardize=standardize, **SMALL).fit(X, y)
    path = hhsvm_path(X, y, model.lambda2_, lambdas=[model.lambda1_], standardize=standardize)
    np.testing.assert_allclose(model.coef_, path.coef, atol=1e-9)
    np.testing.assert_allclose(model.intercept_, path.intercept, atol=1e-9)
    assert model.n_active_ == np.count_nonzero(path.coef)
    grid = hhsvm_path(X, y, 0.3, n_lambdas=8, standardize=standardize).lambdas
    np.testing.assert_allclose(model.lambdas_, grid, rtol=1e-12)
    row, k = np.argwhere(model.lambda2s_ == model.lambda2_)[0, 0], model.lambdas_ == model.lambda1_
    assert model.path_n_active_[row, k] == model.n_active_
    np.testing.assert_allclose(model.decision_function(X), X @ path.coef[0] + path.intercept[0])


def test_one_against_the_rest():
    X, y = planted(labels=("x", "y", "z"))
    model = HuberizedSVMClassifier(0.03, 0.1).fit(X, y)
    margins = model.decision_function(X)
    assert margins.shape == (45, 3)
    for k, label in enumerate("xyz"):
        path = hhsvm_path(X, y == label, 0.1, lambdas=[0.03], standardize=True)
        np.testing.assert_allclose(model.coef_[k], path.coef[0], atol=1e-9)
        np.testing.assert_allclose(margins[:, k], X @ path.coef[0] + path.intercept[0])
    assert model.predict(X).tolist() == [
        str(c) for c in np.array(["x", "y", "z"])[margins.argmax(1)]
    ]
    assert model.n_active_ == np.count_nonzero(np.abs(model.coef_).sum(axis=0))
    chosen = HuberizedSVMClassifier(**SMALL).fit(X, y)
    ends = [hhsvm_path(X, y == c, 1, n_lambdas=1, standardize=True).lambdas[0] for c in "xyz"]
    assert chosen.lambdas_[0] == pytest.approx(max(ends), rel=1e-12)
    assert {0, 1, 2} <= set(np.flatnonzero(chosen.coef_.any(axis=0)))


@pytest.mark.parametrize("labels", [("no", "yes"), ("a", "b", "c")])
def test_class_weights_are_repeated_rows(labels):
    X, y = planted(3, labels=labels)
    times = np.where(y == labels[0], 3, 1)
    weighted = HuberizedSVMClassifier(0.05, 0.1, class_weight={labels[0]: 3}).fit(X, y)
    repeated = HuberizedSVMClassifier(0.05, 0.1).fit(X.repeat(times, axis=0), y.repeat(times))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-9)
    np.testing.assert_allclose(weighted.intercept_, repeated.intercept_, atol=1e-9)
    plain = HuberizedSVMClassifier(0.05, 0.1).fit(X, y)
    assert np.abs(plain.coef_ - weighted.coef_).max() > 1e-3


def test_weights_are_repeated_rows_in_the_choice_too():
    X, y = planted(4, n=30, p=20, shift=1.0)
    fold = np.arange(30) % 3
    weights = np.random.default_rng(0).integers(0, 4, 30)
    many, labels, place = X.repeat(weights, axis=0), y.repeat(weights), fold.repeat(weights)

    def splits(of):
        return [(np.flatnonzero(of != f), np.flatnonzero(of == f)) for f in range(3)]

    options = {**SMALL, "min_ratio": 0.01, "class_weight": "balanced"}
    a = HuberizedSVMClassifier(**{**options, "cv": splits(fold)}).fit(X, y, weights)
    b = HuberizedSVMClassifier(**{**options, "cv": splits(place)}).fit(many, labels)
    np.testing.assert_allclose(a.fold_losses_, b.fold_losses_, atol=1e-8)
    np.testing.assert_allclose(a.fold_weights_, b.fold_weights_, rtol=1e-12)
    assert a.lambda2_ == b.lambda2_
    np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-8)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), atol=1e-8)
    tenfold = HuberizedSVMClassifier(**{**options, "cv": splits(fold)}).fit(X, y, weights * 10)
    np.testing.assert_allclose(tenfold.coef_, a.coef_, atol=1e-9)


def test_balanced_is_by_the_weights_of_the_classes():
    X, y = planted(5)
    y[:12] = "no"
    share = {c: float(len(y) / (2 * (y == c).sum())) for c in ("no", "yes")}
    by_name = HuberizedSVMClassifier(0.05, 0.1, class_weight="balanced").fit(X, y)
    by_hand = HuberizedSVMClassifier(0.05, 0.1, class_weight=share).fit(X, y)
    np.testing.assert_allclose(by_name.coef_, by_hand.coef_, atol=1e-10)


def test_planted_columns_are_found():
    X, y = planted(6, n=80, p=200)
    model = HuberizedSVMClassifier(rule="1se", **SMALL).fit(X[:50], y[:50])
    assert {0, 1} <= set(np.flatnonzero(model.coef_[0]))
    assert model.coef_[0, 0] < 0 < model.coef_[0, 1]
    assert model.score(X[50:], y[50:]) > 0.75
    assert set(model.predict(X)) == {"no", "yes"}


def test_nothing_is_learnt_from_noise():
    right = []
    for seed in range(15):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(40, 30)), rng.permutation(np.arange(40) % 2)
        folds = StratifiedKFold(4, shuffle=True, random_state=seed)
        said = cross_val_predict(
            HuberizedSVMClassifier(lambda2=0.1, n_lambdas=8, cv=3, random_state=0), X, y, cv=folds
        )
        right.append(np.mean(said == y))
    # 600 predictions: a standard error of 0.02 were they independent
    assert abs(np.mean(right) - 0.5) < 0.08


def test_a_fold_learns_nothing_from_its_own_rows():
    """Rows held out by one fold change; that fold's margins move as its model says."""
    X, y = planted(7)
    splits = list(StratifiedKFold(3).split(X, y))
    options = {"lambda1": 0.05, "lambda2": 0.1, "cv": splits}
    test = splits[0][1]
    other = X.copy()
    other[test] = X[test] * 50 + 1000
    for table in (X, other):
        model = HuberizedSVMClassifier(**options).fit(table, y)
        fold = HuberizedSVMClassifier(0.05, 0.1).fit(X[splits[0][0]], y[splits[0][0]])
        signs = np.where(y[test] == "yes", 1, -1)
        expected = phi(signs * fold.decision_function(table[test]), 2.0).mean()
        assert model.fold_losses_[0, 0, 0] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("labels", [("no", "yes"), ("a", "b", "c")])
def test_probabilities_are_one_slope_on_held_out_margins(labels):
    X, y = planted(8, labels=labels, shift=1.0)
    model = HuberizedSVMClassifier(0.04, 0.1, cv=3, random_state=1).fit(X, y)
    splits = list(StratifiedKFold(3, shuffle=True, random_state=1).split(X, y))
    n_classes, rows, margins = len(labels), [], []
    for fold in splits:
        rows += fold[1].tolist()
        margins += plain_margins(model, X, y, fold, 0.04, 0.1, np.ones(len(y)))[0].tolist()

    def shares(f, a):
        if n_classes == 2:
            right = 1 / (1 + np.exp(-a * f))
            return np.hstack([1 - right, right])
        return np.exp(a * f) / np.exp(a * f).sum(axis=1, keepdims=True)

    size = {c: np.sum(y == c) for c in labels}
    goal = np.array(
        [[(1 + size[c] * (c == y[i])) / (size[y[i]] + n_classes) for c in labels] for i in rows]
    )
    margins = np.array(margins)
    best = minimize_scalar(
        lambda a: -np.sum(goal * np.log(shares(margins, a))),
        bounds=(0, 10),
        method="bounded",
        options={"xatol": 1e-9},
    )
    assert model.slope_ == pytest.approx(best.x, rel=1e-5)
    raw = model.decision_function(X).reshape(len(X), -1)
    np.testing.assert_allclose(model.predict_proba(X), shares(raw, model.slope_), atol=1e-12)
    assert (model.classes_[model.predict_proba(X).argmax(axis=1)] == model.predict(X)).all()


def test_probabilities_are_near_the_truth():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, 4))
    truth = 1 / (1 + np.exp(-(X[:, 0] * 1.5 - X[:, 1])))
    y = rng.random(1200) < truth
    model = HuberizedSVMClassifier(**SMALL).fit(X[:400], y[:400])
    proba = model.predict_proba(X)[400:, 1]
    assert np.abs(proba - truth[400:]).mean() < 0.05


def test_slope_of_margins_that_mislead_keeps_their_order():
    f = np.array([[0.0, 2.0], [0.0, 1.0], [0.0, -1.0], [0.0, -2.0]])
    # of margins to 2
    assert fit_slope(f, np.array([0, 0, 1, 1]), np.ones(4), 2) == MIN_SLOPE_MARGIN / 2
    right = fit_slope(f, np.array([1, 1, 0, 0]), np.ones(4), 2)
    assert 0.5 < right < 5  # finite, though all rows are right


def test_golub():
    golub = load_golub()
    model = HuberizedSVMClassifier(n_lambdas=30, lambda2=0.1, random_state=0)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    said = cross_val_predict(model, golub.X, golub.y, cv=folds)
    assert np.sum(said != golub.y) <= 3  # of 38; published errors are 0 to 2


def test_result_forms():
    X, y = planted()
    model = HuberizedSVMClassifier(**SMALL).fit(X, y)
    scores = model.cv_scores_
    frame = scores.frame()
    assert len(frame) == 16
    at = frame[(frame.lambda1 == model.lambda1_) & (frame.lambda2 == model.lambda2_)]
    assert at.loss.item() == frame.loss.min()
    assert at.n_active.item() == model.n_active_
    np.testing.assert_allclose(
        frame.error, np.average(model.fold_errors_, axis=0, weights=model.fold_weights_).ravel()
    )
    told = json.loads(json.dumps(scores.to_dict()))
    assert told["loss"] == scores.loss.tolist()
    assert told["lambda1"] == model.lambda1_
    assert f"error {at.error.item():.2%}, {model.n_active_} columns" in scores.summary()


def test_fixed_penalties_are_scored_and_a_single_fold_has_no_error():
    X, y = planted()
    half = [(np.arange(25), np.arange(25, 45))]
    model = HuberizedSVMClassifier(0.05, 0.1, cv=half).fit(X, y)
    told = model.cv_scores_.to_dict()
    assert told["n_folds"] == 1
    assert told["loss_se"] == [[None]]
    fold = HuberizedSVMClassifier(0.05, 0.1).fit(X[:25], y[:25])
    assert told["error"][0][0] == pytest.approx(np.mean(fold.predict(X[25:]) != y[25:]))


def test_attributes_are_plain_and_survive_skops():
    import skops.io

    X, y = planted()
    model = HuberizedSVMClassifier(**SMALL).fit(X, y)
    learnt = [v for k, v in vars(model).items() if k.endswith("_")]
    assert all(isinstance(v, np.ndarray | int | float) for v in learnt)
    name = "tamis.classifiers.huberized_svm.classifier.HuberizedSVMClassifier"
    content = skops.io.dumps(model)
    assert skops.io.get_untrusted_types(data=content) == [name]
    again = skops.io.loads(content, trusted=[name])
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.cv_scores_.summary() == model.cv_scores_.summary()


def test_threads_and_sparse_tables_change_nothing():
    from scipy.sparse import coo_array, csr_array

    X, y = planted()
    X = np.where(X > 0.5, X, 0.0)
    model = HuberizedSVMClassifier(**SMALL).fit(X, y)
    threads = HuberizedSVMClassifier(n_jobs=2, **SMALL).fit(X, y)
    sparse = HuberizedSVMClassifier(**SMALL).fit(coo_array(X), y)
    assert np.array_equal(threads.coef_, model.coef_)
    assert np.array_equal(threads.fold_losses_, model.fold_losses_)
    np.testing.assert_allclose(sparse.coef_, model.coef_, atol=1e-9)
    np.testing.assert_allclose(sparse.fold_losses_, model.fold_losses_, atol=1e-9)
    np.testing.assert_allclose(
        sparse.decision_function(csr_array(X)), model.decision_function(X), atol=1e-12
    )
    assert model.coef_.any()


@pytest.mark.filterwarnings("ignore:The least populated class")
def test_small_classes():
    X, y = planted(n=20)
    y[:] = "no"
    y[3] = "yes"  # one fold trains without it
    model = HuberizedSVMClassifier(**SMALL).fit(X, y)
    assert len(model.fold_weights_) == 2
    assert np.isfinite(model.fold_losses_).all()
    lonely = HuberizedSVMClassifier(0.05, 0.1).fit(X[:3], ["a", "b", "c"])
    assert lonely.predict(X[:3]).tolist() == ["a", "b", "c"]
    with pytest.raises(DataError, match="there are no probabilities"):
        lonely.predict_proba(X)
    with pytest.raises(DataError, match="give lambda1 and lambda2 as numbers"):
        HuberizedSVMClassifier().fit(X[:3], ["a", "b", "c"])


def test_uncertified_solution_warns(monkeypatch):
    import dataclasses

    from tamis.classifiers.huberized_svm import classifier

    def doubtful(*args, **kwargs):
        path = hhsvm_path(*args, **kwargs)
        return dataclasses.replace(path, converged=np.zeros_like(path.converged))

    X, y = planted()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        HuberizedSVMClassifier(0.05, 0.1).fit(X, y)
    monkeypatch.setattr(classifier, "hhsvm_path", doubtful)
    with pytest.warns(Warning, match="not certified"):
        HuberizedSVMClassifier(0.05, 0.1).fit(X, y)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"lambda1": 0}, PlanError, "lambda1=0: give a number above 0, or 'cv'"),
        ({"lambda1": "cvv"}, PlanError, "lambda1='cvv'"),
        ({"lambda1": True}, PlanError, "lambda1=True"),
        ({"lambda2": -1}, PlanError, "lambda2=-1: give a number of at least 0"),
        ({"lambda2": np.linspace(-1, 1, 90)}, PlanError, "or several to choose from"),
        ({"lambda2": ()}, PlanError, r"lambda2=\(\)"),
        ({"lambda2": (0.1, "x")}, PlanError, "lambda2="),
        ({"lambda2": None}, PlanError, "lambda2=None"),
        ({"delta": 0}, PlanError, "delta=0"),
        ({"n_lambdas": 0}, PlanError, "n_lambdas=0"),
        ({"min_ratio": "x"}, PlanError, "min_ratio='x'"),
        ({"min_ratio": 2}, PlanError, "min_ratio=2"),
        ({"cv": 1}, PlanError, "cv=1: give a whole number of folds"),
        ({"cv": "x"}, PlanError, "cv='x'"),
        ({"cv": [(np.arange(50), np.arange(3))]}, PlanError, "does not split these rows"),
        ({"cv": []}, PlanError, "at least one fold"),
        ({"criterion": "los"}, PlanError, "criterion='los': did you mean 'loss'"),
        ({"rule": "2se"}, PlanError, "rule='2se': did you mean '1se'"),
        ({"class_weight": "even"}, PlanError, "class_weight='even': give 'balanced'"),
        ({"class_weight": {"maybe": 2}}, PlanError, "of 'no', 'yes'"),
        ({"class_weight": {"no": 0}}, PlanError, "numbers above 0"),
    ],
)
def test_bad_parameters_are_named(change, error, words):
    X, y = planted()
    with pytest.raises(error, match=words) as caught:
        HuberizedSVMClassifier(**{**SMALL, **change}).fit(X, y)
    assert "\n" not in str(caught.value)


def test_bad_data_is_named():
    X, y = planted()
    with pytest.raises(DataError, match="only one class: 'no'"):
        HuberizedSVMClassifier().fit(X[y == "no"], y[y == "no"])
    with pytest.raises(DataError, match="only one class"):
        HuberizedSVMClassifier().fit(X, y, sample_weight=(y == "yes").astype(float))
    with pytest.raises(DataError, match="sample_weight of shape"):
        HuberizedSVMClassifier().fit(X, y, sample_weight=-np.ones(45))
    with pytest.raises(DataError, match="zero in every row"):
        HuberizedSVMClassifier().fit(X, y, sample_weight=np.zeros(45))
    with pytest.raises(DataError, match="no column of X varies with y"):
        HuberizedSVMClassifier().fit(np.ones((45, 3)), y)


few = settings(max_examples=12, deadline=None)
seeds = st.integers(0, 10**6)


def drawn(seed):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(12, 30)), int(rng.integers(3, 40))
    X, y = rng.normal(size=(n, p)), rng.permutation(np.arange(n) % 2)
    X[:, 0] += y
    return rng, X, y


@few
@given(seeds)
def test_scale_of_a_column_changes_nothing(seed):
    rng, X, y = drawn(seed)
    factor = 10.0 ** rng.uniform(-3, 3, X.shape[1]) * rng.choice([-1, 1], X.shape[1])
    a = HuberizedSVMClassifier(**SMALL).fit(X, y)
    b = HuberizedSVMClassifier(**SMALL).fit(X * factor, y)
    np.testing.assert_allclose(a.fold_losses_, b.fold_losses_, atol=1e-7)
    np.testing.assert_allclose(b.coef_ * factor, a.coef_, atol=1e-7)
    np.testing.assert_allclose(b.decision_function(X * factor), a.decision_function(X), atol=1e-6)


@few
@given(seeds)
def test_swapped_labels_turn_the_signs(seed):
    _, X, y = drawn(seed)
    a = HuberizedSVMClassifier(**SMALL).fit(X, y)
    b = HuberizedSVMClassifier(**SMALL).fit(X, 1 - y)
    np.testing.assert_allclose(b.coef_, -a.coef_, atol=1e-7)
    np.testing.assert_allclose(b.intercept_, -a.intercept_, atol=1e-7)
    np.testing.assert_allclose(b.predict_proba(X), a.predict_proba(X)[:, ::-1], atol=1e-6)


@few
@given(seeds)
def test_order_of_the_columns_plays_no_part(seed):
    rng, X, y = drawn(seed)
    order = rng.permutation(X.shape[1])
    a = HuberizedSVMClassifier(**SMALL).fit(X, y)
    b = HuberizedSVMClassifier(**SMALL).fit(pd.DataFrame(X[:, order]), y)
    np.testing.assert_allclose(b.coef_, a.coef_[:, order], atol=1e-7)
    np.testing.assert_allclose(b.path_n_active_, a.path_n_active_)
