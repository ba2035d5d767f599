"""Choices -> their held-out predictions: pooled, fold by fold, and two procedures in pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ..._core.interfaces import BELIEF_KINDS, Kind
from ...metrics import Difference, HeldOut, nadeau_bengio
from ...metrics.held_out import mean_paid
from ...metrics.registry import Metric, kind_suffices
from ..protocol.error_costs import Costs, metrics_of
from .collect import Choice, Curve

TIE_TOLERANCE = 1e-12  # differences nearer than this are one
Fold = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def held_out(choices: Sequence[Choice], y: np.ndarray, costs: Costs | None = None) -> HeldOut:
    """Predictions of a procedure, by repeat and fold."""
    folds = [(c.repeat, (c.test, y[c.test], c.predicted, c.proba), c.order) for c in choices]
    return _pooled(folds, _known_of(choices), costs)


def _pooled(
    folds: Sequence[tuple[int | str, Fold, np.ndarray]], known: Kind, costs: Costs | None
) -> HeldOut:
    """Of the repeat, the predictions and the order of each fold."""
    repeats: dict[int | str, list[tuple[Fold, np.ndarray]]] = {}
    for repeat, fold, order in folds:
        repeats.setdefault(repeat, []).append((fold, order))
    held = HeldOut.of([[fold for fold, _ in own] for own in repeats.values()], known)
    orders = [order for own in repeats.values() for _, order in own]
    return _with_paid(replace(held, order=np.concatenate(orders)), costs)


def _with_paid(held: HeldOut, costs: Costs | None) -> HeldOut:
    """With what each prediction costs, where samples have costs of their own."""
    paid = None if costs is None else costs.paid(held.rows, held.codes)
    return held if paid is None else replace(held, paid=paid)


def _known_of(choices: Iterable[Choice | Curve]) -> Kind:
    """What is known of the samples that some choices predict: of the least of them."""
    return min((c.known for c in choices), key=BELIEF_KINDS.index, default="proba")


def held_out_step(
    points: Sequence[tuple[Curve, int]], y: np.ndarray, costs: Costs | None = None
) -> HeldOut:
    """Predictions of one point of every fold's curve."""
    folds = [
        (c.repeat, (c.test, y[c.test], c.predicted[at], c.proba[at]), c.order[at])
        for c, at in points
    ]
    return _pooled(folds, _known_of(c for c, _ in points), costs)


def fold_scores(
    choices: Sequence[Choice], y: np.ndarray, names: Iterable[str], costs: Costs | None = None
) -> dict:
    """Each metric in every outer fold; NaN where the fold leaves it undefined."""
    metrics = metrics_of(costs)
    return {
        name: np.array([_fold_score(metrics[name], c, y[c.test], costs) for c in choices])
        for name in names
    }


def _fold_score(metric: Metric, choice: Choice, true: np.ndarray, costs: Costs | None) -> float:
    if not kind_suffices(choice.known, metric.asks):
        return math.nan
    if metric.of_costs and costs is not None:
        paid = costs.paid(choice.test, true)
        return math.nan if paid is None else mean_paid(paid, choice.predicted)
    return metric(true, choice.predicted, choice.order if metric.of_order else choice.proba)


def paired_difference(
    new: Sequence[Choice],
    old: Sequence[Choice],
    y: np.ndarray,
    metric: str,
    costs: Costs | None = None,
) -> Difference:
    """Score of `new` less that of `old`, as the study prints both.

    The scores of a study pool the outer folds, and the mean of fold scores is another number
    where classes are unequal. The difference here is that of the printed scores. Its spread is
    that of paired fold scores, by the corrected resampled t (Nadeau & Bengio 2003), moved to it.
    Folds of one sample have no scores of their own, so there is no interval then.
    """
    charged = metrics_of(costs)[metric]
    scores = [held_out(c, y, costs).score(charged) for c in (new, old)]
    gaps = np.subtract(*(fold_scores(c, y, [metric], costs)[metric] for c in (new, old)))
    return printed_difference(scores[0] - scores[1], gaps, [len(c.test) for c in new], len(y))


def printed_difference(
    step: float, gaps: np.ndarray, test_sizes: Sequence[int], n_samples: int
) -> Difference:
    """The difference of two printed scores, with the spread of paired fold scores (`gaps`)."""
    if max(test_sizes) == 1:
        nan = math.nan
        return Difference(step, nan, nan, nan if gaps.any() else 1.0, len(gaps))
    if len(defined := gaps[np.isfinite(gaps)]) and abs(step - defined.mean()) > TIE_TOLERANCE:
        gaps = gaps + (step - defined.mean())
    held = float(np.mean(test_sizes))
    return nadeau_bengio(gaps, n_samples - held, held)
