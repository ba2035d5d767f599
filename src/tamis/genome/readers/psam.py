"""The .psam of plink2: who the samples of a .pgen are.

Format: https://www.cog-genomics.org/plink/2.0/formats#psam
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..._core.errors import DataError, counted_noun, value_text
from .samples import Samples, read_fam, sexes_of

KNOWN_COLUMNS = ("FID", "IID", "SID", "PAT", "MAT", "SEX")  # columns that are no phenotypes


def read_psam(path: Path) -> Samples:
    """A .psam: a header that begins with #FID or #IID, and a line a sample; without a header it is
    read as a .fam.

    Without a column of families the family is the id. The phenotype is the first column that is
    none of plink2's own.

    Raises
    ------
    DataError
        A line has another number of fields than the header, the header names no ids, a sample
        comes twice, or there is none.
    """
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    lines = [
        (k, line.split())
        for k, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("##")
    ]
    if lines and not lines[0][1][0].startswith("#"):
        return read_fam(path)
    if len(lines) < 2:
        raise DataError(f"{path.name!r} has no samples")
    (_, header), *people = lines
    names = [header[0].removeprefix("#"), *header[1:]]
    if names[0] not in ("FID", "IID") or names.count("IID") != 1:
        raise DataError(
            f"{path.name!r} is no .psam: its header is {value_text(' '.join(header))}, where "
            "#FID IID or #IID comes first"
        )
    for number, fields in people:
        if len(fields) != len(names):
            raise DataError(
                f"{path.name!r}, line {number}: {counted_noun(len(fields), 'field')} "
                f"({value_text(' '.join(fields))}), where the header names {len(names)}"
            )
    table = np.array([fields for _, fields in people], dtype=object).T
    n, ids = len(people), table[names.index("IID")]

    def psam_column(name: str, without: str) -> np.ndarray:
        return table[names.index(name)] if name in names else np.full(n, without, dtype=object)

    phenotype_columns = [k for k, name in enumerate(names) if name not in KNOWN_COLUMNS]
    found = Samples(
        table[0] if names[0] == "FID" else ids,
        ids,
        psam_column("PAT", "0"),
        psam_column("MAT", "0"),
        sexes_of(psam_column("SEX", "0")),
        table[phenotype_columns[0]] if phenotype_columns else np.full(n, "-9", dtype=object),
        no_families=names[0] != "FID",
    )
    found.refuse_twins(path.name)
    return found
