"""Strings compared by rapidfuzz, each distinct pair once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..._core.errors import require_library


def rapidfuzz_library() -> Any:
    """The library of string similarities.

    Raises
    ------
    MissingExtraError
        It is not installed.
    """
    require_library("rapidfuzz.process", "ontology", "matching ontologies")
    return require_library("rapidfuzz", "ontology", "matching ontologies")


def compared_strings(
    a: Sequence[str], b: Sequence[str], first: np.ndarray, second: np.ndarray, scorer: Callable
) -> np.ndarray:
    """`scorer` of a[first[k]] and b[second[k]] for each k, as float32."""
    key = first.astype(np.int64) * max(len(b), 1) + second
    once, back = np.unique(key, return_inverse=True)
    found = np.empty(len(once), dtype=np.float32)
    step = 500_000  # bounds the lists of strings
    for start in range(0, len(once), step):
        i, j = np.divmod(once[start : start + step], max(len(b), 1))
        found[start : start + step] = rapidfuzz_library().process.cpdist(
            [a[k] for k in i], [b[k] for k in j], scorer=scorer, dtype=np.float32
        )
    return found[back]
