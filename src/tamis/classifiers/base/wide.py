"""All columns of a wide table, standardised with no copy of its rows on the way: those of
500 x 60,000 take 240 MB each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.interfaces import Beliefs
from .natural_scale import on_natural_scale, prior_weights

BLOCK_COLUMNS = 512  # columns that are gathered and standardised at once
MIN_COLUMNS = 1 << 12  # columns from which a copy is worth avoiding
MIN_RATIO = 2  # columns over rows, above which `Classifier.by_columns` holds


def wide_beliefs(
    classifier: Any,
    X: np.ndarray,
    columns: np.ndarray,
    rows: np.ndarray,
    test: np.ndarray,
    y: np.ndarray,
    n_classes: int,
) -> Beliefs | None:
    """What `natural_beliefs_by_size` gives for all these columns; None where the classifier would
    copy them in any case, or a column needs more than to be standardised.

    Parameters
    ----------
    classifier : Classifier
    X : ndarray of shape (n, p), C order
        No missing value in `columns`.
    columns : ndarray of shape (k,)
    rows, test : ndarray
        Rows of the training set, and those that it predicts.
    y : ndarray
        Class codes of `rows`.
    n_classes : int
    """
    k = len(columns)
    if not (classifier.scaled and classifier.by_columns) or classifier.draws:
        return None
    if k < MIN_COLUMNS or k <= MIN_RATIO * len(rows):
        return None
    from ...kernels.gathered import gathered_submatrix
    from ...kernels.standardised import standardised_rows

    across, near, varies = np.empty((k, len(rows))), np.empty((len(test), k)), False
    for start in range(0, k, BLOCK_COLUMNS):
        some = columns[start : start + BLOCK_COLUMNS]
        own, held = (gathered_submatrix(X, which, some) for which in (rows, test))
        done, held_done, room = np.empty(own.shape), np.empty(held.shape), np.empty((5, len(some)))
        first, ordinary = standardised_rows(own, held, done, held_done, room)
        if not ordinary:
            return None
        varies |= first < len(some)
        across[start : start + len(some)] = done.T
        near[:, start : start + len(some)] = held_done
    if not (varies or classifier.takes_constants):
        return None
    found = classifier.beliefs_by_size(across.T, y, n_classes, near, [k], 0)
    weights = prior_weights(classifier, y, n_classes)
    return found[0] if weights is None else on_natural_scale(found[0], weights)
