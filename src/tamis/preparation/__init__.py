"""Steps that prepare a table inside the training part: one transformer a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .batches import BatchCenterer as BatchCenterer
    from .components import PrincipalComponents as PrincipalComponents
    from .cuts import (
        AmevaCuts as AmevaCuts,
    )
    from .cuts import (
        CAIMCuts as CAIMCuts,
    )
    from .cuts import (
        ChiMergeCuts as ChiMergeCuts,
    )
    from .cuts import (
        EqualFrequencyCuts as EqualFrequencyCuts,
    )
    from .cuts import (
        EqualWidthCuts as EqualWidthCuts,
    )
    from .cuts import (
        MDLCuts as MDLCuts,
    )
    from .imputation import (
        MedianImputer as MedianImputer,
    )
    from .imputation import (
        ModeImputer as ModeImputer,
    )
    from .imputation import (
        NeighbourImputer as NeighbourImputer,
    )
    from .logarithm import Log2 as Log2
    from .presence import (
        LevelPresence as LevelPresence,
    )
    from .presence import (
        PresenceFilter as PresenceFilter,
    )
    from .quantile import QuantileNormalizer as QuantileNormalizer
    from .random_projection import RandomProjection as RandomProjection
    from .standardization import Standardizer as Standardizer
    from .variance import VarianceFilter as VarianceFilter


def __getattr__(name: str) -> Any:
    """The class of a row, imported when it is asked for; all that are transformers in `__all__`."""
    from .rows import ROWS
    from .step import StepTransformer

    if name == "__all__":
        classes = [row.load() for row in ROWS]
        return sorted({c.__name__ for c in classes if issubclass(c, StepTransformer)})
    for row in ROWS:
        if row.target.endswith(f":{name}"):
            return row.load()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __getattr__("__all__")
