"""What a model file holds: the one place that types it."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, NotRequired

import numpy as np
from pydantic import ConfigDict, Field, Json, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from .._core.arrays import unfit
from ..classifiers.rejection.certainty import Score

Array = np.ndarray  # held against shapes by whoever makes something of it
Texts = Array | list[str]  # see `many_texts`
Share = Annotated[float, Field(gt=0, lt=1)]
Number = Annotated[float, Field(allow_inf_nan=False)]
StoredNamed = tuple[str, str, dict[str, Any]]
StoredStep = tuple[str, dict[str, Any], str]
StoredCosts = list[list[str | Number]]
Nothing = Literal[""]
STRICT = ConfigDict(arbitrary_types_allowed=True, strict=True)


@with_config(STRICT)
class StoredColumnIds(TypedDict):
    """`ColumnIds`."""

    kind: str
    texts: dict[str, Texts]
    numbers: dict[str, Array]


@with_config(STRICT)
class StoredRule(TypedDict):
    """`NamedRule`."""

    name: str
    parameters: dict[str, Any]
    score: Score
    novelty: Share | None


@with_config(ConfigDict(strict=True, extra="allow"))
class StoredAbout(TypedDict):
    """What a model is asked of where it comes from; there is more."""

    known: NotRequired[str]
    blocks: NotRequired[list[str]]


@with_config(STRICT)
class StoredModel(TypedDict):
    """`Model`, of the formats that are read."""

    predictor: dict[str, Array]
    decision: dict[str, Array]
    made_by: Json[StoredNamed]
    decided_by: Json[StoredNamed]
    rejected_by: NotRequired[Nothing | Json[StoredRule]]
    covariates: list[str]
    features: Texts
    levels: dict[str, list[str]]
    medians: Array
    classes: list[str]
    training: dict[str, Array]
    about: Json[StoredAbout]
    inputs: Texts
    batches: list[str]
    view: str
    widths: Array
    costs: NotRequired[Nothing | Json[StoredCosts]]
    steps: Annotated[list[list[Json[StoredStep]] | list[dict[str, Array]]], Field(max_length=2)]
    shares: NotRequired[Array]
    marks: NotRequired[StoredColumnIds | Annotated[dict[str, Any], Field(max_length=0)]]


@cache
def _adapter() -> TypeAdapter[StoredModel]:
    return TypeAdapter(StoredModel)


def checked_content(values: object) -> StoredModel:
    """What a file holds, if all of it is of the types above.

    Raises
    ------
    ModelError
        A part is missing or of another type; it is named.
    """
    try:
        return _adapter().validate_python(values)
    except ValidationError as error:
        raise unfit(str(error.errors()[0]["loc"][0])) from error
