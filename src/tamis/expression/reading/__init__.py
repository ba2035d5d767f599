"""Files of expression arrays: CEL (intensities), CDF (which cells are the probes of a set), series
of GEO (SOFT, series matrix), and tables of platforms.
"""

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .annotation import read_annotation as read_annotation
    from .cdf import read_cdf as read_cdf
    from .cdf_file import CdfFile as CdfFile
    from .cel import read_cel as read_cel
    from .cel_file import CelFile as CelFile
    from .geo import read_geo as read_geo
    from .geo_series import GeoSeries as GeoSeries
    from .series_matrix import read_series_matrix as read_series_matrix
    from .soft import read_soft as read_soft
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
