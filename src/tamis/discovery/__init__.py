"""Searches on all rows, which estimate no error: their folder, remarks and summary."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .folder import Interactions as Interactions
    from .folder import open_interactions as open_interactions
    from .search import find_interactions as find_interactions
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
