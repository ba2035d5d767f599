"""Steps of the registry, by what they can have."""

from __future__ import annotations

from tamis._core.registry import find_row, row_names
from tamis._core.rows import StepRow


def matrix_steps():
    """Names of the steps that can have a matrix."""
    return [name for name in row_names(StepRow) if find_row(name, StepRow).load().on_matrix]
