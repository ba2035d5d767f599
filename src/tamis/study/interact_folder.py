"""The result folder of `tamis interact`: claimed once, resumable, each file whole or absent.

::

    settings.json interactions.json features.csv edges.csv graph.graphml rules.csv report.html
    runs/*.npz (until it is finished)

All of it is the same bytes for the same settings, data, seed and versions.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from .._core.errors import StoreError, listing
from .._core.files import PARTIAL, write_json

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
        old, where = self._read(SETTINGS), repr(str(self.path))
        if old is None:
            names = self._names()
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
        content = self._read(RESULT)
        if content is not None and content.get("schema") != 1:
            raise StoreError(f"{str(self.path / RESULT)!r} is not of this version: delete it")
        return content

    def drop_runs(self) -> None:
        """Delete the finished runs; what is not one of them stays."""
        runs = self.path / RUNS
        for file in runs.glob("*.npz"):
            file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not there, or not ours alone
            runs.rmdir()

    def _names(self) -> list[str]:
        """What lies in the folder, but for files that were never finished."""
        if not self.path.is_dir():
            return []
        return sorted(p.name for p in self.path.iterdir() if not p.name.endswith(PARTIAL))

    def _read(self, name: str) -> dict[str, Any] | None:
        path = self.path / name
        try:
            value = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except NotADirectoryError as error:
            message = f"{str(self.path)!r} is not a folder: choose another --out"
            raise StoreError(message) from error
        except OSError as error:
            raise StoreError(f"cannot read {str(path)!r}: {error.strerror}") from error
        except ValueError as error:
            raise StoreError(f"{str(path)!r} is not readable JSON: choose another --out") from error
        if not isinstance(value, dict):
            raise StoreError(f"{str(path)!r} is not of `tamis interact`: choose another --out")
        return value


def _differing(old: dict[str, Any], new: dict[str, Any], key: str) -> str:
    """Names under `key` of which the values differ."""
    before = old.get(key)
    before = before if isinstance(before, dict) else {}
    names = {*new[key], *before}
    return ", ".join(sorted(n for n in names if before.get(n) != new[key].get(n)))
