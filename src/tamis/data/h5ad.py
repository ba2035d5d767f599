"""AnnData files: `obs` is the sample sheet, `X` the features."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .._core.errors import DataError, require
from . import memory
from .dataset import check_unique
from .raw import ROW_NAMES, Raw, Text, Wanted

CHUNK = 32 << 20  # bytes made dense at once


def read_h5ad(path: Path, wanted: Wanted) -> Raw:
    """Read `X` (dense or sparse, made dense by blocks of rows), `obs` and the names."""
    anndata = require("anndata", "h5ad", f"reading {path.name!r}")
    try:
        data = anndata.read_h5ad(path, backed="r")
    except (OSError, KeyError, ValueError) as error:
        reason = (str(error).splitlines() or ["unreadable"])[0][:120]
        raise DataError(f"{path.name!r} is not a readable .h5ad file: {reason}") from error
    try:
        n, p = data.shape
        features = [str(v) for v in data.var_names]
        check_unique(features, f"feature names in {path.name!r}")
        if not n or not p or data.X is None:
            raise DataError(f"{path.name!r} holds no matrix X ({n:,} x {p:,}); store one")
        dropped = wanted.dropped(features, path.name) if wanted.drop else set()
        keep = np.array([k for k, name in enumerate(features) if name not in dropped], int)
        reserve = [c for c in wanted.reserve if c not in set(features)]
        width = len(keep) + len(reserve)
        memory.check_memory(8.0 * n * width, path, f"{n:,} rows x {width:,} columns made dense")
        X = np.full((n, width), np.nan)
        step = max(1, CHUNK // (8 * p))
        for start in range(0, n, step):
            block = data.X[start : start + step]
            block = block.toarray() if hasattr(block, "toarray") else np.asarray(block)
            X[start : start + step, : len(keep)] = block[:, keep]
        sheet = {str(c): _column_text(data.obs[c]) for c in data.obs.columns}
        ids = Text.of(map(str, data.obs_names))
    finally:
        data.file.close()
    columns = [features[k] for k in keep] + reserve
    return Raw(columns, X, {ROW_NAMES: ids}, features, ROW_NAMES, sheet=sheet)


def _column_text(column) -> Text:
    return Text.of(None if v is None or v != v else str(v) for v in column)
