"""What ``results.json`` of a mixed scan holds."""

from __future__ import annotations

from typing import Any, TypedDict

from ..readers.classes import ClassSize
from .scan_schema import VariantScanFile


class NumberRange(TypedDict):
    """Of a phenotype that is a number."""

    smallest: float
    median: float
    largest: float


class MixedNumbers(TypedDict):
    """Of `MixedScan.to_dict`."""

    samples: int
    variants: int
    tested: int
    response: str  # "classes", or "number"
    number: NumberRange | None
    classes: list[ClassSize]  # the latter is that whose odds are reported; none of a number
    covariates: int
    relationship_variants: int  # that relationships are estimated from, of all chromosomes
    share: float  # of the variance of the labels or the number, that relationships explain
    shares: dict[str, float]  # with each chromosome left out
    lambda_gc: float | None
    draws: int
    threshold: float | None  # |Z|, or |T|, of a family-wise error of 5 %
    above: int | None
    left_out: dict[str, int]  # reason -> variants
    top: list[dict[str, Any]]  # rows of `MixedScan.table`


class MixedContent(MixedNumbers, VariantScanFile):
    """The file."""
