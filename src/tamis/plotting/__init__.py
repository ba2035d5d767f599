"""Result dictionaries -> charts as SVG, for pages and for `plot` alike.

Each function takes plain lists and dictionaries (the shapes of ``results.json``) and
returns one self-contained ``<svg>`` element 360 units wide. Names are escaped in one
place, `tamis.plotting._svg`.
"""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .chosen_places import chosen_places as chosen_places
    from .cluster_map import cluster_map as cluster_map
    from .coefficient_paths import coefficient_paths as coefficient_paths
    from .components import component_scatter as component_scatter
    from .components import component_views as component_views
    from .components import eigenvalue_bars as eigenvalue_bars
    from .confusion_matrix import confusion_matrix as confusion_matrix
    from .cost_curve import cost_curve as cost_curve
    from .critical_difference import critical_difference as critical_difference
    from .curves import calibration_curve as calibration_curve
    from .curves import pr_curve as pr_curve
    from .curves import roc_curve as roc_curve
    from .decision import decision_curve as decision_curve
    from .distribution import feature_distribution as feature_distribution
    from .frequency import selection_frequency as selection_frequency
    from .id_graph import id_graph as id_graph
    from .importance_cutoff import importance_cutoff as importance_cutoff
    from .intervals import method_intervals as method_intervals
    from .kinship import kinship_bars as kinship_bars
    from .kinship import kinship_scatter as kinship_scatter
    from .learning_curve import learning_curve as learning_curve
    from .manhattan import manhattan as manhattan
    from .member_ranks import member_ranks as member_ranks
    from .number_scatter import number_scatter as number_scatter
    from .pair_scores import pair_scores as pair_scores
    from .pairwise_scatter import pairwise_scatter as pairwise_scatter
    from .permutations import permutation_histogram as permutation_histogram
    from .quality import before_after as before_after
    from .quality import quantile_plot as quantile_plot
    from .ranking_convergence import ranking_convergence as ranking_convergence
    from .rejection_view import rejection_view as rejection_view
    from .risk_coverage import risk_coverage as risk_coverage
    from .rule_network import rule_network as rule_network
    from .sample_boxes import sample_boxes as sample_boxes
    from .search_trace import search_trace as search_trace
    from .set_graph import set_graph as set_graph
    from .set_shares import set_shares as set_shares
    from .sizes import size_curve as size_curve
    from .stability_paths import stability_paths as stability_paths
    from .threshold_view import threshold_view as threshold_view
    from .value_histogram import value_histogram as value_histogram
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
