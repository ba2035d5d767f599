"""A mixed-model scan as files: a table that PLINK's users can join, and the numbers as JSON."""

from __future__ import annotations

import os
from pathlib import Path

from ... import __version__
from ..._core.files import write_json
from ..._core.inside import Inside
from ..._core.outputs import OutputFolder
from ..blocks.tables import write_table
from ..quality.inflation import quantiles_of
from .mixed_result import MixedScan
from .mixed_schema import MixedContent

SCHEMA = 1
KIND = "mixed-scan"
FOLDER = OutputFolder("result of `tamis genome mixed`", "results.json", KIND, ("mixed.tsv",))


def write_mixed(
    scan: MixedScan, folder: str | os.PathLike[str], settings: dict[str, object], remarks: list[str]
) -> MixedContent:
    """Write ``mixed.tsv`` and ``results.json``.

    Parameters
    ----------
    scan : MixedScan
    folder : path
        That is there.
    settings : dict
        The requested options, for the JSON.
    remarks : list of str
        Messages shown before.

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
    write_table(scan.table(), Inside(folder, "mixed.tsv"))
    content: MixedContent = {
        "schema": SCHEMA,
        "kind": KIND,
        "versions": {"tamis": __version__},
        **scan.to_dict(),
        "settings": settings,
        "remarks": remarks,
        "quantiles": quantiles_of(scan.p_values, scan.genotypes.variants.id),
        "picture": scan.manhattan_points(),
    }
    write_json(Inside(folder, "results.json"), content)
    return content
