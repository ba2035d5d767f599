"""Genotypes of thousands of people: files as geneticists have them, and what is scanned in them.

Everything works on blocks of variants at two bits a call.
"""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .quality.prune import prune_variants as prune_variants
    from .quality.quality import quality_control as quality_control
    from .quality.quality_result import QualityControl as QualityControl
    from .readers.genotypes import Genotypes as Genotypes
    from .readers.open import open_genotypes as open_genotypes
    from .readers.simulate import simulate_cohort as simulate_cohort
    from .scans.clump import clump_variants as clump_variants
    from .scans.clump_result import Clumps as Clumps
    from .scans.genes import Genes as Genes
    from .scans.genes import read_genes as read_genes
    from .scans.linear import linear_scan as linear_scan
    from .scans.linear_result import LinearScan as LinearScan
    from .scans.mixed import mixed_scan as mixed_scan
    from .scans.mixed_result import MixedScan as MixedScan
    from .scans.p_values import PValues as PValues
    from .scans.p_values import read_p_values as read_p_values
    from .scans.pairs import pair_scan as pair_scan
    from .scans.pairs_result import PairScan as PairScan
    from .scans.scan import mtd_scan as mtd_scan
    from .scans.scan_result import MTDScan as MTDScan
    from .structure.components import principal_components as principal_components
    from .structure.components_result import Components as Components
    from .structure.relationships import relationship_matrix as relationship_matrix
    from .structure.relatives import find_relatives as find_relatives
    from .structure.relatives_result import Relatives as Relatives
    from .study.cohort import genotype_dataset as genotype_dataset
    from .study.for_model import genotypes_for_model as genotypes_for_model
    from .study.projection import RandomSignProjection as RandomSignProjection
    from .study.table import GenotypeTable as GenotypeTable
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
