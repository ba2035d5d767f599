"""Random intersection trees: sets of items that rows of a class share."""

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .numbers import Scale as Scale
    from .numbers import grow_number_trees as grow_number_trees
    from .numbers import hold_numbers as hold_numbers
    from .numbers import sum_numbers as sum_numbers
    from .set_counts import count_sets as count_sets
    from .set_table import LEAVES_COLUMN as LEAVES_COLUMN
    from .set_table import TREES_COLUMN as TREES_COLUMN
    from .set_table import SetTable as SetTable
    from .set_table import merge_found as merge_found
    from .set_table import nothing_found as nothing_found
    from .sets import items_of_words as items_of_words
    from .sets import maximal_sets as maximal_sets
    from .sets import order_by as order_by
    from .walk import CUT_TREES as CUT_TREES
    from .walk import LEFT_OUT_LEAVES as LEFT_OUT_LEAVES
    from .walk import Limits as Limits
    from .walk import Masks as Masks
    from .walk import grow_trees as grow_trees
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
