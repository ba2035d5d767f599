"""Forward, backward and floating selection with any classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError, nearest_hint
from .._core.interfaces import Part, Ranking, Seeds
from .._core.progress import Progress
from .._core.settings import checked_count
from ._filters import find_filter
from ._halves import child_seed
from ._orders import order_of
from ._sequential_search import SequentialSearch, search_backward, search_forward
from ._subset_ranking import (
    SearchFacts,
    Subset,
    SubsetRanking,
    SubsetSelector,
    subset_path,
    times_held,
)
from .subset_scores import SubsetScores, find_learner
from .subset_scores.candidates import candidate_columns, inner_splits, searched_table
from .subset_scores.criteria import find_criterion

DIRECTIONS = ("forward", "backward")
MAX_FORWARD_FEATURES = 20  # features, of a forward search
BACKWARD_FROM = 200  # features


class SequentialSelector(SubsetSelector):
    """Add, or drop, one feature at a time, whichever does best in cross-validation.

    A forward search begins with no feature and adds the best one, again and again; a backward
    search begins with all candidates and drops the one whose loss hurts least. A floating search
    takes steps back in between (SFFS: Pudil, Novovicova & Kittler 1994). The best subset that the
    full search saw is returned, and the best of each size is kept.

    Linear discriminant analysis, the diagonal discriminant, ridge least squares, Gaussian naive
    Bayes and nearest neighbours are not fitted anew to every subset: what the inner folds share is
    computed once, and a feature more or less is an update of it. Any other classifier is fitted by
    scikit-learn; ``result_.summary()`` gives the number of fits.

    The score of the subset returned is the best of thousands: it is optimistic and estimates
    nothing. Estimate by a study, which repeats the search in every training set.

    Parameters
    ----------
    estimator : str or object with ``fit``, default="diagonal_discriminant"
        "diagonal_discriminant", "lda", "ridge" (least squares on the classes' indicators,
        standardised features), "naive_bayes", "knn", another classifier that a plan can name, or
        an estimator. `LinearDiscriminantAnalysis`, `Ridge`, `RidgeClassifier`,
        `LinearRegression`, `GaussianNB` and `KNeighborsClassifier` of scikit-learn, alone or
        behind a `StandardScaler`, are evaluated by updating, too.
    direction : {"forward", "backward"}, default="forward"
    floating : bool, default=False
    size : int or None, default=None
        Exactly so many features (groups, if there are some); None: the best subset seen.
    max_size : int or None, default=None
        The largest subset that is returned, and where a forward search ends. None: 20, or `size`
        if that is more; of a backward search all candidates. By "lda" no subset is larger than the
        samples of a fold less the classes, unless `size` is: its covariance would be singular.
    scoring : str, callable or None, default=None
        "log_score" (minus the log loss), "squared_error" (Brier score, or of least squares; higher,
        that is nearer to 0, is better), "accuracy", "bcr", "auc", a scorer of scikit-learn's by
        name, or a function of (estimator, X, y). None: "log_score" of a classifier with
        probabilities, "squared_error" of ridge least squares and of nearest neighbours.
    cv : int or splitter, default=5
        Stratified folds, shuffled by `random_state`; or those given.
    candidates : int or None, default=None
        Search among so many features that are best by `ranking`. None: all; of a backward search
        200.
    ranking : str, default="moderated_t"
        A filter (see `FilterSelector`).
    feature_groups : list of lists of int, default=None
        Columns that enter and leave together; columns in no group are never chosen. Sizes then
        count groups.
    patience : int or None, default=None
        End when so many steps in a row brought no new best score, but not before a subset of `size`
        (of a backward search without it, `max_size`) was seen. In plans a backward search has none,
        as it would never come to small sizes.
    random_state : int, default=None
    progress : bool, default=True
        Tell of progress on stderr if `fit` takes longer than two seconds.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Number of sizes whose best subset holds the feature.
    ranking_, support_ : ndarray of shape (n_features,)
    subsets_ : dict
        From each size to the columns of the best subset seen, rising.
    path_ : list of dict
        Every step: ``added``, ``columns`` (that came or went), ``size`` and ``score`` after it.
    score_ : float
        Of the subset returned.
    result_ : SubsetRanking
        With ``frame()``, ``plot()``, ``to_dict()`` and ``summary()``.

    Raises
    ------
    PlanError
        A parameter that does not fit.
    DataError
        Too few samples for two folds.

    Notes
    -----
    Candidates whose scores differ by less than 1e-8 of the best are evaluated again one by one;
    of equal ones the lower column is taken. With scores of few values, such as rates, ties are
    common, and implementations that break them otherwise find other subsets.

    References
    ----------
    Kohavi & John (1997), Wrappers for feature subset selection, Artificial Intelligence 97,
    273-324. Pudil, Novovicova & Kittler (1994), Floating search methods in feature selection,
    Pattern Recognition Letters 15, 1119-1125.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import SequentialSelector
    >>> golub = load_golub()
    >>> selector = SequentialSelector(max_size=5, random_state=0).fit(golub.X, golub.y)
    >>> sorted(selector.subsets_)
    [1, 2, 3, 4, 5]
    """

    def __init__(
        self,
        estimator: Any = "diagonal_discriminant",
        direction: str = "forward",
        floating: bool = False,
        size: int | None = None,
        max_size: int | None = None,
        scoring: Any = None,
        cv: Any = 5,
        candidates: int | None = None,
        ranking: str = "moderated_t",
        feature_groups: Any = None,
        patience: int | None = None,
        random_state: int | None = None,
        progress: bool = True,
    ):
        self.estimator = estimator
        self.direction = direction
        self.floating = floating
        self.size = size
        self.max_size = max_size
        self.scoring = scoring
        self.cv = cv
        self.candidates = candidates
        self.ranking = ranking
        self.feature_groups = feature_groups
        self.patience = patience
        self.random_state = random_state
        self.progress = progress

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> SubsetRanking:
        """The best subset of each size in one training set; ``chosen`` is the best of all.

        How deep the search goes is `max_size`, whatever sizes are requested.
        """
        # 1: a backward search goes on to the smallest size that may be requested
        return self._search(part, sizes, stream, 1, quiet=True)[0]

    def check_columns(self, p: int) -> None:
        """Refuse a learner, score or filter that there is not, or that do not go together."""
        learner = find_learner(self.estimator, 2, Seeds(0))
        find_criterion(self.scoring, learner.values, learner.regresses)
        find_filter(self.ranking)

    def _ranking_to_keep(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        wished = 0 if self.size is None else max(sizes)
        ranking, search, searched = self._search(
            part, sizes, stream, wished, quiet=not self.progress
        )
        self.path_ = [
            {
                "added": step.added,
                "columns": searched[search.columns([step.item])].tolist(),
                "size": len(step.items),
                "score": step.score,
            }
            for step in search.steps
        ]
        return ranking

    def _search(
        self, part: Part, sizes: Sequence[int], stream: Seeds, wished: int, quiet: bool
    ) -> tuple[SubsetRanking, SequentialSearch, np.ndarray]:
        """The ranking, the search, and the columns that its own are numbers of."""
        if self.direction not in DIRECTIONS:
            raise PlanError(
                f"direction={self.direction!r}: {nearest_hint(self.direction, DIRECTIONS)}"
            )
        patience = None
        if self.patience is not None:
            patience = checked_count(self.patience, "patience", 1)
        forward = self.direction == "forward"
        learner = find_learner(self.estimator, part.n_classes, child_seed(stream, 0))
        criterion = find_criterion(self.scoring, learner.values, learner.regresses)
        splits = inner_splits(self.cv, part, child_seed(stream, 1))
        most = learner.most(min(len(train) for train, _ in splits), part.n_classes)
        items = self._items(part, forward, most)
        depth = self._depth(len(items), wished, forward)
        depth = min(depth, len(items), max(wished, most))
        searched = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *items]))
        table = searched_table(part.X, searched, self.estimator)
        scores = SubsetScores(table, part.y, splits, learner, criterion)
        search = SequentialSearch(scores, [np.searchsorted(searched, one) for one in items])
        if items:
            total = depth if forward else len(items) - 1
            words = f"{self.direction} selection"
            with Progress(total, words, quiet=quiet) as progress:
                if forward:
                    search_forward(
                        search, depth, bool(self.floating), patience, progress.advance, wished
                    )
                else:
                    search_backward(
                        search, bool(self.floating), patience, progress.advance, wished or depth
                    )
        subsets = {
            k: Subset(searched[columns], scores.of(columns))
            for k, step in sorted(search.best.items())
            if k <= depth
            for columns in [search.columns(step.items)]
        }
        return self._ranked(part.X.shape[1], subsets, sizes, search), search, searched

    def _ranked(
        self, p: int, subsets: dict[int, Subset], sizes: Sequence[int], search: SequentialSearch
    ) -> SubsetRanking:
        best = max(subsets, key=lambda k: (subsets[k].score, -k), default=0)
        held = times_held(subsets, p)
        scores = search.scores
        facts = SearchFacts(
            f"{'floating ' if self.floating else ''}{self.direction} selection",
            scores.learner.name,
            scores.criterion.name,
            len(scores.folds),
            len(search.items),
            p,
            scores.n_updated,
            scores.n_direct,
            scores.n_fits,
        )
        order = order_of(held)
        return SubsetRanking(
            held,
            subset_path(subsets, [*sizes, best], order),
            best,
            None,
            subsets,
            [
                {"at": k, "score": one.score, "error": one.error}
                for k, one in sorted(subsets.items())
            ],
            "features" if self.feature_groups is None else "groups",
            facts,
        )

    def _items(self, part: Part, forward: bool, most: int) -> list[np.ndarray]:
        """What enters and leaves: columns that vary, or groups of columns some of which do."""
        limit = self.candidates
        if limit is not None:
            limit = checked_count(limit, "candidates", 1)
        if self.feature_groups is None:
            if limit is None and not forward:
                limit = min(BACKWARD_FROM, most)
            return [np.array([j]) for j in candidate_columns(part, limit, self.ranking).tolist()]
        if limit is not None:
            raise PlanError(
                f"candidates={limit!r} counts columns, and feature_groups says what is searched: "
                "leave out one of them"
            )
        return _checked_groups(self.feature_groups, part.X)

    def _depth(self, n_items: int, wished: int, forward: bool) -> int:
        if self.max_size is None:
            depth = max(MAX_FORWARD_FEATURES, wished) if forward else n_items
        else:
            depth = checked_count(self.max_size, "max_size", 1)
            if wished > depth:
                raise PlanError(
                    f"size={self.size!r} is more than max_size={depth}: leave out max_size, or "
                    "give a larger one"
                )
        return depth


def _checked_groups(groups: Any, X: np.ndarray) -> list[np.ndarray]:
    """Groups as arrays of columns, rising; those that do not vary are left out."""
    p, seen = X.shape[1], set[int]()
    if isinstance(groups, str) or not hasattr(groups, "__iter__"):
        raise PlanError(f"feature_groups={groups!r}: give lists of columns")
    found = []
    for one in groups:
        columns = np.atleast_1d(np.asarray(one))
        if not (
            columns.ndim == 1
            and len(columns)
            and np.issubdtype(columns.dtype, np.integer)
            and ((columns >= 0) & (columns < p)).all()
            and len(set(columns.tolist()) | seen) == len(columns) + len(seen)
        ):
            raise PlanError(
                f"feature_groups: {one!r} is no list of columns from 0 to {p - 1}, each in one "
                "group alone"
            )
        seen |= set(columns.tolist())
        if (X[:1, columns] != X[:, columns]).any():
            found.append(np.sort(columns).astype(np.int64))
    if not seen:
        raise DataError("feature_groups is empty: give lists of columns, or leave it out")
    return found
