"""A watch for leaks: columns that tell the class because they come of it, or after it."""

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .interface import Suspect as Suspect
    from .watch import find_suspects as find_suspects
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
