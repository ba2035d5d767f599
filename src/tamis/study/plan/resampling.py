"""Estimates beside the headline that a plan may ask for: by the bootstrap, and by fewer samples."""

from __future__ import annotations

from pydantic import Field, field_validator

from ..._core.errors import PlanError
from .split import MOST_REPEATS, Strict


class BootstrapPlan(Strict):
    """The bootstrap .632+ estimate: so many bootstrap samples of the rows."""

    repeats: int = Field(default=50, ge=1, le=MOST_REPEATS, strict=True)


class LearningCurvePlan(Strict):
    """The score against the number of training samples, as shares of an outer training set."""

    shares: list[float] = [0.4, 0.6, 0.8, 1.0]

    @field_validator("shares")
    @classmethod
    def _rising(cls, value: list[float]) -> list[float]:
        """In rising order; all samples, which cost nothing more, are always among them."""
        if not all(0 < share <= 1 for share in value) or min(value, default=1.0) == 1.0:
            raise PlanError(
                f"learning_curve.shares = {value}: give shares of the training samples between 0 "
                "and 1, one of them below 1, such as [0.4, 0.6, 0.8, 1.0]"
            )
        return sorted({*value, 1.0})
