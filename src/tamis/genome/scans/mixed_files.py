"""A mixed-model scan as files: a table that PLINK's users can join, and the numbers as JSON."""

from __future__ import annotations

import os
from typing import cast

from ..._core.outputs import OutputFolder
from .mixed_result import MixedScan
from .mixed_schema import MixedContent
from .variant_scan_files import write_variant_scan

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
    found = write_variant_scan(scan, folder, KIND, "mixed.tsv", settings, remarks)
    return cast(MixedContent, found)
