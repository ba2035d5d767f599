"""Tables to `Dataset`; bundled and made-up data; discretisers."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .ameva import AmevaDiscretizer as AmevaDiscretizer
    from .caim import CAIMDiscretizer as CAIMDiscretizer
    from .chimerge import ChiMergeDiscretizer as ChiMergeDiscretizer
    from .dataset import Dataset as Dataset
    from .epistasis import EpistasisModel as EpistasisModel
    from .epistasis import epistasis_model as epistasis_model
    from .epistasis import make_epistasis as make_epistasis
    from .equal_bins import EqualFrequencyDiscretizer as EqualFrequencyDiscretizer
    from .equal_bins import EqualWidthDiscretizer as EqualWidthDiscretizer
    from .golub import load_golub as load_golub
    from .in_memory import as_dataset as as_dataset
    from .leak_detection import Suspect as Suspect
    from .leak_detection import find_suspects as find_suspects
    from .mcfs_toy import make_mcfs_toy as make_mcfs_toy
    from .mdl import MDLDiscretizer as MDLDiscretizer
    from .planted_interaction import make_planted_interaction as make_planted_interaction
    from .table import read_table as read_table
    from .two_normals import make_ringnorm as make_ringnorm
    from .two_normals import make_twonorm as make_twonorm
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
