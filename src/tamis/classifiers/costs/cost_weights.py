"""What samples weigh by what errors on their class cost, and what a model of such weights believes.

A model fitted where class j counts w_j times as much believes q_j proportional to w_j P(j | x). It
decides by q; P is what decisions, calibration and curves are about (`base.natural_scale`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._core.errors import PlanError


def reduced_costs(costs: np.ndarray | None, n_classes: int) -> np.ndarray:
    """C'(i, j) = C(i, j) - C(j, j) (..., C, C); of None every error costs 1."""
    if costs is None:
        return 1 - np.eye(n_classes)
    return costs - np.diagonal(costs, axis1=-2, axis2=-1)[..., None, :]


def class_weights(
    costs: np.ndarray | None, n_classes: int, classes: Sequence[Any] | None = None
) -> np.ndarray:
    """sum_i C'(i, j), what a sample of class j weighs (C,).

    Raises
    ------
    PlanError
        Errors on a class cost nothing, so that its samples would not be seen.
    """
    weights = reduced_costs(costs, n_classes).sum(axis=0)
    if not (weights > 0).all():
        code = int(weights.argmin())
        name = repr(classes[code]) if classes is not None else f"number {code}"
        raise PlanError(
            f"costs: errors on class {name} cost nothing, so a weighted model would not see its "
            "samples: give them a cost, or decide by minimum risk"
        )
    return weights


def expansion_weights(costs: np.ndarray | None, n_classes: int) -> np.ndarray:
    """M(k, y) = max_i C(i, y) - C(k, y), the weight of a copy labelled k of a sample of class y."""
    reduced = reduced_costs(costs, n_classes)
    return reduced.max(axis=0) - reduced


def before_expansion(proba: np.ndarray, expansion: np.ndarray) -> np.ndarray:
    """P of q proportional to M P (m, C), by the pseudo-inverse of M; what is below 0 becomes 0.

    Where M cannot be inverted, classes that costs do not tell apart share what they have.
    """
    found = np.maximum(proba @ np.linalg.pinv(expansion).T, 0.0)
    total = found.sum(axis=1, keepdims=True)
    even = np.full_like(found, 1 / found.shape[1])
    return np.divide(found, total, out=even, where=total > 0)
