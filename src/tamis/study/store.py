"""The result folder: written piece by piece, each piece whole or absent.

::

    plan.json data.json cells/<permutation>/<repeat>/<fold>/<ranker>.parquet
    results.json report.html model.skops tables/*.tsv journal.jsonl

Everything but the journal is the same bytes for the same plan, data, seed and versions.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from .._core.errors import StoreError, listing
from .._core.files import PARTIAL, explain, write_bytes, write_json
from .folder import names_in, read_object

# What a study writes beside data.json; a folder that has any of it without a plan is not ours.
OURS = (
    "data.json",
    "cells",
    "tables",
    "results.json",
    "report.html",
    "model.skops",
    "journal.jsonl",
)


class Store:
    """A study's result folder.

    Parameters
    ----------
    folder : path
    """

    def __init__(self, folder: str | os.PathLike[str]):
        self.folder = Path(folder)

    def begin(
        self, plan: dict[str, Any], data: dict[str, Any], resume: bool, defaults: dict[str, Any]
    ) -> None:
        """Claim the folder for a study, or check that it holds this very study.

        `defaults` are those of a plan's keys, for plans written before a key was there.

        Raises
        ------
        StoreError
            The folder holds a study and `resume` is off; or it holds another one. Nothing
            is changed then.
        """
        old = [read_object(self.folder / name, "a study") for name in ("plan.json", "data.json")]
        if old[0] is None:
            ours = old[1] is not None and set(old[1]) == set(data)  # killed before plan.json
            foreign = [n for n in names_in(self.folder) if not (n == "data.json" and ours)]
            if foreign:
                raise StoreError(
                    f"{str(self.folder)!r} is not empty ({listing(foreign, 3)}) and holds no "
                    "study: choose another --out"
                )
            write_json(self.folder / "data.json", data)
            write_json(self.folder / "plan.json", plan)
            return
        if not resume:
            raise StoreError(
                f"{str(self.folder)!r} already holds a study: continue it with --resume, "
                "or choose another folder with --out"
            )
        before = {**defaults, **old[0]}  # keys that plans did not have then
        if not set(before) <= set(plan):
            raise StoreError(
                f"the study in {str(self.folder)!r} was begun with another version of Tamis "
                f"(its plan has {listing(sorted(set(before) - set(plan)))}): choose another --out"
            )
        if before != plan:
            keys = sorted(k for k in {*plan, *before} if before.get(k) != plan.get(k))
            raise StoreError(
                f"the plan differs from the one in {str(self.folder)!r} (in: {', '.join(keys)}): "
                "resume with the same plan, or choose another folder with --out"
            )
        if old[1] is None or any(old[1].get(k) != data[k] for k in ("digest", "name")):
            raise StoreError(
                f"the data differ from those of the study in {str(self.folder)!r}: "
                "resume with the same table, or choose another folder with --out"
            )
        if old[1].get("versions") != data["versions"]:
            begun = old[1].get("versions", {})
            names = [k for k, v in data["versions"].items() if begun.get(k) != v]
            raise StoreError(
                f"the study in {str(self.folder)!r} was begun with another version of "
                f"{', '.join(names)}: results would mix; choose another folder with --out"
            )
        for partial in self.folder.rglob(f".*{PARTIAL}"):
            partial.unlink(missing_ok=True)

    def has(self, path: str) -> bool:
        """Whether a cell is there (cells are renamed into place, so it is then whole)."""
        return (self.folder / path).exists()

    def put(self, path: str, content: bytes) -> None:
        """Write a cell."""
        write_bytes(self.folder / path, content)

    def get(self, path: str) -> bytes:
        """Read a cell."""
        whole = self.folder / path
        try:
            return whole.read_bytes()
        except OSError as error:
            raise StoreError(f"cannot read {str(whole)!r}: {error.strerror}") from error

    def log(self, **event: Any) -> None:
        """Add a line to the journal (wall clocks live here and nowhere else)."""
        line = json.dumps({"time": round(time.time(), 3), **event})
        try:
            with open(self.folder / "journal.jsonl", "a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise explain(error, self.folder / "journal.jsonl") from error
