"""Files of Affymetrix arrays: CEL (intensities) and CDF (which cells are the probes of a set).

What is here is imported when it is used.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .cdf import CdfFile, read_cdf
    from .cel import CelFile, read_cel

_HOME = {"CdfFile": "cdf", "CelFile": "cel", "read_cdf": "cdf", "read_cel": "cel"}

__all__ = list(_HOME)

__getattr__ = lazy_names(__name__, _HOME)
