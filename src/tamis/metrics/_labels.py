"""From labels and probability tables, as users have them, to class codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.errors import DataError, listed_names, nearest_hint


def label_codes(
    y_true: Any, y_pred: Any, classes: Sequence[Any] | None = None
) -> tuple[np.ndarray, np.ndarray, tuple[Any, ...]]:
    """Codes of true and predicted labels, and the classes they index.

    Without `classes`, these are the sorted labels of both arrays.
    """
    true, pred = _label_list(y_true, "y_true"), _label_list(y_pred, "y_pred")
    if len(true) != len(pred):
        raise DataError(
            f"y_pred has {len(pred)} labels and y_true {len(true)}: give one prediction a sample"
        )
    names = _sort_labels({*true, *pred}) if classes is None else _class_names(classes)
    return _encode_labels(true, names, "y_true"), _encode_labels(pred, names, "y_pred"), names


def belief_codes(
    y_true: Any, proba: Any, classes: Sequence[Any] | None = None, probabilities: bool = False
) -> tuple[np.ndarray, np.ndarray, tuple[Any, ...]]:
    """Codes of true labels, beliefs as an (n, C) array, and the classes of its columns.

    One column of beliefs is that of the positive (last) of two classes. With
    `probabilities`, values must lie in [0, 1] and rows must sum to 1.
    """
    true = _label_list(y_true, "y_true")
    names = _sort_labels(set(true)) if classes is None else _class_names(classes)
    beliefs = np.asarray(proba, dtype=np.float64)
    if beliefs.ndim == 1 or (beliefs.ndim == 2 and beliefs.shape[1] == 1):
        column = beliefs.reshape(-1)
        beliefs = np.column_stack([1.0 - column if probabilities else -column, column])
    if beliefs.ndim != 2 or len(beliefs) != len(true):
        raise DataError(
            f"proba has shape {np.shape(proba)}: give one row for each of the {len(true)} samples"
        )
    if beliefs.shape[1] != len(names):
        raise DataError(
            f"proba has {beliefs.shape[1]} columns for {len(names)} classes "
            f"({listed_names(names)}): name the class of every column with classes="
        )
    if not np.isfinite(beliefs).all():
        raise DataError("proba holds NaN or infinite values: every belief must be finite")
    if probabilities:
        if beliefs.min() < 0.0 or beliefs.max() > 1.0:
            raise DataError(
                f"proba runs from {beliefs.min():g} to {beliefs.max():g}: probabilities lie "
                "between 0 and 1; calibrate decision values first"
            )
        worst = np.abs(beliefs.sum(axis=1) - 1.0).max()
        if worst > 1e-4:
            raise DataError(f"rows of proba miss a sum of 1 by up to {worst:g}: normalise each row")
    return _encode_labels(true, names, "y_true"), beliefs, names


def _label_list(y: Any, name: str) -> list[Any]:
    array = np.asarray(y)
    if array.ndim != 1:
        raise DataError(f"{name} has shape {array.shape}: give one label a sample, shape (n,)")
    if len(array) == 0:
        raise DataError(f"{name} is empty: a score needs at least one sample")
    labels: list[Any] = array.tolist()
    if any(label is None or label != label for label in labels):
        raise DataError(f"{name} holds missing labels: leave those samples out")
    return labels


def _class_names(classes: Sequence[Any]) -> tuple[Any, ...]:
    names = tuple(np.asarray(classes).tolist())
    if len(set(names)) != len(names):
        raise DataError(f"classes ({listed_names(names)}) repeats a class: name each one once")
    return names


def _sort_labels(labels: set[Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(labels))
    except TypeError as error:
        raise DataError(
            f"labels {listed_names(labels)} are of different types: use one type, such as str"
        ) from error


def _encode_labels(labels: list[Any], names: tuple[Any, ...], which: str) -> np.ndarray:
    index = {label: code for code, label in enumerate(names)}
    strange = [label for label in dict.fromkeys(labels) if label not in index]
    if strange:
        raise DataError(
            f"{which} holds {listed_names(strange)}, not among the classes: "
            f"{nearest_hint(strange[0], names)}"
        )
    return np.array([index[label] for label in labels], dtype=np.int64)
