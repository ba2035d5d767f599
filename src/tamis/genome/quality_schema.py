"""What ``quality.json`` of quality control holds."""

from __future__ import annotations

from typing import Any, TypedDict

from .inflation_schema import Quantiles


class QualityNumbers(TypedDict):
    """Of `QualityControl.to_dict`."""

    limits: dict[str, float | None]
    classes: list[str]
    samples: dict[str, int]  # all, kept
    variants: dict[str, int]
    dropped: list[dict[str, Any]]  # rows of `QualityControl.dropped`
    hardy_weinberg: dict[str, Any]  # among whom, and variants tested
    differential_missingness: dict[str, Any] | None  # None without classes


class Histogram(TypedDict):
    """How many there are in intervals from 0 on, all of one width."""

    step: float
    before: list[int]
    after: list[int]
    limit: float | None


class QualityPicture(TypedDict):
    """What is drawn."""

    missing: Histogram  # of variants
    sample_missing: Histogram
    frequency: Histogram  # of the rarer allele
    differential: dict[str, Quantiles] | None  # of all, of those kept


class QualityContent(QualityNumbers):
    """The file."""

    schema: int
    kind: str
    versions: dict[str, str]
    settings: dict[str, Any]
    remarks: list[str]  # on relatives and populations
    unlike: list[dict[str, Any]]  # variants whose calls are missing most unlike in the classes
    picture: QualityPicture
