"""What the makers of made-up data ask of their settings, and where they draw from."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.streams import generator


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


def draws(random_state: int | None, *key: object) -> np.random.Generator:
    """A generator on the stream for `key`; None draws anew."""
    if random_state is None:
        return np.random.default_rng()
    return generator(checked_count(random_state, "random_state", 0), *key)
