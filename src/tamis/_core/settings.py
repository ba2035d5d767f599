"""Settings that are numbers: what they may be, or one line that says so."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import PlanError


def checked_count(value: Any, name: str, least: int) -> int:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise PlanError(f"{name}={value!r}: give a whole number of at least {least}")
    return int(value)


def checked_share(value: Any, name: str, least: float = 0.0, most: float = 1.0) -> float:
    """A number from `least` to `most`."""
    number = isinstance(value, float | int | np.number) and not isinstance(value, bool)
    if not (number and least <= value <= most):
        raise PlanError(f"{name}={value!r}: give a number from {least:g} to {most:g}")
    return float(value)


def checked_positive(value: Any, name: str) -> float:
    """A finite number above 0."""
    number = isinstance(value, float | int | np.number) and not isinstance(value, bool)
    if not (number and 0 < value < np.inf):
        raise PlanError(f"{name}={value!r}: give a number above 0")
    return float(value)
