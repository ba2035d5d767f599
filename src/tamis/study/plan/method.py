"""One method of a plan: what ranks, what classifies, what is tried and decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationInfo, field_validator, model_validator

from ..._core.errors import PlanError, listed_names
from ..._core.own_code import given_name, is_own, own_named
from ..._core.registry import USUAL_CLASSIFIERS, row_names, selecting_row
from ..._core.response import ResponseKind
from ..._core.rows import PathRow, RankerRow, SelectingRow
from ...classifiers.classifier_labels import parts_of, short_label
from ...metrics import CRITERIA
from ...metrics.number_metrics import NUMBER_METRICS
from .checks import (
    OWN_SIZE,
    Grid,
    checked_criterion,
    checked_grid,
    checked_sizes,
    classifier_labels,
)
from .parts import DecisionPlan, RecalibratePlan, RejectPlan, StepPlan
from .split import Strict


class MethodPlan(Strict):
    """One method: what ranks, which sizes, what classifies, which settings are tried.

    A `reference` is shown beside the others on the same folds, and never chosen: it has one
    candidate, no permuted run and no part in the final model.
    """

    response: ResponseKind = Field(default="class", exclude=True)  # that of the plan
    name: str = ""
    select: str
    parameters: dict[str, object] = {}
    sizes: list[int | str | dict[str, int]] = []
    blocks: list[str] = []
    classify: list[str] = []
    grid: Grid = {}
    tune: str = ""
    prepare: list[StepPlan] = []
    recalibrate: RecalibratePlan | None = None
    decide: DecisionPlan | None = None
    reject: RejectPlan | None = None
    reference: bool = False
    own: tuple[Any, ...] = Field(default=(), exclude=True, repr=False)  # code that it names

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, raw: Any) -> Any:
        """Resolve what the registry knows, so that the stored plan leaves nothing implicit."""
        if not isinstance(raw, Mapping) or raw.get("select") is None:
            return raw
        values = dict(raw)
        values["select"] = given_name(values["select"], "select")
        response = str(values.get("response", "class"))
        row = selecting_row(values["select"], response)
        values["parameters"] = row.validated(values.get("parameters", {}))
        alone = not isinstance(row, RankerRow)
        standard = usual_classifiers(row, response) if isinstance(row, RankerRow) else [row.name]
        if "predict" in values:
            if "classify" in values:
                raise PlanError("predict and classify are two names of one key: give one")
            values["classify"] = values.pop("predict")
        given = values.get("classify", standard), values.get("grid", {})
        classify, grid = classifier_labels(*given, response)
        if not classify:
            raise PlanError(f"method {row.name!r} has an empty `classify`: name a classifier")
        for name in classify:
            if not alone and name in row_names(PathRow):
                raise PlanError(
                    f"classify = {name!r} does not go with select = {row.name!r}: {name!r} "
                    f"selects and classifies by itself (select = {name!r})"
                )
        if alone and classify != [row.name]:
            raise PlanError(
                f"classify = {classify[0]!r} does not go with select = {row.name!r}, which "
                "classifies by itself: leave it out"
            )
        values["classify"] = classify
        values["name"] = values.get("name") or default_name(row.name, classify, row, response)
        values["sizes"] = checked_sizes(values.get("sizes"), row)
        if (
            OWN_SIZE in values["sizes"]
            and row.cuts
            and not set(row.cuts) & set(values["parameters"])
        ):
            raise PlanError(
                f"sizes = [{OWN_SIZE!r}]: {row.name!r} has no size of its own unless it is cut "
                "off: "
                f"give it one of the parameters {listed_names(row.cuts)}"
            )
        values["grid"] = checked_grid(grid, classify, row, response)
        values["tune"] = values.get("tune") or row.plan_defaults.tune
        if not row.takes.prepared:
            values["prepare"] = []
        rows = [row, *(r for label in classify if not alone for r in parts_of(label, response))]
        values["own"] = tuple(own_named(r.name) for r in rows if is_own(r.name))
        return values

    @field_validator("tune")
    @classmethod
    def _known_criterion(cls, value: str, info: ValidationInfo) -> str:
        known = NUMBER_METRICS if info.data.get("response") == "number" else CRITERIA
        return checked_criterion(value, known)

    @model_validator(mode="after")
    def _one_candidate(self) -> MethodPlan:
        tried = [values for grid in self.grid.values() for values in grid.values()]
        many = len(self.sizes) > 1 or len(self.classify) > 1 or any(len(v) > 1 for v in tried)
        if self.reference and (many or self.alone):
            raise PlanError(
                f"method {self.name!r} is a reference, which nothing is chosen for: give it one "
                "size, one classifier and no list of settings"
            )
        return self

    @property
    def row(self) -> SelectingRow:
        """That of what selects."""
        return selecting_row(self.select, self.response)

    @property
    def uses_sklearn(self) -> bool:
        """Whether its selector or a classifier of it does."""
        labels = [] if self.alone else self.classify
        classifiers = [r for label in labels for r in parts_of(label, self.response)]
        return any(row.sklearn for row in [self.row, *classifiers])

    @property
    def alone(self) -> bool:
        """Whether it selects and classifies by itself."""
        return isinstance(self.row, PathRow)


def usual_classifiers(row: RankerRow, response: str) -> list[str]:
    """What predicts after a ranker where the plan names nothing."""
    usual = row.plan_defaults.classify
    return list(usual) if usual else [USUAL_CLASSIFIERS[response]]


def default_name(select: str, classify: list[str], row: SelectingRow, response: str) -> str:
    """What a method is called whose plan gives no name."""
    same = not isinstance(row, RankerRow) or classify == usual_classifiers(row, response)
    name = row.title if is_own(select) else select
    return name if same else f"{name}+{'/'.join(map(short_label, classify))}"


def method_label(method: MethodPlan) -> str:
    """A method in words, after the name that the plan gives it."""
    if method.reference:
        return f"{method.name}, for reference"
    row = method.row
    if method.alone:
        words = f"{method.select} (selects and classifies)"
    else:
        select = row.title if is_own(method.select) else method.select
        words = f"{select} then {' or '.join(map(short_label, method.classify))}"
    if method.blocks:
        words += f" on {' and '.join(method.blocks)}"
    own = method.name != default_name(method.select, method.classify, row, method.response)
    return f"{method.name}: {words}" if own else words
