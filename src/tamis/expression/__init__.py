"""From intensities of probes to one number a gene and sample: background, quantiles, probe sets.

Samples are in rows, probes in columns. What is here is imported when it is used.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .background import background_correct
    from .detection import DetectionCalls, detection_calls
    from .frozen_polish import MedianPolish
    from .frozen_rma import RMA
    from .probe_set_values import ProbeSetValues
    from .quantiles import quantile_normalize
    from .robust_multiarray import rma
    from .summaries import median_polish

_HOME = {
    "DetectionCalls": "detection",
    "MedianPolish": "frozen_polish",
    "RMA": "frozen_rma",
    "ProbeSetValues": "probe_set_values",
    "background_correct": "background",
    "detection_calls": "detection",
    "median_polish": "summaries",
    "quantile_normalize": "quantiles",
    "rma": "robust_multiarray",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)
