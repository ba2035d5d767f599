"""The score of the full procedure against the number of samples that it learns from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

import numpy as np

from .collect import Choice, at_full_coverage
from .held_out import paired_difference
from .schema import CurvePoint, LastStep, LearningCurve
from .summary import Context


def learning_curve_entry(context: Context) -> LearningCurve:
    """The `learning_curve` entry of docs/json.md; with nobody declined."""
    curve = context.plan.learning_curve
    assert curve is not None
    runs = {**context.collected.shares, 1.0: context.collected.headline}
    chosen = {share: at_full_coverage(runs[share]) for share in curve.shares}
    below, full = (chosen[share] for share in curve.shares[-2:])
    points = [_curve_point(context, share, one) for share, one in chosen.items()]
    return {
        "metric": context.plan.metric,
        "points": points,
        "last": _last_step(context, below, full),
    }


def _curve_point(context: Context, share: float, choices: Sequence[Choice]) -> CurvePoint:
    held = context.held_out(choices)
    metric = context.metrics[context.plan.metric]
    found = held.estimate(metric, context.sampling(held)).to_dict()
    n = float(np.mean([c.n_train or len(context.labels.y) - len(c.test) for c in choices]))
    return cast(CurvePoint, {"share": share, "n_train": n, **found})


def _last_step(context: Context, below: Sequence[Choice], full: Sequence[Choice]) -> LastStep:
    """The difference of the last two points."""
    name = context.plan.metric
    found = paired_difference(full, below, context.y[0], name, context.costs)
    verdict: Literal["better", "worse", "no evidence"] | None = None
    if np.isfinite(found.low):
        ends = sorted(context.metrics[name].direction * end for end in (found.low, found.high))
        verdict = "better" if ends[0] > 0 else "worse" if ends[1] < 0 else "no evidence"
    return cast(LastStep, {**found.to_dict(), "verdict": verdict})
