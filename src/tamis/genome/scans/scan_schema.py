"""What ``results.json`` of a scan holds."""

from __future__ import annotations

from typing import Any, TypedDict

from ..quality.inflation_schema import Quantiles
from ..readers.classes import ClassSize


class ManhattanPoints(TypedDict):
    """A Manhattan plot: variants by their place among all kept."""

    n: int
    chromosomes: list[list[Any]]  # name, first place
    spans: list[list[Any]]  # first, last; 5 % quantile, median, 95 %
    dots: list[list[Any]]  # place, score, name


class ScanNumbers(TypedDict):
    """Of `MTDScan.to_dict`."""

    samples: int
    variants: int
    classes: list[ClassSize]
    strata: list[str]
    multiclass: str
    permutations: int
    left_out: dict[str, int]  # reason -> variants
    threshold: float | None  # of a family-wise error of 5 %; None: too few permutations, no score
    above: int | None
    autosomal: int  # variants that lambda_gc is of
    lambda_gc: float | None  # of P; None without permutations
    top: list[dict[str, Any]]  # rows of `MTDScan.table`, whose columns follow from the classes


class VariantScanFile(TypedDict):
    """What the file has beside the numbers, of a scan with a p-value for each variant."""

    schema: int
    kind: str
    versions: dict[str, str]
    settings: dict[str, object]  # of the command, as they were given
    remarks: list[str]  # shown before the scan
    quantiles: Quantiles
    picture: ManhattanPoints  # of -log10 p


class ScanContent(ScanNumbers):
    """The file."""

    schema: int
    kind: str
    versions: dict[str, str]
    settings: dict[str, object]  # of the command, as they were given
    remarks: list[str]  # shown before the scan, of relatives and populations
    quantiles: Quantiles | None  # of P; None without permutations
    picture: ManhattanPoints
