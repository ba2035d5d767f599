"""Monte Carlo feature selection: trees on random projections and splits."""

from .draws import Offer, draw_features, offer, shuffle, split_rows, start
from .projections import Loop, Sample, add_in_order, count_meetings, run_projections, sample

__all__ = [
    "Loop",
    "Offer",
    "Sample",
    "add_in_order",
    "count_meetings",
    "draw_features",
    "offer",
    "run_projections",
    "sample",
    "shuffle",
    "split_rows",
    "start",
]
