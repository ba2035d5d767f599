"""Held-out rows with other labels and wild values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..selection._parts import TrainingParts
from ..study.protocol.fold import Fold


def changed_rows(one: Fold, rows: np.ndarray, values: bool = True, counts: bool = False) -> Fold:
    """The fold with other labels in some rows, and wild values; or wild counts."""
    design, rng = one.design, np.random.default_rng(1)
    y = one.y.copy()
    y[rows] = (y[rows] + 1) % one.n_classes
    if values:
        wild: dict[str, Any] = {"X": design.matrix.copy(), "Z": design.Z.copy()}
        for X in wild.values():
            X[rows] = rng.normal(1e5, 1e5, size=(len(rows), X.shape[1]))
            if counts:
                X[rows] = np.floor(np.abs(X[rows]))
        for name in ("raw", "raw_z"):
            table = getattr(design, name)
            if table is not None:
                wild[name] = table.copy()
                wild[name][rows] = table[rows][::-1]
        design = replace(design, **wild)
    parts = TrainingParts(design.matrix, y, one.parts.rows, design.incomplete)
    return replace(one, design=design, y=y, parts=parts)
