"""What VCF and BCF have in common: how alleles become a code, and how a record was read.

Codes are those of PLINK's .bed, with ALT as allele 1: 0 two copies of it, 1 no call, 2 one, 3 none.
"""

from __future__ import annotations

from .._jit import jit

# states of a record: read; without a field GT; with more than one ALT allele; not readable
RECORD_CALLED, RECORD_WITHOUT_GT, RECORD_MULTIALLELIC, RECORD_BROKEN = (
    0,
    1,
    2,
    3,
)
NO_CALL = 1  # code of a missing call


@jit
def code_of(copies, ones):
    """Code of a genotype of `copies` alleles, `ones` of which are ALT.

    One copy (a haploid call) counts as homozygous, as in .bed; more than two are no call.
    """
    if copies < 1 or copies > 2:
        return NO_CALL
    if ones == 0:
        return 3
    return 0 if ones == copies else 2


@jit
def fill_missing(row, n):
    """Make all calls of a row of n samples missing."""
    for k in range(len(row)):
        row[k] = 0b01010101  # four times NO_CALL
    if n & 3:
        row[-1] &= (1 << 2 * (n & 3)) - 1  # bits past the last sample are 0
