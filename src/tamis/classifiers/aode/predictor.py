"""Averaged one-dependence estimators in plans: categories as categories, numbers cut by MDL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from ..._core.errors import DataError
from ..._core.interfaces import Arrays, Beliefs, Classifier
from ..base.seen_levels import NUMERIC_CODE, SeenLevels
from .columns import Columns, mdl_cuts_of
from .model import AODEModel, AODEParameters, check_room, check_settings, empty_counts, model_of

MAX_COUNT = 2.0**53  # of a count in a file
# bytes of tables that any counts may make, and each byte of them
FREE_TABLE_BYTES, MAX_TABLE_RATIO = 1 << 26, 64


@dataclass(frozen=True)
class AODEPredictor:
    """Counts of pairs of values, as `AODEClassifier` has them.

    Attributes
    ----------
    seen : SeenLevels
    cuts : list of k ndarrays
        Of a column of categories empty.
    model : AODEModel
    """

    seen: SeenLevels
    cuts: list[np.ndarray]
    model: AODEModel

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k): a missing value, or a category that no training row has, is
        left out."""
        return Beliefs(self.model.shares(self.codes(X)))

    def codes(self, X: np.ndarray) -> np.ndarray:
        """Levels of the rows, (m, k)."""
        return _columns_seen(self.seen, self.cuts).codes(self.seen.coded(X), True)[0]

    def to_arrays(self) -> Arrays:
        """The categories, the cuts and the counts."""
        counts, cuts = self.model.counts, np.concatenate(self.cuts)
        return {
            **self.seen.to_arrays(),
            "n_cuts": np.array([len(own) for own in self.cuts], dtype=np.float64),
            **({"cuts": cuts} if len(cuts) else {}),
            "class_counts": counts.classes,
            "value_counts": counts.singles,
            "pair_counts": counts.pairs,
        }

    @classmethod
    def from_arrays(
        cls, arrays: Arrays, n_columns: int, n_classes: int, settings: AODEParameters
    ) -> AODEPredictor:
        """From its arrays: cuts increase, and every count has its place and is none below 0."""
        seen = SeenLevels.from_arrays(arrays, n_columns)
        (given,) = fitting_arrays(arrays, n_cuts=(n_columns,))
        (every,) = fitting_arrays(arrays, cuts=(None,)) if given.any() else (np.empty(0),)
        n_cuts = checked_integers(given, 0, len(every) + 1, "n_cuts")
        if n_cuts.sum() != len(every) or n_cuts[seen.counts != NUMERIC_CODE].any():
            raise unfit_part_error("n_cuts")
        cuts = np.split(every, np.cumsum(n_cuts)[:-1])
        if any((np.diff(own) <= 0).any() for own in cuts):
            raise unfit_part_error("cuts")
        levels = _columns_seen(seen, cuts).levels
        (pairs,) = fitting_arrays(arrays, pair_counts=(n_classes, None))
        try:
            check_room(levels, n_classes, FREE_TABLE_BYTES + MAX_TABLE_RATIO * pairs.nbytes)
        except DataError:
            raise unfit_part_error("n_cuts") from None
        counts = empty_counts(levels, n_classes)
        places = {"class_counts": counts.classes, "value_counts": counts.singles}
        places["pair_counts"] = counts.pairs
        shapes = {name: place.shape for name, place in places.items()}
        found = dict(zip(shapes, fitting_arrays(arrays, **shapes), strict=True))
        for name, place in places.items():
            if not ((found[name] >= 0) & (found[name] < MAX_COUNT)).all():
                raise unfit_part_error(name)
            place[...] = found[name]
        return cls(seen, cuts, model_of(settings, counts))


class AODE(AODEParameters, Classifier):
    """`AODEClassifier` in plans.

    Levels are those that training rows have; numbers are cut by MDL on the training rows.
    """

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
        weights: np.ndarray | None = None,
    ) -> AODEPredictor:
        """Counts of a table as it is; nothing is random."""
        from ...kernels.aode import add_rows

        check_settings(self)
        seen = SeenLevels.of(X, levels or {})
        numeric = np.flatnonzero(seen.counts == NUMERIC_CODE)
        found = mdl_cuts_of(X, y, n_classes, numeric, weights)
        cuts = [found.get(j, np.empty(0)) for j in range(X.shape[1])]
        counts = empty_counts(_columns_seen(seen, cuts).levels, n_classes)
        fitted = AODEPredictor(seen, cuts, model_of(self, counts))
        add_rows(counts, fitted.codes(X), y, np.ones(len(y)) if weights is None else weights)
        return fitted

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> AODEPredictor:
        """As of the predictor."""
        return AODEPredictor.from_arrays(arrays, n_columns, n_classes, self)


def _columns_seen(seen: SeenLevels, cuts: list[np.ndarray]) -> Columns:
    """Categories as their places."""
    places = [np.arange(max(n, 0)) for n in seen.counts]
    return Columns(seen.counts != NUMERIC_CODE, places, cuts)
