"""The candidates of a method in a cell: decided on, scored inside, and the one that is taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..._core.interfaces import Beliefs, Decided, Decision, Kind
from ..._core.registry import find_row
from ..._core.rows import DecisionRow
from ...classifiers.recalibrations.layer import recalibrated_decision
from ...classifiers.rejection.decision import rejecting_decision
from ...metrics.registry import BALANCED_LOG_SCORE, LOG_SCORES
from ..plan import MethodPlan, Plan
from ..protocol.cellfile import Cell
from ..protocol.error_costs import Costs, metrics_of
from ..protocol.tuning import (
    MIN_GAIN_SHARE,
    MIN_STANDARD_ERRORS,
    N_SHORT_LIST,
    N_USUAL_FEATURES,
    Inner,
    Judged,
    best_index,
    cross_fitted,
    defined_scores,
    log_gains,
    log_points,
    mean_by_sample,
    paired_gap,
    parsimonious_size_index,
    standard_errors,
)


@dataclass(frozen=True)
class ScoredCandidates:
    """A method's candidates in one cell, decided on and scored.

    Attributes
    ----------
    rows : ndarray
        Of the cell.
    tune, inner : ndarray
        Scores by the method's own criterion, and by the study's metric; higher is better.
    undefined : bool
        Whether the balanced accuracy decided, for no candidate had the criterion.
    """

    cell: Cell
    rows: np.ndarray
    tune: np.ndarray
    inner: np.ndarray
    undefined: bool
    decision: Decision
    inside: Inner
    known: Mapping[str, Kind]  # by classifier
    natural: Mapping[str, bool]  # by classifier, whether its probabilities stand for class shares
    shares: np.ndarray  # of the classes in the outer training set
    sizes: np.ndarray
    slack: np.ndarray  # of an inner score, within which few features win
    gains: np.ndarray | None = None  # of `tune`, where it is a logarithmic score and few are to win
    judged: Judged | None = None  # of a reference none
    costs: Costs | None = None
    criterion: str = ""
    y: np.ndarray | None = None  # class codes of all rows
    groups: np.ndarray | None = None  # of all rows

    @cached_property
    def taken(self) -> int:
        """The candidate that the method takes."""
        if self.gains is None:
            return parsimonious_size_index(self.tune, self.inner, self.sizes, self.slack)
        slack = MIN_GAIN_SHARE * np.maximum(self.gains, 0.0)
        # which short ones have to beat
        middle = (self.sizes >= N_SHORT_LIST) & (self.sizes <= N_USUAL_FEATURES)
        short = (self.sizes < N_SHORT_LIST) & middle.any()
        found = parsimonious_size_index(
            np.where(short, np.nan, self.tune), self.gains, self.sizes, slack
        )
        if not short.any():
            return found
        shorter = best_index(np.where(short, self.tune, np.nan))
        return shorter if self._gap(shorter, found) > MIN_STANDARD_ERRORS else found

    def points(self, plan: Plan, at: int, n: int) -> np.ndarray | None:
        """`Choice.points` of a candidate."""
        if self.judged is None:
            return None
        one, costs = self.judged.only(at), self.costs
        if criterion := plan.compares_by:
            values = log_points(criterion, one)[0]
        elif costs is not None:
            if one.paid is None:
                values = -costs.matrix[one.codes[0], one.y]
            else:
                values = -np.take_along_axis(one.paid, one.codes[0][:, None], axis=1)[:, 0]
        else:
            values = (one.codes[0] == one.y).astype(np.float64)
        return mean_by_sample(values, self.inside.samples, n)

    def _gap(self, one: int, other: int) -> float:
        """By how many standard errors one candidate's logarithmic score exceeds another's."""
        assert self.judged is not None
        assert self.y is not None
        n = len(self.y)
        points = [
            mean_by_sample(log_points(self.criterion, own)[0], self.inside.samples, n)
            for own in (self.judged.only(one), self.judged.only(other))
        ]
        balanced = self.criterion == BALANCED_LOG_SCORE
        return paired_gap(points[0], points[1], self.y, balanced, self.groups)

    def beliefs(self, at: int) -> Beliefs:
        """What a candidate believes of the test rows, and the prior that this stands for."""
        row = int(self.rows[at])
        natural = self.natural[self.cell.columns["classify"][row]]
        return self.cell.beliefs(row, self._prior if natural else None)

    @cached_property
    def _prior(self) -> np.ndarray:
        """The class shares, of every test row."""
        return np.tile(self.shares, (len(self.cell.test), 1))

    def decided(self, at: int) -> tuple[Decided, Decision]:
        """What is decided of a candidate's test rows, and the decision fitted for it."""
        fitted = self.inside.fitted(self.decision, self.inside.beliefs[at])
        beliefs = self.beliefs(at)
        if not len(beliefs):
            nothing = np.zeros(0, dtype=np.int64)
            return Decided(nothing, nothing.astype(bool), Beliefs(np.zeros((0, 0)))), fitted
        if self.costs is not None:
            beliefs = replace(beliefs, costs=self.costs.of(self.cell.test))
        return fitted.decide(beliefs), fitted


