"""Oxford's .sample: who the samples of a BGEN are.

Format: https://www.cog-genomics.org/plink/2.0/formats#sample
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..._core.errors import DataError, counted_noun, value_text
from .samples import Samples, sexes_of

UNKNOWN_TEXTS = ("NA", "nan", "NaN", "")
CASE_CODES = {"0": "1", "1": "2"}  # of a column of type B, as PLINK writes them


def read_sample(path: Path) -> Samples:
    """A .sample: a line of names (ID_1 ID_2 missing, sex and others), one of types, then people.

    The first column is the family, the second the id; a file whose second is none has one name for
    both. The phenotype is the first column of type P or B, the latter as PLINK has it: 1 and 2.

    Raises
    ------
    DataError
        A line has another number of fields than the first, a sample comes twice, or there is none.
    """
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    lines = [(k, line.split()) for k, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) < 3 or len(lines[0][1]) < 1:
        raise DataError(
            f"{path.name!r} is no .sample of Oxford: there are two lines of names and types, "
            "and one a sample"
        )
    (_, names), (_, types), *people = lines
    for number, fields in lines[1:]:
        if len(fields) != len(names):
            raise DataError(
                f"{path.name!r}, line {number}: {counted_noun(len(fields), 'field')} "
                f"({value_text(' '.join(fields))}), where the first line has {len(names)}"
            )
    if any(kind not in ("0", "D", "C", "P", "B") for kind in types):
        raise DataError(
            f"{path.name!r}, line {lines[1][0]}: {value_text(' '.join(types))}, where a .sample "
            "has types: 0, D, C, P or B"
        )
    table = np.array([fields for _, fields in people], dtype=object).T
    second = table[1] if len(names) > 1 and names[1].upper() == "ID_2" else table[0]
    n = len(second)
    lower = [name.lower() for name in names]
    sex = table[lower.index("sex")] if "sex" in lower else np.full(n, "0", dtype=object)
    phenotype_columns = [k for k, kind in enumerate(types) if kind in ("P", "B")]
    phenotype = np.full(n, "-9", dtype=object)
    if phenotype_columns:
        codes = CASE_CODES if types[phenotype_columns[0]] == "B" else {}
        values = [
            "-9" if v in UNKNOWN_TEXTS else codes.get(v, v) for v in table[phenotype_columns[0]]
        ]
        phenotype = np.array(values, dtype=object)
    none = np.full(n, "0", dtype=object)
    found = Samples(table[0], second, none, none, sexes_of(sex), phenotype)
    found.refuse_twins(path.name)
    return found
