"""Steps of the registry, by what they can have."""

from __future__ import annotations

from tamis._core.rows import find_row, row_names


def matrix_steps():
    """Names of the steps that can have a matrix."""
    return [
        name for name in row_names("prepare") if hasattr(find_row(name, "prepare").load(), "learn")
    ]
