"""From intensities of probes to one number a gene and sample: background, quantiles, probe sets.

Samples are in rows, probes in columns. What is here is imported when it is used.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .annotation import Annotation
    from .background import background_correct
    from .detection import DetectionCalls, detection_calls
    from .frozen_polish import MedianPolish
    from .frozen_rma import RMA
    from .platform_merge import MergedPlatforms, merge_platforms, unlogged_warnings
    from .probe_collapsing import GeneValues, ProbeCollapser, ProbeGenes, collapse_probes
    from .probe_set_values import ProbeSetValues
    from .quantiles import quantile_normalize
    from .reading.annotation import read_annotation
    from .reading.cdf import read_cdf
    from .reading.cel import read_cel
    from .reading.geo import read_geo
    from .robust_multiarray import rma
    from .summaries import median_polish

_HOME = {
    "Annotation": "annotation",
    "DetectionCalls": "detection",
    "GeneValues": "probe_collapsing",
    "MedianPolish": "frozen_polish",
    "MergedPlatforms": "platform_merge",
    "ProbeCollapser": "probe_collapsing",
    "ProbeGenes": "probe_collapsing",
    "ProbeSetValues": "probe_set_values",
    "RMA": "frozen_rma",
    "background_correct": "background",
    "collapse_probes": "probe_collapsing",
    "detection_calls": "detection",
    "median_polish": "summaries",
    "merge_platforms": "platform_merge",
    "quantile_normalize": "quantiles",
    "read_annotation": "reading.annotation",
    "read_cdf": "reading.cdf",
    "read_cel": "reading.cel",
    "read_geo": "reading.geo",
    "rma": "robust_multiarray",
    "unlogged_warnings": "platform_merge",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)
