"""Choices -> the numbers of the study, as plain dictionaries (docs/json.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, cast

import numpy as np

from ...metrics import (
    METRICS,
    HeldOut,
    VarianceInflation,
    nogueira_stability,
    permutation_p_value,
    stability_summary,
)
from ...metrics import held_out as held_out_scores
from ...metrics.calibration import calibration_of
from ...metrics.differences import LEAST_RUNS
from ...metrics.differences import Difference as Gap
from ...metrics.estimates import plain_number as plain
from ...metrics.estimates import prediction_coverage
from ...metrics.registry import Metric
from ...metrics.schema import Calibration
from ..plan import Plan, Split
from ..plan.method import method_label
from ..protocol.design import distinct_numbers
from ..protocol.error_costs import Costs, metrics_of
from ..protocol.splits import Labels
from .collect import Choice, Collected, Curve, at_full_coverage
from .cost_results import cost_by_class
from .curve_points import curve_points
from .curve_schema import Curves
from .first_screen import held_fast
from .held_out import fold_scores, held_out, held_out_step, paired_difference
from .number_schema import NumberFit
from .rejection import rejection_entry
from .sampling import sampling_of, uneven_shares
from .schema import (
    Chance,
    Coverage,
    Difference,
    Estimate,
    FoldEntry,
    Headline,
    MethodEntry,
    Permutation,
    Repeatability,
    Scored,
    SizePoint,
    Spread,
    Stability,
)

# of class shares in permuted runs, from which scores that depend on them say nothing
MAX_SHARE_SHIFT = 0.1
# permuted runs, and a p-value, that bound an interval
MIN_BOUNDING_RUNS, MAX_BOUNDING_P = 39, 0.025
MAX_CLASS_SHARE_GAP = 0.2  # gap of class shares from which chance in theory does not hold


@dataclass(frozen=True)
class Described:
    """What a procedure's choices in the study itself come to."""

    held: Any  # HeldOut, or HeldOutNumbers
    sampling: Any  # VarianceInflation, or NumberSampling
    folds: Mapping[str, np.ndarray]  # each metric in every outer fold
    metrics: dict[str, Estimate]
    coverage: Coverage
    curves: Curves
    calibration: Calibration | None
    stability: Stability
    fit: NumberFit | None = None  # of a number


