"""The leukaemia data of Golub et al. (1999), bundled."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from .dataset import Dataset

DATA_FILE = Path(__file__).parent / "bundled" / "golub.parquet"
SYMBOL_PATTERN = re.compile(r"([A-Z][A-Z0-9]+) +(?=[A-Z0-9].*[a-z])")  # before a name in mixed case
UNNAMED_WORDS = {"mRNA", "Gene", "Unknown"}
MAX_NAME_LENGTH = 40  # characters of a name without a symbol


def load_golub() -> Dataset:
    """Gene expression of 38 acute leukaemias, 27 lymphoblastic (ALL) and 11 myeloid (AML).

    The training samples of Golub et al., Science 286:531-537 (1999), preprocessed as in
    Dudoit, Fridlyand & Speed, JASA 97:77-87 (2002): the file of the Bioconductor package
    multtest.

    Returns
    -------
    Dataset
        `X` (38, 3051), log10 intensities standardised within each array; AML is the
        positive class; features are Affymetrix HuGeneFL probe sets.

    Examples
    --------
    >>> load_golub()
    Dataset('golub': 38 x 3051; ALL 27, AML 11)
    """
    import pyarrow.parquet as pq

    from .._core.arrow import numbers_of

    table = pq.read_table(DATA_FILE)
    samples = table.column_names[2:]
    X = np.ascontiguousarray(np.stack([numbers_of(table.column(s)) for s in samples]))
    return Dataset(
        X=X,
        y=np.array([s.split("_")[0] for s in samples]),
        feature_names=tuple(table.column("gene").to_pylist()),
        sample_names=tuple(samples),
        classes=("ALL", "AML"),
        name="golub",
        positive_named=True,
        labels=_symbols(table.column("gene").to_pylist(), table.column("description").to_pylist()),
    )


def _symbols(probes: list[str], descriptions: list[str]) -> dict[str, str]:
    """Symbols of genes, or short names where the description has no symbol.

    Examples
    --------
    >>> _symbols(["M27891_at", "X95735_at"], ["CST3 Cystatin C (amyloid angiopathy)", "Zyxin"])
    {'M27891_at': 'CST3', 'X95735_at': 'Zyxin'}
    """
    found = {}
    for probe, description in zip(probes, descriptions, strict=True):
        text = description.removeprefix("GB DEF = ").strip()
        if match := SYMBOL_PATTERN.match(text):
            found[probe] = match[1]
        elif 0 < len(text) <= MAX_NAME_LENGTH and text not in UNNAMED_WORDS:
            found[probe] = text.capitalize() if text.isupper() and " " in text else text
    return found
