"""Tables to `Dataset`; bundled data. Nothing heavy is imported until it is used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dataset import Dataset
    from .golub import load_golub
    from .table import read_table

_HOME = {"Dataset": "dataset", "load_golub": "golub", "read_table": "table"}
__all__ = ["Dataset", "load_golub", "read_table"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
