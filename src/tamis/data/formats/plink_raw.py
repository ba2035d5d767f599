"""Genotypes as PLINK's ``--export A`` writes them (``.raw``): six columns of the sample, then
copies of an allele (https://www.cog-genomics.org/plink/1.9/formats#raw)."""

from __future__ import annotations

from ..fields import WHITESPACE
from ..lines import Lines
from .around import Around

LEADING_COLUMNS = ("FID", "IID", "PAT", "MAT", "SEX", "PHENOTYPE")
MISSING_VALUES = {
    "FID": ("0",),
    "PAT": ("0",),
    "MAT": ("0",),
    "SEX": ("0",),
    "PHENOTYPE": ("-9", "0"),
}


def around_plink_raw(lines: Lines) -> Around | None:
    """Of a ``.raw`` file; None of others."""
    first = lines.peek(1)
    if not first or tuple(first[0][:200].decode("utf-8", "replace").split()[:6]) != LEADING_COLUMNS:
        return None
    beside = tuple(name for name in LEADING_COLUMNS if name != "IID")
    separator = "\t" if b"\t" in first[0] else WHITESPACE
    return Around(separator, beside=beside, ids="IID", missing=dict(MISSING_VALUES))