@dataclass(frozen=True)
class Context:
    """What the numbers of every procedure of a study are computed with."""

    plan: Plan
    labels: Labels
    y: Mapping[int, np.ndarray]  # what is learnt of each run; 0 is the study itself
    collected: Collected
    possible: Mapping[str, np.ndarray]  # features that selection by a method could choose from
    costs: Costs | None = None
    samples: Sequence[str] = ()  # their names

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """Every metric, the loss under the study's costs."""
        return metrics_of(self.costs)

    def held_out(self, choices: Sequence[Choice], run: int = 0) -> HeldOut:
        """Predictions of a procedure in the study itself, or in a permuted run."""
        return held_out(choices, self.y[run], self.costs)

    def described(self, choices: Sequence[Choice]) -> Described:
        """What they come to; once where the headline's choices are those of one method."""
        key = tuple(map(id, choices))
        if key not in self._described:
            self._described[key] = self.describe(choices)
        return self._described[key]

    def describe(self, choices: Sequence[Choice]) -> Described:
        """What they come to."""
        held = self.held_out(choices)
        sampling = self.sampling(held)
        return Described(
            held,
            sampling,
            fold_scores(choices, self.y[0], METRICS, self.costs),
            metric_estimates(held, sampling, self.metrics),
            prediction_coverage(held, self.labels.classes),
            curve_points(held, sampling, self.costs),
            calibration_of(held, sampling),
            self.stability(choices),
        )

    def head_entries(self, own: Described, choices: Sequence[Choice]) -> dict[str, Any]:
        """What the headline has beside the entries that methods have too."""
        held = own.held
        return {
            "alone": held.alone,
            "uneven": uneven_shares(held, self.labels),
            "confusion": held.matrix().tolist(),
            "declined": held.declined().tolist(),
            "coverage": own.coverage,
            "curves": own.curves,
            "calibration": own.calibration,
        }

    def recalls(self, own: Described) -> dict[str, Estimate]:
        """The share of each class that is predicted right."""
        found = own.held.recalls(own.sampling)
        named = zip(self.labels.classes, found, strict=True)
        return {name: _plain_estimate(one) for name, one in named}

    def beside(self, own: Described, choices: Sequence[Choice]) -> dict[str, Any]:
        """The entries about costs and samples declined of a procedure, where there are any."""
        return cast(dict[str, Any], _where_there_is_any(self, choices, own.held, own.sampling))

    def difference(self, new: Sequence[Choice], old: Sequence[Choice]) -> Gap:
        """The score of a procedure less that of another, on the study's metric."""
        return paired_difference(new, old, self.y[0], self.plan.metric, self.costs)

    def step_score(self, points: Sequence[tuple[Curve, int]]) -> float:
        """The score of one point of every fold's curve."""
        metric = self.metrics[self.plan.metric]
        return held_out_step(points, self.y[0], self.costs).score(metric)

    @cached_property
    def _described(self) -> dict[tuple[int, ...], Described]:
        """Of the choices that were requested, by their identity."""
        return {}

    @cached_property
    def moved(self) -> float | None:
        """With batches, how many labels permuted runs change, over what free permutation would."""
        if self.labels.batches is None or len(self.y) < 2:
            return None
        shares = np.bincount(self.y[0]) / len(self.y[0])
        changed = np.mean([np.mean(y != self.y[0]) for k, y in self.y.items() if k])
        return float(changed / (1 - (shares**2).sum()))

    @cached_property
    def shifted(self) -> float:
        """How far permuted runs move the class shares: groups that exchange labels may differ in
        size."""
        C = len(self.labels.classes)
        shares = {k: np.bincount(y, minlength=C) / len(y) for k, y in self.y.items()}
        moves = [np.abs(own - shares[0]).max() for k, own in shares.items() if k]
        return float(np.mean(moves)) if moves else 0.0

    def among(self, choices: Sequence[Choice]) -> np.ndarray:
        """Features that the methods of these choices could choose from, rising."""
        methods = frozenset(c.method for c in choices) or frozenset(self.possible)
        if methods not in self._among:
            every = np.concatenate([self.possible[name] for name in methods])
            self._among[methods] = distinct_numbers(every)
        return self._among[methods]

    @cached_property
    def _among(self) -> dict[frozenset[str], np.ndarray]:
        """Of each set of methods that was requested: every permuted run has the same."""
        return {}

    def sampling(self, held: HeldOut) -> VarianceInflation:
        """What stands behind the study's own held-out predictions."""
        return sampling_of(held, self.labels, self.plan.outer)

    def sets(self, choices: Sequence[Choice]) -> tuple[list[np.ndarray], int]:
        """The features chosen in each training set, by their place among those possible, and how
        many these are."""
        among = self.among(choices)
        return [np.searchsorted(among, c.features) for c in choices], len(among)

    def stability(self, choices: Sequence[Choice]) -> Stability:
        """How alike those are."""
        found = stability_summary(*self.sets(choices))
        return found.to_dict()

    def runs(self, who: str) -> list[tuple[int, Sequence[Choice]]]:
        """What a procedure chose in each permuted run, by its number; a reference has none."""
        return [(k, run[who]) for k, run in sorted(self.collected.permuted.items()) if who in run]

    def chance(self, who: str, held: HeldOut) -> dict[str, Chance]:
        """Each metric where there is nothing to find: in theory, and in the permuted runs."""
        biased = held.alone or uneven_shares(held, self.labels) > MAX_CLASS_SHARE_GAP
        judged = np.bincount(held.codes, minlength=held.n_classes) / len(held.repeats)
        matrix = held.matrix()  # of what was not declined
        pools = [self.held_out(run, k) for k, run in self.runs(who)]
        found: dict[str, Chance] = {}
        for name, metric in self.metrics.items():
            labels = metric.of_confusion is not None
            counts = matrix.sum(axis=0) if labels and held.coverage < 1 else judged
            theory = None if biased or metric.of_costs else metric.chance(counts)
            values = [pool.score(metric) for pool in pools]
            found[name] = {"theory": plain(theory), "permuted": spread_of(values)}
        return found

    def not_below_chance(self, who: str, found: dict[str, Estimate]) -> dict[str, Estimate]:
        """Estimates in which the lower limit of an AUC is at least one half where p <= .025.

        p is of the AUC, of the run with true labels against permuted runs in the same folds.
        Without signal that adds at most .025 to how often the interval misses one half.
        """
        runs = self.runs(who)
        if (
            len(runs) < MIN_BOUNDING_RUNS
            or held_fast(self.moved)
            or who not in self.collected.observed
        ):
            return found
        observed, raised = at_full_coverage(self.collected.observed[who]), dict(found)
        for name, metric in self.metrics.items():
            one = found[name]
            if metric.of_pairs is None or one["low"] is None or one["low"] >= 0.5:
                continue
            value = self.held_out(observed).score(metric)
            values = [self.held_out(at_full_coverage(run), k).score(metric) for k, run in runs]
            if permutation_p_value(value, values) <= MAX_BOUNDING_P and one["mean"] is not None:
                raised[name] = cast(Estimate, {**one, "low": min(0.5, one["mean"])})
        return raised

    def repeatability(self, who: str) -> Repeatability:
        """Nogueira's measure of the run with true labels, beside that of the permuted runs."""
        value = self._nogueira(self.collected.observed.get(who, []))
        return self.beside_chance(value, [self._nogueira(run) for _, run in self.runs(who)])

    def beside_chance(self, value: float, values: Sequence[float]) -> Repeatability:
        """A measure of the run with true labels, beside that of each permuted run."""
        middle = spread_of(values)
        verdict = None
        if len(values) >= LEAST_RUNS and math.isfinite(value) and not held_fast(self.moved):
            # an undefined run, of empty sets, is less stable than any
            reached = sum(v >= value for v in values if math.isfinite(v))
            verdict = (1 + reached) / (1 + len(values)) <= 0.05
        return {
            "observed": plain(value),
            "values": [plain(v) for v in values],
            "median": middle["median"] if middle else None,
            "most": middle["most"] if middle else None,
            "excess": plain(value - middle["median"]) if middle else None,
            "above": verdict,
        }

    def _nogueira(self, choices: Sequence[Choice]) -> float:
        return nogueira_stability(*self.sets(choices)).value


