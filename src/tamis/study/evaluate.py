"""A saved model against samples whose classes are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import ModelError, listing
from .._core.streams import generator
from ..data.dataset import Dataset
from ..metrics import METRICS, bootstrap_intervals, confusion
from .final import Model
from .summary import plain


def evaluate(model: Model, data: Dataset, seed: int = 0, draws: int = 2000) -> dict[str, Any]:
    """Every metric of a model on an external cohort, with bootstrap intervals.

    Parameters
    ----------
    model : Model
    data : Dataset
        With labels, all among the model's classes; it need not hold every class.
    seed, draws : int
        Of the bootstrap.

    Returns
    -------
    dict
        ``data``, ``n_samples``, ``counts``, ``metrics`` (short name -> mean, low, high),
        ``confusion`` (rows predicted, columns true) and ``classes``.

    Raises
    ------
    ModelError
        A label is not one of the model's classes, or a column is missing.
    """
    if data.y is None:
        raise ModelError(f"{data.name!r} has no column {data.target!r} with the true classes")
    unknown = sorted(set(data.classes) - set(model.classes))
    if unknown:
        raise ModelError(
            f"column {data.target!r} has classes the model does not know: {listing(unknown)}; "
            f"it knows {listing(model.classes)}"
        )
    place = {name: code for code, name in enumerate(model.classes)}
    codes = np.array([place[label] for label in data.y], dtype=np.int64)
    X = model.matrix(data)
    proba = model.estimator.predict_proba(X)
    predicted = np.asarray(model.estimator.predict(X), dtype=np.int64)
    names = list(METRICS)
    ends = bootstrap_intervals(
        codes, predicted, proba, names, draws, generator(seed, "bootstrap", "evaluate")
    )
    metrics = {}
    for name in names:
        value = METRICS[name](codes, predicted, proba)
        low, high = ends[name]
        metrics[name] = {"mean": plain(value), "low": plain(low), "high": plain(high)}
    return {
        "data": data.name,
        "n_samples": len(codes),
        "counts": {name: int(np.sum(codes == k)) for k, name in enumerate(model.classes)},
        "classes": list(model.classes),
        "metrics": metrics,
        "confusion": confusion(codes, predicted, len(model.classes)).tolist(),
    }
