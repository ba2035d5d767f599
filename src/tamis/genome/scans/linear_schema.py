"""What ``results.json`` of a linear scan holds."""

from __future__ import annotations

from typing import Any, TypedDict

from ..quality.inflation_schema import Quantiles
from .mixed_schema import NumberRange
from .scan_schema import ManhattanPoints


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


class LinearContent(LinearNumbers):
    """The file."""

    schema: int
    kind: str
    versions: dict[str, str]
    settings: dict[str, object]
    remarks: list[str]  # shown before the scan
    quantiles: Quantiles
    picture: ManhattanPoints  # of -log10 p
