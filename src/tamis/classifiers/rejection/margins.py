"""What a fitted classifier says of rows: labels, margins and probabilities of its classes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from ..._core.errors import PlanError


@dataclass(frozen=True)
class EstimatorOutput:
    """Of m rows.

    Attributes
    ----------
    codes : ndarray of shape (m,)
        Predicted.
    margin : ndarray of shape (m, C) or None
        Decision values; of two classes half of them, with either sign.
    proba : ndarray of shape (m, C) or None
    distance : ndarray of shape (m,) or None
        From the nearest border, where the classifier is linear in a space with a norm.
    """

    codes: np.ndarray
    margin: np.ndarray | None
    proba: np.ndarray | None
    distance: np.ndarray | None


def estimator_output(
    fitted: Any, X: Any, classes: np.ndarray, norm: float | None = None
) -> EstimatorOutput:
    """Ask a fitted classifier, which may lack some of the classes.

    Raises
    ------
    PlanError
        Its decision values are of pairs of classes.
    """
    own = np.searchsorted(classes, fitted.classes_)
    codes = np.searchsorted(classes, np.asarray(fitted.predict(X)))
    scores = distance = probabilities = None
    if hasattr(fitted, "decision_function"):
        found = np.asarray(fitted.decision_function(X), dtype=np.float64)
        if found.ndim == 1:
            found = np.column_stack([-found, found]) / 2
        pairs = getattr(_last_step(fitted), "decision_function_shape", "") == "ovo"
        if found.shape[1] == len(own) and not (pairs and len(own) > 2):
            distance = border_distance(fitted, found, np.searchsorted(own, codes), norm)
            scores = np.full((len(codes), len(classes)), found.min(initial=0.0) - 1.0)
            scores[:, own] = found
        elif not hasattr(fitted, "predict_proba"):
            raise PlanError(
                f"{type(fitted).__name__} gives {found.shape[1]} decision values for {len(own)} "
                'classes: set decision_function_shape="ovr"'
            )
    if hasattr(fitted, "predict_proba"):
        probabilities = np.zeros((len(codes), len(classes)))
        probabilities[:, own] = fitted.predict_proba(X)
    return EstimatorOutput(codes, scores, probabilities, distance)


def border_distance(
    fitted: Any, scores: np.ndarray, codes: np.ndarray, norm: float | None = None
) -> np.ndarray | None:
    """min_r (f_c - f_r) / ||w_c - w_r|| of rows that are called class c (m,); None where the norm
    is not known. Of a machine with a kernel the norm is that of its feature space,
    sum_i a_i (f(x_i) - b) over the support vectors; `norm` is what `binary_norm` gave before."""
    last = _last_step(fitted)
    rows = np.arange(len(scores))
    if scores.shape[1] == 2:
        norm = binary_norm(fitted) if norm is None else norm
        gap = scores[rows, codes] - scores[rows, 1 - codes]
        return gap / norm if norm else None
    weights = _dense_array(getattr(last, "coef_", None))
    pairs = hasattr(last, "support_vectors_")  # whose weights are of two classes each
    if pairs or weights is None or len(weights) != scores.shape[1]:
        return None
    apart = np.linalg.norm(weights[:, None] - weights, axis=2)[codes]
    gaps = scores[rows, codes][:, None] - scores
    far = np.full(gaps.shape, np.inf)  # of two classes with the same weights no border is between
    return np.divide(gaps, apart, out=far, where=apart > 0).min(axis=1)


def _last_step(fitted: Any) -> Any:
    """What decides: of a pipeline its last step, of a search what it found best."""
    while True:
        if isinstance(fitted, Pipeline):
            fitted = fitted[-1]
        elif hasattr(fitted, "best_estimator_"):
            fitted = fitted.best_estimator_
        else:
            return fitted


def binary_norm(fitted: Any) -> float:
    """||w|| of a model of two classes; 0 where it is not known."""
    last = _last_step(fitted)
    coef = _dense_array(getattr(last, "coef_", None))
    if coef is not None and coef.size:
        return float(np.linalg.norm(coef)) if len(np.atleast_2d(coef)) == 1 else 0.0
    vectors, dual = getattr(last, "support_vectors_", None), getattr(last, "dual_coef_", None)
    if vectors is None or dual is None or not vectors.shape[0] or dual.shape[0] != 1:
        return 0.0
    with warnings.catch_warnings():  # support vectors have no names
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        away = last.decision_function(vectors) - last.intercept_
    return float(np.sqrt(max(0.0, (np.asarray(_dense_array(dual)) @ away)[0])))


def _dense_array(array: Any) -> np.ndarray | None:
    """An array that may be sparse, or missing or raise no more than AttributeError."""
    if array is None:
        return None
    return np.asarray(array.toarray() if hasattr(array, "toarray") else array)