def decision_of(plan: Plan, method: MethodPlan, costs: Costs | None = None) -> Decision:
    """The decision that a plan names for a method, not yet fitted, and whom it is not made for."""
    decide, reject = plan.decision_of(method), plan.rejection_of(method)
    row, matrix = find_row(decide.name, DecisionRow), None if costs is None else costs.matrix
    decision = row.build({**decide.parameters, **({"costs": matrix} if row.costs else {})})
    if (named := plan.recalibration_of(method)) is not None:
        inside = plan.needs_recalibrated(method)
        decision = recalibrated_decision(decision, named.name, named.parameters, inside)
    return decision if reject is None else rejecting_decision(decision, reject.named, matrix)


def tuned_candidates(
    plan: Plan,
    method: MethodPlan,
    cell: Cell,
    y: np.ndarray,
    costs: Costs | None = None,
    groups: np.ndarray | None = None,
) -> ScoredCandidates:
    """Decide on the inner beliefs of every candidate, and score them; rows of a group of `groups`
    are not independent."""
    decision = decision_of(plan, method, costs)
    rows = cell.rows_of(method.name)
    samples = cell.inner_rows
    ends = np.cumsum([0, *(len(test) for test in cell.tests[1:])])
    folds = [slice(int(a), int(b)) for a, b in pairwise(ends)]
    shares, prior = training_shares(y, cell.tests)
    natural = plan.natural(method)
    own = None if costs is None else costs.of(samples)
    beliefs = [
        cell.inner(int(row), own, prior if natural[cell.columns["classify"][row]] else None)
        for row in rows
    ]
    paid = None if costs is None else costs.paid(samples, y[samples])
    inside = Inner(y[samples], folds, samples, beliefs, prior, paid)
    sizes = np.array([len(cell.features(int(row))) for row in rows])
    unjudged = np.full(len(rows), np.nan)
    found = ScoredCandidates(
        cell,
        rows,
        unjudged,
        unjudged,
        False,
        decision,
        inside,
        plan.known(method),
        natural,
        shares,
        sizes,
        slack=unjudged,
        costs=costs,
        criterion=plan.criterion_of(method),
        y=y,
        groups=groups,
    )
    if not folds:  # a reference: one candidate, without inner folds
        return found
    judged = cross_fitted(decision, inside)
    metrics = metrics_of(costs)
    inner, inner_defined = defined_scores(plan.metric, judged, metrics)
    tune, defined, slack, gains = inner, True, unjudged, None
    criterion = found.criterion
    if criterion != plan.metric:
        tune, defined = defined_scores(criterion, judged, metrics)
    if plan.parsimony:
        counts = np.bincount(y[np.unique(samples)])
        slack = plan.parsimony * standard_errors(metrics[plan.metric], inner, counts)
        if criterion in LOG_SCORES and defined:
            gains = log_gains(criterion, judged, tune)
    return replace(
        found,
        tune=tune,
        inner=inner,
        undefined=not (inner_defined and defined),
        slack=slack,
        gains=gains,
        judged=judged,
    )


def training_shares(y: np.ndarray, tests: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Class shares of an outer training set (C,), and of the inner one that predicted each inner
    test row (N, C); `tests` are the rows that the outer and each inner part hold out."""
    C = int(y.max()) + 1
    counts = np.bincount(y, minlength=C) - np.bincount(y[tests[0]], minlength=C)
    inner = [counts - np.bincount(y[test], minlength=C) for test in tests[1:]]
    left = np.array(inner, dtype=np.float64).reshape(-1, C)
    left /= left.sum(axis=1, keepdims=True)
    return counts / counts.sum(), np.repeat(left, [len(test) for test in tests[1:]], axis=0)
