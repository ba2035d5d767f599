"""Random intersection trees: sets of items that rows of a class share."""

from .found import LEAVES, TREES, Found, merge_found, nothing_found
from .held import count_sets
from .numbers import Scale, grow_number_trees, hold_numbers, sum_numbers
from .sets import items_of_words, maximal_sets, order_by
from .walk import CUT, LEFT, Limits, Masks, grow_trees

__all__ = [
    "CUT",
    "LEAVES",
    "LEFT",
    "TREES",
    "Found",
    "Limits",
    "Masks",
    "Scale",
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
