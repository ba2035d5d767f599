"""Points of curves in ``results.json``."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


class CalibrationPoint(TypedDict):
    """Predictions of about one probability."""

    mean_predicted: float
    observed: float
    n: int
    low: float | None
    high: float | None


class DecisionPoint(TypedDict):
    """Net benefit at a threshold."""

    threshold: float
    net_benefit: float
    treat_all: float


class ThresholdPoint(TypedDict):
    """What comes of calling the positive class from a probability on; of two classes."""

    threshold: float
    sensitivity: float
    specificity: float
    predicted: float  # share called positive
    precision: float | None
    loss: float | None  # mean cost, where the study has costs


class CostPoint(TypedDict):
    """A point of a cost curve (Drummond & Holte 2006); of two classes."""

    x: float  # cost of missing all positives, over that and the cost of all false alarms
    threshold: float  # p* there, the shares of the classes being those of the study
    loss: float  # normalised expected cost of deciding at p*
    envelope: float  # the least of any one threshold, chosen in hindsight


class Curves(TypedDict):
    """Of the beliefs in all samples, those declined too."""

    roc: list[list[float]]
    pr: list[list[float]]
    calibration: list[CalibrationPoint]
    decision: list[DecisionPoint]
    thresholds: NotRequired[list[ThresholdPoint]]
    cost: NotRequired[list[CostPoint]]


class RejectionPoint(TypedDict):
    """What declining samples less certain than a share of those held out inside comes to."""

    standing: float  # that share
    coverage: float  # share given a class
    error: float  # of those
    declined_error: float | None  # of those declined
    caught: float  # share of the errors that is declined
