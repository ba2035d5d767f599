"""Averaged one-dependence estimators: counts of pairs of values, and scores from them."""

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .codes import code_levels as code_levels
    from .counts import PairCounts as PairCounts
    from .counts import add_rows as add_rows
    from .counts import no_counts as no_counts
    from .counts import table_bytes as table_bytes
    from .logs import LogTables as LogTables
    from .logs import log_tables as log_tables
    from .logs import subsumed_values as subsumed_values
    from .scores import drop_subsumed as drop_subsumed
    from .scores import log_scores as log_scores
    from .scores import softmax as softmax
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
