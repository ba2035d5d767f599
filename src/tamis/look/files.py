"""A look as files: tables of columns and samples, and what was found as JSON."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from .._core.files import write_json, write_text
from .._core.inside import Inside
from .._core.outputs import OutputFolder
from .._core.tsv import tsv_text
from ..genome.blocks.tables import write_table
from .cohort_result import COHORT, CohortLook
from .result import TableLook
from .schema import CohortContent, LookContent
from .table import KIND

RESULT_NAME = "look.json"
COHORT_FOLDER = OutputFolder(
    "look at genotypes", RESULT_NAME, COHORT, ("variants.tsv", "samples.tsv")
)
FOLDER = OutputFolder("look at a table", RESULT_NAME, KIND, ("columns.tsv", "samples.tsv"))


def write_look(
    found: TableLook, folder: str | os.PathLike[str], settings: dict[str, object], command: str = ""
) -> LookContent:
    """Write ``columns.tsv``, ``samples.tsv`` and ``look.json``.

    Parameters
    ----------
    found : TableLook
    folder : path
        That is there.
    settings : dict
        The options that were given, for the JSON.
    command : str
        That a study of the same table is run with.

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
    _write_table(found.column_arrays(), Inside(folder, "columns.tsv"))
    _write_table(found.sample_arrays(), Inside(folder, "samples.tsv"))
    content: LookContent = {**found.to_dict(), "settings": settings, "command": command}
    write_json(Inside(folder, RESULT_NAME), content)
    return content


def write_cohort_look(
    found: CohortLook,
    folder: str | os.PathLike[str],
    settings: dict[str, object],
    command: str = "",
) -> CohortContent:
    """Write ``variants.tsv``, ``samples.tsv`` and ``look.json``, as `write_look` does."""
    folder = Path(folder)
    write_table(found.frame(), Inside(folder, "variants.tsv"))
    write_table(found.samples_frame(), Inside(folder, "samples.tsv"))
    content: CohortContent = {**found.to_dict(), "settings": settings, "command": command}
    write_json(Inside(folder, RESULT_NAME), content)
    return content


def _write_table(columns: dict[str, np.ndarray], path: Inside) -> None:
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    write_text(path, tsv_text(list(columns), rows))
