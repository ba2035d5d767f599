"""What the makers of made-up data share: where they draw from, and room for what is planted."""

from __future__ import annotations

import numpy as np

from .._core.errors import PlanError
from .._core.settings import checked_count
from .._core.streams import generator


def made_up_generator(random_state: int | None, *key: object) -> np.random.Generator:
    """A generator on the stream for `key`; None draws anew."""
    if random_state is None:
        return np.random.default_rng()
    return generator(checked_count(random_state, "random_state", 0), *key)


def other_columns(n_features: int, n_sets: int, order: int, name: str) -> int:
    """How many columns are left beside those of the sets, `name` being the parameter of these."""
    others = n_features - n_sets * order
    if others < 0:
        raise PlanError(
            f"n_features={n_features}: give at least {n_sets * order}, for {name}={n_sets} of "
            f"order={order}"
        )
    return others
