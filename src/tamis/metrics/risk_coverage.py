"""Risk and coverage: the error rate of the samples that a classifier is most certain of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import DataError
from ._labels import label_codes


@dataclass(frozen=True)
class RiskCoverage:
    """The error rate of the most certain samples, by how many these are.

    Attributes
    ----------
    coverage, risk : ndarray of shape (k,)
        From the least coverage there is to 1; samples of one certainty are taken in together.
    thresholds : ndarray of shape (k,)
        The certainty from which on those are.
    area : float
        AURC: the mean risk of the 1, 2, ... n most certain samples, in mean over the orders of
        equally certain ones.
    least_area : float
        That of a certainty that puts every error last.
    """

    coverage: np.ndarray
    risk: np.ndarray
    thresholds: np.ndarray
    area: float
    least_area: float

    @property
    def excess_area(self) -> float:
        """E-AURC, the area beyond the least: what a better order of the same errors would save."""
        return self.area - self.least_area

    def risk_at(self, coverage: float) -> float:
        """The risk where at least this share of the samples is given a class."""
        return float(self.risk[np.searchsorted(self.coverage, coverage - 1e-12)])


def risk_coverage_curve(y_true: Any, y_pred: Any, certainty: Any) -> RiskCoverage:
    """The error rate of the samples predicted with most certainty, at every coverage.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Labels; predicted ones at full coverage, of those too that would be declined.
    certainty : array-like of shape (n,)
        Higher is surer: a margin, a largest probability.

    Returns
    -------
    RiskCoverage

    Raises
    ------
    DataError
        The arrays do not go together, or a certainty is no number.

    References
    ----------
    El-Yaniv & Wiener (2010), On the foundations of noise-free selective classification. JMLR 11,
    1605-1641; Geifman, Uziel & El-Yaniv (2019), Bias-reduced uncertainty estimation, ICLR (AURC).

    Examples
    --------
    >>> curve = risk_coverage_curve([0, 0, 1, 1], [0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
    >>> curve.risk, round(curve.area, 4), curve.excess_area
    (array([0.  , 0.  , 0.  , 0.25]), 0.0625, 0.0)
    """
    true, predicted, _ = label_codes(y_true, y_pred)
    try:
        scores = np.asarray(certainty, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError("certainty: give a number for each sample") from error
    if scores.shape != true.shape or np.isnan(scores).any():
        raise DataError(
            f"certainty of shape {scores.shape}: give a number for each of the {len(true)} samples"
        )
    return risk_coverage_of(true != predicted, scores)


def risk_coverage_of(wrong: np.ndarray, certainty: np.ndarray) -> RiskCoverage:
    """From whether each sample was predicted wrong (n,), or what that cost, and its certainty."""
    lost = np.asarray(wrong, dtype=np.float64)
    points, place = np.unique(-certainty, return_inverse=True)
    counts = np.bincount(place, minlength=len(points))
    losses = np.bincount(place, lost, len(points))
    taken, sums = np.cumsum(counts), np.cumsum(losses)
    before = np.repeat(sums - losses, counts)
    within = np.arange(len(lost)) + 1 - np.repeat(taken - counts, counts)
    expected = before + within * np.repeat(losses / counts, counts)
    sizes = np.arange(1, len(lost) + 1)
    least = np.cumsum(np.sort(lost)) / sizes
    return RiskCoverage(
        taken / len(lost),
        sums / taken,
        -points,
        float((expected / sizes).mean()),
        float(least.mean()),
    )
