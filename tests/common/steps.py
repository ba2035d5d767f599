"""Steps of the registry, by what they can have."""

from __future__ import annotations

from tamis._core.registry import find_row, row_names
from tamis._core.rows import StepRow


def matrix_steps():
    """Names of the steps that can have any matrix."""
    return [name for name in every_matrix_step() if find_row(name, StepRow).enter != "counts"]


def count_steps():
    """Names of the steps whose matrix must hold counts."""
    return [name for name in every_matrix_step() if find_row(name, StepRow).enter == "counts"]


def every_matrix_step():
    """Names of both; `rma` needs arrays of many probes and has tests of its own."""
    rows = [find_row(name, StepRow) for name in row_names(StepRow)]
    return [row.name for row in rows if row.load().on_matrix and row.enter != "intensities"]
