"""Settings of intersection trees, whatever they are grown on: rows, or paths of forests."""

from __future__ import annotations

from ..interactions.tree_settings import MOST_BRANCHES
from .interface import Setting

TREES = Setting("n_trees", "Intersection trees of each class", ge=1, option="trees")
BRANCH = Setting("branch", "Children of a node", float, ge=1, le=MOST_BRANCHES)
MIN_SIZE = Setting("min_size", "Fewest features of a set", ge=1)
BOOTSTRAPS = Setting(
    "n_bootstraps", "Bootstrap samples, for the stability of a set", ge=0, option="bootstraps"
)
