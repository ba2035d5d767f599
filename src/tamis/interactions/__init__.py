"""What features say together and not alone."""

from .graph import InteractionGraph
from .pair_mtd import PairDistance, pair_mtd

__all__ = ["InteractionGraph", "PairDistance", "pair_mtd"]
