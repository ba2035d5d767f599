"""The candidates of a method in a cell whose outcome is a number: scored inside, and one taken."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from ..._core.interfaces import Beliefs
from ...metrics.held_out_numbers import HeldOutNumbers
from ...metrics.number_metrics import NUMBER_METRICS, NumberMetric
from ...metrics.registry import is_gain
from ..plan import MethodPlan, Plan
from ..protocol.cellfile import Cell
from ..protocol.error_costs import Costs
from ..protocol.tuning import Inner, mean_by_sample, paired_gap
from .candidates import ScoredCandidates, decision_of


@dataclass(frozen=True)
class NumberCandidates(ScoredCandidates):
    """As `ScoredCandidates`; samples' points are squared errors, turned round.

    Attributes
    ----------
    squares : ndarray of shape (candidates, N)
        Squared errors of the inner test rows.
    """

    squares: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    def points(self, plan: Plan, at: int, n: int) -> np.ndarray | None:
        """`Choice.points` of a candidate."""
        if not self.squares.size:
            return None
        return mean_by_sample(-self.squares[at], self.inside.samples, n)

    def beliefs(self, at: int) -> Beliefs:
        """What a candidate predicts of the test rows."""
        return self.cell.beliefs(int(self.rows[at]))

    def _gap(self, one: int, other: int) -> float:
        """By how many standard errors one candidate's squared errors are smaller."""
        assert self.y is not None
        n, samples = len(self.y), self.inside.samples
        points = [mean_by_sample(-self.squares[at], samples, n) for at in (one, other)]
        return paired_gap(points[0], points[1], self.y, False, self.groups)


def tuned_candidates(
    plan: Plan,
    method: MethodPlan,
    cell: Cell,
    y: np.ndarray,
    costs: Costs | None = None,
    groups: np.ndarray | None = None,
) -> NumberCandidates:
    """Score every candidate by its predictions of the inner test rows; y are values (n,)."""
    rows, samples = cell.rows_of(method.name), cell.inner_rows
    ends = np.cumsum([0, *(len(test) for test in cell.tests[1:])])
    folds = [slice(int(a), int(b)) for a, b in pairwise(ends)]
    sizes = np.array([len(cell.features(int(row))) for row in rows])
    unjudged = np.full(len(rows), np.nan)
    beliefs = [cell.inner(int(row)) for row in rows]
    nothing = np.zeros((len(samples), 0))
    found = NumberCandidates(
        cell,
        rows,
        unjudged,
        unjudged,
        False,
        decision_of(plan, method),
        Inner(y[samples], folds, samples, beliefs, nothing),
        plan.known(method),
        plan.natural(method),
        np.zeros(0),
        sizes,
        slack=unjudged,
        criterion=plan.criterion_of(method),
        y=y,
        groups=groups,
    )
    if not folds:  # a reference: one candidate, without inner folds
        return found
    values = np.stack([one.value for one in beliefs if one.value is not None])
    held = inner_values(cell, y)
    inner = _scores(NUMBER_METRICS[plan.metric], held, values)
    criterion = NUMBER_METRICS[found.criterion]
    tune = inner if found.criterion == plan.metric else _scores(criterion, held, values)
    gains = None
    if plan.parsimony and is_gain(criterion.name):
        gains = tune  # a share of what the training mean misses, or a correlation
    return replace(
        found,
        tune=tune,
        inner=inner,
        undefined=bool(np.isnan(tune).all()),
        gains=gains,
        squares=(values - y[samples]) ** 2,
    )


def inner_values(cell: Cell, y: np.ndarray) -> HeldOutNumbers:
    """The values of the inner test rows by repeat, predicted by the means of the inner training
    sets; predictions are in the order of `Cell.inner_rows`."""
    outer = np.ones(len(y), dtype=bool)
    outer[cell.tests[0]] = False
    total, n = float(y[outer].sum()), int(outer.sum())
    repeats: list[list[tuple[np.ndarray, np.ndarray, np.ndarray, float]]] = []
    seen: set[int] = set()
    for test in cell.tests[1:]:
        own = set(test.tolist())
        if not repeats or seen & own:  # the next repeat begins
            repeats.append([])
            seen = set()
        seen |= own
        mean = (total - float(y[test].sum())) / (n - len(test))
        repeats[-1].append((test, y[test], np.full(len(test), mean), mean))
    return HeldOutNumbers.of(repeats)


def _scores(metric: NumberMetric, held: HeldOutNumbers, values: np.ndarray) -> np.ndarray:
    """The score of each candidate (candidates,), higher is better."""
    ends = np.cumsum([0, *(len(rows) for rows in held.rows)])
    found = []
    for own in values:
        parts = [
            metric(replace(one, predicted=own[a:b]))
            for one, (a, b) in zip(held.repeats, pairwise(ends), strict=True)
        ]
        found.append(metric.direction * float(np.mean(parts)))
    return np.array(found)