def metric_estimates(
    held: HeldOut, sampling: VarianceInflation, metrics: Mapping[str, Metric]
) -> dict[str, Estimate]:
    """Each metric with its interval."""
    return {k: _plain_estimate(held.estimate(one, sampling)) for k, one in metrics.items()}


def _plain_estimate(found: held_out_scores.Estimate) -> Estimate:
    return cast(Estimate, found.to_dict())


def spread_of(values: Sequence[float]) -> Spread | None:
    """Median, least and most of the defined values, and their number; None without any."""
    known = np.array([v for v in values if math.isfinite(v)])
    if not len(known):
        return None
    return {
        "median": float(np.median(known)),
        "least": float(known.min()),
        "most": float(known.max()),
        "n": len(known),
    }


def summarise_choices(context: Context, companion: Split) -> Scored:
    """Metrics, chance, permutation, headline and methods of `docs/json.md`.

    `companion` is the split of the permuted runs.
    """
    plan, collected = context.plan, context.collected
    own = context.described(collected.headline)
    direction = context.metrics[plan.metric].direction
    head = {
        "winners": _count_values([c.method for c in collected.headline]),
        **context.head_entries(own, collected.headline),
        "stability": own.stability,
        "folds": [
            _fold_entry(c, direction, {k: v[i] for k, v in own.folds.items()})
            for i, c in enumerate(collected.headline)
        ],
        **context.beside(own, collected.headline),
    }
    return {
        "metrics": context.not_below_chance("", own.metrics),
        "recalls": context.recalls(own),
        "chance": context.chance("", own.held),
        "permutation": _permutation_entry(context, companion),
        "headline": cast(Headline, head),
        "methods": _method_entries(context),
    }


def _where_there_is_any(
    context: Context, choices: Sequence[Choice], held: HeldOut, sampling: VarianceInflation
) -> Any:
    """The entries about costs and samples declined of a procedure; without costs and rules none."""
    declined = rejection_entry(choices, context.held_out, sampling, context.y[0], context.metrics)
    found: dict[str, object] = {} if declined is None else {"rejection": declined}
    if context.costs is not None:
        found["cost_by_class"] = cost_by_class(context.costs, held, context.labels.classes)
    return found


def _fold_entry(choice: Choice, direction: int, scores: Mapping[str, float]) -> FoldEntry:
    """What was chosen in an outer training set, and how its test set judged it."""
    found = {
        "repeat": choice.repeat,
        "fold": choice.fold,
        "method": choice.method,
        "classify": choice.classify,
        "params": json.loads(choice.settings),
        "size": choice.size,
        "own": choice.own,
        "inner": plain(direction * choice.inner),
        "coverage": float(np.mean(choice.predicted >= 0)),
        **{name: plain(score) for name, score in scores.items()},
    }
    threshold = choice.decision.probability
    if threshold is not None:
        found["threshold"] = threshold
    return cast(FoldEntry, found)


