"""A look as files: tables of columns and samples, and what was found as JSON."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core.files import write_json, write_text
from .._core.outputs import OutputFolder
from .._core.tsv import tsv_text
from .result import TableLook
from .schema import LookContent
from .table import KIND

if TYPE_CHECKING:
    import pandas as pd

FOLDER = OutputFolder(
    "result of `tamis look`", "look.json", KIND, ("columns.tsv", "samples.tsv")
)  # fmt: skip


def write_look(
    found: TableLook, folder: str | os.PathLike[str], settings: dict[str, Any], command: str = ""
) -> LookContent:
    """Write ``columns.tsv``, ``samples.tsv`` and ``look.json``.

    Parameters
    ----------
    found : TableLook
    folder : path
        That is there.
    settings : dict
        What was asked for, for the JSON.
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
    _write_table(found.frame(), folder / "columns.tsv")
    _write_table(found.samples_frame(), folder / "samples.tsv")
    content: LookContent = {**found.to_dict(), "settings": settings, "command": command}
    write_json(folder / "look.json", content)
    return content


def _write_table(table: pd.DataFrame, path: Path) -> None:
    write_text(path, tsv_text(list(table.columns), table.itertuples(index=False, name=None)))
