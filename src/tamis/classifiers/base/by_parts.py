"""Many training sets together: their columns are gathered and standardised in one compiled call,
and a classifier that serves many at once (`Classifier.beliefs_of_parts`) fits all of them in
another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..._core.interfaces import Beliefs, Classifier, ScaledParts
from .natural_scale import prior_weights

MAX_GATHERED_VALUES = 1 << 23  # of all training sets and test rows together: 64 MB


def beliefs_by_parts(
    classifier: Any,
    X: np.ndarray,
    columns: np.ndarray,
    rows: Sequence[np.ndarray],
    tests: Sequence[np.ndarray],
    codes: list[np.ndarray],
    n_classes: int,
    sizes: Sequence[int],
) -> list[list[Beliefs]] | None:
    """What `natural_beliefs_by_size` gives of every training set; None where one needs more than
    standardised columns, all are too large to be together, or the classifier serves one at a time.

    Parameters
    ----------
    classifier : Classifier
    X : ndarray of shape (n, p), C order
    columns : ndarray of shape (n_parts, k)
        Of each training set, none with a missing value.
    rows, tests : sequence of ndarray
        Rows of each training set, and those that it predicts.
    codes : list of ndarray
        Class codes of `rows`.
    n_classes : int
    sizes : sequence of int
        Rising, 1 to k.
    """
    if not classifier.scaled or classifier.draws or not _is_served(classifier):
        return None
    if sum(map(len, (*rows, *tests))) * sizes[-1] > MAX_GATHERED_VALUES:
        return None
    if any(prior_weights(classifier, y, n_classes) is not None for y in codes):
        return None
    from ...kernels.standardised_parts import standardise_parts

    ends, test_ends = (np.cumsum([0, *map(len, some)]) for some in (rows, tests))
    k = sizes[-1]
    train, test = np.empty((ends[-1], k)), np.empty((test_ends[-1], k))
    first = np.empty(len(rows), dtype=np.int64)
    ordinary = standardise_parts(
        X,
        np.concatenate(rows),
        ends,
        np.concatenate(tests),
        test_ends,
        columns[:, :k],
        train,
        test,
        first,
    )
    if not ordinary or (first.max() >= sizes[0] and not classifier.takes_constants):
        return None
    parts = ScaledParts(train, test, ends, test_ends, codes, n_classes)
    found = classifier.beliefs_of_parts(parts, sizes)
    return [[_between(one, *at) for one in found] for at in pairwise(test_ends.tolist())]


def _is_served(classifier: Any) -> bool:
    return type(classifier).beliefs_of_parts is not Classifier.beliefs_of_parts


def _between(beliefs: Beliefs, start: int, stop: int) -> Beliefs:
    """Those of some rows, without a copy."""
    margin = None if beliefs.margin is None else beliefs.margin[start:stop]
    return Beliefs(beliefs.proba[start:stop], margin)
