"""Monte Carlo feature selection: trees on random projections and splits."""

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .draws import Offer as Offer
    from .draws import draw_features as draw_features
    from .draws import make_offer as make_offer
    from .draws import own_sums as own_sums
    from .draws import shuffle_values as shuffle_values
    from .draws import split_rows as split_rows
    from .draws import start_stream as start_stream
    from .projections import Loop as Loop
    from .projections import Sample as Sample
    from .projections import add_in_order as add_in_order
    from .projections import count_meetings as count_meetings
    from .projections import make_sample as make_sample
    from .projections import run_projections as run_projections
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
