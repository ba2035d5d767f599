"""Cells read back: what every method, and the headline procedure, chose and decided."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..._core.interfaces import BELIEF_KINDS, Decision, Evidence, Kind, Term
from ...metrics.registry import BALANCED_LOG_SCORE, metric_row
from ..plan import Plan
from ..protocol.candidates import ranker_key
from ..protocol.cellfile import Cell
from ..protocol.error_costs import Costs
from ..protocol.nested_cv import FINAL_FOLD, Task, is_of_study, methods_in
from ..protocol.resamples import APPARENT_FOLD, BOOTSTRAP_REPEAT
from ..protocol.tuning import (
    MIN_STANDARD_ERRORS,
    best_index,
    paired_gap,
    parsimonious_size_index,
)
from .candidates import ScoredCandidates
from .outcomes import OUTCOMES

HEADLINE_CHOOSER = ""  # who chose, where it is the full procedure


@dataclass(frozen=True)
class Choice:
    """The grid point a procedure took in one outer fold, by inner scores alone.

    Attributes
    ----------
    method, classify, settings : str
    size : int
    inner : float
        Inner score on the study's metric (higher is better).
    points : ndarray of shape (n,) or None
        What each sample of the training set adds to the inner score by which methods are compared
        (NaN of all others); None where no inner fold was requested.
    features : ndarray
        Columns of the Dataset.
    test : ndarray
        Rows held out.
    predicted : ndarray
        Codes decided on for them, -1 where declined.
    codes : ndarray
        The same at full coverage: a best guess for those declined too.
    proba : ndarray of shape (m, C)
        What was believed of them, recalibrated if the plan has it so.
    order : ndarray of shape (m, C)
        The same as the classifier itself gives it, for metrics of order.
    own : bool
        The size is the ranking's own.
    terms : sequence of Term
        Interactions used, at most 200 of `n_terms`.
    decision : Decision or None
        Fitted to the inner beliefs.
    known : {"labels", "order", "proba"}
        What `proba` is: probabilities, what orders samples as they do, or the label alone.
    slack : float
        Of the inner score, within which few features win; NaN: sizes do not matter.
    standing : ndarray of shape (m,) or None
        Where the decision declines samples: the share of those held out inside that were less
        certain. It is on one scale in all training sets.
    n_train : int or None
        Samples learnt from; None: all that are not held out.
    value : ndarray of shape (m,) or None
        What is predicted of the rows held out, where that is a number.
    """

    permutation: int
    repeat: int | str
    fold: int | str
    method: str
    classify: str
    settings: str
    size: int
    inner: float
    features: np.ndarray
    test: np.ndarray
    predicted: np.ndarray
    codes: np.ndarray
    proba: np.ndarray
    order: np.ndarray
    own: bool = False
    terms: Sequence[Term] = ()
    n_terms: int = 0
    decision: Decision = field(default_factory=Decision)
    known: Kind = "proba"
    slack: float = math.nan
    standing: np.ndarray | None = None
    points: np.ndarray | None = None
    n_train: int | None = None
    value: np.ndarray | None = None


def at_full_coverage(choices: Sequence[Choice]) -> list[Choice]:
    """The same with nobody declined: one procedure's score of the samples it is sure of says
    nothing beside another's."""
    return [replace(c, predicted=c.codes) for c in choices]


@dataclass(frozen=True)
class Curve:
    """Every size of one method in one outer fold: its best inner candidate and predictions.

    Attributes
    ----------
    steps : ndarray
        What makes two points of different folds the same.
    own : ndarray of bool
        Which sizes are the ranking's own.
    """

    repeat: int | str
    steps: np.ndarray
    sizes: np.ndarray
    own: np.ndarray
    inner: np.ndarray
    test: np.ndarray
    predicted: list[np.ndarray]
    proba: list[np.ndarray]
    order: list[np.ndarray]
    known: Kind = "proba"
    value: Sequence[np.ndarray | None] = ()


