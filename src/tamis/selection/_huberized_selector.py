"""Features in the order in which they enter the path of the huberised SVM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from .._core.errors import DataError
from .._core.interfaces import Part, Ranking, Seeds
from ._base import RankerSelector
from ._orders import cut_order, order_of
from ._stability_counts import PathRanker

# of coefficients at entry, relative to the largest: what rounding leaves alone
COEFFICIENT_DIGITS = 10


@dataclass(frozen=True, repr=False)
class EntryRanking(Ranking):
    """A ranking by entry into a path.

    Attributes
    ----------
    lambdas : ndarray of shape (n_lambdas,)
        Falling.
    entry_lambdas : ndarray of shape (p,)
        The largest of `lambdas` at which each column is active; NaN if it never is.
    """

    lambdas: np.ndarray = field(default_factory=lambda: np.zeros(0))
    entry_lambdas: np.ndarray = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class HuberizedPath:
    """The path of one training set, for all of its rows or for some (a `SharedPath`).

    Attributes
    ----------
    columns : ndarray of shape (p, n)
        Features as rows, centred and scaled by the full training set.
    targets : ndarray of shape (n_paths, n)
        -1 and 1: one path for two classes, one a class (against the rest) for more.
    lambdas : ndarray of shape (n_lambdas,)
        Falling geometrically from lambda_max of the full training set, the largest over
        the targets.
    lambda2, delta : float
    """

    columns: np.ndarray
    targets: np.ndarray
    lambdas: np.ndarray
    lambda2: float
    delta: float

    def paths(self) -> list:
        """A `kernels.huberized_svm.path.Path` of all rows for each target."""
        from ..kernels.huberized_svm.path import solve_path

        n = self.columns.shape[1]
        v, grid, l2, delta = np.full(n, 1 / n), self.lambdas, self.lambda2, self.delta
        return [
            solve_path(self.columns, y, v, l2, delta, True, grid, certified=False)
            for y in self.targets
        ]

    def active_sets(self, rows: np.ndarray, most: int) -> list[np.ndarray]:
        """The columns active at each lambda on `rows`, for any of the targets, rising.

        Ends before the first lambda at which more than `most` have ever been active.
        """
        from ..kernels.huberized_svm.halves import half_path

        rows, steps = np.asarray(rows, dtype=np.int64), []
        for signs in self.targets:
            starts, indices = half_path(
                self.columns, rows, signs, self.lambda2, self.delta, self.lambdas, most
            )
            ends = starts.tolist()
            steps.append([indices[a:b] for a, b in pairwise(ends)])
        if len(steps) == 1:
            return steps[0]
        sets, ever = [], np.zeros(0, dtype=np.int64)
        for active in zip(*steps, strict=False):  # as far as the path of every class goes
            union = np.unique(np.concatenate(active))
            ever = np.union1d(ever, union)
            if 0 <= most < len(ever):
                break
            sets.append(union)
        return sets


class HuberizedSVMSelector(RankerSelector, PathRanker):
    """Rank features by their entry into the path of the hybrid huberised SVM.

    The path runs from the least lambda1 at which no feature is active down to `min_ratio`
    times it. Features that are active at a larger lambda1 rank first; those that enter at
    the same by \\|coefficient\\| there, of the standardised feature. With more than two classes
    there is a path for each class against the rest, and the earliest entry counts (at the
    same lambda1 the largest coefficient). Features that never enter are not ranked; where none
    varies with the class, that is all of them.

    `StabilitySelector` follows this selector along its path (`shared_path`).

    Parameters
    ----------
    lambda2 : float, default=0.1
        Of the ridge penalty, at least 0. The larger, the more features of a correlated
        group enter together; at 0 it is undefined which of equal features enters.
    delta : float, default=2.0
        Width of the quadratic part of the loss, in units of the margin.
    n_lambdas : int, default=30
        Length of the grid, which is geometric.
    min_ratio : float or None, default=None
        Between 0 and 1. None: 0.01 if there are fewer samples than features, else 1e-4.
    standardize : bool, default=True
        Divide each feature by its population standard deviation.
    size : int or None, default=None
        Number of features to keep, fewer if fewer enter; None keeps all that enter.
    random_state : int, default=None
        Unused; for the interface.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Lambdas from a feature's entry to the end of the grid, plus a fraction below 1 that
        rises with its coefficient at entry; -inf for features that never enter.
    ranking_ : ndarray of shape (n_features,)
        1 is best; what ties even so goes to the lower column.
    support_ : ndarray of shape (n_features,)
    lambdas_ : ndarray of shape (n_lambdas,)
    entry_lambdas_ : ndarray of shape (n_features,)
        The largest of `lambdas_` at which each feature is active; NaN if it never is.

    Raises
    ------
    PlanError
        A parameter out of range.
    DataError
        Values too large to square.

    See Also
    --------
    tamis.classifiers.hhsvm_path
    RobustFeatureSelector

    References
    ----------
    Wang, Zhu & Zou (2008), Hybrid huberized support vector machines for microarray
    classification and gene selection, Bioinformatics 24, 412-419.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import HuberizedSVMSelector
    >>> golub = load_golub()
    >>> selector = HuberizedSVMSelector(size=5).fit(golub.X, golub.y)
    >>> int(selector.get_support().sum())
    5
    """

    def __init__(
        self,
        lambda2: float = 0.1,
        delta: float = 2.0,
        n_lambdas: int = 30,
        min_ratio: float | None = None,
        standardize: bool = True,
        size: int | None = None,
        random_state: int | None = None,
    ):
        self.lambda2 = lambda2
        self.delta = delta
        self.n_lambdas = n_lambdas
        self.min_ratio = min_ratio
        self.standardize = standardize
        self.size = size
        self.random_state = random_state

    def shared_path(self, X: np.ndarray, y: np.ndarray) -> HuberizedPath:
        """The grid and the scale of one training set, and its features as rows.

        Both are fixed by all rows of X (n, p) with codes y, so that a lambda means the same
        on any half of them.
        """
        from ..classifiers.huberized_svm.inputs import checked_number, lambda_grid
        from ..kernels.huberized_svm import columns as kernel
        from ..kernels.huberized_svm.path import first_pulls

        lambda2 = checked_number(self.lambda2, "lambda2", 0.0, True)
        delta = checked_number(self.delta, "delta", 0.0, False)
        n, p = X.shape
        columns = kernel.transposed_copy(np.ascontiguousarray(X))
        _, scale = kernel.standardise_columns(columns, np.ones(n), True, bool(self.standardize))
        if not np.isfinite(scale).all():
            raise DataError("X holds values too large to square: rescale its columns")
        n_classes = int(y.max()) + 1
        positive = [1] if n_classes == 2 else range(n_classes)
        targets = np.array([np.where(y == c, 1.0, -1.0) for c in positive])
        table, v = kernel.dense_table(columns), np.full(n, 1 / n)
        most = max(
            kernel.largest_product(table, first_pulls(target, v, delta, True)) for target in targets
        )
        # where no column varies with y none is active at any lambda: any grid will do
        lambdas = lambda_grid(most or 1.0, self.n_lambdas, self.min_ratio, n < p)
        return HuberizedPath(columns, targets, lambdas, lambda2, delta)

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> EntryRanking:
        """Rank the columns of one training set by entry; the path ends with those that enter.

        ``chosen`` is the number of them.
        """
        shared = self.shared_path(part.X, part.y)
        paths = shared.paths()
        p, n_lambdas = part.X.shape[1], len(shared.lambdas)
        entry, weight = np.full(p, n_lambdas), np.zeros(p)
        for one in paths:
            active, first = np.unique(one.indices, return_index=True)  # the rows are in order
            step = np.searchsorted(one.starts, first, side="right") - 1
            size = np.abs(one.values[first])
            if not self.standardize:  # the coefficient of the feature in its standard deviation
                size *= np.sqrt((shared.columns[active] ** 2).mean(axis=1))
            better = (step < entry[active]) | ((step == entry[active]) & (size > weight[active]))
            entry[active[better]], weight[active[better]] = step[better], size[better]
        entered = entry < n_lambdas
        scores = np.full(p, -np.inf)
        scores[entered] = n_lambdas - entry[entered] + _ordered_fractions(weight[entered])
        order = order_of(scores, int(entered.sum()))
        chosen = len(order)
        when = np.where(entered, shared.lambdas[np.minimum(entry, n_lambdas - 1)], np.nan)
        path = cut_order(order, [*sizes, chosen])
        return EntryRanking(scores, path, chosen, None, shared.lambdas, when)

    def _keep(self, ranking: Ranking) -> None:
        assert isinstance(ranking, EntryRanking)
        self.lambdas_ = ranking.lambdas
        self.entry_lambdas_ = ranking.entry_lambdas


def _ordered_fractions(weight: np.ndarray) -> np.ndarray:
    """Numbers in (0, 1) in the order of the weights; equal ones where only rounding separates
    them.

    Duplicates of a column have the same coefficient but for the last digits.
    """
    rounded = (
        np.round(weight / weight.max(initial=0.0), COEFFICIENT_DIGITS) if len(weight) else weight
    )
    levels, place = np.unique(rounded, return_inverse=True)
    return (place + 1) / (len(levels) + 1)
