"""Clumps as files: PLINK's table, and the numbers as JSON."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ... import __version__
from ..._core.files import write_json
from ..._core.inside import Inside
from ..._core.outputs import OutputFolder
from ..blocks.tables import write_table
from ..quality.inflation import MIN_P
from ..readers.genotypes import Genotypes
from .clump_result import Clumps
from .clump_schema import ClumpContent
from .manhattan_points import chromosome_starts
from .scan_schema import ManhattanPoints

SCHEMA = 1
KIND = "genotype-clumps"
MAX_DRAWN_CLUMPS = 3000  # clumps of the picture
FOLDER = OutputFolder("result of `tamis genome clump`", "results.json", KIND, ("clumps.tsv",))


def write_clumps(
    found: Clumps, genotypes: Genotypes, folder: str | os.PathLike[str], settings: dict[str, object]
) -> ClumpContent:
    """Write ``clumps.tsv`` and ``results.json``.

    Parameters
    ----------
    found : Clumps
    genotypes : Genotypes
        Those that the linkage disequilibrium was computed from.
    folder : path
        That is there.
    settings : dict
        The requested options, for the JSON.

    Returns
    -------
    dict
        What the JSON holds.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """
    folder = Path(folder)
    write_table(found.frame(), Inside(folder, "clumps.tsv"))
    content: ClumpContent = {
        "schema": SCHEMA,
        "kind": KIND,
        "versions": {"tamis": __version__},
        **found.to_dict(),
        "settings": settings,
        "picture": picture_of(found, genotypes),
    }
    write_json(Inside(folder, "results.json"), content)
    return content


def picture_of(found: Clumps, genotypes: Genotypes) -> ManhattanPoints:
    """Index variants along the genome, by -log10 p."""
    height = -np.log10(np.maximum(found.p_values, MIN_P)) + 0.0
    ids, sizes = found.index.id.to_pylist(), found.counts.sum(axis=1)
    return {
        "n": genotypes.shape[1],
        "chromosomes": chromosome_starts(genotypes.variants),
        "spans": [],
        "dots": [
            [int(found.columns[k]), float(height[k]), f"{ids[k]}, {sizes[k]:,} members"]
            for k in range(min(len(found), MAX_DRAWN_CLUMPS))
        ],
    }
