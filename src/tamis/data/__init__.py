"""Tables to `Dataset`; bundled and made-up data; discretisers.

Nothing heavy is imported until it is used.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .ameva import AmevaDiscretizer
    from .caim import CAIMDiscretizer
    from .chimerge import ChiMergeDiscretizer
    from .dataset import Dataset
    from .epistasis import EpistasisModel, epistasis_model, make_epistasis
    from .equal_bins import EqualFrequencyDiscretizer, EqualWidthDiscretizer
    from .golub import load_golub
    from .in_memory import as_dataset
    from .mcfs_toy import make_mcfs_toy
    from .mdl import MDLDiscretizer
    from .planted_interaction import make_planted_interaction
    from .sentinel import Suspect, find_suspects
    from .table import read_table
    from .two_normals import make_ringnorm, make_twonorm

_HOME = {
    "AmevaDiscretizer": "ameva",
    "CAIMDiscretizer": "caim",
    "ChiMergeDiscretizer": "chimerge",
    "Dataset": "dataset",
    "EpistasisModel": "epistasis",
    "EqualFrequencyDiscretizer": "equal_bins",
    "EqualWidthDiscretizer": "equal_bins",
    "MDLDiscretizer": "mdl",
    "Suspect": "sentinel",
    "as_dataset": "in_memory",
    "epistasis_model": "epistasis",
    "find_suspects": "sentinel",
    "load_golub": "golub",
    "make_epistasis": "epistasis",
    "make_mcfs_toy": "mcfs_toy",
    "make_planted_interaction": "planted_interaction",
    "make_ringnorm": "two_normals",
    "make_twonorm": "two_normals",
    "read_table": "table",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
