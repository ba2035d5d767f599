"""What is asked of cells that may be damaged: to be told from the one that was written."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tamis._core.errors import StoreError
from tamis._core.seal import is_intact
from tamis.study.protocol.cellfile import decode_cell


def warm() -> None:
    """Nothing is compiled."""
    import pyarrow.ipc  # noqa: F401


def ask(path: Path) -> None:
    """Read it.

    Raises
    ------
    StoreError
        It is damaged.
    """
    content, whole = path.read_bytes(), path.with_name("whole").read_bytes()
    assert is_intact(whole)
    try:
        cell = decode_cell(content)
    except ValueError as error:
        assert content != whole
        raise StoreError(f"the cell is damaged: {error}") from error
    assert content == whole
    for row in range(len(cell.columns["method"])):
        assert np.isfinite(cell.beliefs(row).proba).all()
        cell.inner(row), cell.features(row), cell.terms(row)
