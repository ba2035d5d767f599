"""Result dictionaries -> charts: SVG strings for the page, matplotlib figures for people.

Each function takes plain lists and dictionaries (the shapes of ``results.json``) and
returns one self-contained ``<svg>`` element 360 units wide. Names are escaped in one
place, `tamis.plotting._svg`.
"""

from .curves import calibration_curve, pr_curve, roc_curve
from .figure import figure
from .frequency import selection_frequency
from .intervals import method_intervals
from .permutations import permutation_histogram
from .sizes import size_curve

__all__ = [
    "calibration_curve",
    "figure",
    "method_intervals",
    "permutation_histogram",
    "pr_curve",
    "roc_curve",
    "selection_frequency",
    "size_curve",
]
