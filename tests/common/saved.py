"""Every predictor and decision of the registry, fitted small, and its arrays as files have them."""

from __future__ import annotations

from functools import cache

import numpy as np

from common.null_methods import QUICK_PARAMETERS, QUICK_SETTINGS
from tamis._core.interfaces import Beliefs, Part
from tamis._core.registry import find_row, row_names
from tamis._core.rows import ClassifierRow, DecisionRow, PathRow, RecalibrationRow, RuleRow
from tamis.classifiers.base.scaling import fit_in_units
from tamis.classifiers.classifier_labels import build_classifier
from tamis.classifiers.recalibrations.layer import Recalibrated
from tamis.classifiers.rejection.decision import NamedRule, rejecting_decision
from tamis.model.file import revived_decision
from tamis.model.named_method import NamedMethod

LABELS = [
    n for n in row_names(ClassifierRow) if not find_row(n, ClassifierRow).takes.is_meta_estimator
]
LABELS += [
    f"{n}({of})"
    for n in row_names(ClassifierRow)
    if find_row(n, ClassifierRow).takes.is_meta_estimator
    for of in ("naive_bayes", "forest", "svm_linear")
    if find_row(of, ClassifierRow).takes.accepts_sample_weight
    or not find_row(n, ClassifierRow).takes.sets_sample_weight
    or not find_row(n, ClassifierRow).takes.sets_sample_weight
]
RAW = [
    "tree",
    "forest",
    "c45",
    "c44",
    "aode",
    "aodesr",
    "adaboost",
    "logitboost",
    "bagging(c45)",
    "cost_weighted(c45)",
    "costing(c45)",
    "cost_resampled(tree)",
    "metacost(c45)",
    "data_space_expansion(c45)",
    "as_categories(c45)",
]
MORE = ["constant", "perfect", "far"]  # tables that lead to predictors of other kinds
KEYS = [(label, C) for label in LABELS for C in (2, 4)]
KEYS += [(f"{label} {kind}", 2) for label in ("lda", "tree", "svm_rbf") for kind in MORE]
KEYS += [(f"{label} {kind}", C) for label in RAW for kind in ("levels", "flag") for C in (2, 4)]
KEYS += [
    (f"as_categories({of}) few{more}", 2) for of, more in (("naive_bayes", ""), ("c45", " raw"))
]
KEYS += [(name, C) for name in row_names(PathRow) for C in (2, 4)]
DECISIONS = [
    (name, C)
    for name in row_names(DecisionRow)
    for C in (2, 4)
    if C == 2 or not find_row(name, DecisionRow).two_classes
]
LAYERED = [(name, C) for name in row_names(RecalibrationRow) for C in (2, 4)]
RULED = [(name, C, rule) for name, C in [*DECISIONS, *LAYERED] for rule in row_names(RuleRow)]
RULE_GIVEN = {
    "coverage": {"at": 0.7},
    "cost": {"at": 0.4},
    "conformal": {"at": 0.3},
    "risk": {"at": 0.5, "confidence": 0.5},
}
K = 3


def settings_of(label):
    points = QUICK_SETTINGS.get(label.split("(")[0], {})
    return {name: values[0] for name, values in points.items()}


