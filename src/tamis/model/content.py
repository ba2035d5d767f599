"""The text of a model file: the one place that types it."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from .._core.response import ResponseKind
from ..classifiers.rejection.certainty import Score
from .fitted_procedure import About, View

Texts = list[str]
Share = Annotated[float, Field(gt=0, lt=1)]
Number = Annotated[float, Field(allow_inf_nan=False)]
StoredCosts = list[list[str | Number]]


class StoredNamed(TypedDict):
    """`NamedMethod`."""

    role: str
    name: str
    parameters: dict[str, object]


class StoredStep(TypedDict):
    """`NamedStep`."""

    name: str
    parameters: dict[str, object]
    block: str


class StoredRule(TypedDict):
    """`NamedRule`."""

    name: str
    parameters: dict[str, object]
    score: Score
    novelty: Share | None


class StoredColumnIds(TypedDict):
    """`ColumnIds`, whose numbers are arrays."""

    kind: str
    texts: dict[str, Texts]


class StoredModel(TypedDict):
    """`Model`, but for its arrays."""

    kind: str
    format: int
    made_by: StoredNamed
    recalibrated_by: StoredNamed | None
    decided_by: StoredNamed
    rejected_by: StoredRule | None
    covariates: Texts
    features: Texts
    levels: dict[str, Texts]
    classes: Texts
    about: About
    inputs: Texts
    batches: Texts
    view: View
    costs: StoredCosts | None
    steps: list[StoredStep]
    column_ids: StoredColumnIds | None
    response: NotRequired[ResponseKind]  # "class" if it is not there
    log_target: NotRequired[bool]
    intervals: NotRequired[StoredIntervals]


class StoredIntervals(TypedDict):
    """`PredictionIntervals`, but for its arrays."""

    models: list[StoredModel]
    grouped: bool
