"""Files of expression arrays: CEL (intensities), CDF (which cells are the probes of a set), and
family files of GEO (SOFT).

What is here is imported when it is used.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .cdf import CdfFile, read_cdf
    from .cel import CelFile, read_cel
    from .soft import SoftFamily, read_soft

_HOME = {
    "CdfFile": "cdf",
    "CelFile": "cel",
    "SoftFamily": "soft",
    "read_cdf": "cdf",
    "read_cel": "cel",
    "read_soft": "soft",
}

__all__ = list(_HOME)

__getattr__ = lazy_names(__name__, _HOME)
