"""Searches on all rows, which estimate no error: their folder, remarks and summary."""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .folder import Interactions, open_interactions
    from .search import find_interactions

_HOME = {
    "Interactions": "folder",
    "find_interactions": "search",
    "open_interactions": "folder",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
