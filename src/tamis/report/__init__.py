"""A finished study -> one HTML page that works anywhere, offline, for years."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .pages import PAGE_OUTPUT as PAGE_OUTPUT
    from .pages import comparison_picture as comparison_picture
    from .pages import interactions_picture as interactions_picture
    from .pages import make_ready as make_ready
    from .pages import study_picture as study_picture
    from .pages import write_clumps_page as write_clumps_page
    from .pages import write_cohort_look_page as write_cohort_look_page
    from .pages import write_comparison as write_comparison
    from .pages import write_components_page as write_components_page
    from .pages import write_evaluation_page as write_evaluation_page
    from .pages import write_interactions as write_interactions
    from .pages import write_linear_page as write_linear_page
    from .pages import write_look_page as write_look_page
    from .pages import write_mapping_page as write_mapping_page
    from .pages import write_mixed_page as write_mixed_page
    from .pages import write_pairs_page as write_pairs_page
    from .pages import write_quality_page as write_quality_page
    from .pages import write_relatives_page as write_relatives_page
    from .pages import write_report as write_report
    from .pages import write_scan_page as write_scan_page
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
