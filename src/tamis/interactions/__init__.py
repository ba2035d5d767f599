"""What features say together and not alone."""

from .graph import InteractionGraph
from .pair_mtd import PairDistance, pair_mtd
from .pair_search import PairSearch, search_pairs
from .rule import Rule
from .rule_network import RuleNetwork
from .rule_set import RuleSet

__all__ = [
    "InteractionGraph",
    "PairDistance",
    "PairSearch",
    "Rule",
    "RuleNetwork",
    "RuleSet",
    "pair_mtd",
    "search_pairs",
]
