"""Samples for a saved model: only the columns that it uses, with categories as it knows them."""

from __future__ import annotations

import os
import re
from typing import Any

from .._core.errors import DataError
from ..data.dataset import Dataset
from ..data.faults import reworded_error
from ..data.in_memory import as_dataset, refuse_unknown
from ..data.table import read_table
from .fitted_procedure import FittedProcedure

# what an error offers that a model has settled
DECLARING = re.compile(r",(?: or)? declare (?:it|the column) with categorical=\[(['\"]).*?\1\]")


def samples_for(model: FittedProcedure, data: Any, target: Any = None, **reading: Any) -> Dataset:
    """A table as `Model.predict` takes it: a `Dataset` as it is, anything else read for the model.

    Parameters
    ----------
    model : FittedProcedure
    data : Dataset, DataFrame, AnnData, array of shape (n_samples, n_features) or path
    target : str or array of shape (n_samples,), optional
        The true classes, where they are known; a cohort may hold one class only.
    **reading
        Further arguments of `tamis.data.as_dataset`, or of `tamis.data.read_table` for a path.

    Raises
    ------
    DataError
        It cannot be read, or lacks a covariate.
    """
    if isinstance(data, Dataset) and target is None and not reading:
        return data
    read = read_table if isinstance(data, str | os.PathLike) else as_dataset
    if read is as_dataset:
        refuse_unknown("predict", reading, ("target",))
    needed = {
        "target": target,
        "covariates": model.covariates,
        "categorical": tuple(model.levels),
        "target_optional": True,
        "only": (*model.columns, *model.cost_columns),
    }
    try:
        return read(data, **needed, **reading)
    except DataError as error:
        raise reworded_error(error, lambda text: DECLARING.sub("", text)) from error
