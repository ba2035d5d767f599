"""The .pvar of plink2: what the variants of a .pgen are.

Format: https://www.cog-genomics.org/plink/2.0/formats#pvar
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from ..._core.arrow import numbers_of
from ..._core.errors import DataError, counted_noun, value_text
from .text_blocks import line_blocks, tabs_for_blanks
from .variants import BIM_FIELDS, REQUIRED_FIELDS, Variants, variants_of

COLUMN_FIELDS = {
    "#CHROM": "chromosome",
    "POS": "position",
    "ID": "id",
    "REF": "allele2",
    "ALT": "allele1",
}
COMMENTS_PATTERN = re.compile(rb"\A(?:##[^\n]*\n|\n)*")
MOST_ALLELES = 255  # of a variant, in a .pgen


def read_pvar(path: Path, most: int) -> Variants:
    """A .pvar, compressed (zstd, gzip) or not: lines of VCF's columns under a header #CHROM, or,
    without one, the lines of a .bim.

    Allele 1 is ALT. Variants of several ALT are broken: they have no calls here (`Vcf`).

    Parameters
    ----------
    path : Path
    most : int
        Variants of the .pgen: a file of more is refused before it fills the memory.

    Raises
    ------
    DataError
        The file is damaged or something else, or has more lines than the .pgen has variants.
    """
    parts: list[Variants] = []
    names: Sequence[str] | None = None
    tabs, read, n = False, 0, 0
    for _, block in line_blocks(path, "a table of variants"):
        if names is None:
            block = COMMENTS_PATTERN.sub(b"", block)
            if not block:
                continue
            line, _, rest = block.partition(b"\n")
            tabs = line.startswith(b"#") and b"\t" in line
            names = _names_of(line, path.name)
            block = rest if line.startswith(b"#") else block
        if not tabs:
            block = tabs_for_blanks(block)
        if not (text := re.sub(rb"\n{2,}", b"\n", block).strip(b"\n")):
            continue
        part, n_read = variants_of(text, names, path.name)
        parts.append(part)
        n, read = n + len(part), read + n_read
        if n > most:
            raise DataError(
                f"{path.name!r} has more than the {counted_noun(most, 'variant')} of the .pgen: "
                "they are not of one data set"
            )
    if not read:
        raise DataError(f"{path.name!r} has no line of a variant under its header")
    found = Variants.joined(parts)
    return replace(found, broken=found.broken | (alleles_of(found) > 2))


def alleles_of(variants: Variants) -> np.ndarray:
    """How many alleles (p,) each has by its line; 2 where it could not be read."""
    return numbers_of(pc.count_substring(variants.allele1, ",")) + 2


def _names_of(line: bytes, file: str) -> Sequence[str]:
    """What the fields are, by the first line that is no comment."""
    fields = line.decode("utf-8", "replace").split()
    if not line.startswith(b"#"):
        return REQUIRED_FIELDS if len(fields) == len(REQUIRED_FIELDS) else BIM_FIELDS
    names = [COLUMN_FIELDS.get(field, f"other {k}") for k, field in enumerate(fields)]
    if any(names.count(name) != 1 for name in REQUIRED_FIELDS):
        raise DataError(
            f"{file!r} is no .pvar: its header is {value_text(' '.join(fields))}, where #CHROM, "
            "POS, ID, REF and ALT are needed, once each"
        )
    return names
