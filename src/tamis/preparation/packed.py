"""Steps that go on packed genotypes by themselves, and what they say of other tables."""

from __future__ import annotations

from .._core.errors import PlanError
from ..genome.readers.genotypes import Genotypes
from ..genome.study.table import GenotypeTable


def genotypes_of(table: object, step: str) -> Genotypes:
    """Those of a table; `PlanError` where it holds none."""
    if isinstance(table, GenotypeTable):
        return table.genotypes
    raise PlanError(
        f"prepare: of tables that are no matrix {step!r} can have genotypes alone (.bed, .pgen, "
        ".bgen, .vcf, or a tamis.genome.GenotypeTable)"
    )
