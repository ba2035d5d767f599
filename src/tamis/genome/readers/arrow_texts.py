"""Texts among the bytes of a file as Arrow's strings."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ..._core.errors import DataError


def texts_of(flat: np.ndarray, spans: np.ndarray, name: str) -> pa.Array:
    """Strings (m,) of the bytes at `spans` (m, 2), where each begins and its length.

    What is no UTF-8 is replaced by the mark that says so.

    Raises
    ------
    DataError
        They are more than 2 GB, Arrow's most; `name` is the file's.
    """
    from ...kernels.genotypes.texts import gather_texts

    if spans[:, 1].sum() >= 1 << 31:
        raise DataError(f"{name!r} has 2 GB of names and alleles: it is damaged, or no such file")
    found, offsets = gather_texts(flat, spans)
    if len(found) and found.max() >= 128:
        raw = found.tobytes()
        cuts = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
        return pa.array([raw[i:j].decode("utf-8", "replace") for i, j in cuts], pa.string())
    buffers = [None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(found)]
    return pa.StringArray.from_buffers(len(spans), buffers[1], buffers[2])
