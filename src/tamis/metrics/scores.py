"""Scores of predictions, on labels as users have them.

Each function turns labels into class codes and calls the kernel of the same score; studies
call the kernels directly (`tamis.metrics.registry`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._core.errors import DataError, nearest_hint
from . import beliefs, ranks
from . import confusion_matrix as cells
from ._labels import belief_codes, label_codes


def balanced_classification_rate(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Balanced accuracy (BCR): mean over classes of the share predicted right.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels.

    Returns
    -------
    float
        Between 0 and 1; 1/C by chance. Averaged over the classes present in `y_true`.

    Raises
    ------
    DataError
        Empty arrays, different lengths or missing labels.

    Examples
    --------
    >>> balanced_classification_rate(["a", "a", "a", "b"], ["a", "a", "a", "a"])
    0.5
    """
    return float(cells.bcr_of(_confusion_of(y_true, y_pred)))


def accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Share of samples predicted right.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)

    Returns
    -------
    float

    Examples
    --------
    >>> accuracy(["a", "a", "a", "b"], ["a", "a", "a", "a"])
    0.75
    """
    return float(cells.accuracy_of(_confusion_of(y_true, y_pred)))


def f_measure(y_true: ArrayLike, y_pred: ArrayLike, positive: Any = None) -> float:
    """F-measure, 2TP / (2TP + FP + FN).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
    positive : label, optional
        The class whose F-measure is wanted. By default the last sorted label of two, and
        with more than two classes the mean over the classes present or predicted.

    Returns
    -------
    float
        Between 0 and 1; NaN if the positive class is neither present nor predicted.

    Raises
    ------
    DataError
        `positive` is not among the labels.

    Examples
    --------
    >>> round(f_measure(["no", "no", "yes", "yes"], ["no", "yes", "yes", "yes"]), 4)
    0.8
    >>> round(f_measure(["no", "no", "yes", "yes"], ["no", "yes", "yes", "yes"], "no"), 4)
    0.6667
    """
    true, pred, names = label_codes(y_true, y_pred)
    if positive is None and len(names) > 2:
        return float(cells.f_of(cells.confusion(true, pred, len(names))))
    if positive is None:
        positive = names[-1]
    elif positive not in names:
        raise DataError(
            f"positive class {positive!r} is neither in y_true nor in y_pred: "
            f"{nearest_hint(positive, names)}"
        )
    code = names.index(positive)
    pair = (true == code).astype(np.int64), (pred == code).astype(np.int64)
    return float(cells.f_of(cells.confusion(*pair, 2)))


def matthews(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Matthews correlation of predicted and true classes.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        With more than two classes this is Gorodkin's R_K.

    Returns
    -------
    float
        Between -1 and 1; 0 by chance, and 0 if all predictions or all labels are one class.

    References
    ----------
    Gorodkin (2004), Comparing two K-category assignments by a K-category correlation
    coefficient. Computational Biology and Chemistry 28, 367-374.

    Examples
    --------
    >>> round(matthews(["a", "a", "b", "b"], ["a", "b", "b", "b"]), 4)
    0.5774
    """
    return float(cells.mcc_of(_confusion_of(y_true, y_pred)))


def expected_loss(
    y_true: ArrayLike, y_pred: ArrayLike, costs: ArrayLike, classes: Sequence[Any] | None = None
) -> float:
    """Mean cost of a prediction: sum over cells of cost x count, over n.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
    costs : array-like of shape (C, C)
        Cost of predicting the row's class when the column's class is true.
    classes : sequence of labels, optional
        The classes of the rows and columns of `costs`; by default the sorted labels of
        `y_true` and `y_pred`.

    Returns
    -------
    float
        In the unit of `costs`.

    Raises
    ------
    DataError
        `costs` is not a finite square matrix with a row for every class.

    Examples
    --------
    >>> costs = [[0, 10], [1, 0]]  # missing a "sick" costs 10, a false alarm 1
    >>> expected_loss(["well", "well", "sick", "sick"], ["well", "sick", "sick", "well"],
    ...               costs, classes=["well", "sick"])
    2.75
    """
    true, pred, names = label_codes(y_true, y_pred, classes)
    table = np.asarray(costs, dtype=np.float64)
    C = len(names)
    if table.shape != (C, C) or not np.isfinite(table).all():
        raise DataError(
            f"costs has shape {table.shape} for {C} classes: give a finite {C} x {C} matrix, rows "
            "predicted and columns true, and name its classes with classes="
        )
    return float(cells.loss_of(cells.confusion(true, pred, C), table))


