"""What a model predicts, as the table that `tamis predict` prints and `predict_frame` gives."""

from __future__ import annotations

import numpy as np

from .._core.interfaces import Decided
from ..data.dataset import Dataset
from .fitted_procedure import FittedProcedure

Cell = str | bool | float | None
# what columns of classes hold
BELIEF_PREFIXES = {"proba": "p", "order": "score", "labels": "label"}


def prediction_table(
    model: FittedProcedure,
    data: Dataset,
    decided: Decided,
    ends: tuple[np.ndarray, np.ndarray] | None = None,
) -> tuple[list[str], list[list[Cell]]]:
    """The header, and a row for each sample: its name, the class (None if declined), whether it was
    accepted, of a model that declines samples how certain it is, and what is believed of each
    class. Of a number its name, the number, and both ends of its interval if there is one.

    Parameters
    ----------
    model : FittedProcedure
    data : Dataset
    decided : Decided
        `model.decide(data)`.
    ends : tuple of ndarray, optional
        As `intervals_of` gives them.
    """
    if decided.beliefs.value is not None:
        values = [model.labels(decided), *(ends or ())]
        header = ["sample", "predicted", *(("low", "high") if ends else ())]
        columns = [data.sample_names, *(one.tolist() for one in values)]
        return header, [[*row] for row in zip(*columns, strict=True)]
    kind = BELIEF_PREFIXES[model.known]
    header = ["sample", "predicted", "accepted", *(f"{kind}({name})" for name in model.classes)]
    samples = zip(
        data.sample_names,
        model.labels(decided),
        decided.accepted,
        decided.beliefs.proba,
        strict=True,
    )
    rows = [[name, label, bool(given), *map(float, p)] for name, label, given, p in samples]
    if decided.certainty is not None:
        header.insert(3, "certainty")
        for row, certainty in zip(rows, decided.certainty, strict=True):
            row.insert(3, float(certainty))
    return header, rows
