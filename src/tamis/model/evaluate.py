"""A saved model against samples whose classes are known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from typing_extensions import TypedDict

from .._core.errors import ModelError, counted_noun, listed_names, listed_parts, unbroken_text
from .._core.interfaces import Kind
from ..data.class_heading import class_headings
from ..metrics import METRICS, HeldOut, VarianceInflation, loss_metric
from ..metrics.calibration import calibration_of
from ..metrics.estimates import (
    Coverage,
    calibration_words,
    declined_words,
    estimate_text,
    prediction_coverage,
)
from ..metrics.held_out import Estimate
from ..metrics.intervals import units_of
from ..metrics.schema import Calibration
from .cohort import absent_classes, one_prediction, training_rows, value_misfits
from .evaluate_numbers import NumberEvaluation, evaluate_numbers, number_evaluation_text
from .fitted_procedure import FittedProcedure
from .samples import samples_for

Figure = dict[str, float | str | None]  # `Estimate.to_dict`


class CohortCalibration(Calibration):
    """With the mean probability and the share of each class."""

    predicted: dict[str, float]
    observed: dict[str, float]


class Evaluation(TypedDict):
    """What `evaluate` finds, as its docstring has it."""

    data: str
    target: str
    n_samples: int
    n_groups: int | None
    counts: dict[str, int]
    classes: list[str]
    warnings: list[dict[str, str]]
    notes: list[str]
    metrics: dict[str, Figure]
    recalls: dict[str, Figure]
    calibration: CohortCalibration | None
    coverage: Coverage
    confusion: list[list[int]]
    declined: list[int]


def evaluate(
    model: FittedProcedure, data: Any, target: Any = None, **reading: Any
) -> Evaluation | NumberEvaluation:
    """Every metric of a model on an external cohort, with 95 % intervals.

    What is estimated is this model's score in the population that the cohort was drawn from.
    Predictions are independent, but for the groups of `data`.

    Parameters
    ----------
    model : Model
    data : Dataset, DataFrame, AnnData, array of shape (n_samples, n_features) or path
        With labels, all among the model's classes; it need not hold every class. Of one class
        only the recall is given.
    target : str or array of shape (n_samples,), optional
        The column of the class, or the labels, where `data` is no Dataset.
    **reading
        Further arguments of `tamis.data.as_dataset`, such as `group`.

    Returns
    -------
    dict
        ``data``, ``target``, ``n_samples``, ``n_groups``, ``counts``, ``classes``,
        ``warnings`` (code, text), ``notes`` (what was decided in reading the table), ``metrics``
        and ``recalls`` (name -> mean, low, high, and a note where there is none), ``calibration``
        (``slope``, 1 where probabilities are right, and by class the mean probability,
        ``predicted``, beside its share, ``observed``; None without probabilities), ``coverage``
        (share of the samples that were given a class, ``mean`` and ``by_class``), ``confusion``
        (rows predicted, columns true) and ``declined`` (samples of each true class that were given
        none). Metrics of labels are of the samples
        that were given a class. Of a model of a number: `evaluate_numbers.NumberEvaluation`.

    Raises
    ------
    ModelError
        A label is not one of the model's classes, or a column is missing.
    """
    data = samples_for(model, data, target, **reading)
    if not model.classes:
        return evaluate_numbers(model, data)
    if data.y is None:
        raise ModelError(f"{data.name!r} has no column {data.target!r} with the true classes")
    unknown = sorted(set(data.y.tolist()) - set(model.classes))
    if unknown:
        raise ModelError(
            f"column {data.target!r} has classes the model does not know: {listed_names(unknown)}; "
            f"it knows {listed_names(model.classes)}"
        )
    place = {name: code for code, name in enumerate(model.classes)}
    codes = np.array([place[label] for label in data.y.tolist()], dtype=np.int64)
    decided = model.decide(data)
    predicted = decided.labels
    held, sampling = judged_cohort(
        codes, predicted, decided.beliefs.proba, data.groups, model.known
    )
    held = replace(held, order=decided.beliefs.own.proba)
    scores = dict(METRICS)
    if model.costs is not None:
        own = model.own_costs(data)
        matrix = np.array(model.costs) if own is None else own.mean(axis=0)
        scores["loss"] = loss_metric(matrix, own is not None)
        if own is not None:
            paid = np.take_along_axis(own, codes[:, None, None], axis=2)[:, :, 0]
            held = replace(held, paid=paid)
    names = class_headings(data.target, model.classes)
    counts = np.bincount(codes, minlength=len(names))
    recalls = held.recalls(sampling)
    if np.count_nonzero(counts) > 1:
        metrics = {name: held.estimate(one, sampling) for name, one in scores.items()}
    else:
        note = f"all samples are of {names[codes[0]]}: there is only its recall"
        metrics = dict.fromkeys(METRICS, Estimate(math.nan, math.nan, math.nan, note))
    remarks = [
        *value_misfits(model, data),
        *training_rows(model, data),
        *absent_classes(model, codes),
        *one_prediction(decided.codes, codes, names),
    ]
    return {
        "data": data.name,
        "target": data.target,
        "n_samples": len(codes),
        "n_groups": None if data.groups is None else len(np.unique(data.groups)),
        "counts": dict(zip(model.classes, counts.tolist(), strict=True)),
        "classes": list(model.classes),
        "warnings": [{"code": code, "text": text} for code, text in remarks],
        "notes": list(data.notes),
        "metrics": {name: one.to_dict() for name, one in metrics.items()},
        "calibration": _calibration(model.classes, held, sampling),
        "recalls": {k: one.to_dict() for k, one in zip(model.classes, recalls, strict=True)},
        "coverage": prediction_coverage(held, model.classes),
        "confusion": held.matrix().astype(int).tolist(),
        "declined": held.declined().astype(int).tolist(),
    }


def _calibration(
    classes: Sequence[str], held: HeldOut, sampling: VarianceInflation
) -> CohortCalibration | None:
    """Slope and index, and by class the mean probability and the share; None without
    probabilities."""
    found = calibration_of(held, sampling)
    if found is None:
        return None
    shares = np.bincount(held.codes, minlength=len(classes)) / len(held.codes)
    return {
        **found,
        "predicted": dict(zip(classes, held.proba.mean(axis=0).tolist(), strict=True)),
        "observed": dict(zip(classes, shares.tolist(), strict=True)),
    }


def judged_cohort(
    codes: np.ndarray,
    predicted: np.ndarray,
    proba: np.ndarray,
    groups: np.ndarray | None,
    known: Kind = "proba",
) -> tuple[HeldOut, VarianceInflation]:
    """Predictions of one model for new samples, and what stands behind them."""
    held = HeldOut.of([[(np.arange(len(codes)), codes, predicted, proba)]], known)
    return held, VarianceInflation.external(*units_of(codes, proba.shape[1], groups))


def evaluation_text(found: Evaluation | NumberEvaluation) -> str:
    """What `evaluate` found, for the terminal: warnings, three leading numbers, the rest."""
    if "points" in found:
        return number_evaluation_text(cast(NumberEvaluation, found))
    classes = found["classes"]
    names = class_headings(found["target"], classes)
    counts = listed_parts(f"{found['counts'][c]} {n}" for c, n in zip(classes, names, strict=True))
    declined = [
        f"  declined: {text}" for text in [declined_words(found["coverage"], names)] if text
    ]
    of = "" if found["n_groups"] is None else f" in {counted_noun(found['n_groups'], 'group')}"
    lines = [
        f"{found['data']}: {counted_noun(found['n_samples'], 'sample')} ({counts}){of}",
        *(unbroken_text(f"  ! {w['code']}: {w['text']}") for w in found["warnings"]),
        *declined,
    ]
    present = [k for k, c in enumerate(classes) if found["counts"][c]]
    if len(present) == 1:
        recall = found["recalls"][classes[present[0]]]
        lines += [f"  {recall_name(present[0], names)} {estimate_text(recall)}", ""]
    else:
        lead, rest = _leading_figures(found, names)
        width = max(map(len, [*lead, *rest]))
        lines += [f"  {name:<{width}}  {estimate_text(e)}" for name, e in lead.items()]
        lines += ["", *(f"  {name:<{width}}  {estimate_text(e)}" for name, e in rest.items()), ""]
    lines += _calibration_lines(found, names)
    return "\n".join([*lines, *_confusion_lines(names, found["confusion"], found["declined"])])


def _calibration_lines(found: Evaluation, names: list[str]) -> list[str]:
    """Slope and index, and the mean probability of each class beside its share."""
    if (given := found["calibration"]) is None:
        return []
    shares = listed_parts(
        f"{name} {given['predicted'][c]:.0%} predicted, {given['observed'][c]:.0%} observed"
        for c, name in zip(found["classes"], names, strict=True)
    )
    words = (f"  {name}  {text}" for name, text in calibration_words(given).items())
    return [*words, f"  on average  {shares}", ""]


def recall_name(code: int, names: list[str]) -> str:
    """What the share of one class predicted right is called."""
    if len(names) == 2:
        return "specificity" if code == 0 else f"sensitivity for {names[1]}"
    return f"recall of {names[code]}"


def _leading_figures(
    found: Evaluation, names: list[str]
) -> tuple[dict[str, Figure], dict[str, Figure]]:
    """The three numbers to show first, and the others: name -> estimate."""
    shown = {METRICS[name].brief: e for name, e in found["metrics"].items()}
    for code, own in enumerate(found["recalls"].values()):
        shown[recall_name(code, names)] = own
    third = recall_name(1, names) if len(names) == 2 else METRICS["accuracy"].label
    lead = [METRICS["bcr"].brief, METRICS["auc"].brief, third]
    return {k: shown[k] for k in lead}, {k: e for k, e in shown.items() if k not in lead}


def _confusion_lines(names: list[str], matrix: list[list[int]], declined: list[int]) -> list[str]:
    corner, width = "predicted \\ true", max(map(len, names))
    counts = [
        *zip(names, matrix, strict=True),
        *([("declined", declined)] if any(declined) else []),
    ]
    rows = [(corner, names), *((name, [str(n) for n in row]) for name, row in counts)]
    side = max(len(name) for name, _ in rows)
    return [f"  {a:>{side}}  {'  '.join(f'{v:>{width}}' for v in row)}" for a, row in rows]
