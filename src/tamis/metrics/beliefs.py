"""Scores of probabilities: belief confusion (BCM), correct-class enrichment (CCEM), Brier.

All but the scaled Brier score are weighted means, over the classes, of the mean of a number in
[0, 1] in each class.
"""

from __future__ import annotations

import numpy as np


def own_beliefs(codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    """The probability given to each sample's own class, (n,)."""
    return proba[np.arange(len(codes)), codes]


def enrichment_values(codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    """(1 + w)/2 where the winning probability w is that of the own class, else (1 - w)/2; (n,).

    The first of equally probable classes wins.
    """
    winner = proba.argmax(axis=1)
    winning = proba[np.arange(len(codes)), winner]
    return (1.0 + np.where(winner == codes, winning, -winning)) / 2.0


def class_means(codes: np.ndarray, values: np.ndarray, C: int) -> np.ndarray:
    """Mean of the values in each class, 0 for a class without samples; (C,)."""
    counts = np.bincount(codes, minlength=C)
    return np.bincount(codes, weights=values, minlength=C) / np.maximum(counts, 1)


def bcm_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """Mean, over the classes present, of the mean belief in the class among its samples."""
    own = class_means(codes, own_beliefs(codes, proba), proba.shape[1])
    return float(own.sum() / np.count_nonzero(np.bincount(codes)))


def ccem_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """(1 + (winning probability summed over right - over wrong predictions) / n) / 2."""
    return float(enrichment_values(codes, proba).mean())


def squared_errors(codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    """Half the squared distance of the probabilities to the class, in [0, 1]; (n,).

    Of two classes it is (p - y)^2 of the positive one.
    """
    own = codes[:, None] == np.arange(proba.shape[1])
    found: np.ndarray = ((proba - own) ** 2).sum(axis=1) / 2
    return found


def brier_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """Mean of the squared errors."""
    return float(squared_errors(codes, proba).mean())


def shares_brier(counts: np.ndarray) -> float:
    """The score of the class shares themselves, for all samples: (1 - sum of squared shares)/2."""
    shares = counts / counts.sum()
    return float((1 - (shares**2).sum()) / 2)


def scaled_brier_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """1 - Brier/(that of the class shares of the samples judged); NaN of one class."""
    shares = shares_brier(np.bincount(codes, minlength=proba.shape[1]))
    return 1 - brier_of(codes, proba) / shares if shares > 0 else float("nan")
