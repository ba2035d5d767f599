"""Held-out rows with other labels and wild values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..selection._parts import TrainingParts
from ..study.protocol.fold import Fold


def changed_rows(one: Fold, rows: np.ndarray, values: bool = True, counts: bool = False) -> Fold:
    """The fold with other labels in some rows, and wild values; or wild counts."""
    design, rng = one.design, np.random.default_rng(1)
    y = one.y.copy()
    y[rows] = (y[rows] + 1) % (y.max() + 1)
    if values:
        X, Z = design.matrix.copy(), design.Z.copy()
        for wild in (X, Z):
            wild[rows] = rng.normal(1e5, 1e5, size=(len(rows), wild.shape[1]))
            if counts:
                wild[rows] = np.floor(np.abs(wild[rows]))
        raw, raw_z = (_reversed_rows(table, rows) for table in (design.raw, design.raw_z))
        design = replace(design, X=X, Z=Z, raw=raw, raw_z=raw_z)
    learnt = design.labels.response.learnt(y)
    parts = TrainingParts(
        design.matrix, learnt, one.parts.rows, design.incomplete, n_classes=one.n_classes
    )
    return replace(one, design=design, y=y, parts=parts)


def _reversed_rows(table: np.ndarray | None, rows: np.ndarray) -> np.ndarray | None:
    """A table with the values of some rows in the other order."""
    if table is None:
        return None
    found = table.copy()
    found[rows] = table[rows][::-1]
    return found
