"""An .h5ad, or a part of an .h5mu, as a stream: a job of `bounded_child`.

The HDF5 library ends the process on some damaged files, and never comes back from others. Messages
are names, the columns of `obs`, blocks of X along rows (or columns, where X is stored by columns).
Where no modality is requested, they are the modalities of an .h5mu and the columns of its `obs`.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

BLOCK_VALUES = 1 << 22  # made dense at once
MAX_MODALITIES = 100  # of an .h5mu: each is read by a process of its own
MAX_LISTED_LAYERS = 20  # that are listed
KIND = ".h5ad file"
BIOM_ADVICE = (
    "`biom convert -i FILE -o table.tsv --to-tsv` writes a table (pip install biom-format)"
)
Tell = Callable[..., None]  # of a message, and perhaps an array


class Unfit(Exception):
    """With a message for the user."""


def prepare() -> None:
    """Import what reads the files, and not Dask: anndata would, for what stays in a file."""
    import h5py  # noqa: F401

    sys.modules.setdefault("dask", None)  # type: ignore[arg-type]
    _read_elem()


def stream(path: str, request: list[str], tell: Tell) -> None:
    """Tell all of a request: the modality, empty for the file itself, the layer, empty for X,
    and the pattern of columns of `var` with symbols."""
    import h5py

    part, layer, symbol = request
    with h5py.File(os.fsencode(path), "r") as file:
        _refuse_relatives(file, os.path.basename(path))
        modalities = _modality_names(file)
        if part and part not in modalities:
            raise Unfit(f"has no modality {part!r}")
        if modalities and not part:
            _tell_sheet(file, modalities, tell, _read_elem())
        else:
            _tell_table(file["mod"][part] if part else file, layer, symbol, tell, _read_elem())


def _read_elem() -> Callable[[Any], Any]:
    """What reads an element of a file."""
    try:
        from anndata.io import read_elem
    except ImportError:  # before 0.11
        from anndata.experimental import read_elem
    return read_elem


def _refuse_relatives(file: Any, name: str) -> None:
    """Files of the same field in other layouts, by what else reads them."""
    import h5py

    if "obs" in file:
        return
    then = "then .write_h5ad(...) stores it as an .h5ad"
    if isinstance(file.get("matrix"), h5py.Dataset) and "row_attrs" in file:
        raise Unfit(f"is a loom file: anndata.io.read_loom(...) reads it, {then}")
    if "observation" in file and "sample" in file:
        raise Unfit(f"is a BIOM file: {BIOM_ADVICE.replace('FILE', shlex.quote(name))}")
    groups = (g for g in islice(file.values(), MAX_LISTED_LAYERS) if isinstance(g, h5py.Group))
    if any("barcodes" in group and "indptr" in group for group in groups):
        raise Unfit(f"is a matrix of 10x Genomics: scanpy.read_10x_h5(...) reads it, {then}")


def _modality_names(file: Any) -> list[str]:
    """The tables of an .h5mu, in its order; none of an .h5ad."""
    import h5py

    mod = file.get("mod")
    if not isinstance(mod, h5py.Group):
        return []
    if len(mod) > MAX_MODALITIES:
        raise Unfit(f"has {len(mod):,} modalities, and at most {MAX_MODALITIES} are read")
    if file.attrs.get("axis", 0) == 1:
        raise Unfit(
            "is an .h5mu whose modalities share features, not samples (axis 1); store the one to "
            "study as an .h5ad"
        )
    said = np.asarray(mod.attrs.get("mod-order", ()), dtype=object).ravel()[:MAX_MODALITIES]
    order = [name.decode() if isinstance(name, bytes) else str(name) for name in said]
    return sorted(mod, key=lambda name: order.index(name) if name in order else len(order))


def _tell_sheet(
    file: Any, modalities: list[str], tell: Tell, read_elem: Callable[[Any], Any]
) -> None:
    """The names of samples and modalities, and the columns of `obs`: the file's, and those of
    modalities as ``rna:column``."""
    obs = read_elem(file["obs"])
    rows = list(map(_utf8_text, obs.index))
    tell({"what": "modalities", "names": list(map(_utf8_text, modalities)), "rows": rows})
    _tell_obs(obs, np.arange(len(rows)), "", tell)
    known = set(map(_utf8_text, obs.columns))
    for name in modalities:
        own = read_elem(file["mod"][name]["obs"])
        place = {row: k for k, row in enumerate(map(_utf8_text, own.index))}
        at = np.array([place.get(row, -1) for row in rows], dtype=np.intp)
        own = own[[c for c in own.columns if f"{_utf8_text(name)}:{_utf8_text(c)}" not in known]]
        _tell_obs(own, at, f"{_utf8_text(name)}:", tell)


def _tell_table(
    group: Any, layer: str, symbol: str, tell: Tell, read_elem: Callable[[Any], Any]
) -> None:
    """The names, `obs` and the matrix of one table."""
    for part in ("obs", "var"):
        if part not in group:
            raise Unfit(f"has no {part!r}: it is not an .h5ad file")
    layers = _layer_names(group)
    matrix, features, what = _requested_matrix(group, layers, layer)
    X = _matrix_of(matrix, what)
    obs, var = read_elem(group["obs"]), read_elem(features)
    n, p = X.shape
    if (len(obs), len(var)) != (n, p):
        raise Unfit(f"has {what} of {n:,} x {p:,}, obs of {len(obs):,} and var of {len(var):,}")
    names = {
        "by": X.by,
        "rows": list(map(_utf8_text, obs.index)),
        "columns": list(map(_utf8_text, var.index)),
        "layers": [] if layer else layers[:MAX_LISTED_LAYERS],
        "symbols": symbols_of(var, symbol),
    }
    tell({"what": "names", **names})
    _tell_obs(obs, np.arange(n), "", tell)
    for start, block in X.blocks():
        _tell_array(tell, np.asarray(block, dtype="<f8"), what="block", start=start)


def _layer_names(group: Any) -> list[str]:
    """What a table has instead of X."""
    import h5py

    layers, raw = group.get("layers"), group.get("raw")
    names = list(map(_utf8_text, layers)) if isinstance(layers, h5py.Group) else []
    has_raw = isinstance(raw, h5py.Group) and {"X", "var"} <= set(raw)
    return [*names, "raw"] if has_raw and "raw" not in names else names


def _requested_matrix(group: Any, layers: list[str], layer: str) -> tuple[Any, Any, str]:
    """The matrix that is requested, what describes its columns, and what it is called."""
    import h5py

    X = group.get("X")
    listed = ", ".join(map(repr, layers[:MAX_LISTED_LAYERS]))
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
        codes, values = _coded_column(obs[name])
        said = {"name": prefix + _utf8_text(name), "text": not is_numeric_dtype(obs[name].dtype)}
        codes = np.append(codes, np.int32(-1))[at]
        _tell_array(tell, codes, what="obs", values=values, **said)


def _tell_array(tell: Tell, array: np.ndarray, **message: Any) -> None:
    array = np.ascontiguousarray(array)
    tell({**message, "dtype": array.dtype.str, "shape": array.shape}, array)


def symbols_of(var: Any, pattern: str) -> list[str | None] | None:
    """Names of the features for people, if there are such."""
    for column in var.columns:
        if re.fullmatch(pattern, str(column)):
            codes, values = _coded_column(var[column])
            return [None if code < 0 else values[code] for code in codes]
    return None


def _utf8_text(value: Any) -> str:
    return str(value).encode("utf-8", "replace").decode()


def _coded_column(column: Any) -> tuple[np.ndarray, list[str | None]]:
    """Codes of a column of `obs`, -1 for missing, and what they stand for."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, values = column.cat.codes.to_numpy(), column.cat.categories
    else:
        codes, values = pd.factorize(column)
    return codes.astype("<i4"), [None if v is None or v != v else _utf8_text(v) for v in values]


def _matrix_of(X: Any, what: str) -> Dense | Sparse:
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
        step = max(1, BLOCK_VALUES // self.shape[1])
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
        step = max(1, BLOCK_VALUES // self.width)
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
