"""Random intersection trees: sets of items that rows of a class share."""

from .found import LEAVES, OWN, TREES, Found, merge_found
from .held import count_sets
from .sets import items_of_words, maximal_sets
from .walk import CUT, LEFT, Limits, Masks, grow_trees

__all__ = [
    "CUT",
    "LEAVES",
    "LEFT",
    "OWN",
    "TREES",
    "Found",
    "Limits",
    "Masks",
    "count_sets",
    "grow_trees",
    "items_of_words",
    "maximal_sets",
    "merge_found",
]
