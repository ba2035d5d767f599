"""What a study says of its costs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...metrics import CostMatrix, HeldOut
from ...metrics.estimates import plain_number
from ..protocol.error_costs import Costs
from ..protocol.splits import Labels
from .schema import ConstantChoice
from .schema import Costs as CostsSection


def costs_entry(
    costs: Costs, labels: Labels, judged: np.ndarray, given: np.ndarray
) -> CostsSection:
    """The `costs` entry of docs/json.md; `judged` (m,) are the rows held out, `given` (m,) whether
    each was given a class.

    What constant predictions cost is of these, as the mean cost of the procedure is: a test set
    that comes with the data may have other class shares than the table, and samples that were
    given a class others than those that were declined.
    """
    y = labels.y[judged]
    same = costs.samples is None
    two = same and len(labels.classes) == 2
    matrix = CostMatrix(costs.matrix, labels.classes)
    found: CostsSection = {
        "matrix": costs.matrix.tolist() if same else None,
        "columns": costs.columns,
        "origin": costs.origin,
        "threshold": matrix.threshold if two else None,
        "x": _cost_share(matrix.weights, y) if two else None,
        "constant": _cheapest_constant(costs, labels, judged),
    }
    if given.any() and not given.all():
        found["constant_given"] = _cheapest_constant(costs, labels, judged[given])
    return found


def _cheapest_constant(costs: Costs, labels: Labels, rows: np.ndarray) -> ConstantChoice:
    mean = paid_by(costs, rows, labels.y[rows]).mean(axis=0)
    cheapest = int(mean.argmin())
    return {"predicted": labels.classes[cheapest], "loss": float(mean[cheapest])}


def _cost_share(weights: np.ndarray, y: np.ndarray) -> float | None:
    """PC(+) of a cost curve: missing every positive, in parts of being wrong about every sample."""
    wrong = np.bincount(y, minlength=2) * weights
    return plain_number(float(wrong[1] / wrong.sum())) if wrong.sum() else None


def paid_by(costs: Costs, rows: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What each prediction of some rows costs (m, C), their codes being y."""
    own = costs.paid(rows, y)
    return costs.matrix.T[y] if own is None else own


def cost_by_class(costs: Costs, held: HeldOut, classes: Sequence[str]) -> dict[str, float | None]:
    """Mean cost of a sample of each true class, of those not declined."""
    given = np.flatnonzero(held.predicted >= 0)
    codes = held.codes[given]
    paid = paid_by(costs, held.rows[given], codes)[np.arange(len(given)), held.predicted[given]]
    counts = np.bincount(codes, minlength=len(classes))
    totals = np.bincount(codes, paid, len(classes))
    means = np.divide(totals, counts, out=np.full(len(classes), np.nan), where=counts > 0)
    return {name: plain_number(float(mean)) for name, mean in zip(classes, means, strict=True)}
