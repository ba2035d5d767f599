"""Training sets that are not the rest of a test set: bootstrap samples, and parts of a part.

A `Resample` is a table of its own, made of rows of the study's: first those that are learnt from,
copies of a row included, then those that are predicted. Copies of a row are one group, so that no
inner fold has them on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..._core.errors import PlanError
from ..._core.streams import generator
from .design import Design
from .error_costs import Costs
from .splits import Labels, check_training

BOOTSTRAP_REPEAT = "bootstrap"  # the repeat of bootstrap samples, which are its folds
APPARENT_FOLD = "apparent"  # the fold that learns from all rows and predicts them


@dataclass(frozen=True)
class Resample:
    """Rows to learn from and rows to predict.

    Attributes
    ----------
    rows : ndarray
        Of the study's table.
    n_train : int
        How many of them, the first, are learnt from.
    groups : ndarray or None
        What keeps these rows together in inner folds.
    """

    rows: np.ndarray
    n_train: int
    groups: np.ndarray | None

    @property
    def test(self) -> np.ndarray:
        """Places among `rows` of those that are predicted."""
        return np.arange(self.n_train, len(self.rows))

    def labels(self, labels: Labels) -> Labels:
        """Of these rows."""
        return replace(labels.take(self.rows), groups=self.groups)

    def costs(self, costs: Costs | None) -> Costs | None:
        """Of these rows."""
        return None if costs is None else costs.taken(self.rows)

    def design(self, design: Design) -> Design:
        """The table of these rows."""
        return design.with_rows(self.rows, self.labels(design.labels), self.costs(design.costs))


def every_row(labels: Labels) -> Resample:
    """All rows to learn from, and all of them to predict."""
    n = len(labels.y)
    groups = None if labels.groups is None else np.tile(labels.groups, 2)
    return Resample(np.tile(np.arange(n), 2), n, groups)


def bootstrap_sample(labels: Labels, seed: int, *key: object) -> Resample:
    """Rows, or complete groups, drawn with replacement, and those that were not drawn.

    As many are drawn of each class as there are: where a sample had more of a class by chance,
    the rows left out would have fewer, and scores would lie below chance in noise. A group counts
    with its most frequent class.

    Raises
    ------
    PlanError
        The sample lacks a class, or leaves out nothing.
    """
    draw = generator(seed, BOOTSTRAP_REPEAT, *key)
    unit, stratum = units_of(labels)
    drawn = np.concatenate(
        [
            draw.choice(own, len(own))
            for own in (np.flatnonzero(stratum == c) for c in np.unique(stratum))
        ]
    )
    times = np.bincount(drawn, minlength=len(stratum))
    train, test = np.repeat(np.arange(len(unit)), times[unit]), np.flatnonzero(times[unit] == 0)
    if not len(test):
        raise PlanError("a bootstrap sample leaves out no sample: there are too few")
    rows = np.concatenate([train, test])
    found = Resample(rows, len(train), unit[rows])
    check_training(found.labels(labels), [found.test])
    return found


def subsample_rest(
    labels: Labels, test: np.ndarray, share: float, seed: int, *key: object
) -> Resample:
    """A share of the samples that a test set leaves, or of complete groups, and the test set.

    Of each class the first of a random order of its own, so that a smaller share is a part of a
    larger one. A group counts with its most frequent class.
    """
    rest = np.delete(np.arange(len(labels.y)), test)
    unit, stratum = units_of(labels.take(rest))
    order = generator(seed, "learning curve", *key).permutation(len(stratum))
    kept = np.zeros(len(stratum), dtype=bool)
    for c in np.unique(stratum):
        own = order[stratum[order] == c]
        kept[own[: max(round(share * len(own)), 1)]] = True
    train = rest[kept[unit]]
    rows = np.concatenate([train, test])
    groups = None if labels.groups is None else labels.groups[rows]
    found = Resample(rows, len(train), groups)
    check_training(found.labels(labels), [found.test])
    return found


def units_of(labels: Labels) -> tuple[np.ndarray, np.ndarray]:
    """The unit of each row (n,), itself or its group, and the class of each unit: of a group the
    most frequent one.

    Examples
    --------
    >>> groups = np.array(["p", "p", "p", "q"])
    >>> unit, stratum = units_of(Labels(np.array([1, 0, 1, 0]), ("a", "b"), groups))
    >>> unit.tolist(), stratum.tolist()
    ([0, 0, 0, 1], [1, 0])
    """
    y, strata = labels.strata()
    if labels.groups is None:
        return np.arange(len(y)), y
    _, unit = np.unique(labels.groups, return_inverse=True)
    counts = np.zeros((unit.max() + 1, len(strata)), dtype=np.int64)
    np.add.at(counts, (unit, y), 1)
    return unit, counts.argmax(axis=1)
