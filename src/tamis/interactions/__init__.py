"""What features say together and not alone."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .graphs.graph import InteractionGraph as InteractionGraph
    from .pairs.pair_mtd import PairDistance as PairDistance
    from .pairs.pair_mtd import pair_mtd as pair_mtd
    from .pairs.pair_search import PairSearch as PairSearch
    from .pairs.pair_search import search_pairs as search_pairs
    from .rules.rule import Rule as Rule
    from .rules.rule_network import RuleNetwork as RuleNetwork
    from .rules.rule_set import RuleSet as RuleSet
    from .sets.forest_interactions import ForestInteractions as ForestInteractions
    from .sets.intersections import Intersections as Intersections
    from .sets.iterative_forest import IterativeForest as IterativeForest
    from .sets.packed_rows import PackedRows as PackedRows
    from .sets.random_intersection_trees import (
        random_intersection_trees as random_intersection_trees,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
