"""Settings of random intersection trees as users give them, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.errors import PlanError, counted_noun
from ..._core.settings import checked_share

MOST_BRANCHES = 1000


@dataclass(eq=False)
class IterativeForestParameters:
    """Parameters of `IterativeForest` and of its method in plans, described there."""

    n_iterations: int = 3
    n_estimators: int = 100
    n_trees: int = 500
    depth: int = 5
    branch: float = 2
    min_size: int = 2
    n_bootstraps: int = 10
    stability: float = 0.5
    signed: bool = True
    max_features: Any = "sqrt"
    random_state: Any = None
    n_jobs: int | None = None


def checked_branch(value: Any) -> float:
    """Children of a node."""
    return checked_share(value, "branch", 1, MOST_BRANCHES)


def checked_thresholds(value: Any, n_classes: int, name: str) -> tuple[float, ...] | None:
    """One share a class; None for "auto", which theta may be."""
    if name == "theta" and isinstance(value, str) and value == "auto":
        return None
    what = "a share from 0 to 1, or one a class" + (", or 'auto'" if name == "theta" else "")
    try:
        shares = np.asarray(np.nan if isinstance(value, str) else value, dtype=np.float64)
    except (TypeError, ValueError):
        shares = np.array(np.nan)
    if shares.ndim == 0:
        shares = np.full(n_classes, shares)
    if shares.shape != (n_classes,):
        raise PlanError(
            f"{name} has {counted_noun(shares.size, 'number')}: give one, or one for each of the "
            f"{n_classes} classes"
        )
    if not ((shares >= 0) & (shares <= 1)).all():
        raise PlanError(f"{name}={value!r}: give {what}")
    return tuple(shares.tolist())
