"""What follows in a plan from the kind of outcome: one row each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from ...metrics import CRITERIA, METRICS
from ...metrics.number_metrics import NUMBER_METRICS
from .class_rules import resolve_classes
from .number_rules import resolve_numbers


@dataclass(frozen=True)
class PlanRules:
    """Rules of a kind of outcome.

    Attributes
    ----------
    metrics, criteria : collection of str
        Names that `metric` and `tune` may have.
    resolve : callable
        Fills in what a plan leaves open, and refuses what the outcome cannot have.
    points : str
        What methods are compared by, sample by sample, where no smooth score of labels does.
    smooth : bool
        Whether logarithmic scores of probabilities may compare them.
    """

    metrics: Collection[str]
    criteria: Collection[str]
    resolve: Callable[[Any], None]  # of a `Plan`, whose schema has these rules
    points: str
    smooth: bool


RULES = {
    "class": PlanRules(METRICS, CRITERIA, resolve_classes, "labels", True),
    "number": PlanRules(NUMBER_METRICS, NUMBER_METRICS, resolve_numbers, "squared errors", False),
}


def rules_of(response: str) -> PlanRules:
    """Those of an outcome; of an unknown one, which is refused by itself, those of classes."""
    return RULES.get(response, RULES["class"])
