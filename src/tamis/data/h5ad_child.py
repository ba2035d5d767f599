"""An .h5ad as a stream, written by a process of its own, which runs this file.

The HDF5 library ends the process on some damaged files, and never comes back from others; here it
can do so without harm. Nothing of the package is imported. Messages go to stdout, each a line of
JSON and the bytes of the array that it describes: names, the columns of `obs`, blocks of X along
rows (or columns, where X is stored by columns). The last is `done`, or the `error` to be told.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, BinaryIO

import numpy as np

CELLS = 1 << 22  # made dense at once
LONGEST = 10**9  # seconds that a timer takes
Message = dict[str, Any]  # a line of JSON
Tell = Callable[[Message, np.ndarray | None], None]


class Unfit(Exception):
    """What the user is told."""


def main(path: str, seconds: int, memory: int, out: BinaryIO) -> None:
    """Write the stream; a message takes no more seconds of a processor, and all of it no more
    bytes, than are said."""

    def tell(message: Message, array: np.ndarray | None) -> None:
        if array is not None:
            array = np.ascontiguousarray(array)
            message |= {"dtype": array.dtype.str, "shape": array.shape}
        out.write(json.dumps(message).encode() + b"\n")
        if array is not None:
            out.write(array.data)
        out.flush()
        _bound_time(seconds)

    try:
        read_elem = _libraries()
        _bound_memory(memory)
        _bound_time(seconds)
        _tell_all(path, tell, read_elem)
    except BrokenPipeError:
        return
    except Unfit as error:
        tell({"what": "error", "text": str(error)}, None)
    except MemoryError:
        tell({"what": "memory"}, None)
    except Exception as error:  # of files that are wrong, the libraries raise whatever comes up
        reason = " ".join(str(error).split()) or type(error).__name__
        tell({"what": "error", "text": f"is not a readable .h5ad file: {reason[:120]}"}, None)
    else:
        tell({"what": "done"}, None)


def _libraries() -> Callable[[Any], Any]:
    """What reads an element of a file."""
    import h5py  # noqa: F401

    try:
        from anndata.io import read_elem
    except ImportError:  # before 0.11
        from anndata.experimental import read_elem
    return read_elem


def _tell_all(path: str, tell: Tell, read_elem: Callable[[Any], Any]) -> None:
    import h5py

    with h5py.File(os.fsencode(path), "r") as file:
        X = _matrix(file)
        obs, var = read_elem(file["obs"]), read_elem(file["var"])
        n, p = X.shape
        if (len(obs), len(var)) != (n, p):
            raise Unfit(f"has X of {n:,} x {p:,}, obs of {len(obs):,} and var of {len(var):,}")
        rows, columns = (list(map(_text, part.index)) for part in (obs, var))
        tell({"what": "names", "by": X.by, "rows": rows, "columns": columns}, None)
        for name in obs.columns:
            codes, values = _coded(obs[name])
            tell({"what": "obs", "name": _text(name), "values": values}, codes)
        for start, block in X.blocks():
            tell({"what": "block", "start": start}, np.asarray(block, dtype="<f8"))


def _text(value: Any) -> str:
    return str(value).encode("utf-8", "replace").decode()


def _coded(column: Any) -> tuple[np.ndarray, list[str | None]]:
    """Codes of a column of `obs`, -1 for missing, and what they stand for."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, values = column.cat.codes.to_numpy(), column.cat.categories
    else:
        codes, values = pd.factorize(column)
    return codes.astype("<i4"), [None if v is None or v != v else _text(v) for v in values]


def _matrix(file: Any) -> Dense | Sparse:
    import h5py

    for part in ("obs", "var"):
        if part not in file:
            raise Unfit(f"has no {part!r}: it is not an .h5ad file")
    X = file.get("X")
    if X is None:
        layers = file.get("layers")
        names = islice(layers, 3) if isinstance(layers, h5py.Group) else ()
        others = [*(["raw/X"] if "raw/X" in file else []), *(f"layers/{name}" for name in names)]
        found = f", but {', '.join(map(repr, others))}: store one as X" if others else "; store one"
        raise Unfit(f"holds no matrix X{found}")
    if isinstance(X, h5py.Dataset):
        _check_numbers(X)
        if X.ndim != 2 or not X.size:
            raise Unfit(f"holds no matrix X but {' x '.join(map(str, X.shape)) or 'a number'}")
        return Dense(X)
    kind = X.attrs.get("encoding-type", X.attrs.get("h5sparse_format", ""))
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    shape = tuple(map(int, X.attrs.get("shape", X.attrs.get("h5sparse_shape", ()))))
    if kind[:3] not in ("csr", "csc") or len(shape) != 2 or min(shape) < 1:
        raise Unfit("holds no matrix X that is known here; store it dense, or as csr or csc")
    return Sparse(X, kind[:3] == "csr", (shape[0], shape[1]))


def _check_numbers(values: Any) -> None:
    if values.dtype.kind not in "biuf":
        raise Unfit(f"holds an X of type {values.dtype}, which is no number; store numbers")


class Dense:
    """X as an array."""

    by = "rows"

    def __init__(self, X: Any):
        self.X, self.shape = X, X.shape

    def blocks(self) -> Iterator[tuple[int, np.ndarray]]:
        """(first row, some rows)."""
        step = max(1, CELLS // self.shape[1])
        for start in range(0, self.shape[0], step):
            yield start, self.X[start : start + step]


class Sparse:
    """X as the entries of its rows, or of its columns."""

    def __init__(self, X: Any, by_row: bool, shape: tuple[int, int]):
        self.shape, self.by = shape, "rows" if by_row else "columns"
        self.lines, self.width = shape if by_row else shape[::-1]
        self.data, self.indices = X["data"], X["indices"]
        _check_numbers(self.data)
        if X["indptr"].shape != (self.lines + 1,):
            raise Unfit("has an X whose parts are not of one length")
        self.starts = np.asarray(X["indptr"][:], dtype=np.int64)
        ends = self.starts[0], self.starts[-1]
        if ends != (0, len(self.data)) or np.any(np.diff(self.starts) < 0):
            raise Unfit("has an X whose rows do not follow each other")
        if len(self.indices) != len(self.data):
            raise Unfit("has an X whose parts are not of one length")

    def blocks(self) -> Iterator[tuple[int, np.ndarray]]:
        """(first line, some lines); entries of one place are added up."""
        step = max(1, CELLS // self.width)
        for start in range(0, self.lines, step):
            starts = self.starts[start : start + step + 1]
            at = slice(starts[0], starts[-1])
            place, values = np.asarray(self.indices[at], dtype=np.int64), self.data[at]
            if np.any((place < 0) | (place >= self.width)):
                raise Unfit("has an X with entries that lie outside of it")
            line = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            size, values = (len(starts) - 1) * self.width, np.asarray(values, dtype=np.float64)
            cells = np.bincount(line * self.width + place, values, size)
            yield start, cells.reshape(-1, self.width)


def _bound_memory(size: int) -> None:
    """From now on no more than that many bytes beyond what the process has."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # only where systems have it
        import resource

        with open("/proc/self/statm") as file:
            held = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or soft > held + size:
            resource.setrlimit(resource.RLIMIT_AS, (held + size, hard))


def _bound_time(seconds: int) -> None:
    """The system ends the process when it has worked for so many more, wherever it is by then."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, min(max(seconds, 1), LONGEST))  # 0 would be no end


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), answers)
