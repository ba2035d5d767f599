"""The table of predictions of a study whose outcome is a number."""

from __future__ import annotations

from ..._core.tsv import tsv_text
from ...data.dataset import Dataset
from .collect import Collected
from .tables import headline_and_methods

HEADING = ["procedure", "repeat", "fold", "sample", "true", "predicted", "training_mean"]


def predictions_table(data: Dataset, collected: Collected) -> str:
    """One row a prediction, with the mean of its training set, to which Q2 compares it; logarithms
    where the study learnt these."""
    truth = data.response.learnt(data.codes)
    total, rows = float(truth.sum()), []
    for who, choices in headline_and_methods(collected):
        for c in choices:
            mean = (total - float(truth[c.test].sum())) / (len(truth) - len(c.test))
            rows += [
                [
                    who,
                    c.repeat,
                    c.fold,
                    data.sample_names[row],
                    float(truth[row]),
                    float(value),
                    mean,
                ]
                for row, value in zip(c.test, () if c.value is None else c.value, strict=True)
            ]
    return tsv_text(HEADING, rows)
