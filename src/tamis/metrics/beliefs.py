"""Scores of probabilities: belief confusion (BCM) and correct-class enrichment (CCEM)."""

from __future__ import annotations

import numpy as np


def bcm_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """Mean, over the classes present, of the mean belief in the class among its samples."""
    own = proba[np.arange(len(codes)), codes]
    counts = np.bincount(codes)
    sums = np.bincount(codes, weights=own)
    return float((sums / np.maximum(counts, 1)).sum() / np.count_nonzero(counts))


def ccem_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """(1 + (winning probability summed over right - over wrong predictions) / n) / 2."""
    return float((1.0 + _signed(codes, proba).sum() / len(codes)) / 2.0)


def weighted_bcm_of(codes: np.ndarray, proba: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """`bcm_of` of every column of `weights` (n, B); (B,)."""
    own = proba[np.arange(len(codes)), codes]
    members = (np.arange(proba.shape[1])[:, None] == codes).astype(np.float64)
    counts = members @ weights
    sums = (members * own) @ weights
    return (sums / np.maximum(counts, 1.0)).sum(axis=0) / np.count_nonzero(counts, axis=0)


def weighted_ccem_of(codes: np.ndarray, proba: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """`ccem_of` of every column of `weights` (n, B); (B,)."""
    return (1.0 + (_signed(codes, proba) @ weights) / weights.sum(axis=0)) / 2.0


def _signed(codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    """The winning probability, negative where the winner is the wrong class; first on ties."""
    winner = proba.argmax(axis=1)
    winning = proba[np.arange(len(codes)), winner]
    return np.where(winner == codes, winning, -winning)
