"""Random streams keyed by names.

A stream depends on the seed and on what it is for, never on the order in which streams
are requested: adding a method or a fold shifts nobody else's numbers, and the answer does
not depend on the number of workers.
"""

from __future__ import annotations

import hashlib

import numpy as np


def stream(seed: int, *key: object) -> np.random.SeedSequence:
    """The seed sequence for `key` under `seed`.

    Examples
    --------
    >>> a, b = stream(0, "outer", 1), stream(0, "outer", 1)
    >>> bool((a.generate_state(4) == b.generate_state(4)).all())
    True
    """
    # NumPy's scalars print otherwise than Python's, and in each version of it differently
    plain = tuple(k.item() if isinstance(k, np.generic) else k for k in key)
    words = np.frombuffer(hashlib.sha256(repr(plain).encode()).digest(), "<u4")
    return np.random.SeedSequence(seed, spawn_key=tuple(map(int, words)))


def generator(seed: int, *key: object) -> np.random.Generator:
    """A generator on the stream for `key`."""
    return np.random.default_rng(stream(seed, *key))


def random_state(seed: int, *key: object) -> int:
    """An integer on the stream for `key`, for scikit-learn's ``random_state``."""
    return int(stream(seed, *key).generate_state(1)[0])
