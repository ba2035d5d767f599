"""Finished runs of Monte Carlo feature selection on the disk, so that a killed fit can go on.

One file a run: its sums as ``.npz`` without pickle, after a header that names what the run was
made of. A file is complete or absent, and one of other data, settings or versions is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from .._core.errors import StoreError
from .._core.files import atomic_file
from .._core.inside import Inside
from ._monte_carlo_runs import SECOND_STAGE, Convergence, Forest, Pairs, Run, Totals

FORMAT = 1
UPDATE_FIELDS = ("projections", "distance", "common")


class Checkpoint:
    """A folder of finished runs on one table.

    Parameters
    ----------
    folder : path
    table : kernels.c45.TreeTable

    Raises
    ------
    StoreError
        From `load` and `save`: a file is damaged or of another fit, or cannot be written.
    """

    def __init__(self, folder: str | os.PathLike[str], table: Any):
        self.folder = Path(folder)
        self._data = _array_digest(table.columns, table.levels)
        self._versions = {
            "tamis": __version__,
            "numpy": np.__version__,
            "numba": version("numba"),
        }

    def path(self, run: Run) -> Inside:
        """Where a run is kept."""
        names = {0: "observed", SECOND_STAGE: "second_stage"}
        return Inside(self.folder, f"{names.get(run.number, f'permuted_{run.number}')}.npz")

    def save(self, forest: Forest, totals: Totals) -> None:
        """Write the sums of a finished run."""
        pairs, found = totals.pairs, totals.convergence
        updates = [] if found is None else [[u[k] for k in UPDATE_FIELDS] for u in found.updates]
        header = json.dumps(self._header(forest, totals.run, found)).encode()
        with atomic_file(self.path(totals.run)) as file:
            np.savez(
                file,
                allow_pickle=False,
                header=np.frombuffer(header, np.uint8),
                importance=totals.importance,
                offered=totals.offered,
                projections=np.array(totals.projections),
                accuracy=totals.accuracies,
                recalls=totals.recall_sums,
                updates=np.array(updates).reshape(-1, len(UPDATE_FIELDS)),
                keys=pairs.keys,
                weights=pairs.weights,
                squares=pairs.squares,
                counts=pairs.counts,
            )

    def load(self, forest: Forest, run: Run, convergence: Convergence | None) -> Totals | None:
        """The totals of a run, `convergence` filled in; None if it has not been finished."""
        path = self.path(run)
        try:
            with path.opened() as content, np.load(content, allow_pickle=False) as file:
                members = file.zip.infolist()
                if any(member.compress_type for member in members):
                    raise ValueError("compressed: its true size is not known")
                if sum(member.file_size for member in members) > os.fstat(content.fileno()).st_size:
                    raise ValueError("members that share their bytes")
                found = {name: file[name] for name in file.files}
            header = json.loads(found["header"].tobytes())
            if header == (expected := self._header(forest, run, convergence)):
                return _totals_from_arrays(forest, run, convergence, found)
            differing = [key for key in expected if header.get(key) != expected[key]]
        except FileNotFoundError:
            return None
        except StoreError:
            raise
        except OSError as error:
            raise StoreError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
        # what a broken file may raise on its way through zipfile, NumPy and JSON
        except (
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            EOFError,
            MemoryError,
            NotImplementedError,
            RuntimeError,
            zipfile.BadZipFile,
        ) as error:
            raise StoreError(f"{str(path)!r} is damaged: delete it and start again") from error
        raise StoreError(
            f"{str(path)!r} is of another fit (differs in: {', '.join(differing)}): delete the "
            "folder, or choose another"
        )

    def _header(
        self, forest: Forest, run: Run, convergence: Convergence | None
    ) -> dict[str, object]:
        """All that the sums of a run depend on."""
        offer = run.offer
        settings = {
            "m": forest.m,
            "t": forest.t,
            "u": forest.u,
            "v": forest.v,
            "train": forest.sizes.tolist(),
        }
        follows = None if convergence is None else [convergence.step, convergence.ends]
        return {
            "format": FORMAT,
            "data": self._data,
            "settings": settings,
            "seed": forest.seed,
            "versions": self._versions,
            "run": run.number,
            "s": run.s,
            "classes": _array_digest(run.y),
            "offer": _array_digest(offer.top, offer.rest, offer.sums),
            "n_top": int(offer.n_top),
            "pairs": None if run.among is None else _array_digest(run.among),
            "max_ancestors": run.max_ancestors,
            "convergence": follows,
        }


def _totals_from_arrays(
    forest: Forest, run: Run, convergence: Convergence | None, found: dict[str, np.ndarray]
) -> Totals:
    """Totals as they were, from the arrays of a file; ValueError if these cannot be."""
    totals = Totals(forest.p, forest.t, run, convergence)
    keys, updates = found["keys"], found["updates"]
    shapes = {
        "importance": (forest.p,),
        "offered": (forest.p,),
        "projections": (),
        "accuracy": (),
        "recalls": (forest.n_classes,),
        "updates": (len(updates), len(UPDATE_FIELDS)),
        "keys": (len(keys),),
        "weights": (len(keys),),
        "squares": (len(keys),),
        "counts": (len(keys),),
    }
    integers = ("offered", "projections", "keys", "counts")
    for name, shape in shapes.items():
        kind = np.int64 if name in integers else np.float64
        if found[name].shape != shape or found[name].dtype != kind:
            raise ValueError(name)
    if len(keys) and not (keys[0] >= 0 and keys[-1] < forest.p**2 and (np.diff(keys) > 0).all()):
        raise ValueError("keys")
    projections = int(found["projections"])
    if not 0 < projections <= run.s:
        raise ValueError("projections")
    if convergence is not None:
        convergence.updates[:] = [
            {"projections": int(a), "distance": b, "common": c} for a, b, c in updates.tolist()
        ]
    pairs = Pairs(keys, found["weights"], found["squares"], found["counts"])
    totals.restore(
        found["importance"],
        found["offered"],
        projections,
        found["accuracy"],
        found["recalls"],
        pairs,
    )
    return totals


def _array_digest(*arrays: np.ndarray) -> str:
    """SHA-256 of some arrays."""
    h = hashlib.sha256()
    for array in arrays:
        h.update(f"{array.dtype.str}{array.shape}".encode())
        h.update(np.ascontiguousarray(array).data)
    return h.hexdigest()
