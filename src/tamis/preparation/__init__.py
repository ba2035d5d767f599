"""Steps that prepare a table inside the training part: one transformer a step."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .batches import BatchCenterer
    from .components import PrincipalComponents
    from .cuts import (
        AmevaCuts,
        CAIMCuts,
        ChiMergeCuts,
        EqualFrequencyCuts,
        EqualWidthCuts,
        MDLCuts,
    )
    from .imputation import MedianImputer, ModeImputer, NeighbourImputer
    from .logarithm import Log2
    from .presence import LevelPresence, PresenceFilter
    from .quantile import QuantileNormalizer
    from .random_projection import RandomProjection
    from .standardization import Standardizer
    from .variance import VarianceFilter

_HOME = {
    "AmevaCuts": "cuts",
    "BatchCenterer": "batches",
    "CAIMCuts": "cuts",
    "ChiMergeCuts": "cuts",
    "EqualFrequencyCuts": "cuts",
    "EqualWidthCuts": "cuts",
    "LevelPresence": "presence",
    "Log2": "logarithm",
    "MDLCuts": "cuts",
    "MedianImputer": "imputation",
    "ModeImputer": "imputation",
    "NeighbourImputer": "imputation",
    "PresenceFilter": "presence",
    "PrincipalComponents": "components",
    "QuantileNormalizer": "quantile",
    "RandomProjection": "random_projection",
    "Standardizer": "standardization",
    "VarianceFilter": "variance",
}
__all__ = [
    "AmevaCuts",
    "BatchCenterer",
    "CAIMCuts",
    "ChiMergeCuts",
    "EqualFrequencyCuts",
    "EqualWidthCuts",
    "LevelPresence",
    "Log2",
    "MDLCuts",
    "MedianImputer",
    "ModeImputer",
    "NeighbourImputer",
    "PresenceFilter",
    "PrincipalComponents",
    "QuantileNormalizer",
    "RandomProjection",
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
