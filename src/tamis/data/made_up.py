"""Where the makers of made-up data draw from."""

from __future__ import annotations

import numpy as np

from .._core.settings import checked_count
from .._core.streams import generator


def draws(random_state: int | None, *key: object) -> np.random.Generator:
    """A generator on the stream for `key`; None draws anew."""
    if random_state is None:
        return np.random.default_rng()
    return generator(checked_count(random_state, "random_state", 0), *key)
