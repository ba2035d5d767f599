"""The bootstrap .632+ estimate of an error rate.

A procedure that is judged on the rows it learnt from looks too good; judged on the rows that a
bootstrap sample leaves out, it has learnt from .632 of the rows only and looks too bad. The .632+
estimate weighs the two by how much the procedure overfits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Bootstrap632:
    """The estimate and what it is made of; NaN where undefined.

    Attributes
    ----------
    estimate : float
        The .632+ estimate of the error rate.
    apparent : float
        Error of the procedure on all rows, learnt from all rows.
    left_out : float
        Leave-one-out bootstrap error: of each row by the samples without it.
    no_information : float
        Error if predictions had nothing to do with the classes.
    overfitting : float
        Relative overfitting rate R, between 0 and 1.
    weight : float
        Of `left_out` in the estimate, between .632 and 1.
    """

    estimate: float
    apparent: float
    left_out: float
    no_information: float
    overfitting: float
    weight: float


def bootstrap_632_plus(apparent: float, left_out: float, no_information: float) -> Bootstrap632:
    """Put the two errors together.

    With the apparent error a, the error b of rows left out and the no-information rate g:
    R = (b - a) / (g - a), cut to [0, 1] (0 where b or g is not above a),
    w = .632 / (1 - .368 R), and the estimate is (1 - w) a + w b.

    The paper also replaces b by g in a part of the formula where b exceeds g (its equation 32).
    That is left out here: it can only lower the estimate, and where there is nothing to find,
    it makes the estimate more optimistic.

    Parameters
    ----------
    apparent, left_out, no_information : float
        Error rates in [0, 1].

    References
    ----------
    Efron and Tibshirani (1997), Improvements on cross-validation: the .632+ bootstrap method.
    Journal of the American Statistical Association 92, 548-560, equations 27 to 31.

    Examples
    --------
    >>> bootstrap_632_plus(0.0, 0.5, 0.5).estimate  # learnt by heart, and nothing else
    0.5
    >>> round(bootstrap_632_plus(0.1, 0.2, 0.5).estimate, 4)
    0.1696
    """
    overfitting = 0.0
    if left_out > apparent and no_information > apparent:
        overfitting = min((left_out - apparent) / (no_information - apparent), 1.0)
    if np.isnan([apparent, left_out, no_information]).any():
        overfitting = float("nan")
    weight = 0.632 / (1.0 - 0.368 * overfitting)
    estimate = (1.0 - weight) * apparent + weight * left_out
    return Bootstrap632(estimate, apparent, left_out, no_information, overfitting, weight)


def no_information_rate(weights: np.ndarray, predicted: np.ndarray) -> float:
    """Error of predictions that are dealt out without regard to the classes: sum w_c (1 - q_c).

    Parameters
    ----------
    weights : ndarray of shape (C,)
        What each class counts in the error: its share p_c for the plain error rate, 1/C for the
        balanced one.
    predicted : ndarray of shape (C,)
        Share q_c of the predictions that say class c.

    Examples
    --------
    >>> no_information_rate(np.array([0.75, 0.25]), np.array([1.0, 0.0]))
    0.25
    """
    return float(weights @ (1.0 - predicted))


def left_out_errors(rows: list[np.ndarray], wrong: list[np.ndarray], n: int) -> np.ndarray:
    """Error of each of n rows, mean over the bootstrap samples without it (n,); NaN where every
    sample holds the row.

    Parameters
    ----------
    rows, wrong : list of ndarray
        Of each sample the rows it leaves out, and whether each was predicted wrong.

    Examples
    --------
    >>> rows, wrong = [np.array([0, 2]), np.array([0])], [np.array([1, 0]), np.array([0])]
    >>> left_out_errors(rows, wrong, 3).tolist()
    [0.5, nan, 0.0]
    """
    at = np.concatenate([np.zeros(0, dtype=np.int64), *rows])
    times = np.bincount(at, minlength=n)
    total = np.bincount(at, np.concatenate([np.zeros(0), *wrong]), n)
    return np.divide(total, times, out=np.full(n, np.nan), where=times > 0)
