"""Choices -> the numbers of the study, as plain dictionaries (docs/json.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.streams import generator
from ..metrics import (
    METRICS,
    bootstrap_intervals,
    calibration_points,
    confusion,
    decision_curve_points,
    nadeau_bengio,
    permutation_p_value,
    pooled_scores,
    pr_points,
    roc_points,
    stability_summary,
)
from .collect import Choice, Collected, Curve
from .plan import Plan

CURVE_POINTS = 200


def plain(value: float | None) -> float | None:
    """A number for JSON: None where undefined."""
    return None if value is None or not math.isfinite(value) else float(value)


class Pool:
    """Out-of-fold predictions of a procedure, pooled over the folds of each repeat.

    Where every repeat predicts the same samples (all but repeated holdout) the repeats stay
    apart, and a metric is averaged over them. Repeated holdout predicts other samples each
    time: then all predictions form one pool, and samples are resampled whole.
    """

    def __init__(
        self, choices: Sequence[Choice | Curve], y: np.ndarray, groups: np.ndarray | None,
        step: int | None = None,
    ):  # fmt: skip
        repeats: dict[int, list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {}
        for c in choices:
            if isinstance(c, Curve):
                assert step is not None
                entry = c.test, c.predicted[step], c.proba[step]
            else:
                entry = c.test, c.predicted, c.proba
            repeats.setdefault(c.repeat, []).append(entry)
        pools = []
        for folds in repeats.values():
            rows, predicted, proba = (np.concatenate(part) for part in zip(*folds, strict=True))
            order = np.argsort(rows, kind="stable")
            pools.append((rows[order], predicted[order], proba[order]))
        self.repeats = len(pools)
        same = all(np.array_equal(p[0], pools[0][0]) for p in pools)
        if not same:
            rows, predicted, proba = (np.concatenate(part) for part in zip(*pools, strict=True))
            pools = [(rows, predicted, proba)]
        self.rows = pools[0][0]
        self.predicted = [p[1] for p in pools]
        self.proba = [p[2] for p in pools]
        self.y = y[self.rows]
        units = groups if groups is not None else (None if same else np.arange(len(y)).astype(str))
        self.groups = None if units is None else units[self.rows]

    def scores(self, names: Sequence[str]) -> dict[str, float]:
        """Each metric, averaged over repeats."""
        return pooled_scores(self.y, self.predicted, self.proba, list(names))

    def estimates(self, names: Sequence[str], draws: int, rng: np.random.Generator) -> dict:
        """Each metric with its bootstrap interval."""
        means = self.scores(names)
        ends = bootstrap_intervals(
            self.y, self.predicted, self.proba, list(names), draws, rng, groups=self.groups
        )
        return {
            k: {"mean": plain(means[k]), "low": plain(ends[k][0]), "high": plain(ends[k][1])}
            for k in names
        }

    def curves(self) -> dict[str, Any]:
        """ROC, PR, calibration and decision-curve points."""
        proba = np.stack(self.proba)
        return {
            "roc": roc_points(self.y, proba, CURVE_POINTS),
            "pr": pr_points(self.y, proba, CURVE_POINTS),
            "calibration": calibration_points(self.y, proba),
            "decision": decision_curve_points(self.y, proba),
        }

    def confusion(self, n_classes: int) -> list[list[float]]:
        """Rows predicted, columns true; mean over repeats."""
        counts = [confusion(self.y, p, n_classes) for p in self.predicted]
        return (np.sum(counts, axis=0) / self.repeats).tolist()


def fold_scores(choices: Sequence[Choice], y: np.ndarray, names: Sequence[str]) -> dict:
    """Each metric in every outer fold; NaN where the fold leaves it undefined."""
    return {
        name: np.array([METRICS[name](y[c.test], c.predicted, c.proba) for c in choices])
        for name in names
    }


def summarise(
    plan: Plan,
    collected: Collected,
    labels: dict[int, np.ndarray],
    groups: np.ndarray | None,
    ranked: np.ndarray,
    n_classes: int,
) -> dict[str, Any]:
    """Metrics, chance, permutation, headline and methods of `docs/json.md`.

    Parameters
    ----------
    labels : mapping of permutation to codes
        The labels each run was given; 0 is the study itself.
    ranked : ndarray
        The features (Dataset columns) that selection could choose from.
    """
    y, names = labels[0], list(METRICS)
    pool = Pool(collected.headline, y, groups)
    rng = generator(plan.seed, "bootstrap", "headline")
    metrics = pool.estimates(names, plan.bootstrap, rng)
    permuted = _permuted_scores(collected, labels, groups, names)
    scores = fold_scores(collected.headline, y, names)
    head = {
        "winners": _count([c.method for c in collected.headline]),
        "confusion": pool.confusion(n_classes),
        "curves": pool.curves(),
        "stability": _stability(collected.headline, ranked),
        "folds": [
            {
                "repeat": c.repeat, "fold": c.fold, "method": c.method, "classify": c.classify,
                "params": json.loads(c.settings), "size": c.size,
                "inner": plain(METRICS[plan.metric].direction * c.inner),
                **{name: plain(scores[name][i]) for name in names},
            }
            for i, c in enumerate(collected.headline)
        ],
    }  # fmt: skip
    return {
        "metrics": metrics,
        "chance": {name: _spread([run[""][name] for run in permuted]) for name in names},
        "permutation": _permutation(plan, collected, y, groups, permuted),
        "headline": head,
        "methods": _methods(plan, collected, y, groups, ranked, permuted, names),
    }


def _count(values: Sequence[str]) -> dict[str, int]:
    return {v: list(values).count(v) for v in dict.fromkeys(values)}


def _stability(choices: Sequence[Choice], ranked: np.ndarray) -> dict[str, Any]:
    sets = [np.searchsorted(ranked, c.features) for c in choices]
    return stability_summary(sets, len(ranked)).to_dict()


def _permuted_scores(
    collected: Collected, labels: dict[int, np.ndarray], groups: np.ndarray | None, names: list[str]
) -> list[dict[str, dict[str, float]]]:
    return [
        {who: Pool(run[who], labels[k], groups).scores(names) for who in run}
        for k, run in sorted(collected.permuted.items())
    ]


def _spread(values: Sequence[float]) -> dict[str, float | None]:
    known = np.array([v for v in values if math.isfinite(v)])
    if not len(known):
        return {"mean": None, "low": None, "high": None}
    if len(known) == 1:
        return {"mean": float(known[0]), "low": None, "high": None}
    low, high = np.quantile(known, [0.025, 0.975])
    return {"mean": float(known.mean()), "low": float(low), "high": float(high)}


def _permutation(
    plan: Plan, collected: Collected, y: np.ndarray, groups: np.ndarray | None, permuted: list
) -> dict[str, Any]:
    """The study's own first repeat against the permuted runs, which have one repeat each."""
    metric = METRICS[plan.metric]
    first = [c for c in collected.headline if c.repeat == 0]
    observed = Pool(first, y, groups).scores([plan.metric])[plan.metric]
    values = [run[""][plan.metric] for run in permuted]
    p = permutation_p_value(observed, values, metric.direction) if values else None
    return {
        "metric": plan.metric, "observed": plain(observed), "values": [plain(v) for v in values],
        "p_value": plain(p), "n": len(values),
    }  # fmt: skip


