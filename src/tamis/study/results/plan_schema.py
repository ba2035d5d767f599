"""The shape of a plan in ``results.json``, `Plan.model_dump`."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict


class PartContent(TypedDict):
    """A decision, a rule about whom to decline, or a step."""

    name: str
    parameters: dict[str, object]
    block: NotRequired[str]  # of a step
    score: NotRequired[str]  # of a rule
    novelty: NotRequired[float | None]


class MethodContent(TypedDict):
    """A method; it may leave to the plan what to decide and whom to decline."""

    name: str
    select: str
    parameters: dict[str, object]
    sizes: Any
    blocks: list[str]
    classify: list[str]
    grid: dict[str, object]
    tune: str
    prepare: list[PartContent]
    recalibrate: PartContent | None
    decide: PartContent | None
    reject: PartContent | None
    reference: bool


class SplitContent(TypedDict):
    """A loop of the protocol."""

    kind: str
    folds: int
    repeats: int
    test_size: float


class BootstrapContent(TypedDict):
    """The bootstrap .632+ estimate."""

    repeats: int


class LearningCurveContent(TypedDict):
    """Shares of the training samples."""

    shares: list[float]


class PlanContent(TypedDict):
    """A complete plan."""

    response: NotRequired[str]  # "class" of earlier versions
    metric: str
    outer: SplitContent
    inner: SplitContent
    bootstrap: BootstrapContent | None
    learning_curve: LearningCurveContent | None
    method: list[MethodContent]
    recalibrate: PartContent
    decide: PartContent
    reject: PartContent | None
    costs: Any
    seed: int
    tune: str
    choose: str
    parsimony: float
    allow: list[str]
    permutations: int
    dataset: list[Any]
    describe: bool
    final: bool
    prediction_intervals: NotRequired[bool]  # true, or not there
