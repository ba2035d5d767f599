"""Folders of made-up CEL files with their CDF, as a scanner would leave them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from expression.reading.array_files import (
    CDF_WRITERS,
    cel_command_console,
    cel_version_4,
    made_probe_sets,
)

SHAPE = (64, 60)


def write_arrays(folder: Path, n: int = 8, n_sets: int = 60, seed: int = 0, shift: float = 0.0):
    """CEL files GSM1000_x.CEL and so on, and Made_1.CDF; a probe set that tells every second array.

    Returns
    -------
    tuple
        The CDF's path, and the name of that probe set.
    """
    rng = np.random.default_rng(seed)
    probe_sets = made_probe_sets(SHAPE, n_sets, rng)
    folder.mkdir(parents=True, exist_ok=True)
    cdf = folder.parent / "Made_1.CDF"
    cdf.write_bytes(b"".join(CDF_WRITERS["binary"](SHAPE, probe_sets).values()))
    bright = next(iter(probe_sets))
    level = rng.normal(5, 1, SHAPE)
    for k in range(n):
        values = rng.normal(100, 10, SHAPE) + np.exp(level + rng.normal(0, 0.3, SHAPE))
        for x, y, *_ in probe_sets[bright]:
            values[y, x] += shift * (k % 2)
        for name in list(probe_sets)[::2]:  # half of the sets are expressed
            for x, y, base, target, _ in probe_sets[name]:
                values[y, x] += 300.0 * (base != target)
        values = np.maximum(values, 1.0).astype(np.float32)
        write = cel_command_console if k % 2 else cel_version_4
        (folder / f"GSM{1000 + k}_x.CEL").write_bytes(b"".join(write(values).values()))
    return cdf, bright
