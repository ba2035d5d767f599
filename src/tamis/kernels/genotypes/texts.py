"""Texts scattered among bytes, gathered one after the other."""

from __future__ import annotations

import numpy as np

from .._jit import jit


def gather_texts(flat: np.ndarray, spans: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bytes of m texts one after the other, and where each begins (m + 1,) int64.

    Parameters
    ----------
    flat : ndarray of uint8
    spans : ndarray of shape (m, 2) of int64
        Where each begins in `flat`, and its length.
    """
    # one more offset than texts, the end of the last: the layout of Arrow's strings
    offsets = np.zeros(len(spans) + 1, dtype=np.int64)
    np.cumsum(spans[:, 1], out=offsets[1:])
    found = np.empty(offsets[-1], dtype=np.uint8)
    _gather_texts(flat, spans, offsets, found)
    return found, offsets


@jit
def _gather_texts(flat, spans, offsets, found):
    for j in range(len(spans)):
        first, to = spans[j, 0], offsets[j]
        for k in range(spans[j, 1]):
            found[to + k] = flat[first + k]
