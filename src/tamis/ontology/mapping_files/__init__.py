"""Files of mappings: SSSOM TSV, alignment RDF, JSON, and plain tables of two or three columns."""

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .files import WRITTEN_ENDINGS as WRITTEN_ENDINGS
    from .files import read_lines as read_lines
    from .files import write_mapping as write_mapping
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