def chosen_candidate(plan: Plan, task: Task, found: ScoredCandidates, n: int) -> Choice:
    """The candidate with the best tuning score, ties to the earlier (smaller); of more than 50
    features only where it is clearly better."""
    at = found.taken
    row, c = int(found.rows[at]), found.cell.columns
    decided, decision = found.decided(at)
    features = found.cell.features(row)  # a cut-off may leave fewer than the size
    return Choice(
        task.permutation,
        task.repeat,
        task.fold,
        c["method"][row],
        c["classify"][row],
        c["settings"][row],
        len(features),
        float(found.inner[at]),
        features,
        found.cell.test,
        decided.labels,
        decided.codes,
        decided.beliefs.proba,
        decided.beliefs.own.proba,
        bool(c["label"][row]),
        found.cell.terms(row),
        int(c["n_terms"][row]),
        decision,
        found.known[c["classify"][row]],
        float(found.slack[at]),
        decided.standing,
        found.points(plan, at, n),
        value=decided.beliefs.value,
    )


def size_steps(task: Task, found: ScoredCandidates) -> Curve:
    """Best inner candidate of each size, or of each step of a path."""
    c, rows = found.cell.columns, found.rows
    steps = c["step"][rows]
    of_steps = np.split(np.argsort(steps, kind="stable"), np.cumsum(np.bincount(steps))[:-1])
    kept = [own[best_index(found.tune[own])] for own in of_steps if len(own)]
    decided = [found.decided(int(at))[0] for at in kept]
    return Curve(
        task.repeat,
        steps[kept],
        c["size"][rows][kept],
        c["label"][rows][kept] != "",
        found.inner[kept],
        found.cell.test,
        [one.codes for one in decided],
        [one.beliefs.proba for one in decided],
        [one.beliefs.own.proba for one in decided],
        min((found.known[c["classify"][rows[at]]] for at in kept), key=BELIEF_KINDS.index),
        [one.beliefs.value for one in decided],
    )


def headline_choice(
    plan: Plan, rivals: Sequence[Choice], y: np.ndarray, groups: np.ndarray | None = None
) -> Choice:
    """The one that the full procedure takes, of the choices of all methods but references.

    "first": the first named, unless the best of the others by the mean of `Choice.points` is better
    than it by more than `MIN_STANDARD_ERRORS` standard errors of the mean difference between paired
    samples, of which those of one group are not independent.
    "best": the best inner score, ties to the earlier in the plan; one of more than 50 features only
    where it is clearly better.
    """
    if len(rivals) == 1:
        return rivals[0]
    if plan.choose == "best":
        inner, sizes, slack = np.array([(c.inner, c.size, c.slack) for c in rivals]).T
        return rivals[parsimonious_size_index(inner, inner, sizes, slack)]
    balanced = metric_row(plan.metric).tune == BALANCED_LOG_SCORE
    points = [c.points for c in rivals if c.points is not None]
    gaps = [paired_gap(own, points[0], y, balanced, groups) for own in points]
    at = int(np.argmax(gaps))
    return rivals[at if gaps[at] > MIN_STANDARD_ERRORS else 0]


@dataclass(frozen=True)
class Collected:
    """All choices of a study.

    Attributes
    ----------
    methods : mapping of method name to list of Choice
        Unpermuted outer folds, in order.
    headline : list of Choice
    permuted : mapping of permutation to (mapping of method to list of Choice)
        With the headline's under the empty name.
    observed : mapping of method to list of Choice
        The run with true labels that has the permuted runs' design, as one of `permuted`.
    curves : mapping of method name to list of Curve
    final : Choice or None
    instead : mapping of method name to number of training sets
        Where the balanced accuracy decided, for no candidate had the method's criterion.
    evidence : mapping of method name to list of Evidence
        Of the ranking of all rows.
    shown : mapping of (method name, kind of evidence) to list of terms
        Those of every outer fold.
    bootstrap : list of Choice
        Of the headline, in every bootstrap sample, of the rows that it leaves out.
    apparent : Choice or None
        Of the headline, learnt from all rows and judged on them.
    shares : mapping of share to list of Choice
        Of the headline, learnt from that share of every outer training set.
    """

    methods: Mapping[str, list[Choice]]
    headline: list[Choice]
    permuted: Mapping[int, Mapping[str, list[Choice]]]
    observed: Mapping[str, list[Choice]]
    curves: Mapping[str, list[Curve]]
    final: Choice | None
    instead: Mapping[str, int] = field(default_factory=dict)
    evidence: Mapping[str, list[Evidence]] = field(default_factory=dict)
    shown: Mapping[tuple[str, str], list[Sequence[Term]]] = field(default_factory=dict)
    bootstrap: list[Choice] = field(default_factory=list)
    apparent: Choice | None = None
    shares: Mapping[float, list[Choice]] = field(default_factory=dict)


