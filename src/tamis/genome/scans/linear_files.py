"""A linear scan as files: a table that PLINK's users can join, and the numbers as JSON."""

from __future__ import annotations

import os
from pathlib import Path

from ... import __version__
from ..._core.files import write_json
from ..._core.inside import Inside
from ..._core.outputs import OutputFolder
from ..blocks.tables import write_table
from ..quality.inflation import quantiles_of
from .linear_result import LinearScan
from .linear_schema import LinearContent

SCHEMA = 1
KIND = "linear-scan"
FOLDER = OutputFolder("result of `tamis genome linear`", "results.json", KIND, ("linear.tsv",))


def write_linear(
    scan: LinearScan,
    folder: str | os.PathLike[str],
    settings: dict[str, object],
    remarks: list[str],
) -> LinearContent:
    """Write ``linear.tsv`` and ``results.json``.

    Parameters
    ----------
    scan : LinearScan
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
    write_table(scan.table(), Inside(folder, "linear.tsv"))
    content: LinearContent = {
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
