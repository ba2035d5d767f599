"""``predictions.tsv`` of a finished study of a number -> predictions and scores by fold."""

from __future__ import annotations

from collections.abc import Sequence
from io import TextIOWrapper

import numpy as np

from ..._core.errors import StoreError
from ..._core.fields import text_of_field
from ..._core.inside import Inside
from ..._core.tsv import table_field
from ...metrics.number_metrics import FoldValues, NumberMetric
from .number_tables import HEADING
from .prediction_folds import MAX_ROW_LENGTH, FoldPredictions, Folds
from .result import StudyResult

# (repeat, fold) -> of each sample its name, its value, the prediction and the training mean
Rows = dict[tuple[int, int], list[tuple[str, float, float, float]]]


def read_number_folds(study: StudyResult, procedures: Sequence[str]) -> dict[str, Folds]:
    """Predictions of some procedures in every outer fold.

    Raises
    ------
    StoreError
        ``tables/predictions.tsv`` is missing or damaged.
    """
    path = Inside(study.folder, "tables/predictions.tsv")
    wanted = {text_of_field(table_field(name)): name for name in procedures}
    rows: dict[str, Rows] = {name: {} for name in procedures}
    try:
        with path.opened() as binary, TextIOWrapper(binary, "utf-8", newline="\n") as file:
            if file.readline(MAX_ROW_LENGTH).rstrip("\n").split("\t") != HEADING:
                raise ValueError("another heading")
            for row in iter(lambda: file.readline(MAX_ROW_LENGTH), ""):
                fields = map(text_of_field, row.rstrip("\n").split("\t"))
                who, repeat, fold, sample, true, predicted, mean = fields
                if who in wanted:
                    entry = sample, float(true), float(predicted), float(mean)
                    rows[wanted[who]].setdefault((int(repeat), int(fold)), []).append(entry)
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(
            f"cannot read {str(path)!r}, which has the scores of single folds: run the study "
            "again with --resume"
        ) from error
    except ValueError as error:
        raise StoreError(
            f"{str(path)!r} is not a table of predictions as studies write it: run the study "
            "again with --resume"
        ) from error
    counts = {sum(map(len, own.values())) for own in rows.values()}
    if len(counts) > 1 or 0 in counts:
        raise StoreError(f"{str(path)!r} lacks predictions: run the study again with --resume")
    return {who: _folds_of(own) for who, own in rows.items()}


def _folds_of(rows: Rows) -> Folds:
    found: Folds = {}
    for key in sorted(rows):
        samples, true, predicted, means = zip(*rows[key], strict=True)
        nothing = np.zeros((len(samples), 0))
        values = np.array(true), np.array(predicted)
        found[key] = FoldPredictions(samples, *values, nothing, nothing, means[0])
    return found


def score_number_folds(folds: Folds, metric: NumberMetric) -> np.ndarray:
    """A metric in every fold, in their order; of Q2 what a fold adds to it: 1 less its mean squared
    error over the study's mean square about training means."""
    held = [_values_of(one) for one in folds.values()]
    if metric.name != "q2":
        return np.array([metric(one) for one in held])
    squares = np.concatenate([(one.y - one.mean) ** 2 for one in held]).mean()
    return np.array([1 - (one.error**2).mean() / squares for one in held])


def _values_of(one: FoldPredictions) -> FoldValues:
    n = len(one.samples)
    return FoldValues(one.true, one.predicted, np.full(n, one.mean), np.zeros(n, dtype=np.int64))
