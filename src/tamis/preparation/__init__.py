"""Steps that prepare a table inside the training part: one transformer a step."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .batches import BatchCenterer
    from .cuts import EqualFrequencyCuts, EqualWidthCuts, MDLCuts
    from .imputation import MedianImputer, ModeImputer, NeighbourImputer
    from .logarithm import Log2
    from .presence import PresenceFilter
    from .quantile import QuantileNormalizer
    from .standardization import Standardizer
    from .variance import VarianceFilter

_HOME = {
    "BatchCenterer": "batches",
    "EqualFrequencyCuts": "cuts",
    "EqualWidthCuts": "cuts",
    "Log2": "logarithm",
    "MDLCuts": "cuts",
    "MedianImputer": "imputation",
    "ModeImputer": "imputation",
    "NeighbourImputer": "imputation",
    "PresenceFilter": "presence",
    "QuantileNormalizer": "quantile",
    "Standardizer": "standardization",
    "VarianceFilter": "variance",
}
__all__ = [
    "BatchCenterer",
    "EqualFrequencyCuts",
    "EqualWidthCuts",
    "Log2",
    "MDLCuts",
    "MedianImputer",
    "ModeImputer",
    "NeighbourImputer",
    "PresenceFilter",
    "QuantileNormalizer",
    "Standardizer",
    "VarianceFilter",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
