"""Genotypes of thousands of people: files as geneticists have them, and what is scanned in them.

Everything works on blocks of variants at two bits a call. What is here is imported when it is used.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .clump import clump_variants
    from .clump_result import Clumps
    from .cohort import genotype_dataset
    from .components import principal_components
    from .components_result import Components
    from .for_model import genotypes_for_model
    from .genes import Genes, read_genes
    from .genotypes import Genotypes
    from .mixed import mixed_scan
    from .mixed_result import MixedScan
    from .open import open_genotypes
    from .p_values import PValues, read_p_values
    from .pairs import pair_scan
    from .pairs_result import PairScan
    from .projection import RandomSignProjection
    from .prune import prune_variants
    from .quality import quality_control
    from .quality_result import QualityControl
    from .relationships import relationship_matrix
    from .relatives import find_relatives
    from .relatives_result import Relatives
    from .scan import mtd_scan
    from .scan_result import MTDScan
    from .simulate import simulate_cohort
    from .table import GenotypeTable

_HOME = {
    "Clumps": "clump_result",
    "Components": "components_result",
    "Genes": "genes",
    "GenotypeTable": "table",
    "Genotypes": "genotypes",
    "MTDScan": "scan_result",
    "MixedScan": "mixed_result",
    "PValues": "p_values",
    "PairScan": "pairs_result",
    "QualityControl": "quality_result",
    "RandomSignProjection": "projection",
    "Relatives": "relatives_result",
    "clump_variants": "clump",
    "find_relatives": "relatives",
    "genotype_dataset": "cohort",
    "genotypes_for_model": "for_model",
    "mixed_scan": "mixed",
    "mtd_scan": "scan",
    "open_genotypes": "open",
    "pair_scan": "pairs",
    "principal_components": "components",
    "prune_variants": "prune",
    "quality_control": "quality",
    "read_genes": "genes",
    "read_p_values": "p_values",
    "relationship_matrix": "relationships",
    "simulate_cohort": "simulate",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)
