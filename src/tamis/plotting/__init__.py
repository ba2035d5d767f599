"""Result dictionaries -> charts: SVG strings for the page, matplotlib figures for people.

Each function takes plain lists and dictionaries (the shapes of ``results.json``) and
returns one self-contained ``<svg>`` element 360 units wide. Names are escaped in one
place, `tamis.plotting._svg`.
"""

from .chosen_places import chosen_places
from .cluster_map import cluster_map
from .components import component_scatter, eigenvalue_bars
from .confusion_matrix import confusion_matrix
from .cost_curve import cost_curve
from .critical_difference import critical_difference
from .curves import calibration_curve, pr_curve, roc_curve
from .decision import decision_curve
from .distribution import feature_distribution
from .figure import figure
from .frequency import selection_frequency
from .id_graph import id_graph
from .importance_cutoff import importance_cutoff
from .intervals import method_intervals
from .kinship import kinship_bars, kinship_scatter
from .learning_curve import learning_curve
from .manhattan import manhattan
from .pairwise_scatter import pairwise_scatter
from .permutations import permutation_histogram
from .quality import before_after, quantile_plot
from .ranking_convergence import ranking_convergence
from .rejection_view import rejection_view
from .risk_coverage import risk_coverage
from .rule_network import rule_network
from .sample_boxes import sample_boxes
from .search_trace import search_trace
from .set_graph import set_graph
from .sizes import size_curve
from .stability_paths import stability_paths
from .threshold_view import threshold_view
from .value_histogram import value_histogram

__all__ = [
    "before_after",
    "calibration_curve",
    "chosen_places",
    "cluster_map",
    "component_scatter",
    "confusion_matrix",
    "cost_curve",
    "critical_difference",
    "decision_curve",
    "eigenvalue_bars",
    "feature_distribution",
    "figure",
    "id_graph",
    "importance_cutoff",
    "kinship_bars",
    "kinship_scatter",
    "learning_curve",
    "manhattan",
    "method_intervals",
    "pairwise_scatter",
    "permutation_histogram",
    "pr_curve",
    "quantile_plot",
    "ranking_convergence",
    "rejection_view",
    "risk_coverage",
    "roc_curve",
    "rule_network",
    "sample_boxes",
    "search_trace",
    "selection_frequency",
    "set_graph",
    "size_curve",
    "stability_paths",
    "threshold_view",
    "value_histogram",
]