def _methods(
    plan: Plan,
    collected: Collected,
    y: np.ndarray,
    groups: np.ndarray | None,
    ranked: np.ndarray,
    permuted: list,
    names: list[str],
) -> list[dict[str, Any]]:
    pools = {m.name: Pool(collected.methods[m.name], y, groups) for m in plan.method}
    direction = METRICS[plan.metric].direction
    means = {k: direction * p.scores([plan.metric])[plan.metric] for k, p in pools.items()}
    top = max(means, key=lambda k: -math.inf if math.isnan(means[k]) else means[k])
    folds = {k: fold_scores(c, y, names) for k, c in collected.methods.items()}
    results = []
    for method in plan.method:
        name = method.name
        choices = collected.methods[name]
        pool = pools[name]
        sizes = size_curve(collected.curves[name], y, groups, plan)
        outer = [s["outer"] for s in sizes if s["outer"] is not None]
        rng = generator(plan.seed, "bootstrap", name)
        results.append(
            {
                "name": name,
                "select": method.select,
                "classify": method.classify,
                "label": label(method),
                "metrics": pool.estimates(names, plan.bootstrap, rng),
                "chance": {k: _spread([run[name][k] for run in permuted]) for k in names},
                "sizes": [c.size for c in choices],
                "stability": _stability(choices, ranked),
                "size_curve": sizes,
                "optimistic": (max if direction > 0 else min)(outer) if outer else None,
                "difference": (
                    None if name == top else _difference(choices, folds, name, top, plan, len(y))
                ),
                "curves": pool.curves(),
                "per_fold": {
                    k: {"mean": plain(_nan(np.mean, v)), "sd": plain(_nan(np.std, v))}
                    for k, v in folds[name].items()
                },
            }
        )  # fmt: skip
    return results


def _nan(function: Any, values: np.ndarray) -> float:
    known = values[~np.isnan(values)]
    if function is np.std:
        return float(np.std(known, ddof=1)) if len(known) > 1 else math.nan
    return float(function(known)) if len(known) else math.nan


def label(method: Any) -> str:
    """A method in words, after the name that the plan gives it."""
    from . import registry
    from .plan import default_name

    row = registry.row(method.select, role="select")
    words = f"{method.select} then {' or '.join(method.classify)}"
    if row.embedded:
        words = f"{method.select} (selects and classifies)"
    own = method.name != default_name(method.select, method.classify, row)
    return f"{method.name}: {words}" if own else words


def _difference(
    choices: Sequence[Choice], folds: dict, name: str, top: str, plan: Plan, n: int
) -> dict[str, Any]:
    """Method minus best method, over outer folds (Nadeau & Bengio 2003)."""
    held = float(np.mean([len(c.test) for c in choices]))
    gap = folds[name][plan.metric] - folds[top][plan.metric]
    return {"against": top, **nadeau_bengio(gap, n - held, held).to_dict()}


def size_curve(
    curves: Sequence[Curve], y: np.ndarray, groups: np.ndarray | None, plan: Plan
) -> list[dict[str, Any]]:
    """Mean inner score and pooled outer score of every size.

    Choosing the size by the outer column is optimistic; it is there to be looked at.
    """
    steps = min(len(c.sizes) for c in curves)
    direction = METRICS[plan.metric].direction
    points = []
    for step in range(steps):
        outer = Pool(curves, y, groups, step).scores([plan.metric])[plan.metric]
        points.append(
            {
                "size": float(np.mean([c.sizes[step] for c in curves])),
                "inner": plain(direction * float(np.mean([c.inner[step] for c in curves]))),
                "outer": plain(outer),
            }
        )
    return sorted(points, key=lambda point: point["size"])