def _count_values(values: Sequence[str]) -> dict[str, int]:
    return {v: list(values).count(v) for v in dict.fromkeys(values)}


def _permutation_entry(context: Context, companion: Split) -> Permutation:
    """The run with true labels against the permuted runs of the same design."""
    plan, true = context.plan, context.collected.observed
    metric = context.metrics[plan.metric]
    runs = [(k, at_full_coverage(run)) for k, run in context.runs("")]
    values = [context.held_out(run, k).score(metric) for k, run in runs]
    observed = context.held_out(at_full_coverage(true[""])).score(metric) if runs else math.nan
    p, moved = math.nan, context.moved
    of_shares = metric.of_confusion is not None and not metric.every_class
    other = of_shares and context.shifted > MAX_SHARE_SHIFT
    if len(values) >= LEAST_RUNS and not held_fast(moved) and not other:
        p = permutation_p_value(observed, values, metric.direction)
    found: Permutation = {
        "metric": plan.metric,
        "outer": companion.sentence(context.labels.groups is not None),
        "outer_short": companion.short(),
        "observed": plain(observed),
        "values": [plain(v) for v in values],
        "p_value": plain(p),
        "n": len(values),
        "stability": context.repeatability(""),
    }
    if moved is not None:
        found["moved"] = moved
    if context.labels.given_batches is not None:
        found["crossed"] = True
    if other:
        found["shifted"] = context.shifted
    return found


def _method_entries(context: Context) -> list[MethodEntry]:
    plan, collected = context.plan, context.collected
    metric = context.metrics[plan.metric]
    full = {k: at_full_coverage(v) for k, v in collected.methods.items()}
    means = {k: metric.direction * context.held_out(v).score(metric) for k, v in full.items()}
    rivals = [m.name for m in plan.compared]
    top = max(rivals, key=lambda k: -math.inf if math.isnan(means[k]) else means[k])
    results: list[MethodEntry] = []
    for method in plan.method:
        name = method.name
        choices = collected.methods[name]
        own = context.described(choices)
        sizes = size_curve(context, collected.curves[name])
        outer = [s["outer"] for s in sizes if s["outer"] is not None]
        results.append(
            {
                "name": name,
                "select": method.select,
                "classify": method.classify,
                "label": method_label(method),
                "reference": method.reference,
                "metrics": context.not_below_chance(name, own.metrics),
                "coverage": own.coverage,
                "chance": context.chance(name, own.held),
                "sizes": [c.size for c in choices],
                "n_possible": len(context.possible[name]),
                "stability": own.stability,
                "repeatability": context.repeatability(name),
                "size_curve": sizes,
                "optimistic": (max if metric.direction > 0 else min)(outer) if outer else None,
                "difference": None
                if name == top
                else cast(
                    Difference,
                    {
                        "against": top,
                        **context.difference(full[name], full[top]).to_dict(),
                    },
                ),
                "curves": own.curves,
                "calibration": own.calibration,
                "per_fold": {
                    k: {"mean": plain(_of_defined(np.mean, v)), "sd": plain(_of_defined(np.std, v))}
                    for k, v in own.folds.items()
                },
                "warnings": [],  # of all that is found (`cautions.method_codes`)
            }
        )
        if own.fit is not None:
            results[-1]["fit"] = own.fit
        results[-1].update(cast(MethodEntry, context.beside(own, choices)))
    return results


def _of_defined(function: Any, values: np.ndarray) -> float:
    known = values[~np.isnan(values)]
    if function is np.std:
        return float(np.std(known, ddof=1)) if len(known) > 1 else math.nan
    return float(function(known)) if len(known) else math.nan


def size_curve(context: Context, curves: Sequence[Curve]) -> list[SizePoint]:
    """Mean inner score and outer score of every size.

    Choosing the size by the outer column is optimistic; it is there to be looked at.
    """
    common = reduce(np.intersect1d, [c.steps for c in curves])
    direction = context.metrics[context.plan.metric].direction
    points: list[SizePoint] = []
    for step in common:
        at = [int(np.flatnonzero(c.steps == step)[0]) for c in curves]
        both = list(zip(curves, at, strict=True))
        points.append(
            {
                "size": float(np.mean([c.sizes[k] for c, k in both])),
                "own": any(bool(c.own[k]) for c, k in both),
                "inner": plain(direction * float(np.mean([c.inner[k] for c, k in both]))),
                "outer": plain(context.step_score(both)),
            }
        )
    return sorted(points, key=lambda point: point["size"])
