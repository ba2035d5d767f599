"""Parts of a plan that are a name of the registry with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field, model_validator

from ..._core.errors import PlanError
from ..._core.registry import NO_RECALIBRATION, NO_REJECTION, find_row, row_names
from ..._core.rows import DecisionRow, PlanRow, RecalibrationRow, RuleRow, StepRow
from ...classifiers.rejection.certainty import Score
from ...classifiers.rejection.decision import NamedRule
from ...preparation.chain import NamedStep
from .split import Strict


class NamedPart(Strict):
    """A part of a plan by name and parameters."""

    kind: ClassVar[type[PlanRow]]
    name: str
    parameters: dict[str, object] = {}

    @model_validator(mode="before")
    @classmethod
    def _by_name(cls, raw: Any) -> Any:
        """A name, or a table of a name and parameters beside it."""
        if isinstance(raw, str):
            raw = {"name": raw}
        if not isinstance(raw, Mapping) or not isinstance(raw.get("name"), str):
            return raw
        beside = {k: raw[k] for k in cls.kind.beside if k in raw}
        own = {k: v for k, v in raw.items() if k not in ("name", "parameters", *beside)}
        cls.refuse_other(raw["name"])
        row = find_row(raw["name"], cls.kind)
        given = row.validated(raw.get("parameters", {}))
        return {"name": row.name, "parameters": {**given, **row.validated(own)}, **beside}

    @classmethod
    def refuse_other(cls, name: str) -> None:
        """Refuse a name that another part has, with what to write."""


class DecisionPlan(NamedPart):
    """What turns beliefs into labels."""

    kind = DecisionRow

    @classmethod
    def refuse_other(cls, name: str) -> None:
        """A recalibration is no decision, as it was once."""
        if name in row_names(RecalibrationRow):
            raise PlanError(f"decide = {name!r} is a recalibration: write recalibrate = {name!r}")


class RecalibratePlan(NamedPart):
    """What probabilities are recalibrated by."""

    kind = RecalibrationRow

    @model_validator(mode="before")
    @classmethod
    def _none(cls, raw: Any) -> Any:
        """``false`` is "none"."""
        return {"name": NO_RECALIBRATION} if raw is False else raw


class StepPlan(NamedPart):
    """One step before ranking."""

    kind = StepRow
    block: str = ""  # whose columns it is for; empty: those of all

    @property
    def named(self) -> NamedStep:
        """As a chain of steps has it."""
        return NamedStep(self.name, self.parameters, self.block)


class RejectPlan(NamedPart):
    """Whom no label is given for."""

    kind = RuleRow
    score: Score = "auto"
    novelty: float | None = Field(default=None, gt=0, lt=1)

    @property
    def declines(self) -> bool:
        """Whether anybody may be declined."""
        return self.name != NO_REJECTION or self.novelty is not None

    @property
    def named(self) -> NamedRule:
        """As a decision has it."""
        return NamedRule(self.name, self.parameters, self.score, self.novelty)
