"""What ``quality.json`` of quality control holds."""

from __future__ import annotations

from typing import TypedDict

from .inflation_schema import Quantiles


class DroppedRow(TypedDict):
    """How many samples or variants are dropped for a reason, and how many fail it."""

    of: str  # samples, variants
    reason: str
    limit: float | None
    dropped: int
    failed: int


class HardyWeinberg(TypedDict):
    """The test of Hardy-Weinberg equilibrium."""

    among: str
    tested: int  # variants


class UnlikeMissing(TypedDict):
    """Variants whose calls are missing more in one class than in another."""

    tested: int
    below: int  # of a p below 1e-5
    bonferroni: int  # below .05 over the number tested


class DifferentialMissingness(TypedDict):
    """The same of all variants and of those kept."""

    level: float
    all: UnlikeMissing
    kept: UnlikeMissing


class QualityNumbers(TypedDict):
    """Of `QualityControl.to_dict`."""

    limits: dict[str, float | None]
    classes: list[str]
    samples: dict[str, int]  # all, kept
    variants: dict[str, int]
    dropped: list[DroppedRow]  # `QualityControl.dropped`
    hardy_weinberg: HardyWeinberg
    differential_missingness: DifferentialMissingness | None  # None without classes


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
    settings: dict[str, object]
    remarks: list[str]  # on relatives and populations
    unlike: list[dict[str, object]]  # variants whose calls are missing most unlike in the classes
    picture: QualityPicture
