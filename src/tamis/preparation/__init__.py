"""Steps that prepare a table inside the training part: one transformer a step.

Discretisers, which can be steps too, are in `tamis.data`.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what `__getattr__` gives
    from .batches import BatchCenterer
    from .combat import ComBat
    from .components import PrincipalComponents
    from .counts import LogCPM
    from .imputation import MedianImputer, ModeImputer, NeighbourImputer
    from .logarithm import Log2
    from .presence import LevelPresence, PresenceFilter
    from .quantile import QuantileNormalizer
    from .random_projection import RandomProjection
    from .standardization import Standardizer
    from .variance import VarianceFilter
    from .variance_stabilization import VarianceStabilizer


def __getattr__(name: str) -> Any:
    """The class of a row, imported when it is asked for; all that are transformers in `__all__`."""
    from .rows import ROWS
    from .step import StepTransformer

    if name == "__all__":
        classes = [row.load() for row in ROWS]
        return sorted({c.__name__ for c in classes if issubclass(c, StepTransformer)})
    for row in ROWS:
        if row.target.startswith(__name__) and row.target.endswith(f":{name}"):
            return row.load()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __getattr__("__all__")
