"""A saved model of a number against samples whose values are known."""

from __future__ import annotations

from typing import Literal, NotRequired

import numpy as np
from typing_extensions import TypedDict

from .._core.errors import ModelError, counted_noun, shorten_text, unbroken_text
from ..data.dataset import Dataset
from ..metrics.estimates import estimate_text, plain_number
from ..metrics.held_out_numbers import HeldOutNumbers, NumberSampling
from ..metrics.number_metrics import NUMBER_METRICS, calibration_slope
from ..metrics.schema import NumberPoint
from .cohort import training_rows, value_misfits
from .fitted_procedure import FittedProcedure
from .prediction_intervals import USUAL_LEVEL, intervals_of

Figure = dict[str, float | str | None]  # `Estimate.to_dict`
LEADING = ("q2", "concordance", "rmse")


class IntervalsInside(TypedDict):
    """How prediction intervals did."""

    level: float
    inside: int  # samples between low and high
    width: float | None  # median, in units of the target; None if infinite


class NumberEvaluation(TypedDict):
    """What `evaluate` finds of a model of a number."""

    response: Literal["number"]
    data: str
    target: str
    log: bool  # values and predictions are natural logarithms
    n_samples: int
    n_groups: int | None
    warnings: list[dict[str, str]]
    notes: list[str]
    metrics: dict[str, Figure]
    chance: dict[str, float | None]  # of predicting the training mean
    slope: float | None  # of observed on predicted values
    bias: float  # mean of predicted less observed values
    points: list[NumberPoint]
    intervals: NotRequired[IntervalsInside]  # of a model that has them


def evaluate_numbers(model: FittedProcedure, data: Dataset) -> NumberEvaluation:
    """Every metric of a model on a cohort, with 95 % intervals; see `evaluate`.

    Q2 compares with predicting the mean of the training samples; below 0 that would do better.

    Raises
    ------
    ModelError
        The values are not known, or there are fewer than two.
    """
    y = data.numbers
    if y is None:
        raise ModelError(f"{data.name!r} has no column {data.target!r} with the true values")
    if len(y) < 2:
        raise ModelError(f"{data.name!r} has {counted_noun(len(y), 'sample')}: two are needed")
    value = model.decide(data).beliefs.value
    assert value is not None
    mean = float(model.about.get("target_mean", 0.0))
    held = HeldOutNumbers.of([[(np.arange(len(y)), y, value, mean)]])
    groups = data.groups
    unit = np.arange(len(y)) if groups is None else np.unique(groups, return_inverse=True)[1]
    sampling = NumberSampling(unit)
    remarks = [*value_misfits(model, data), *training_rows(model, data)]
    points: list[NumberPoint] = [
        {"sample": name, "observed": float(a), "predicted": float(b)}
        for name, a, b in zip(data.sample_names, y, value, strict=True)
    ]
    found: NumberEvaluation = {
        "response": "number",
        "data": data.name,
        "target": data.target,
        "log": model.log_target,
        "n_samples": len(y),
        "n_groups": None if groups is None else len(np.unique(groups)),
        "warnings": [{"code": code, "text": text} for code, text in remarks],
        "notes": list(data.notes),
        "metrics": {k: held.estimate(m, sampling).to_dict() for k, m in NUMBER_METRICS.items()},
        "chance": {k: plain_number(held.chance(m)) for k, m in NUMBER_METRICS.items()},
        "slope": plain_number(calibration_slope(held.repeats[0])),
        "bias": float(np.mean(value - y)),
        "points": points,
    }
    if (ends := intervals_of(model, data)) is not None:
        found["intervals"] = _intervals_inside(np.exp(y) if model.log_target else y, *ends)
    return found


def _intervals_inside(y: np.ndarray, low: np.ndarray, high: np.ndarray) -> IntervalsInside:
    """Of values (n,) and the ends of their intervals."""
    return {
        "level": USUAL_LEVEL,
        "inside": int(np.count_nonzero((low <= y) & (y <= high))),
        "width": plain_number(float(np.median(high - low))),
    }


def intervals_words(found: NumberEvaluation) -> str:
    """How many samples lie in their prediction intervals; nothing of a model without."""
    if (own := found.get("intervals")) is None:
        return ""
    n, width = found["n_samples"], own["width"]
    wide = "infinite, for want of training samples" if width is None else f"{width:.4g}"
    return (
        f"{own['inside']} of {n} samples ({100 * own['inside'] / n:.0f} %) lie in their "
        f"{100 * own['level']:.0f} % prediction intervals, whose median width is {wide}"
    )


def number_evaluation_text(found: NumberEvaluation) -> str:
    """What `evaluate_numbers` found, for the terminal."""
    of = "" if found["n_groups"] is None else f" in {counted_noun(found['n_groups'], 'group')}"
    name = shorten_text(found["target"])
    scale = ", natural logarithms" if found["log"] else ""
    lines = [
        f"{found['data']}: {counted_noun(found['n_samples'], 'sample')}{of}, {name}{scale}",
        *(unbroken_text(f"  ! {w['code']}: {w['text']}") for w in found["warnings"]),
    ]
    shown = {key: NUMBER_METRICS[key].brief for key in found["metrics"]}
    width = max(map(len, shown.values()))
    ordered = [*LEADING, *(key for key in shown if key not in LEADING)]
    lines += [f"  {shown[key]:<{width}}  {estimate_text(found['metrics'][key])}" for key in ordered]
    slope = "undefined" if found["slope"] is None else f"{found['slope']:.3f}"
    lines += [
        "",
        f"  calibration slope  {slope} (1 is ideal; below 1 predictions are too extreme)",
        f"  mean error  {found['bias']:+.4g} (predicted less observed)",
        *(f"  {text}" for text in [intervals_words(found)] if text),
    ]
    return "\n".join(lines)
