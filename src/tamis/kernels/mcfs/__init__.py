"""Monte Carlo feature selection: trees on random projections and splits."""

from .draws import (
    Offer,
    draw_features,
    make_offer,
    own_sums,
    shuffle_values,
    split_rows,
    start_stream,
)
from .projections import Loop, Sample, add_in_order, count_meetings, make_sample, run_projections

__all__ = [
    "Loop",
    "Offer",
    "Sample",
    "add_in_order",
    "count_meetings",
    "draw_features",
    "make_offer",
    "make_sample",
    "own_sums",
    "run_projections",
    "shuffle_values",
    "split_rows",
    "start_stream",
]
