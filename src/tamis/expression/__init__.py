"""From intensities of probes to one number a gene and sample: background, quantiles, probe sets.

Samples are in rows, probes in columns.
"""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .annotation import Annotation as Annotation
    from .background import background_correct as background_correct
    from .detection import DetectionCalls as DetectionCalls
    from .detection import detection_calls as detection_calls
    from .frozen_polish import MedianPolish as MedianPolish
    from .frozen_rma import RMA as RMA
    from .platform_merge import MergedPlatforms as MergedPlatforms
    from .platform_merge import merge_platforms as merge_platforms
    from .platform_merge import unlogged_warnings as unlogged_warnings
    from .probe_collapsing import GeneValues as GeneValues
    from .probe_collapsing import ProbeCollapser as ProbeCollapser
    from .probe_collapsing import ProbeGenes as ProbeGenes
    from .probe_collapsing import collapse_probes as collapse_probes
    from .probe_set_values import ProbeSetValues as ProbeSetValues
    from .quantiles import quantile_normalize as quantile_normalize
    from .reading.annotation import read_annotation as read_annotation
    from .reading.cdf import read_cdf as read_cdf
    from .reading.cel import read_cel as read_cel
    from .reading.geo import read_geo as read_geo
    from .robust_multiarray import rma as rma
    from .summaries import median_polish as median_polish
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
