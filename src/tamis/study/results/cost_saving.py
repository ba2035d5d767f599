"""What the procedure costs beside the best constant prediction, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...data.class_heading import class_heading
from ...metrics.estimates import estimate_text
from ...metrics.number_metrics import NUMBER_METRICS, NumberMetric
from ...metrics.registry import metric_row
from .schema import ConstantChoice, Costs, StudyFindings


def cost_digits(costs: Costs) -> int:
    """Decimals of mean costs: three digits of what the best constant prediction costs."""
    size = abs(costs["constant"]["loss"])
    return 2 if size == 0 else min(max(2 - math.floor(math.log10(size)), 0), 9)


def digits_of(c: StudyFindings, metric: str) -> int:
    """Decimals of a metric among the first numbers: 2; of costs as `cost_digits`, of errors in the
    unit of the target as `unit_digits`."""
    costs, row = c.get("costs"), metric_row(metric)
    if isinstance(row, NumberMetric) and row.has_unit:
        return unit_digits(c["metrics"][metric]["mean"])
    return 2 if metric != "loss" or costs is None else cost_digits(costs)


def unit_digits(value: float | None) -> int:
    """Decimals of an error in the unit of the target: three digits of it."""
    if not value:
        return 2
    return min(max(2 - math.floor(math.log10(abs(value))), 0), 9)


def constant_beside(costs: Costs) -> ConstantChoice:
    """The best constant prediction of the samples that the mean cost of the procedure is of."""
    return costs.get("constant_given", costs["constant"])


def constant_words(c: StudyFindings, metric: str) -> str:
    """The best constant prediction; empty where none is what chance gives in theory."""
    if metric in NUMBER_METRICS:
        return "predicting the training mean"
    whom = "all samples"
    if metric == "loss" and "costs" in c:
        name = constant_beside(c["costs"])["predicted"]
        whom = "all of them" if "constant_given" in c["costs"] else whom
    else:
        of_counts = metric_row(metric).constant
        if of_counts is None:
            return ""
        code = of_counts(np.sum(c["headline"]["confusion"], axis=0))
        if code is None:
            return ""
        name = c["data"]["classes"][code]
    return f"calling {whom} {class_heading(c['data']['target'], name)}"


def mean_cost(c: StudyFindings) -> str:
    """The mean cost of a prediction, and of the best constant one; nothing without costs."""
    costs = c.get("costs")
    if costs is None:
        return ""
    digits = cost_digits(costs)
    given = " of those given a class" if "constant_given" in costs else ""
    return (
        f"mean cost{given} {estimate_text(c['metrics']['loss'], digits)}; "
        f"{constant_words(c, 'loss')} costs {constant_beside(costs)['loss']:.{digits}f}"
    )


def saving_cautions(c: StudyFindings) -> Iterator[tuple[str, str]]:
    """Where the procedure is not shown to cost less than the best constant prediction."""
    costs, found = c.get("costs"), c["metrics"]["loss"]
    if costs is None or found["mean"] is None:
        return
    digits, least = cost_digits(costs), constant_beside(costs)["loss"]
    constant = f"{constant_words(c, 'loss')} ({least:.{digits}f})"
    given = "" if c["headline"]["coverage"]["mean"] == 1 else " of those it gave a class"
    if found["mean"] >= least:
        yield (
            "no-saving",
            f"the procedure costs {found['mean']:.{digits}f} a sample{given}, no less "
            f"than {constant}: under these costs nothing is gained by it.",
        )
    elif found["low"] is not None and found["high"] is not None and found["high"] >= least:
        yield (
            "no-saving",
            f"the interval of the mean cost ({found['low']:.{digits}f} to "
            f"{found['high']:.{digits}f}){given} reaches that of {constant}: these data do "
            "not show that the procedure saves anything.",
        )


def constant_cautions(c: StudyFindings) -> Iterator[tuple[str, str]]:
    """Where the procedure is not shown to be better than the best constant prediction by the
    study's metric; of costs `saving_cautions` says it."""
    metric = metric_row(c["plan"]["metric"])
    found, constant = c["metrics"][metric.name], constant_words(c, metric.name)
    level = c["chance"][metric.name]["theory"]
    if not constant or level is None or (metric.name == "loss" and "costs" in c):
        return
    worst = found["low"] if metric.direction > 0 else found["high"]
    if any(v is not None and metric.direction * (v - level) <= 0 for v in (found["mean"], worst)):
        given = "" if c["headline"]["coverage"]["mean"] == 1 else " on those given a class"
        yield (
            "constant-as-good",
            f"{constant} has {metric.with_article} of {level:.2f}{given}; the procedure's "
            f"{estimate_text(found, 2)} is not shown to be better.",
        )
