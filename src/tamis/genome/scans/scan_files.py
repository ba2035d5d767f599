"""A scan as files: tables that PLINK's users can join, and the numbers as JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ... import __version__
from ..._core.files import write_json
from ..._core.inside import Inside
from ..._core.outputs import OutputFolder
from ..blocks.tables import write_table
from ..quality.inflation import quantiles_of
from .scan_result import MTDScan
from .scan_schema import ScanContent

SCHEMA = 1
KIND = "mtd-scan"
FOLDER = OutputFolder(
    "result of `tamis genome mtd`", "results.json", KIND, ("mtd.tsv", "left_out.tsv")
)


def write_scan(
    scan: MTDScan,
    folder: str | os.PathLike[str],
    settings: dict[str, object],
    remarks: Sequence[str] = (),
) -> ScanContent:
    """Write ``mtd.tsv``, ``left_out.tsv`` and ``results.json``.

    Parameters
    ----------
    scan : MTDScan
    folder : path
        Made if it is not there.
    settings : dict
        The requested options, for the JSON.
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
    folder = Path(folder)
    write_table(scan.table(), Inside(folder, "mtd.tsv"))
    write_table(scan.dropped_table(), Inside(folder, "left_out.tsv"))
    p = scan.single_p_values
    content: ScanContent = {
        "schema": SCHEMA,
        "kind": KIND,
        "versions": {"tamis": __version__},
        **scan.to_dict(),
        "settings": settings,
        "remarks": list(remarks),
        "quantiles": None if p is None else quantiles_of(p, scan.genotypes.variants.id),
        "picture": scan.manhattan_points(),
    }
    write_json(Inside(folder, "results.json"), content)
    return content
