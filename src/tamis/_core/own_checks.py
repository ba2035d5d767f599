"""What a user's own estimator must be to select or to classify, looked at before it is fitted."""

from __future__ import annotations

import inspect
from typing import Any

from .errors import PlanError
from .interfaces import Kind
from .own_code import Own, inner_parts


def check_selector(own: Own) -> None:
    """Refuse what selects nothing."""
    one = own.example
    last = one.steps[-1][1] if hasattr(one, "steps") else one
    if not (hasattr(last, "get_support") or callable(getattr(one, "rank", None))):
        ends = "" if last is one else f" ends with {type(last).__name__}, which"
        raise PlanError(
            f"select = {own.name!r}{ends} has no `get_support`: give a selector such as "
            "sklearn.feature_selection:SelectKBest"
        )
    _check_parts(own)


def check_classifier(own: Own) -> Kind:
    """What a classifier says of samples; refuse what is none."""
    one = own.example
    if not callable(getattr(one, "predict", None)):
        lacks = "before it is fitted: give it a final_estimator"
        if not is_kind(one, "is_classifier"):
            lacks = "at all: give a classifier"
        raise PlanError(f"classify = {own.name!r} has no `predict` {lacks}")
    for kind in ("regressor", "clusterer", "outlier_detector"):
        if is_kind(one, f"is_{kind}"):
            words = kind.replace("_", " ")
            raise PlanError(f"classify = {own.name!r} is a {words}: give a classifier")
    _check_parts(own)
    return known_of(one)


def check_regressor(own: Own) -> None:
    """Refuse a regressor that predicts nothing."""
    if not callable(getattr(own.example, "predict", None)):
        raise PlanError(
            f"classify = {own.name!r} has no `predict` before it is fitted: give it a "
            "final_estimator"
        )
    _check_parts(own)


def check_outcome(own: Own, response: str) -> None:
    """Refuse a classifier for a number, and a regressor for classes."""
    regresses = is_kind(own.example, "is_regressor")
    if response == "class" and regresses:
        raise PlanError(f"classify = {own.name!r} is a regressor: give a classifier")
    if response == "number" and not regresses:
        raise PlanError(
            f"classify = {own.name!r} is no regressor, and a number is predicted here: give one "
            "such as sklearn.linear_model:HuberRegressor"
        )


def known_of(one: Any) -> Kind:
    """What an estimator says of samples: probabilities, margins, or labels alone."""
    if hasattr(one, "predict_proba"):
        return "proba"
    return "order" if hasattr(one, "decision_function") else "labels"


def takes_weights(own: Own) -> bool:
    """Whether a classifier's `fit` has ``sample_weight``."""
    try:
        return "sample_weight" in inspect.signature(own.example.fit).parameters
    except (TypeError, ValueError):
        return False


def refuse_regression(own: Own, one: Any) -> None:
    """Codes of three classes are no numbers: a regression would take them for an order."""
    for inner in inner_parts(one):
        if is_kind(inner, "is_regressor"):
            raise PlanError(
                f"{own.name!r} holds {type(inner).__name__}, a regression, which would take "
                "several classes for an order: use a classifier"
            )


def is_kind(one: Any, kind: str) -> bool:
    """What scikit-learn says of an estimator; nothing of one that has none of its manners."""
    import sklearn.base

    try:
        return bool(getattr(sklearn.base, kind)(one))
    except (AttributeError, TypeError):
        return False


def _check_parts(own: Own) -> None:
    for part in inner_parts(own.example):
        if type(part).__name__ == "ColumnTransformer":
            raise PlanError(
                f"{own.name!r} holds a ColumnTransformer, which names columns, and which columns "
                "there are is chosen anew in every training set: use `prepare` or `blocks`"
            )
