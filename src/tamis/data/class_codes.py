"""Class labels, as users have them, to class codes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import DataError, value_text


def checked_numbers(X: Any, y: Any, gaps: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """What scikit-learn's ``check_X_y`` gives: X (n, p) of float64 in C order, finite but for NaN
    where `gaps` are allowed, and y (n,). It is called only for what is not so already: a study has
    made sure, and loading it takes longer than most of what follows.

    Raises
    ------
    ValueError
        They are none, or do not fit together (scikit-learn's message).
    """
    plain = (
        type(X) is type(y) is np.ndarray
        and X.dtype == np.float64
        and X.flags.c_contiguous
        and y.dtype.kind in "iuU"
        and X.ndim == 2
        and y.shape == X.shape[:1]
        and X.size
        and not (np.isinf(X).any() if gaps else not np.isfinite(X).all())
    )
    if plain:
        return X, y
    from sklearn.utils.validation import check_X_y

    finite = "allow-nan" if gaps else True
    return check_X_y(X, y, dtype=np.float64, order="C", ensure_all_finite=finite)


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
    y = np.asarray(y)
    if y.dtype.kind == "O" and any(label is None for label in y):
        raise DataError("y has missing class labels (None): leave those samples out")
    if y.ndim != 1 or y.dtype.kind not in "iuU":  # whole numbers and texts are classes
        from sklearn.utils.multiclass import check_classification_targets

        check_classification_targets(y)
    classes = np.unique(y)
    if len(classes) < least:
        labels = [value_text(label) for label in classes.tolist()]
        has = f"has only one class: {labels[0]}" if labels else "is empty"
        raise DataError(f"{user} needs at least two classes; y {has}")
    return classes, np.searchsorted(classes, y).astype(np.int64)


def checked_values(X, y) -> tuple[np.ndarray, np.ndarray]:
    """X (n, p) and y (n,) as finite numbers, of one length."""
    plain = all(type(a) is np.ndarray and a.dtype == np.float64 for a in (X, y))
    if plain and X.ndim == 2 and y.shape == X.shape[:1] and np.isfinite(X).all():
        found = y
    else:
        X, y = checked_numbers(X, y)
        found = np.asarray(y, dtype=np.float64)
    if not np.isfinite(found).all():
        raise DataError("y has a missing or infinite value: leave those samples out")
    return X, found
