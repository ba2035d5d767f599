"""Clumps as files: PLINK's table, and the numbers as JSON."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .. import __version__
from .._core.files import write_json
from .._core.outputs import OutputFolder
from .clump_result import Clumps
from .clump_schema import ClumpContent
from .tables import write_table

SCHEMA = 1
KIND = "genotype-clumps"
FOLDER = OutputFolder("result of `tamis genome clump`", "results.json", KIND, ("clumps.tsv",))


def write_clumps(
    found: Clumps, folder: str | os.PathLike[str], settings: dict[str, Any]
) -> ClumpContent:
    """Write ``clumps.tsv`` and ``results.json``.

    Parameters
    ----------
    found : Clumps
    folder : path
        That is there.
    settings : dict
        What was asked for, for the JSON.

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
    write_table(found.frame(), folder / "clumps.tsv")
    content: ClumpContent = {
        "schema": SCHEMA, "kind": KIND, "versions": {"tamis": __version__}, **found.to_dict(),
        "settings": settings,
    }  # fmt: skip
    write_json(folder / "results.json", content)
    return content