def numbers(n, C, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % C
    return rng.normal(size=(n, K)) + 0.8 * y[:, None], y


@cache
def saved(key):
    """What it is, the fitted predictor, its arrays as a file has them, and new rows."""
    name, C = key
    label, _, kind = name.partition(" ")
    X, y = numbers(40, C)
    new = numbers(12, C, seed=1)[0]
    if kind == "constant":
        X = np.ones_like(X)
    if kind == "perfect":
        X[:, :] = y[:, None]
    levels = None
    if kind == "levels":  # codes and gaps beside numbers
        levels = {0: 3, 2: 5}
        for rows in (X, new):
            rows[:, ::2] = np.clip(np.round(rows[:, ::2] + 1), 0, 2)
            rows[::7, 0] = rows[::5, 1] = np.nan
    if kind == "flag":  # one value, or one category, and gaps: that there is one is all it says
        levels = {0: 2}
        X[:, :2] = np.where(y == 1, 1.0, np.nan)[:, None]
        new[::2, :2], new[1::2, :2] = 1, np.nan
    if kind.startswith("few"):  # one column of few values, which no level tells of
        X[:, 2], new[:, 2] = np.round(X[:, 2]), np.round(2 * new[:, 2]) / 2
        levels = {} if kind == "few raw" else None
    if kind == "far":
        X, new = X * 1e200, new * 1e200
    if label in row_names(PathRow):
        row = find_row(label, PathRow)
        path = row.build(QUICK_PARAMETERS.get(label, {})).follow(
            Part.of(X, y), None, np.random.SeedSequence(0)
        )
        step = len(path.settings) // 2
        named = NamedMethod("method", label, {})
        fitted, new = path.predictor(step, path.columns[step]), new[:, path.columns[step]]
    else:
        named = NamedMethod("classify", label, settings_of(label))
        costs = (1 + np.arange(C)) * (1 - np.eye(C))
        built = build_classifier(label, named.parameters, costs)
        fitted = fit_in_units(built, X, y, C, 0, levels)
    arrays = {k: np.ascontiguousarray(v, float) for k, v in fitted.to_arrays().items()}
    return named, fitted, arrays, new


@cache
def decided(key):
    """The name of a decision, the decision fitted, its arrays, and beliefs of new rows; or of a
    recalibration under the likeliest class."""
    name, C = key
    rng = np.random.default_rng(C)
    y = np.arange(40) % C
    margin = rng.normal(size=(40, C)) + 1.5 * (y[:, None] == np.arange(C))
    proba = np.exp(margin) / np.exp(margin).sum(axis=1, keepdims=True)
    named = NamedMethod("decide", "arg_max" if key in LAYERED else name, {})
    row = find_row(named.name, DecisionRow)
    given = {"costs": np.arange(1.0, C + 1) * (1 - np.eye(C))} if row.costs else {}
    decision = row.build(given)
    if key in LAYERED:
        decision = Recalibrated(find_row(name, RecalibrationRow).build({}), decision)
    fitted = decision.fit(Beliefs(proba, margin), y)
    arrays = {k: np.ascontiguousarray(v, float) for k, v in fitted.to_arrays().items()}
    return named, fitted, arrays, Beliefs(proba[:9], margin[:9] - 0.3)


def revive(key, arrays):
    """A decision, or a recalibration under one, from its arrays."""
    named = decided(key)[0]
    by = NamedMethod("recalibrate", key[0], {}) if key in LAYERED else None
    return revived_decision(named, arrays, key[1], recalibrated_by=by)


@cache
def ruled(key):
    """The same with a rule about whom it is not made for, and novelty."""
    name, C, rule = key
    rng = np.random.default_rng(C)
    y = np.arange(60) % C
    margin = rng.normal(size=(60, C)) + 1.5 * (y[:, None] == np.arange(C))
    proba = np.exp(margin) / np.exp(margin).sum(axis=1, keepdims=True)
    beliefs = Beliefs(proba, margin, rng.gamma(2.0, size=60))
    layered = (name, C) in LAYERED
    row = find_row("arg_max" if layered else name, DecisionRow)
    costs = np.arange(1.0, C + 1) * (1 - np.eye(C))
    parameters = find_row(rule, RuleRow).validated(RULE_GIVEN.get(rule, {}))
    named = NamedRule(rule, parameters, "auto", 0.1)
    whole = row.build({"costs": costs} if row.costs else {})
    if layered:
        whole = Recalibrated(find_row(name, RecalibrationRow).build({}), whole)
    fitted = rejecting_decision(whole, named, costs).fit(beliefs, y)
    arrays = {k: np.ascontiguousarray(v, float) for k, v in fitted.to_arrays().items()}
    new = Beliefs(proba[:20], margin[:20] - 0.3, rng.gamma(2.0, size=20) * 2)
    cells = tuple(map(tuple, costs.tolist()))
    return NamedMethod("decide", row.name, {}), named, fitted, arrays, new, cells


def revive_ruled(key, arrays):
    """A decision with a rule, perhaps with a recalibration between them, from its arrays."""
    decided_by, named, *_, costs = ruled(key)
    by = NamedMethod("recalibrate", key[0], {}) if key[:2] in LAYERED else None
    return revived_decision(decided_by, arrays, key[1], costs, named, by)
