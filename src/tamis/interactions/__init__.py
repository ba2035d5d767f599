"""What features say together and not alone.

`IterativeForest` is imported when it is used, as it imports scikit-learn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names
from .graph import InteractionGraph
from .intersections import Intersections
from .packed_rows import PackedRows
from .pair_mtd import PairDistance, pair_mtd
from .pair_search import PairSearch, search_pairs
from .random_intersection_trees import random_intersection_trees
from .rule import Rule
from .rule_network import RuleNetwork
from .rule_set import RuleSet

if TYPE_CHECKING:
    from .forest_interactions import ForestInteractions
    from .iterative_forest import IterativeForest

_HOME = {
    "ForestInteractions": "forest_interactions",
    "IterativeForest": "iterative_forest",
}
__all__ = [
    "ForestInteractions",
    "InteractionGraph",
    "Intersections",
    "IterativeForest",
    "PackedRows",
    "PairDistance",
    "PairSearch",
    "Rule",
    "RuleNetwork",
    "RuleSet",
    "pair_mtd",
    "random_intersection_trees",
    "search_pairs",
]


__getattr__ = lazy_names(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
