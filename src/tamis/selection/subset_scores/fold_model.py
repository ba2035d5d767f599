"""A learner on one inner fold, for subsets of columns."""

from __future__ import annotations

from typing import Literal

import numpy as np

# What the values of the classes are: ln p(x, c) up to a number of each row; probabilities; class
# shares among a few neighbours, many of which are 0; or estimates of the 0/1 indicators of the
# classes, which need not lie between 0 and 1.
Values = Literal["log_joint", "proba", "shares", "indicators"]


class FoldModel:
    """A learner that knows the training rows of a fold, and the m rows held out.

    Values stand class by class, row by row, subset by subset: (C, m, number of subsets).
    """

    values: Values = "log_joint"

    def of(self, columns: np.ndarray) -> np.ndarray:
        """Fitted to these columns, rising: values (C, m)."""
        raise NotImplementedError

    def with_each(self, chosen: np.ndarray, new: np.ndarray) -> np.ndarray:
        """Fitted to the chosen columns and one of `new` (k,): values (C, m, k), NaN of subsets
        that an update does not serve."""
        raise NotImplementedError

    def without_each(self, chosen: np.ndarray) -> np.ndarray:
        """Fitted to the chosen columns (k,) but one: values (C, m, k), NaN likewise."""
        raise NotImplementedError
