"""Files of expression arrays: CEL (intensities), CDF (which cells are the probes of a set), series
of GEO (SOFT, series matrix), and tables of platforms.

What is here is imported when it is used.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .annotation import read_annotation
    from .cdf import CdfFile, read_cdf
    from .cel import CelFile, read_cel
    from .geo import read_geo
    from .geo_series import GeoSeries
    from .series_matrix import read_series_matrix
    from .soft import read_soft

_HOME = {
    "CdfFile": "cdf",
    "CelFile": "cel",
    "GeoSeries": "geo_series",
    "read_annotation": "annotation",
    "read_cdf": "cdf",
    "read_cel": "cel",
    "read_geo": "geo",
    "read_series_matrix": "series_matrix",
    "read_soft": "soft",
}

__all__ = list(_HOME)

__getattr__ = lazy_names(__name__, _HOME)
