"""The shape of a plan in ``results.json``, `Plan.model_dump`: what the page reads is required."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict


class PartContent(TypedDict):
    """A decision, a rule about whom to decline, or a step."""

    name: str
    parameters: NotRequired[dict[str, Any]]
    block: NotRequired[str]  # of a step
    score: NotRequired[str]  # of a rule
    novelty: NotRequired[float | None]


class MethodContent(TypedDict):
    """A method; it may leave to the plan what to decide and whom to decline."""

    name: str
    select: NotRequired[str]
    parameters: NotRequired[dict[str, Any]]
    sizes: NotRequired[Any]
    blocks: NotRequired[list[str]]
    classify: NotRequired[list[str]]
    grid: NotRequired[dict[str, Any]]
    tune: NotRequired[str]
    prepare: NotRequired[list[PartContent]]
    decide: NotRequired[PartContent | None]
    reject: NotRequired[PartContent | None]
    reference: NotRequired[bool]


class SplitContent(TypedDict):
    """A loop of the protocol."""

    kind: str
    folds: int
    repeats: NotRequired[int]
    test_size: NotRequired[float]


class BootstrapContent(TypedDict):
    """The bootstrap .632+ estimate."""

    repeats: int


class LearningCurveContent(TypedDict):
    """Shares of the training samples."""

    shares: list[float]


class PlanContent(TypedDict):
    """A whole plan."""

    metric: str
    outer: SplitContent
    inner: NotRequired[SplitContent]
    bootstrap: NotRequired[BootstrapContent]
    learning_curve: NotRequired[LearningCurveContent]
    method: list[MethodContent]
    decide: NotRequired[PartContent]
    reject: NotRequired[PartContent | None]
    costs: NotRequired[Any]
    seed: NotRequired[int]
    tune: NotRequired[str]
    choose: NotRequired[str]
    parsimony: NotRequired[float]
    allow: NotRequired[list[str]]
    permutations: NotRequired[int]
    dataset: NotRequired[list[Any]]
    describe: NotRequired[bool]
    final: NotRequired[bool]
