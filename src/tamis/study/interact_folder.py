"""The result folder of `tamis interact`: claimed once, resumable, each file whole or absent.

::

    settings.json interactions.json features.csv edges.csv graph.graphml rules.csv report.html
    runs/*.npz (until it is finished)

All of it is the same bytes for the same settings, data, seed and versions.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from .._core.errors import StoreError, listing
from .._core.files import PARTIAL, write_json
from .folder import names_in, read_object

SETTINGS, RESULT, RUNS = "settings.json", "interactions.json", "runs"
TABLES = ("features.csv", "edges.csv", "graph.graphml", "rules.csv")


class InteractionFolder:
    """Where one search for interactions is kept.

    Parameters
    ----------
    path : path
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)

    def begin(self, about: dict[str, Any], resume: bool) -> None:
        """Claim the folder, or check that it holds this very search.

        `about` has ``digest``, ``name``, ``settings`` and ``versions``.

        Raises
        ------
        StoreError
            The folder holds a search and `resume` is off; or it holds something else. Nothing
            is changed then.
        """
        old, where = read_object(self.path / SETTINGS, "`tamis interact`"), repr(str(self.path))
        if old is None:
            names = names_in(self.path)
            if names:
                raise StoreError(
                    f"{where} is not empty ({listing(names, 3)}) and holds no result of "
                    "`tamis interact`: choose another --out"
                )
            write_json(self.path / SETTINGS, about)
            return
        if not resume:
            raise StoreError(
                f"{where} already holds a result of `tamis interact`: continue it with --resume, "
                "or choose another folder with --out"
            )
        if any(old.get(key) != about[key] for key in ("digest", "name")):
            raise StoreError(
                f"the data differ from those of {where}: resume with the same table, or choose "
                "another folder with --out"
            )
        differing = _differing(old, about, "settings")
        if differing:
            raise StoreError(
                f"the settings differ from those of {where} (in: {differing}): resume with the "
                "same, or choose another folder with --out"
            )
        differing = _differing(old, about, "versions")
        if differing:
            raise StoreError(
                f"{where} was begun with another version of {differing}: results would mix; "
                "choose another folder with --out"
            )
        for partial in self.path.rglob(f".*{PARTIAL}"):
            partial.unlink(missing_ok=True)

    def finished(self) -> dict[str, Any] | None:
        """The result, if every file is there."""
        if not all((self.path / name).exists() for name in TABLES):
            return None
        content = read_object(self.path / RESULT, "`tamis interact`")
        if content is not None and content.get("schema") != 1:
            raise StoreError(f"{str(self.path / RESULT)!r} is not of this version: delete it")
        return content

    def is_one(self) -> bool:
        """Whether a search was begun or finished here."""
        return any((self.path / name).is_file() for name in (SETTINGS, RESULT))

    def open(self) -> dict[str, Any]:
        """The result.

        Raises
        ------
        StoreError
            There is none, or not all of it.
        """
        content = self.finished()
        if content is None:
            hint = (
                "run the same `tamis interact` with --resume"
                if self.is_one()
                else "it is not the folder of `tamis interact`"
            )
            raise StoreError(f"no finished search in {str(self.path)!r}: {hint}")
        return content

    def drop_runs(self) -> None:
        """Delete the finished runs; what is not one of them stays."""
        runs = self.path / RUNS
        for file in runs.glob("*.npz"):
            file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not there, or not ours alone
            runs.rmdir()


def _differing(old: dict[str, Any], new: dict[str, Any], key: str) -> str:
    """Names under `key` of which the values differ."""
    before = old.get(key)
    before = before if isinstance(before, dict) else {}
    names = {*new[key], *before}
    return ", ".join(sorted(n for n in names if before.get(n) != new[key].get(n)))
