"""An .h5ad, or a part of an .h5mu, as a stream by a process of its own, which runs this file.

The HDF5 library ends the process on some damaged files, and never comes back from others; here it
can do so without harm. Nothing of the package is imported. Messages go to stdout, each a line of
JSON and the bytes of the array that it describes: names, the columns of `obs`, blocks of X along
rows (or columns, where X is stored by columns). The last is `done`, or the `error` to be told.
Asked for no modality, an .h5mu tells which it has, and the columns of `obs` of all of them.
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
MODALITIES = 100  # of an .h5mu: each is read by a process of its own
LAYERS = 20  # that are told
SYMBOLS = (  # columns of `var` with names of genes for people
    "gene_symbols", "gene_symbol", "gene_name", "gene_names", "feature_name", "symbol",
    "hgnc_symbol",
)  # fmt: skip
Message = dict[str, Any]  # a line of JSON
Tell = Callable[[Message, np.ndarray | None], None]


class Unfit(Exception):
    """What the user is told."""


def main(path: str, asked: str, seconds: int, memory: int, out: BinaryIO) -> None:
    """Write the stream.

    Parameters
    ----------
    path : str
    asked : str
        JSON of a list: the modality, empty for the file itself, and the layer, empty for X.
    seconds, memory : int
        A message takes no more seconds of a processor, and all of it no more bytes.
    out : binary file
    """

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
        part, layer = json.loads(asked)
        _tell_all(path, part, layer, tell, read_elem)
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


def _tell_all(
    path: str, part: str, layer: str, tell: Tell, read_elem: Callable[[Any], Any]
) -> None:
    import h5py

    with h5py.File(os.fsencode(path), "r") as file:
        _refuse_relatives(file)
        modalities = _modalities(file)
        if part and part not in modalities:
            raise Unfit(f"has no modality {part!r}")
        if modalities and not part:
            _tell_sheet(file, modalities, tell, read_elem)
        else:
            _tell_table(file["mod"][part] if part else file, layer, tell, read_elem)


def _refuse_relatives(file: Any) -> None:
    """Files of the same field in other layouts, by what else reads them."""
    import h5py

    if "obs" in file:
        return
    then = "then .write_h5ad(...) stores it as an .h5ad"
    if isinstance(file.get("matrix"), h5py.Dataset) and "row_attrs" in file:
        raise Unfit(f"is a loom file: anndata.io.read_loom(...) reads it, {then}")
    groups = (g for g in islice(file.values(), LAYERS) if isinstance(g, h5py.Group))
    if any("barcodes" in group and "indptr" in group for group in groups):
        raise Unfit(f"is a matrix of 10x Genomics: scanpy.read_10x_h5(...) reads it, {then}")


def _modalities(file: Any) -> list[str]:
    """The tables of an .h5mu, in its order; none of an .h5ad."""
    import h5py

    mod = file.get("mod")
    if not isinstance(mod, h5py.Group):
        return []
    if len(mod) > MODALITIES:
        raise Unfit(f"has {len(mod):,} modalities, and at most {MODALITIES} are read")
    if file.attrs.get("axis", 0) == 1:
        raise Unfit(
            "is an .h5mu whose modalities share features, not samples (axis 1); store the one to "
            "study as an .h5ad"
        )
    said = np.asarray(mod.attrs.get("mod-order", ()), dtype=object).ravel()[:MODALITIES]
    order = [name.decode() if isinstance(name, bytes) else str(name) for name in said]
    return sorted(mod, key=lambda name: order.index(name) if name in order else len(order))


def _tell_sheet(
    file: Any, modalities: list[str], tell: Tell, read_elem: Callable[[Any], Any]
) -> None:
    """The names of samples and modalities, and the columns of `obs`: the file's, and those of
    modalities as ``rna:column``."""
    obs = read_elem(file["obs"])
    rows = list(map(_text, obs.index))
    tell({"what": "modalities", "names": list(map(_text, modalities)), "rows": rows}, None)
    _tell_obs(obs, np.arange(len(rows)), "", tell)
    known = set(map(_text, obs.columns))
    for name in modalities:
        own = read_elem(file["mod"][name]["obs"])
        place = {row: k for k, row in enumerate(map(_text, own.index))}
        at = np.array([place.get(row, -1) for row in rows], dtype=np.intp)
        own = own[[c for c in own.columns if f"{_text(name)}:{_text(c)}" not in known]]
        _tell_obs(own, at, f"{_text(name)}:", tell)


def _tell_table(group: Any, layer: str, tell: Tell, read_elem: Callable[[Any], Any]) -> None:
    """The names, `obs` and the matrix of one table."""
    for part in ("obs", "var"):
        if part not in group:
            raise Unfit(f"has no {part!r}: it is not an .h5ad file")
    layers = _layers(group)
    matrix, features, what = _asked(group, layers, layer)
    X = _matrix(matrix, what)
    obs, var = read_elem(group["obs"]), read_elem(features)
    n, p = X.shape
    if (len(obs), len(var)) != (n, p):
        raise Unfit(f"has {what} of {n:,} x {p:,}, obs of {len(obs):,} and var of {len(var):,}")
    names = {
        "by": X.by, "rows": list(map(_text, obs.index)), "columns": list(map(_text, var.index)),
        "layers": [] if layer else layers[:LAYERS], "symbols": _symbols(var),
    }  # fmt: skip
    tell({"what": "names", **names}, None)
    _tell_obs(obs, np.arange(n), "", tell)
    for start, block in X.blocks():
        tell({"what": "block", "start": start}, np.asarray(block, dtype="<f8"))


def _layers(group: Any) -> list[str]:
    """What a table has instead of X."""
    import h5py

    layers, raw = group.get("layers"), group.get("raw")
    names = list(map(_text, layers)) if isinstance(layers, h5py.Group) else []
    has_raw = isinstance(raw, h5py.Group) and {"X", "var"} <= set(raw)
    return [*names, "raw"] if has_raw and "raw" not in names else names


def _asked(group: Any, layers: list[str], layer: str) -> tuple[Any, Any, str]:
    """The matrix that is asked for, what tells its columns, and what it is called."""
    import h5py

    X = group.get("X")
    listed = ", ".join(map(repr, layers[:LAYERS]))
    if not layer:
        if X is None or (isinstance(X, h5py.Dataset) and X.shape is None):
            has = f", but layers ({listed}): layer={layers[0]!r} reads one" if layers else ""
            raise Unfit(f"holds no matrix X{has or '; store one'}")
        return X, group["var"], "X"
    if layer not in layers:
        has = f"it has {listed}" if layers else "it has X alone"
        raise Unfit(f"has no layer {layer!r}; {has}")
    if layer == "raw" and layer not in group.get("layers", ()):
        return group["raw/X"], group["raw/var"], "raw/X"
    return group["layers"][layer], group["var"], f"layer {layer!r}"


def _tell_obs(obs: Any, at: np.ndarray, prefix: str, tell: Tell) -> None:
    """Columns, in the order of the samples: `at` says which row each is, -1 for none."""
    from pandas.api.types import is_numeric_dtype

    for name in obs.columns:
        codes, values = _coded(obs[name])
        said = {"name": prefix + _text(name), "text": not is_numeric_dtype(obs[name].dtype)}
        tell({"what": "obs", **said, "values": values}, np.append(codes, np.int32(-1))[at])


def _symbols(var: Any) -> list[str | None] | None:
    """Names of the features for people, if there are such."""
    known = {str(column).lower(): column for column in var.columns}
    for name in SYMBOLS:
        if name in known:
            codes, values = _coded(var[known[name]])
            return [None if code < 0 else values[code] for code in codes]
    return None


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


def _matrix(X: Any, what: str) -> Dense | Sparse:
    import h5py

    if isinstance(X, h5py.Dataset):
        _check_numbers(X, what)
        if X.ndim != 2 or not X.size:
            size = " x ".join(map(str, X.shape)) or "a number"
            raise Unfit(f"holds no matrix as {what} but {size}")
        return Dense(X)
    kind = X.attrs.get("encoding-type", X.attrs.get("h5sparse_format", ""))
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    shape = tuple(map(int, X.attrs.get("shape", X.attrs.get("h5sparse_shape", ()))))
    if kind[:3] not in ("csr", "csc") or len(shape) != 2 or min(shape) < 1:
        raise Unfit(
            f"holds no matrix as {what} that is known here; store it dense, or as csr or csc"
        )
    return Sparse(X, kind[:3] == "csr", (shape[0], shape[1]), what)


def _check_numbers(values: Any, what: str) -> None:
    if values.dtype.kind not in "biuf":
        raise Unfit(f"holds values of type {values.dtype} as {what}, which are no numbers")


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

    def __init__(self, X: Any, by_row: bool, shape: tuple[int, int], what: str):
        self.what, self.shape, self.by = what, shape, "rows" if by_row else "columns"
        self.lines, self.width = shape if by_row else shape[::-1]
        self.data, self.indices = X["data"], X["indices"]
        _check_numbers(self.data, what)
        if X["indptr"].shape != (self.lines + 1,):
            raise Unfit(f"has {what} whose parts are not of one length")
        self.starts = np.asarray(X["indptr"][:], dtype=np.int64)
        ends = self.starts[0], self.starts[-1]
        if ends != (0, len(self.data)) or np.any(np.diff(self.starts) < 0):
            raise Unfit(f"has {what} whose rows do not follow each other")
        if len(self.indices) != len(self.data):
            raise Unfit(f"has {what} whose parts are not of one length")

    def blocks(self) -> Iterator[tuple[int, np.ndarray]]:
        """(first line, some lines); entries of one place are added up."""
        step = max(1, CELLS // self.width)
        for start in range(0, self.lines, step):
            starts = self.starts[start : start + step + 1]
            at = slice(starts[0], starts[-1])
            place, values = np.asarray(self.indices[at], dtype=np.int64), self.data[at]
            if np.any((place < 0) | (place >= self.width)):
                raise Unfit(f"has {self.what} with entries that lie outside of it")
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
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), answers)
