"""``tables/predictions.tsv`` of a finished study -> held-out predictions and scores by fold."""

from __future__ import annotations

from collections.abc import Sequence
from io import TextIOWrapper

import numpy as np

from ..._core.errors import PlanError, StoreError
from ..._core.fields import text_of_field
from ..._core.inside import Inside
from ..._core.tsv import table_field
from ...metrics import Metric, loss_metric
from ...metrics.number_metrics import NumberMetric
from ...metrics.registry import metric_row
from .number_predictions import read_number_folds, score_number_folds
from .prediction_folds import MAX_ROW_LENGTH, FoldPredictions, Folds, Row
from .result import StudyResult
from .tables import GUESS_COLUMN

HEADLINE_KEY = "headline"
DECLINED_CODE = -1  # the code of a sample without a predicted class


def read_folds(study: StudyResult, procedures: Sequence[str]) -> dict[str, Folds]:
    """Predictions of some procedures in every outer fold.

    Raises
    ------
    StoreError
        ``tables/predictions.tsv`` is missing or damaged.
    """
    if study.content["plan"].get("response") == "number":
        return read_number_folds(study, procedures)
    path = Inside(study.folder, "tables/predictions.tsv")
    classes = [_as_read(name) for name in study.content["data"]["classes"]]
    codes = {name: code for code, name in enumerate(classes)}
    wanted = {_as_read(name) for name in procedures}
    if len(codes) < len(classes) or len(wanted) < len(procedures):
        raise StoreError(
            f"{str(study.folder)!r} has classes or methods whose names differ in white space only: "
            "rename them and study the table again"
        )
    parts: dict[tuple[str, int, int], list[Row]] = {}
    try:
        with path.opened() as binary, TextIOWrapper(binary, "utf-8", newline="\n") as file:
            if not (heading := file.readline(MAX_ROW_LENGTH)):
                raise ValueError("empty")
            C = len(classes)
            guessed = heading.split("\t")[7:8] == [GUESS_COLUMN]  # of samples declined too
            if (width := heading.count("\t") - 6 - guessed) not in (C, 2 * C):
                raise ValueError("another number of classes")
            for row in iter(lambda: file.readline(MAX_ROW_LENGTH), ""):
                row = row.rstrip("\n")
                who, repeat, fold, sample, true, predicted, accepted, *proba = map(
                    text_of_field, row.split("\t")
                )
                if who in wanted:
                    if guessed:
                        predicted, accepted = proba.pop(0), "yes"
                    code = (
                        codes[predicted] if {"yes": True, "no": False}[accepted] else DECLINED_CODE
                    )
                    if len(proba) != width:
                        raise ValueError("another number of classes")
                    values = [float(p) for p in proba]
                    entry = sample, codes[true], code, values[:C], values[-C:]
                    parts.setdefault((who, int(repeat), int(fold)), []).append(entry)
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(
            f"cannot read {str(path)!r}, which has the scores of single folds: run the study "
            "again with --resume"
        ) from error
    except (ValueError, KeyError) as error:
        raise StoreError(
            f"{str(path)!r} is not a table of predictions as studies write it: run the study "
            "again with --resume"
        ) from error
    rows = {who: sum(len(p) for key, p in parts.items() if key[0] == who) for who in wanted}
    if len(set(rows.values())) > 1 or 0 in rows.values():
        raise StoreError(f"{str(path)!r} lacks predictions: run the study again with --resume")
    return {
        who: {
            key[1:]: FoldPredictions.of(parts[key])
            for key in sorted(key for key in parts if key[0] == _as_read(who))
        }
        for who in procedures
    }


def score_folds(study: StudyResult, folds: Folds, metric: str) -> np.ndarray:
    """A metric in every fold, in their order; NaN where a fold leaves it undefined."""
    score = _metric_of(study, metric)
    if isinstance(score, NumberMetric):
        return score_number_folds(folds, score)
    return np.array(
        [
            score(one.true, one.predicted, one.order if score.of_order else one.proba)
            for one in folds.values()
        ]
    )


def fold_scores(
    study: StudyResult, methods: Sequence[str], metric: str
) -> tuple[dict[str, np.ndarray], float]:
    """Scores of every outer fold, from the study's predictions, and a test set's mean size.

    Raises
    ------
    StoreError
        ``tables/predictions.tsv`` is missing or damaged.
    """
    read = read_folds(study, methods)
    sizes = [len(one.samples) for folds in read.values() for one in folds.values()]
    scores = {who: score_folds(study, folds, metric) for who, folds in read.items()}
    return scores, float(np.mean(sizes)) if sizes else 0.0


def _metric_of(study: StudyResult, name: str) -> Metric | NumberMetric:
    """A metric of a study, its loss under its own costs."""
    costs = study.content.get("costs")
    if name != "loss" or costs is None:
        return metric_row(name)
    if costs["matrix"] is None:
        raise PlanError(
            f"{str(study.folder)!r} has costs of single samples, which its predictions do not "
            "have: compare another metric"
        )
    return loss_metric(np.array(costs["matrix"]))


def _as_read(name: str) -> str:
    """A name as it comes back from a table."""
    return text_of_field(table_field(name))
