"""Class labels, as users have them, to class codes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import DataError, value_text


def class_codes(y: Any, user: str, least: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """The classes among labels, sorted, and the code of each label.

    Parameters
    ----------
    y : array-like of shape (n,)
    user : str
        Who asks, for the message.
    least : {1, 2}
        Classes that are needed.

    Returns
    -------
    classes : ndarray of shape (n_classes,)
    codes : ndarray of shape (n,), int64

    Raises
    ------
    DataError
        A label is missing, or there is one class only.
    ValueError
        The labels are no classes: measurements, or several a sample (scikit-learn's message).

    Examples
    --------
    >>> class_codes(["b", "a", "b"], "an example")
    (array(['a', 'b'], dtype='<U1'), array([1, 0, 1]))
    """
    from sklearn.utils.multiclass import check_classification_targets

    y = np.asarray(y)
    if y.dtype.kind == "O" and any(label is None for label in y):
        raise DataError("y has missing class labels (None): leave those samples out")
    check_classification_targets(y)
    classes = np.unique(y)
    if len(classes) < least:
        told = [value_text(label) for label in classes.tolist()]
        has = f"has only one class: {told[0]}" if told else "is empty"
        raise DataError(f"{user} needs at least two classes; y {has}")
    return classes, np.searchsorted(classes, y).astype(np.int64)
