"""A model that only knows its training rows, for what a cohort is compared with."""

from __future__ import annotations

import numpy as np

from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.data.dataset import Dataset
from tamis.model.model import Model
from tamis.model.named_method import NamedMethod
from tamis.model.training import Training


def model_of_rows(X, cohort):
    """The model of rows of two classes in turn, and the cohort as a data set."""
    names = tuple(f"g{j}" for j in range(X.shape[1]))
    y = np.arange(len(X)) % 2
    known = Training.of(X, y, 2, np.zeros(len(names), dtype=bool))
    nothing = NamedMethod("classify", "lda", {})
    model = Model(
        None,
        ArgMax(),
        (),
        names,
        {},
        np.zeros(len(names)),
        ("a", "b"),
        known,
        {},
        nothing,
        NamedMethod("decide", "arg_max", {}),
    )
    return model, Dataset(cohort, None, names)
