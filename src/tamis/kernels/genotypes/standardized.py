"""Packed calls as numbers: each variant has four, one for each code of a call."""

from __future__ import annotations

import numpy as np

from .._jit import jit


def decode_rows(packed: np.ndarray, rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Numbers (m, n) float64 that the calls of the samples `rows` (n,) stand for.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
    rows : ndarray of shape (n,) of int64
    values : ndarray of shape (m, 4)
        For the codes 0 to 3: two copies of allele 1, missing, one, none.

    Examples
    --------
    >>> values = np.array([[2.0, -1.0, 1.0, 0.0]])
    >>> decode_rows(np.array([[228, 2]], dtype=np.uint8), np.array([4, 0, 1]), values).tolist()
    [[1.0, 2.0, -1.0]]
    """
    found = np.empty((len(packed), len(rows)))
    _decode_calls(packed, rows, np.ascontiguousarray(values), found)
    return found


def standard_values(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies of allele 1 (m,), and (g - 2 f) / sqrt(2 f (1 - f)) of each code (m, 4).

    Missing calls have the mean, 0; so has every code of a variant with a single allele.

    Parameters
    ----------
    counts : ndarray of shape (m, 4)
        Samples with two copies of allele 1, one, none, and without a call.
    """
    # without any call the frequency is 0, which has no spread either
    called = counts[:, :3].sum(axis=1)
    copies = 2.0 * counts[:, 0] + counts[:, 1]
    frequency = np.divide(copies, 2.0 * called, out=np.zeros(len(counts)), where=called > 0)
    return frequency, values_of(frequency)


def values_of(frequency: np.ndarray) -> np.ndarray:
    """Standardised genotypes (m, 4) by code, from frequencies of allele 1 (m,)."""
    width = np.sqrt(2.0 * frequency * (1.0 - frequency))
    # code 1, missing, keeps the 0 of the mean; so do all codes where the width is 0 (f = 0 or 1)
    found = np.zeros((len(frequency), 4))
    for code, copies in ((0, 2.0), (2, 1.0), (3, 0.0)):
        np.divide(copies - 2.0 * frequency, width, out=found[:, code], where=width > 0)
    return found


@jit
def _decode_calls(packed, rows, values, found):
    n_bytes = packed.shape[1]
    # all samples of the file, then those requested: four calls a byte are cheaper than picking bits
    line = np.empty(4 * n_bytes)
    for j in range(len(packed)):
        two, missing, one, none = values[j, 0], values[j, 1], values[j, 2], values[j, 3]
        for b in range(n_bytes):
            byte = np.int64(packed[j, b])
            for k in range(4):
                code = byte >> (2 * k)
                # only the lowest two bits are read; selections, not branches on random data
                upper = none if code & 1 else one
                lower = missing if code & 1 else two
                line[4 * b + k] = upper if code & 2 else lower
        for i in range(len(rows)):
            found[j, i] = line[rows[i]]
