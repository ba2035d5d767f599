"""A watch for leaks: columns that tell the class because they come of it, or after it."""

from .interface import Suspect
from .watch import find_suspects

__all__ = ["Suspect", "find_suspects"]
