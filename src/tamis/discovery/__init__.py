"""Searches on all rows, which estimate no error: their folder, remarks and summary."""

from .folder import Interactions, open_interactions
from .search import find_interactions

__all__ = ["Interactions", "find_interactions", "open_interactions"]
