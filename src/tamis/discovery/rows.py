"""The searches of `tamis interact`, a row each."""

from __future__ import annotations

from .._core.rows import SearchRow

ROWS = (
    SearchRow(
        "mcfs",
        "tamis.discovery.monte_carlo:SEARCH",
        "features that matter in many small trees, and which are split on below which",
        "Monte Carlo feature selection",
        cite=("draminski2008", "draminski2016", "quinlan1993", "cohen1995", "bornelov2014"),
        page="mcfs.md",
        quick={"s": 60, "t": 2, "second_stage": 8, "meetings": 20},
    ),
    SearchRow(
        "rit",
        "tamis.discovery.random_intersection_trees:SEARCH",
        "sets of values that samples of a class share and others do not",
        "random intersection trees",
        cite=("shah2014",),
        page="intersection_trees.md",
        quick={
            "discretizer": "equal_frequency",
            "n_bootstraps": 2,
            "theta": 0.45,
            "theta_out": 0.2,
        },
    ),
    SearchRow(
        "irf",
        "tamis.discovery.iterative_forest:SEARCH",
        "sets of features on the same paths of forests",
        "iterative random forests",
        cite=("basu2018", "kumbier2018"),
        page="iterative_forest.md",
        quick={"n_iterations": 1, "n_estimators": 20, "n_bootstraps": 2, "n_trees": 50},
    ),
    SearchRow(
        "pairs",
        "tamis.discovery.pair_search:SEARCH",
        "every pair of features, by its exact score",
        "all pairs",
        page="pair_search.md",
    ),
)
