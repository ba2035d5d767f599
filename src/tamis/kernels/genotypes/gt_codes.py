"""What VCF and BCF have in common: how alleles become a code, and what becomes of a record."""

from __future__ import annotations

from .._jit import jit

RECORD_CALLED, RECORD_WITHOUT_GT, RECORD_MULTIALLELIC, RECORD_BROKEN = (
    0,
    1,
    2,
    3,
)  # a record: read, without GT, of many alleles, not readable
NO_CALL = 1  # a code


@jit
def code_of(copies, ones):
    """Code of one or two copies, some of them ALT; one is as if homozygous, as .bed has it."""
    if copies < 1 or copies > 2:
        return NO_CALL
    if ones == 0:
        return 3
    return 0 if ones == copies else 2


@jit
def fill_missing(row, n):
    """No calls of n samples."""
    for k in range(len(row)):
        row[k] = 0b01010101
    if n & 3:
        row[-1] &= (1 << 2 * (n & 3)) - 1
