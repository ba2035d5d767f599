"""What ``results.json`` of clumps holds."""

from __future__ import annotations

from typing import TypedDict

from .scan_schema import ManhattanPoints


class Clump(TypedDict):
    """An index variant, and the variants that go with it, in PLINK's names."""

    CHR: str
    F: int
    SNP: str
    BP: int
    P: float
    TOTAL: int
    NSIG: int
    S05: int
    S01: int
    S001: int
    S0001: int
    SP2: list[str]  # ids


class GeneClump(Clump, total=False):
    """With its genes, where they were requested."""

    GENES: list[str]
    DISTANCE: int | None  # base pairs; None: no gene on the chromosome


class ClumpRows(TypedDict):
    """Rows of the table of p-values."""

    read: int
    missing: int  # p-value
    unknown: int  # whose id no variant of the genotypes has
    unknown_top: int  # of these, of p1 or less
    ambiguous: int  # whose id several variants have
    used: int


class ClumpNumbers(TypedDict):
    """Of `Clumps.to_dict`."""

    samples: int  # whose haplotypes count: founders
    p1: float
    p2: float
    r2: float
    kb: float
    rows: ClumpRows
    n_significant: int  # of p1 or less
    n_clumps: int
    clumps: list[GeneClump]  # by p, the first of them


class ClumpContent(ClumpNumbers):
    """The file."""

    schema: int
    kind: str
    versions: dict[str, str]
    settings: dict[str, object]
    picture: ManhattanPoints  # of the index variants
