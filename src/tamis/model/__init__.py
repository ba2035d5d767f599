"""A saved procedure: its columns, predictor and decision, in a file."""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .file import load_model, save_model
    from .model import Model

_HOME = {"Model": "model", "load_model": "file", "save_model": "file"}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
