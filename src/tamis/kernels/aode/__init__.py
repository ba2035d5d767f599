"""Averaged one-dependence estimators: counts of pairs of values, and scores from them."""

from .codes import code_levels
from .counts import PairCounts, add_rows, no_counts, table_bytes
from .logs import LogTables, log_tables, subsumed_values
from .scores import drop_subsumed, log_scores, softmax

__all__ = [
    "LogTables",
    "PairCounts",
    "add_rows",
    "code_levels",
    "drop_subsumed",
    "log_scores",
    "log_tables",
    "no_counts",
    "softmax",
    "subsumed_values",
    "table_bytes",
]
