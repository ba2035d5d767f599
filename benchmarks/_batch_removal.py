"""Batch removal before cross-validation and inside it, and a classifier quick enough for hundreds
of simulated tables: shared by batch_leaks.py's parts."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import StratifiedKFold

from tamis.metrics import balanced_classification_rate
from tamis.preparation import BatchCenterer, ComBat

STEPS = {"center_by_batch": BatchCenterer, "combat": ComBat}
FOLDS = 5


def class_part(X, y, batch) -> np.ndarray:
    """What least squares on batches and classes says of each row's class (n, p)."""
    classes = (y[:, None] == np.unique(y)[1:]).astype(float)
    design = np.hstack([(batch[:, None] == np.unique(batch)).astype(float), classes])
    coefficients = np.linalg.lstsq(design, X, rcond=None)[0]
    return classes @ coefficients[-classes.shape[1] :]


def fitted_and_adjusted(step: str, X, y, batch, class_in_design: bool):
    """The step fitted to the rows, and the rows adjusted.

    With the class in the design: the class's part is taken off, batches are adjusted, the part is
    put back. So do limma's ``removeBatchEffect(design=)`` and sva's ``ComBat(mod=)``.
    """
    part = class_part(X, y, batch) if class_in_design else 0.0
    fitted = STEPS[step]().fit(X - part, batch=batch)
    return fitted, fitted.transform(X - part, batch=batch) + part


def nearest_centroids(X, y, size: int | None):
    """Weights and offsets of the diagonal discriminant with equal priors, on all columns or on
    those with the largest F."""
    classes, codes = np.unique(y, return_inverse=True)
    means = np.array([X[codes == c].mean(axis=0) for c in range(len(classes))])
    inside = ((X - means[codes]) ** 2).sum(axis=0) / (len(y) - len(classes))
    inside[inside <= 1e-12 * (X**2).mean(axis=0)] = np.inf  # a constant column says nothing
    weights = means / inside
    if size is not None:
        between = np.bincount(codes) @ (means - X.mean(axis=0)) ** 2 / inside
        weights[:, np.argsort(-between, kind="stable")[size:]] = 0.0
    return classes, weights, (weights * means).sum(axis=1) / 2


def told(model, X) -> np.ndarray:
    """The class of each row."""
    classes, weights, offsets = model
    return classes[(X @ weights.T - offsets).argmax(axis=1)]


def rates(y, predicted, batch) -> tuple[float, float]:
    """Balanced accuracy, and the mean of those taken in each batch that has all classes."""
    full = [b for b in np.unique(batch) if len(np.unique(y[batch == b])) == len(np.unique(y))]
    own = [balanced_classification_rate(y[batch == b], predicted[batch == b]) for b in full]
    return balanced_classification_rate(y, predicted), float(np.mean(own)) if own else np.nan


def folds_with_batches(y, batch, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Stratified folds, drawn again until every training set has two rows of each batch."""
    for draw in range(1000):
        state = seed * 1000 + draw
        found = list(StratifiedKFold(FOLDS, shuffle=True, random_state=state).split(y[:, None], y))
        names, sizes = np.unique(batch, return_counts=True)
        if all(
            (batch[test] == b).sum() <= n - 2
            for _, test in found
            for b, n in zip(names, sizes, strict=True)
        ):
            return found
    raise ValueError("a batch is too small for folds")


def cross_validated(X, y, batch, step, where, folds, size=None) -> np.ndarray:
    """Predictions of held-out rows.

    Parameters
    ----------
    step : {"center_by_batch", "combat"} or None
    where : {"inside", "inside, class", "before", "before, class"}
        The step is fitted to training rows or, beforehand, to all; class: it is in the design.
        Held-out rows are adjusted for their batches alone where the step is fitted inside.
    """
    in_design, before = where.endswith("class"), where.startswith("before")
    predicted = np.empty_like(y)
    table = fitted_and_adjusted(step, X, y, batch, in_design)[1] if step and before else X
    for train, test in folds:
        own, held = table[train], table[test]
        if step and not before:
            fitted, own = fitted_and_adjusted(step, X[train], y[train], batch[train], in_design)
            held = fitted.transform(X[test], batch=batch[test])
        predicted[test] = told(nearest_centroids(own, y[train], size), held)
    return predicted


def of_new_samples(X, y, batch, step, where, new, new_batch, size=None) -> np.ndarray:
    """Predictions of new samples of the same batches, adjusted as a patient would be: by the step
    fitted to all the study's rows."""
    own = X
    if step:
        fitted, own = fitted_and_adjusted(step, X, y, batch, where.endswith("class"))
        new = fitted.transform(new, batch=new_batch)
    return told(nearest_centroids(own, y, size), new)
