"""Random intersection trees: sets of items that rows of a class share."""

from .numbers import Scale, grow_number_trees, hold_numbers, sum_numbers
from .set_counts import count_sets
from .set_table import LEAVES, TREES, SetTable, merge_found, nothing_found
from .sets import items_of_words, maximal_sets, order_by
from .walk import CUT, LEFT, Limits, Masks, grow_trees

__all__ = [
    "CUT",
    "LEAVES",
    "LEFT",
    "TREES",
    "Limits",
    "Masks",
    "Scale",
    "SetTable",
    "count_sets",
    "grow_number_trees",
    "grow_trees",
    "hold_numbers",
    "items_of_words",
    "maximal_sets",
    "merge_found",
    "nothing_found",
    "order_by",
    "sum_numbers",
]
