"""Names of columns, and what these are, in a model file: as many as a cohort has variants."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._core.arrays import fitting, unfit
from .._core.column_ids import ColumnIds
from .content import StoredColumnIds


def stored_texts(texts: Sequence[str]) -> np.ndarray:
    """Texts as the bytes of one: there may be as many as a cohort has variants."""
    return np.frombuffer(json.dumps(list(texts), separators=(",", ":")).encode(), dtype=np.uint8)


def stored_column_ids(column_ids: ColumnIds) -> dict[str, Any]:
    texts = {name: stored_texts(own) for name, own in column_ids.texts.items()}
    return {"kind": column_ids.kind, "texts": texts, "numbers": dict(column_ids.numbers)}


def texts_from(stored: np.ndarray | list[str], name: str) -> tuple[str, ...]:
    """Texts in the bytes of one, or, until format 6, in a list."""
    if isinstance(stored, list):
        return tuple(stored)
    if stored.dtype != np.uint8 or stored.ndim != 1:
        raise unfit(name)
    found = json.loads(stored.tobytes())
    if not (isinstance(found, list) and all(isinstance(text, str) for text in found)):
        raise unfit(name)
    return tuple(found)


def column_ids_from(stored: StoredColumnIds | Mapping[str, Any], k: int) -> ColumnIds | None:
    """What k input columns are, if it is told."""
    if not stored:
        return None
    texts = {name: texts_from(own, name) for name, own in stored["texts"].items()}
    if any(len(own) != k for own in texts.values()):
        raise unfit("marks")
    numbers = stored["numbers"]
    shapes: dict[str, Any] = dict.fromkeys(numbers, (k,))
    return ColumnIds(
        stored["kind"], texts, dict(zip(shapes, fitting(numbers, **shapes), strict=True))
    )
