"""Samples for a saved model: only the columns that it uses, with categories as it knows them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._core.errors import DataError, counted_noun
from ..data.dataset import Dataset
from ..data.faults import Fault, reworded_error
from ..data.in_memory import ROLE_LABELS, as_dataset, refuse_unknown
from ..data.raw import sort_levels
from ..data.reading import name_list
from ..data.spellings import note_on_unified, spelled_names, spelling_keys
from ..data.table import read_table
from .fitted_procedure import FittedProcedure

# what an error offers that a model has settled
DECLARE_ADVICE_PATTERN = re.compile(
    r",(?: or)? declare (?:it|the column) with categorical=\[(['\"]).*?\1\]"
)


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
        It cannot be read, lacks a covariate, or spells classes, batches or categories otherwise
        than the model.
    """
    if isinstance(data, Dataset) and target is None and not reading:
        return data
    read = read_table if isinstance(data, str | os.PathLike) else as_dataset
    if read is as_dataset:
        refuse_unknown("predict", reading, ("target",))
    needed: dict[str, Any] = {
        "target": target,
        "covariates": model.covariates,
        "categorical": tuple(model.read_levels),
        "target_optional": True,
        "only": model.read_columns,
    }
    if target is not None and not model.classes:
        needed["log_target" if model.log_target else "regression"] = True
    try:
        found = read(data, **needed, **reading)
    except DataError as error:
        raise reworded_error(error, lambda text: DECLARE_ADVICE_PATTERN.sub("", text)) from error
    batch = reading.get("batch")
    named = batch if isinstance(batch, str) else ROLE_LABELS["batch"]
    said = {key: name_list(reading.get(key) or ()) for key in ("unify", "allow")}
    return as_model_spells(model, found, named, **said)


def as_model_spells(
    model: FittedProcedure,
    data: Dataset,
    batch: str = ROLE_LABELS["batch"],
    unify: Collection[str] = (),
    allow: Collection[str] = (),
) -> Dataset:
    """The samples with classes, batches and categories as the model spells them, in the columns to
    unify; `batch` is that of the batches.

    Raises
    ------
    Fault
        Some are spelled otherwise, and nobody says what that means.
    """
    notes = list(data.notes)

    def spelled(values: Iterable[str], known: Sequence[str], column: str, what: str):
        own = _spelled_otherwise(values, known)
        first = next(iter(own.items()), ())
        if own and column in unify:
            notes.append(note_on_unified(column, own))
        elif own and column not in allow:
            raise Fault(
                f"column {column!r} has {counted_noun(len(own), 'spelling')} of {what} that the "
                f"model knows: {spelled_names(first)}; write them as the model does "
                f"with unify=[{column!r}], or say that they differ with allow=[{column!r}]",
                len(own),
                {"unify": (column,)},
            )
        return own if column in unify else {}

    def renamed(labels: np.ndarray, own: Mapping[str, str]) -> np.ndarray:
        return np.array([own.get(label, label) for label in labels.tolist()]) if own else labels

    y, batches, levels = data.y, data.batches, dict(data.levels)
    known_levels = model.read_levels
    if y is not None:
        y = renamed(y, spelled(data.classes, model.classes, data.target, "classes"))
    if batches is not None and model.batches:
        own = spelled(sorted({*batches.tolist()}), model.batches, batch, "batches")
        batches = renamed(batches, own)
    for j, here in data.levels.items():
        name = data.feature_names[j]
        own = spelled(here, known_levels.get(name, ()), name, "categories")
        if own:
            levels[j] = tuple(own.get(level, level) for level in here)
    if len(notes) == len(data.notes):
        return data
    classes = data.classes if y is None else tuple(sort_levels({*y.tolist()}))
    return replace(data, y=y, classes=classes, batches=batches, levels=levels, notes=tuple(notes))


def _spelled_otherwise(values: Iterable[str], known: Sequence[str]) -> dict[str, str]:
    """Values that a model does not know, and which of its own they are spellings of."""
    lost = [value for value in values if value not in known]
    keys = spelling_keys(list(known)) if lost else []
    if len({*keys}) < len(keys):  # of the model's own it is meant that they differ
        return {}
    place = dict(zip(keys, known, strict=True)) if lost else {}
    found = zip(lost, spelling_keys(lost), strict=True)
    return {value: place[key] for value, key in found if key in place}
