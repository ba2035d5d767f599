"""What `tamis ontology evaluate --json` prints."""

from __future__ import annotations

from typing_extensions import TypedDict


class EstimateContent(TypedDict):
    """A number and its 95 % interval; None where undefined."""

    mean: float | None
    low: float | None
    high: float | None


class ErrorContent(TypedDict):
    """`MappingError`."""

    error: str
    kind: str
    source: str
    target: str
    instead: str
    confidence: float | None
    source_label: str
    target_label: str


class ScoresContent(TypedDict):
    """Precision, recall and F1, and what they are made of."""

    metrics: dict[str, EstimateContent]
    counts: dict[str, int]


class EvaluationContent(ScoresContent):
    """`MappingEvaluation.to_dict`."""

    kind: str
    mapping: str
    reference: str
    left_to_model: ScoresContent | None
    remarks: list[str]
    kinds: dict[str, dict[str, int]]
    left_aside: dict[str, int]
    errors: list[ErrorContent]
