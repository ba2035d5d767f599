"""A linear scan as files: a table that PLINK's users can join, and the numbers as JSON."""

from __future__ import annotations

import os
from typing import cast

from ..._core.outputs import OutputFolder
from .linear_result import LinearScan
from .linear_schema import LinearContent
from .variant_scan_files import write_variant_scan

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
    found = write_variant_scan(scan, folder, KIND, "linear.tsv", settings, remarks)
    return cast(LinearContent, found)
