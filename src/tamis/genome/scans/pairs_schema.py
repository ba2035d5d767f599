"""What ``pairs.json`` of a scan of pairs holds."""

from __future__ import annotations

from typing import Any, TypedDict


class Grid(TypedDict):
    """Samples of two classes by both variants' genotypes."""

    variants: list[str]
    genotypes: list[list[str]]  # of both: two copies of allele 1, one, none
    classes: list[str]
    counts: list[list[list[int]]]  # class, genotype of the first, of the second


class PairsContent(TypedDict):
    """The file."""

    schema: int
    kind: str
    versions: dict[str, str]
    settings: dict[str, object]
    remarks: list[str]  # on relatives and populations
    variants: int
    samples: int
    by: str
    permutations: int
    seed: int
    paired: int  # variants that were paired with each other
    n_pairs: int
    level: float
    threshold: float | None  # to exceed at that level; None without permutations
    significant: int
    pairs: list[dict[str, Any]]  # rows of `PairScan.frame`
    grids: list[Grid]  # of the first
