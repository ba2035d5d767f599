"""The score of the whole procedure against the number of samples that it learns from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

import numpy as np

from ...metrics import METRICS
from .collect import Choice, at_full_coverage
from .cost_saving import digits_of
from .held_out import paired_difference
from .schema import CurvePoint, LastStep, LearningCurve, StudyContent
from .summary import Context

VERDICTS = {
    "better": "more samples may well help further",
    "worse": "more samples did not help",
    "no evidence": "no evidence that more samples would help",
}


def learning_curve_entry(context: Context) -> LearningCurve:
    """The `learning_curve` entry of docs/json.md; with nobody declined."""
    curve = context.plan.learning_curve
    assert curve is not None
    runs = {**context.collected.shares, 1.0: context.collected.headline}
    chosen = {share: at_full_coverage(runs[share]) for share in curve.shares}
    below, whole = (chosen[share] for share in curve.shares[-2:])
    points = [_point(context, share, one) for share, one in chosen.items()]
    return {
        "metric": context.plan.metric,
        "points": points,
        "last": _last_step(context, below, whole),
    }


def _point(context: Context, share: float, choices: Sequence[Choice]) -> CurvePoint:
    held = context.held_out(choices)
    metric = context.metrics[context.plan.metric]
    found = held.estimate(metric, context.sampling(held)).to_dict()
    n = float(np.mean([c.n_train or len(context.labels.y) - len(c.test) for c in choices]))
    return cast(CurvePoint, {"share": share, "n_train": n, **found})


def _last_step(context: Context, below: Sequence[Choice], whole: Sequence[Choice]) -> LastStep:
    """The difference of the last two points."""
    name = context.plan.metric
    found = paired_difference(whole, below, context.y[0], name, context.costs)
    verdict: Literal["better", "worse", "no evidence"] | None = None
    if np.isfinite(found.low):
        ends = sorted(context.metrics[name].direction * end for end in (found.low, found.high))
        verdict = "better" if ends[0] > 0 else "worse" if ends[1] < 0 else "no evidence"
    return cast(LastStep, {**found.to_dict(), "verdict": verdict})


def learning_curve_words(c: StudyContent) -> str:
    """What the last samples added; nothing where the plan does not ask."""
    given = c.get("learning_curve")
    if given is None:
        return ""
    below, whole = given["points"][-2:]
    last, digits = given["last"], digits_of(c, given["metric"])
    text = (
        f"from {below['share']:.0%} to 100 % of the training samples ({below['n_train']:.0f} to "
        f"{whole['n_train']:.0f}) {METRICS[given['metric']].brief} "
    ).replace("%", " %", 1)
    if last["mean"] is None:
        return f"{text}has no difference: it is undefined in the outer folds"
    text += f"changed by {last['mean']:+.{digits}f}"
    if last["verdict"] is None or last["low"] is None or last["high"] is None:
        return f"{text}; no interval: it takes several outer folds of several samples that differ"
    ends = f"{last['low']:+.{digits}f} to {last['high']:+.{digits}f}"
    return f"{text} ({ends}): {VERDICTS[last['verdict']]}"
