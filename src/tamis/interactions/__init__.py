"""What features say together and not alone."""

from .pair_mtd import PairDistance, pair_mtd

__all__ = ["PairDistance", "pair_mtd"]
