"""A scan of pairs as files: a table, and the numbers as JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ... import __version__
from ..._core.errors import shorten_text
from ..._core.files import write_json
from ..._core.inside import Inside
from ..._core.outputs import OutputFolder
from ..blocks.tables import write_table
from .pairs_result import PairScan
from .pairs_schema import Grid, PairsContent

SCHEMA = 1
KIND = "pair-scan"
FOLDER = OutputFolder("result of `tamis genome pairs`", "pairs.json", KIND, ("pairs.tsv",))
MAX_GRIDS = 6


def write_pairs(
    scan: PairScan,
    labels: Any,
    folder: str | os.PathLike[str],
    settings: dict[str, Any],
    remarks: Sequence[str] = (),
) -> PairsContent:
    """Write ``pairs.tsv`` and ``pairs.json``.

    Parameters
    ----------
    scan : PairScan
    labels : array-like of shape (n,)
        The classes it was given.
    folder : path
        That is there.
    settings : dict
        The requested options, for the JSON; with ``seed``.
    remarks : sequence of str
        Messages shown before, for the page.

    Returns
    -------
    dict
        What the JSON holds.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """
    folder, table = Path(folder), scan.frame()
    write_table(table, Inside(folder, "pairs.tsv"))
    n, p = scan.genotypes.shape
    content: PairsContent = {
        "schema": SCHEMA,
        "kind": KIND,
        "versions": {"tamis": __version__},
        "settings": settings,
        "remarks": list(remarks),
        "variants": p,
        "samples": n,
        "by": scan.by,
        "permutations": len(scan.maxima),
        "seed": settings["seed"],
        "paired": scan.n_features,
        "n_pairs": scan.n_pairs,
        "level": scan.level,
        "threshold": scan.threshold,
        "significant": int(scan.significant.sum()),
        "pairs": [{str(k): v for k, v in row.items()} for row in table.to_dict("records")],
        "grids": [grid_of(scan, labels, k) for k in range(min(MAX_GRIDS, len(scan.classes)))],
    }
    write_json(Inside(folder, "pairs.json"), content)
    return content


def grid_of(scan: PairScan, labels: Any, k: int) -> Grid:
    """How many samples of the classes compared have which genotypes of pair k."""
    columns = scan.pairs[k]
    of = scan.genotypes.variants.take(columns)
    row, column = 2 - scan.genotypes.calls(columns).T  # 3: no call
    called = (row < 3) & (column < 3)
    classes = [str(label) for label in scan.classes[k]]
    labels = np.asarray(labels).astype(str)
    counts = np.zeros((2, 3, 3), dtype=np.int64)
    for c, name in enumerate(classes):
        own = called & (labels == name)
        np.add.at(counts[c], (row[own], column[own]), 1)
    alleles = [
        [shorten_text(one, 6) for one in pair]
        for pair in zip(of.allele1.to_pylist(), of.allele2.to_pylist(), strict=True)
    ]
    return {
        "variants": of.id.to_pylist(),
        "genotypes": [[f"{a}/{a}", f"{a}/{b}", f"{b}/{b}"] for a, b in alleles],
        "classes": classes,
        "counts": counts.tolist(),
    }
