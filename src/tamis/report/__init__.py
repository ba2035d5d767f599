"""A finished study -> one HTML page that works anywhere, offline, for years."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .._core.files import write_text

__all__ = ["write_report"]


def write_report(
    result: dict[str, Any],
    folder: str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
) -> Path:
    """Write the report of a study: one self-contained HTML file.

    The page holds its styles, charts, script and data; it asks nothing of the network. The
    same result gives the same bytes.

    Parameters
    ----------
    result : dict
        The dictionary of ``results.json`` (``StudyResult.to_dict()``), see ``docs/json.md``.
    folder : path-like
        The result folder, to whose files the page links.
    path : path-like, optional
        Where to write; ``<folder>/report.html`` by default.

    Returns
    -------
    pathlib.Path
        The file written.

    Raises
    ------
    StoreError
        `result` is not a study's result, or the file cannot be written.

    Examples
    --------
    >>> write_report({"schema": 2}, ".")
    Traceback (most recent call last):
    ...
    tamis._core.errors.StoreError: result has schema 2, ...
    """
    from ._render import render
    from ._view import view

    folder = Path(folder)
    target = folder / "report.html" if path is None else Path(path)
    seen = os.path.relpath(folder.resolve(), target.resolve().parent)
    write_text(target, render(view(result, Path(seen).as_posix())))
    return target
