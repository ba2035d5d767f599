"""What features say together and not alone."""

from .graph import InteractionGraph
from .intersections import Intersections
from .items import PackedRows
from .pair_mtd import PairDistance, pair_mtd
from .random_intersection_trees import random_intersection_trees
from .rule import Rule
from .rule_network import RuleNetwork
from .rule_set import RuleSet

__all__ = [
    "InteractionGraph",
    "Intersections",
    "PackedRows",
    "PairDistance",
    "Rule",
    "RuleNetwork",
    "RuleSet",
    "pair_mtd",
    "random_intersection_trees",
]
