"""A saved procedure: its columns, predictor and decision, in a file."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .file import load_model as load_model
    from .file import save_model as save_model
    from .model import Model as Model
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