def area_under_roc(
    y_true: ArrayLike, proba: ArrayLike, classes: Sequence[Any] | None = None
) -> float:
    """Area under the ROC curve, from mid-ranks.

    (sum of mid-ranks of the positives - n+(n+ + 1)/2) / (n+ n-).

    Parameters
    ----------
    y_true : array-like of shape (n,)
    proba : array-like of shape (n, C), or (n,) for two classes
        Any scores that grow with the belief in the column's class; (n,) is for the last class.
    classes : sequence of labels, optional
        The classes of the columns; by default the sorted labels of `y_true`.

    Returns
    -------
    float
        With more than two classes the mean of one-vs-rest areas. NaN if a class is absent.

    Raises
    ------
    DataError
        Columns and classes do not match, or scores are not finite.

    Examples
    --------
    >>> area_under_roc([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    codes, scores, _ = belief_codes(y_true, proba, classes)
    return ranks.auc_of(codes, scores)


def area_under_pr(
    y_true: ArrayLike, proba: ArrayLike, classes: Sequence[Any] | None = None
) -> float:
    """Area under the precision-recall curve: average precision, averaged over all classes.

    Parameters
    ----------
    y_true, proba, classes
        As in `area_under_roc`. With two classes too the mean is over both.

    Returns
    -------
    float
        NaN if a class is absent.

    Examples
    --------
    >>> area_under_pr([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333333333333333
    """
    codes, scores, _ = belief_codes(y_true, proba, classes)
    return ranks.auprc_of(codes, scores)


def brier_score(y_true: ArrayLike, proba: ArrayLike, classes: Sequence[Any] | None = None) -> float:
    """Brier score: mean squared error of probabilities.

    The mean of sum_k (P(k | x) - [k is the class])^2 / 2; of two classes that of (p - y)^2, p being
    the probability of the last class. scikit-learn's with ``scale_by_half=True``.

    Parameters
    ----------
    y_true : array-like of shape (n,)
    proba : array-like of shape (n, C), or (n,) for two classes
        Probabilities; (n,) is that of the last class.
    classes : sequence of labels, optional
        The classes of the columns; by default the sorted labels of `y_true`.

    Returns
    -------
    float
        Between 0, the best, and 1.

    Raises
    ------
    DataError
        Columns and classes do not match, or rows are not probabilities that sum to 1.

    Examples
    --------
    >>> brier_score(["a", "a", "b"], [[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]])
    0.104...
    """
    codes, probabilities, _ = belief_codes(y_true, proba, classes, probabilities=True)
    return beliefs.brier_of(codes, probabilities)


def scaled_brier_score(
    y_true: ArrayLike, proba: ArrayLike, classes: Sequence[Any] | None = None
) -> float:
    """Scaled Brier score: the share of the class shares' squared error that is saved.

    1 - Brier / Brier of the class shares of `y_true`; 1 is perfect, 0 no better than the shares.

    Parameters
    ----------
    y_true : array-like of shape (n,)
    proba : array-like of shape (n, C), or (n,) for two classes
        As of `brier_score`.
    classes : sequence of labels, optional

    Returns
    -------
    float
        At most 1; NaN of samples of one class.

    Raises
    ------
    DataError
        As of `brier_score`.

    Examples
    --------
    >>> scaled_brier_score(["a", "b"], [[1.0, 0.0], [0.5, 0.5]])
    0.5
    """
    codes, probabilities, _ = belief_codes(y_true, proba, classes, probabilities=True)
    return beliefs.scaled_brier_of(codes, probabilities)


def belief_confusion_metric(
    y_true: ArrayLike, proba: ArrayLike, classes: Sequence[Any] | None = None
) -> float:
    """Belief confusion metric (BCM): the BCR with probabilities in place of 0/1 predictions.

    (1/C) sum over classes k of the mean of P(k | x) over the samples of class k.

    Parameters
    ----------
    y_true : array-like of shape (n,)
    proba : array-like of shape (n, C), or (n,) for two classes
        Probabilities; (n,) is that of the last class.
    classes : sequence of labels, optional
        The classes of the columns; by default the sorted labels of `y_true`.

    Returns
    -------
    float
        Between 0 and 1; 1/C by chance. Averaged over the classes present in `y_true`.

    Raises
    ------
    DataError
        Columns and classes do not match, or rows are not probabilities that sum to 1.

    Examples
    --------
    >>> belief_confusion_metric(["a", "a", "b"], [[0.75, 0.25], [0.25, 0.75], [0.0, 1.0]])
    0.75
    """
    codes, probabilities, _ = belief_codes(y_true, proba, classes, probabilities=True)
    return beliefs.bcm_of(codes, probabilities)


def correct_class_enrichment(
    y_true: ArrayLike, proba: ArrayLike, classes: Sequence[Any] | None = None
) -> float:
    """Correct-class enrichment metric (CCEM).

    (1 + (sum over right predictions of the winning probability - sum over wrong ones) / n) / 2,
    the prediction being the most probable class (the first of equals).

    Parameters
    ----------
    y_true, proba, classes
        As in `belief_confusion_metric`.

    Returns
    -------
    float
        Between 0 (sure and always wrong) and 1 (sure and always right).

    Raises
    ------
    DataError
        Columns and classes do not match, or rows are not probabilities that sum to 1.

    Examples
    --------
    >>> correct_class_enrichment(["a", "a", "b"], [[0.75, 0.25], [0.25, 0.75], [0.0, 1.0]])
    0.6666666666666666
    """
    codes, probabilities, _ = belief_codes(y_true, proba, classes, probabilities=True)
    return beliefs.ccem_of(codes, probabilities)


def _confusion_of(y_true: ArrayLike, y_pred: ArrayLike) -> np.ndarray:
    true, pred, names = label_codes(y_true, y_pred)
    return cells.confusion(true, pred, len(names))