@dataclass(frozen=True)
class FoldFindings:
    """What every method, and the headline, chose in one outer fold.

    Attributes
    ----------
    choices : list of Choice
        One a method, in plan order.
    winner : Choice
        That of the full procedure.
    curves : list of Curve
        The same; empty but in outer folds of the study itself.
    undefined : list of bool
        Whether the balanced accuracy decided.
    evidence : list of list of Evidence
    """

    task: Task
    choices: list[Choice]
    winner: Choice
    curves: list[Curve]
    undefined: list[bool]
    evidence: list[list[Evidence]]


def found_in(
    plan: Plan,
    task: Task,
    cells: Mapping[str, Cell],
    y: np.ndarray,
    costs: Costs | None = None,
    groups: np.ndarray | None = None,
    rows: np.ndarray | None = None,
) -> FoldFindings:
    """Decide on the cells of a task; `y` is what is learnt in its run (class codes, or values),
    `groups` what keeps samples together, `rows` those of the table that its cells number, if they
    are not all."""
    shown = is_of_study(task)
    methods = methods_in(plan, task)
    tuned = OUTCOMES[plan.response].tuned
    found = [tuned(plan, m, cells[ranker_key(m)], y, costs, groups) for m in methods]
    choices = [chosen_candidate(plan, task, one, len(y)) for one in found]
    rivals = [c for c, method in zip(choices, methods, strict=True) if not method.reference]
    winner = headline_choice(plan, rivals, y, groups)
    if rows is not None:
        n_train = len(rows) - len(winner.test)
        winner = replace(winner, test=rows[winner.test], n_train=n_train)
    return FoldFindings(
        task,
        choices,
        winner,
        [size_steps(task, one) for one in found] if shown else [],
        [one.undefined for one in found],
        [one.cell.evidence for one in found],
    )


def collect_choices(
    plan: Plan, results: Iterable[FoldFindings], observed: int | str = 0
) -> Collected:
    """Put the folds together.

    Parameters
    ----------
    plan : Plan
    results : iterable of FoldFindings
        In the order of the tasks.
    observed : int or str
        The repeat, of the true labels, that permuted runs are compared with.
    """
    names = [m.name for m in plan.method]
    methods: dict[str, list[Choice]] = {name: [] for name in names}
    curves: dict[str, list[Curve]] = {name: [] for name in names}
    winners: list[Choice] = []
    runs: dict[tuple[int, int | str], dict[str, list[Choice]]] = {}
    instead: dict[str, int] = {}
    shown: dict[tuple[str, str], list[Sequence[Term]]] = {}
    evidence: dict[str, list[Evidence]] = {}
    bootstrap: list[Choice] = []
    shares: dict[float, list[Choice]] = {}
    final = apparent = None
    for found in results:
        task, winner = found.task, found.winner
        if task.fold == FINAL_FOLD:
            final = winner
            names = [choice.method for choice in found.choices]
            evidence = dict(zip(names, found.evidence, strict=True))
            continue
        if task.repeat == BOOTSTRAP_REPEAT:
            if task.fold == APPARENT_FOLD:
                apparent = winner
            else:
                bootstrap.append(winner)
            continue
        if task.share < 1:
            shares.setdefault(task.share, []).append(winner)
            continue
        run = runs.setdefault((task.permutation, task.repeat), {HEADLINE_CHOOSER: []})
        run[HEADLINE_CHOOSER].append(winner)
        for choice in found.choices:
            run.setdefault(choice.method, []).append(choice)
        if not is_of_study(task):
            continue
        winners.append(winner)
        for at, name in enumerate(names):
            methods[name].append(found.choices[at])
            curves[name].append(found.curves[at])
            if found.undefined[at]:
                instead[name] = instead.get(name, 0) + 1
            for one in found.evidence[at]:
                if one.terms:
                    shown.setdefault((name, one.kind), []).append(one.terms)
    permuted = {k: run for (k, _), run in runs.items() if k}
    true = runs.get((0, observed), {HEADLINE_CHOOSER: []})
    return Collected(
        methods,
        winners,
        permuted,
        true,
        curves,
        final,
        instead,
        evidence,
        shown,
        bootstrap,
        apparent,
        shares,
    )
