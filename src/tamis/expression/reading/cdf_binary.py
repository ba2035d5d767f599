"""Binary CDF (XDA, version 1): numbers of fixed size, the least significant byte first."""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from ..._core.errors import DataError
from .cdf_file import CdfFile, Cells, probe_sets_of
from .content import Place

NAME_BYTES = 64  # bytes of a name, filled up by zeros
CELL_DTYPE = np.dtype(
    [
        ("atom", "<i4"),
        ("x", "<u2"),
        ("y", "<u2"),
        ("position", "<i4"),
        ("probe", "u1"),
        ("target", "u1"),
    ]
)
EXPRESSION_TYPES = (1, 7)  # types of unit: probe sets, and those of controls
BLOCK_HEAD_BYTES = 18 + NAME_BYTES  # bytes of a block's head


def read_binary(data: bytes, name: str) -> CdfFile:
    """Heads of all units, and the cells of those of expression."""
    place = Place(data, name, "<")
    _, version, columns, rows, n_units, n_controls, length = place.numbers("2i2H3i", "its header")
    if version != 1:
        raise DataError(f"{name!r} is a binary CDF of version {version}, where 1 is read")
    place.take(length, "its reference sequence")
    place.must_hold(n_units, NAME_BYTES + 4, "its units")
    place.must_hold(n_controls, 4, "its control units")
    units = [_padded_name(place.take(NAME_BYTES, "its names")) for _ in range(n_units)]
    place.take(4 * n_controls, "its control units")
    starts = place.array(np.dtype("<i4"), n_units, "its units")
    names: list[str] = []
    blocks: list[np.ndarray] = []
    others = heads = cells = 0
    for unit, start in zip(units, starts.tolist(), strict=True):
        place.go(start, "a unit")
        kind, _, _, n_blocks, _, _, _ = place.numbers("HB4iB", "a unit")
        if kind not in EXPRESSION_TYPES:
            others += 1
            continue
        heads += n_blocks
        if n_blocks < 0 or heads * BLOCK_HEAD_BYTES > len(data):  # units that claim the same bytes
            raise DataError(f"{name!r} is damaged: its units have more blocks than it can hold")
        for _ in range(n_blocks):
            _, n_cells, _, _, _, _ = place.numbers("2i2B2i", "a block")
            block = _padded_name(place.take(NAME_BYTES, "a block"))
            found = place.array(CELL_DTYPE, n_cells, "the cells of a block")
            cells += n_cells
            if cells * CELL_DTYPE.itemsize > len(data):
                raise DataError(f"{name!r} is damaged: its units have more cells than it can hold")
            names.append(block if block not in ("", "NONE") else unit)
            blocks.append(found)
    together = np.concatenate([np.empty(0, CELL_DTYPE), *blocks])
    return probe_sets_of(
        name,
        PurePath(name.removesuffix(".gz")).stem,
        (rows, columns),
        names,
        Cells(
            np.repeat(np.arange(len(blocks)), list(map(len, blocks))),
            together["atom"],
            together["x"],
            together["y"],
            together["probe"],
            together["target"],
        ),
        others,
    )


def _padded_name(padded: bytes) -> str:
    return padded.split(b"\0", 1)[0].decode("latin-1").strip()
