"""The metrics a study can report, by short name: one row each.

A row says what the metric is, which way is better, what chance gives, and how to compute it
from class codes, for one set of predictions and for many bootstrap resamples at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .._core.errors import PlanError, nearest
from . import beliefs, ranks
from . import confusion_matrix as cells


@dataclass(frozen=True)
class Metric:
    """A score of predictions, called as ``metric(codes_true, codes_pred, proba)``.

    Attributes
    ----------
    name : str
        The short name in plans and JSON.
    label : str
        The name people read.
    definition : str
        One sentence, for reports.
    direction : int
        +1 if higher is better, -1 if lower is.
    of_confusion : callable or None
        (..., C, C) counts, rows predicted -> (...). Set for metrics of predicted labels.
    of_beliefs, of_weighted_beliefs : callable or None
        (codes, proba) -> float and (codes, proba, weights (n, B)) -> (B,). Set for the others.
    chance_of : callable or None
        Class counts -> expected value of predictions that know nothing of the class.
    """

    name: str
    label: str
    definition: str
    direction: int = 1
    of_confusion: Callable[[np.ndarray], Any] | None = None
    of_beliefs: Callable[[np.ndarray, np.ndarray], float] | None = None
    of_weighted_beliefs: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray] | None = None
    chance_of: Callable[[np.ndarray], float] | None = None

    @property
    def needs(self) -> str:
        """``"labels"`` if predicted labels suffice, ``"proba"`` if beliefs are needed."""
        return "proba" if self.of_confusion is None else "labels"

    def __call__(
        self, codes_true: np.ndarray, codes_pred: np.ndarray, proba: np.ndarray | None
    ) -> float:
        """The value for class codes (n,), predicted codes (n,) and beliefs (n, C).

        NaN where it is undefined, such as the AUC of samples of one class. `proba` may be
        None for a metric that needs labels only.
        """
        if self.of_confusion is not None:
            C = n_classes(codes_true, codes_pred, proba)
            return float(self.of_confusion(cells.confusion(codes_true, codes_pred, C)))
        if proba is None:
            raise PlanError(
                f"metric {self.name!r} needs class probabilities, and there are none: choose a "
                "metric of labels (bcr, accuracy, f, mcc, loss)"
            )
        assert self.of_beliefs is not None
        return self.of_beliefs(codes_true, proba)

    def chance(self, counts: Sequence[int] | np.ndarray) -> float | None:
        """Expected value of uninformative predictions for these class counts; None if no formula.

        Examples
        --------
        >>> METRICS["bcr"].chance([27, 11])
        0.5
        """
        present = np.asarray(counts)[np.asarray(counts) > 0]
        if self.chance_of is None or len(present) < 2:
            return None
        return float(self.chance_of(present))


def n_classes(codes_true: np.ndarray, codes_pred: np.ndarray, proba: np.ndarray | None) -> int:
    """Classes of the beliefs, or as many as the codes show (at least two)."""
    if proba is not None:
        return proba.shape[-1]
    return max(2, int(codes_true.max()) + 1, int(codes_pred.max()) + 1)


def chance_share(counts: np.ndarray) -> float:
    """1 / C."""
    return 1.0 / len(counts)


def chance_half(counts: np.ndarray) -> float:
    """1 / 2."""
    return 0.5


def chance_zero(counts: np.ndarray) -> float:
    """0."""
    return 0.0


def chance_average_precision(counts: np.ndarray) -> float:
    """Expected average precision of a random order without ties, averaged over the classes.

    With P positives among N, each place i is positive with probability P/N and then has
    1 + (i - 1)(P - 1)/(N - 1) positives up to it, so that
    E = (P - 1)/(N - 1) + (H_N / N) (N - P)/(N - 1), H_N the harmonic number. It tends to
    P/N from above: 0.35 and not 0.29 for 11 of 38.
    """
    N = counts.sum()
    harmonic = (1.0 / np.arange(1, N + 1)).sum()
    return float(np.mean(((counts - 1) + harmonic / N * (N - counts)) / (N - 1)))


def loss_metric(costs: np.ndarray | None = None) -> Metric:
    """Expected loss for a cost matrix (rows predicted, columns true); without one, error rate.

    Examples
    --------
    >>> codes, predicted = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> loss_metric(np.array([[0, 10], [1, 0]]))(codes, predicted, None)
    0.25
    """
    definition = "Share of samples predicted wrong (every error costs 1)."
    if costs is not None:
        costs = np.array(costs, dtype=np.float64)
        definition = "Mean cost of a prediction under the given cost matrix."
    return Metric(
        "loss", "expected loss", definition, direction=-1,
        of_confusion=partial(cells.loss_of, costs=costs),
    )  # fmt: skip


_ROWS = (
    Metric(
        "bcr", "balanced classification rate",
        "Mean over classes of the share of the class predicted right.",
        of_confusion=cells.bcr_of, chance_of=chance_share,
    ),
    Metric(
        "accuracy", "accuracy", "Share of samples predicted right.",
        of_confusion=cells.accuracy_of,
    ),
    Metric(
        "f", "F-measure",
        "2TP / (2TP + FP + FN) of the positive class; with several classes, their mean.",
        of_confusion=cells.f_of,
    ),
    Metric(
        "auc", "area under the ROC curve",
        "Chance that a positive sample scores above a negative one, ties counting half; with "
        "several classes, the mean of each against the rest.",
        of_beliefs=ranks.auc_of, of_weighted_beliefs=ranks.weighted_auc_of,
        chance_of=chance_half,
    ),
    Metric(
        "auprc", "area under the precision-recall curve",
        "Average precision, averaged over the classes.",
        of_beliefs=ranks.auprc_of, of_weighted_beliefs=ranks.weighted_auprc_of,
        chance_of=chance_average_precision,
    ),
    Metric(
        "mcc", "Matthews correlation",
        "Correlation of predicted and true classes; 0 if only one class is predicted.",
        of_confusion=cells.mcc_of, chance_of=chance_zero,
    ),
    Metric(
        "bcm", "belief confusion metric",
        "Mean over classes of the mean probability given to the class among its samples.",
        of_beliefs=beliefs.bcm_of, of_weighted_beliefs=beliefs.weighted_bcm_of,
        chance_of=chance_share,
    ),
    Metric(
        "ccem", "correct-class enrichment",
        "(1 + (winning probabilities summed over right, less those over wrong predictions) / n) "
        "/ 2.",
        of_beliefs=beliefs.ccem_of, of_weighted_beliefs=beliefs.weighted_ccem_of,
    ),
    loss_metric(),
)  # fmt: skip

METRICS: dict[str, Metric] = {row.name: row for row in _ROWS}


def get_metric(metric: str | Metric) -> Metric:
    """The metric of a short name; a `Metric` is returned as it is.

    Raises
    ------
    PlanError
        No metric has this name.
    """
    if isinstance(metric, Metric):
        return metric
    if metric not in METRICS:
        raise PlanError(f"no metric is called {metric!r}: {nearest(metric, METRICS)}")
    return METRICS[metric]
