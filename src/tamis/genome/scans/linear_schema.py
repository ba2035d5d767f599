"""What ``results.json`` of a linear scan holds."""

from __future__ import annotations

from typing import Any, TypedDict

from .mixed_schema import NumberRange
from .scan_schema import VariantScanFile


class LinearNumbers(TypedDict):
    """Of `LinearScan.to_dict`."""

    samples: int
    variants: int
    tested: int
    number: NumberRange
    covariates: int
    lambda_gc: float | None
    discoveries: int  # variants with a false discovery rate of 5 % at most
    left_out: dict[str, int]  # reason -> variants
    top: list[dict[str, Any]]  # rows of `LinearScan.table`


class LinearContent(LinearNumbers, VariantScanFile):
    """The file."""
