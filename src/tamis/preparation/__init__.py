"""Steps that prepare a table inside the training set: one transformer a step.

Discretisers, which can be steps too, are in `tamis.data`.
"""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .batches import BatchCenterer as BatchCenterer
    from .combat import ComBat as ComBat
    from .components import PrincipalComponents as PrincipalComponents
    from .counts import LogCPM as LogCPM
    from .imputation import MedianImputer as MedianImputer
    from .imputation import ModeImputer as ModeImputer
    from .imputation import NeighbourImputer as NeighbourImputer
    from .logarithm import Log2 as Log2
    from .presence import LevelPresence as LevelPresence
    from .presence import PresenceFilter as PresenceFilter
    from .quantile import QuantileNormalizer as QuantileNormalizer
    from .random_projection import RandomProjection as RandomProjection
    from .standardization import Standardizer as Standardizer
    from .variance import VarianceFilter as VarianceFilter
    from .variance_stabilization import VarianceStabilizer as VarianceStabilizer
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
