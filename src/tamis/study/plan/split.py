"""How a plan splits: one loop of the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ..._core.errors import PlanError
from ..._core.parameters import MOST_RUNS

MOST_REPEATS = 10_000  # of splits, each of which has its folds, and of bootstrap samples
FIXED_SPLITS = ("leave-one-out", "predefined")  # the same split, drawn again
Kind = Literal["holdout", "k-fold", "leave-one-out", "predefined"]


class Strict(BaseModel):
    """Unknown keys are errors; values are never changed after validation."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Split(Strict):
    """One loop of the protocol."""

    kind: Kind = "k-fold"
    folds: int = Field(default=10, ge=2, le=MOST_RUNS)
    repeats: int = Field(default=1, ge=1, le=MOST_REPEATS)
    test_size: float = Field(default=0.3, gt=0, lt=1)

    @model_validator(mode="after")
    def _repeatable(self) -> Split:
        if self.repeats > 1 and self.kind in FIXED_SPLITS:
            raise PlanError(
                f"repeats = {self.repeats} of {self.kind} would count the same split "
                f"{self.repeats} times: leave out repeats"
            )
        return self

    def short(self) -> str:
        """The split in a word or two."""
        return {
            "holdout": "the holdout",
            "k-fold": f"{self.folds} folds",
            "leave-one-out": "leave-one-out",
            "predefined": "the predefined split",
        }[self.kind]

    def sentence(self, grouped: bool) -> str:
        """The split in words."""
        text = {
            "holdout": f"stratified holdout of {self.test_size:.0%}",
            "k-fold": f"stratified {self.folds}-fold cross-validation",
            "leave-one-out": "leave-one-out cross-validation",
            "predefined": "the predefined split",
        }[self.kind]
        if grouped and self.kind != "predefined":
            text += ", groups kept together"
        return text if self.repeats == 1 else f"{text}, repeated {self.repeats} times"


class InnerSplit(Split):
    """The inner loop: fewer folds by default, drawn anew where that is possible."""

    folds: int = Field(default=5, ge=2, le=MOST_RUNS)
    repeats: int = Field(default=3, ge=1, le=MOST_REPEATS)

    @model_validator(mode="before")
    @classmethod
    def _once(cls, raw: Any) -> Any:
        """A split that is always the same is drawn once, if nothing else is said."""
        if isinstance(raw, Mapping) and raw.get("kind") in FIXED_SPLITS and "repeats" not in raw:
            return {**raw, "repeats": 1}
        return raw
