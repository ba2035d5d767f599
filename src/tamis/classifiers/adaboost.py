"""AdaBoost over C4.4 trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from .._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from .._core.errors import PlanError, value_text
from .._core.interfaces import Arrays, Beliefs, Classifier
from ..kernels.units import magnified_columns
from .base.boosting_rounds import mean_error, rounds_to_try
from .base.folds import Splits, is_finite_number, splits_of, stratified_splits
from .base.raw_tables import Rows, WeightedTableClassifier
from .base.seen_levels import SeenLevels
from .c45.predictor import C45Predictor, limits_in_units, parents_of
from .recalibrations.platt import Platt, fit_sigmoids

NODE_ARRAYS = ("feature", "threshold", "first_child", "n_children", "counts")


@dataclass(eq=False)
class AdaBoostParameters:
    """Parameters of `AdaBoostC44Classifier` and `AdaBoost`, described there."""

    rounds: int | str = "cv"
    max_rounds: int = 1000
    min_samples_leaf: float = 2
    cv: Any = 5
    categorical_features: Any = None
    random_state: Any = None


class AdaBoostC44Classifier(WeightedTableClassifier, AdaBoostParameters):
    """AdaBoost over unpruned C4.5 trees (C4.4), its rounds by cross-validation.

    Each tree is grown on weights that the ones before it have raised where they were wrong, and
    votes by log((1 - e)/e) + log(C - 1), e the weight that it gets wrong: SAMME, which is
    AdaBoost.M1 for two classes. One staged fit a fold gives the error of every number of rounds
    that is tried; the least wins, equal ones by fewer rounds, and the fit on all rows stops there.
    Labels are the vote's. Probabilities are Platt's: a sigmoid of the vote, fitted to the votes of
    the rows held out in these folds.

    Parameters
    ----------
    rounds : "cv" or int, default="cv"
        "cv": the best of 10, 18, 32, 56, 100, ... and `max_rounds`.
    max_rounds : int, default=1000
    min_samples_leaf : float, default=2
        Least weight of two branches of every split, at least 1.
    cv : int, splitter or list of (train, test), default=5
        A number: stratified folds, no more than the smallest class has members.
    categorical_features : None, "from_dtype", mask, or sequence of int or str, default=None
        Columns of categories. "from_dtype": those of a data frame that are not numbers.
    random_state : int, RandomState instance or None, default=None
        Deals the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_rounds_ : int
        Trees; fewer than chosen where boosting ended (Notes).
    tried_rounds_ : ndarray of shape (n_tried,)
    cv_error_ : ndarray of shape (n_tried,)
        Share of the held-out rows (of their weight) whose label by the vote is wrong.
    says_ : ndarray of shape (n_rounds_,)
        What each tree's vote counts.
    starts_ : ndarray of shape (n_rounds_ + 1,)
        First node of each tree, then the number of nodes.
    feature_, threshold_, first_child_, n_children_, parent_, counts_ : ndarray, (n_nodes, ...)
        As of `C45Classifier`, tree after tree, nodes counted from each tree's root.
    sigmoid_ : ndarray of shape (1 or n_classes, 2)
        a and b of 1/(1 + exp(-(a f + b))), f the vote's share of a class less that of the best of
        the others.
    is_categorical_ : ndarray of shape (n_features,), bool
    categories_ : list of n_features arrays

    Raises
    ------
    PlanError
        A parameter is out of range.
    DataError
        One class alone, weights that cannot be used, or text in a column that is not categorical.

    Notes
    -----
    `sample_weight` is the start distribution, and counts in the error that chooses the rounds:
    weights by the cost of a row make it a mean cost. They count in the sigmoid too.

    Boosting ends with a tree that gets nothing wrong, whose e counts as half a row's, and before
    one that does no better than a guess (e of at least 1 - 1/C); if that is the first it is the
    model. Where nothing can be held out, since each class has one member, the sigmoid is fitted to
    the votes of the training rows.

    References
    ----------
    Freund & Schapire (1997), J. Computer and System Sciences 55, 119-139. Zhu, Zou, Rosset &
    Hastie (2009), Multi-class AdaBoost, Statistics and Its Interface 2, 349-360 (SAMME). Provost &
    Domingos (2003), Machine Learning 52, 199-215 (C4.4). Niculescu-Mizil & Caruana (2005),
    Obtaining calibrated probabilities from boosting, UAI, 413-420.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from tamis.classifiers import AdaBoostC44Classifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostC44Classifier(max_rounds=100, random_state=0).fit(X[::2], y[::2])
    >>> model.n_rounds_, round(model.score(X[1::2], y[1::2]), 3)
    (10, 0.926)
    """

    _least = 2

    def _check_parameters(self) -> None:
        if not is_finite_number(self.min_samples_leaf) or self.min_samples_leaf < 1:
            value = value_text(self.min_samples_leaf)
            raise PlanError(f"min_samples_leaf={value}: give a number of at least 1")

    def _fit(self, rows: Rows) -> None:
        """Choose the number of rounds, fit them on all rows and the sigmoid on held-out votes."""
        self.tried_rounds_ = rounds_to_try(self.rounds, self.max_rounds)
        splits = splits_of(self.cv, rows.labels, rows.codes, rows.kept, self.random_state)
        votes, self.cv_error_, self.sigmoid_ = chosen_trees(
            rows.X,
            rows.codes,
            rows.weights,
            len(self.classes_),
            self._levels(),
            self.tried_rounds_,
            splits,
            float(self.min_samples_leaf),
        )
        (
            self.starts_,
            self.feature_,
            self.threshold_,
            self.first_child_,
            self.n_children_,
            self.parent_,
            self.counts_,
            self.says_,
        ) = votes

    @property
    def n_rounds_(self) -> int:
        """Trees of the model."""
        return len(self.says_)

    def decision_function(self, X) -> np.ndarray:
        """Share of the vote for the latter of two classes less that for the former,
        (n_samples,); else the shares, (n_samples, n_classes)."""
        shares = self._shares(X)[0]
        return shares[:, 1] - shares[:, 0] if len(self.classes_) == 2 else shares

    def predict(self, X) -> np.ndarray:
        """The class with the largest share of the vote, ties to the first class."""
        shares = self._shares(X)[0]
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities by the sigmoid of the vote, (n_samples, n_classes)."""
        shares = self._shares(X)[0]
        return Platt(self.sigmoid_).recalibrated(Beliefs(shares, shares))

    def staged_predict(self, X) -> Iterator[np.ndarray]:
        """Labels by the vote after each round, (n_samples,) each."""
        for shares in self._shares(X, every=True):
            yield self.classes_[shares.argmax(axis=1)]

    def _shares(self, X, every: bool = False) -> np.ndarray:
        """Of the vote after the last round, or after every one."""
        from ..kernels.adaboost import Votes

        X = self._read_table(X)
        votes = Votes(
            self.starts_,
            self.feature_,
            self.threshold_,
            self.first_child_,
            self.n_children_,
            self.parent_,
            self.counts_,
            self.says_,
        )
        stages = np.arange(1 if every else self.n_rounds_, self.n_rounds_ + 1)
        return shares_after(votes, self._levels(), X, stages)


def chosen_trees(
    X: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray,
    n_classes: int,
    levels: np.ndarray,
    stages: np.ndarray,
    splits: Splits,
    min_leaf: float,
) -> tuple[Any, np.ndarray, np.ndarray]:
    """The trees of the number of rounds with the least error of held-out rows.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        NaN is missing, categories are codes.
    codes, weights : ndarray of shape (n,)
    n_classes : int
    levels : ndarray of shape (p,)
        Number of categories, 0 = numeric.
    stages : ndarray
        Numbers of rounds to choose from, rising.
    splits : list of (ndarray, ndarray)
        Training and held-out rows; if there are none the first stage it is.
    min_leaf : float

    Returns
    -------
    votes : kernels.adaboost.Votes
    errors : ndarray, one for each of `stages`
    sigmoid : ndarray of shape (1 or C, 2)
    """
    from ..kernels.adaboost import boosted_trees
    from ..kernels.c45 import make_options, prepare_table

    table = prepare_table(X, levels)
    options = make_options(prune=False, collapse=False, min_leaf=min_leaf)

    def fit_trees(rows: np.ndarray, rounds: int) -> Any:
        return boosted_trees(table, codes, rows, weights, n_classes, rounds, options)

    errors, best = np.full(len(stages), np.nan), 0
    tests, held_out = np.arange(len(X)), None
    if splits:
        found = [
            shares_after(fit_trees(np.sort(train), int(stages[-1])), levels, X[test], stages)
            for train, test in splits
        ]
        tests, held_out = np.concatenate([test for _, test in splits]), np.concatenate(found, 1)
        errors = np.array([mean_error(f, codes[tests], weights[tests]) for f in held_out])
        best = int(errors.argmin())
    votes = fit_trees(np.arange(len(X)), int(stages[best]))
    if held_out is None:
        held_out = shares_after(votes, levels, X, stages[:1])
    shares = held_out[best]
    sigmoid = fit_sigmoids(Beliefs(shares, shares), codes[tests], weights[tests])
    return votes, errors, sigmoid


def shares_after(votes: Any, levels: np.ndarray, X: np.ndarray, stages: np.ndarray) -> np.ndarray:
    """Shares of the vote for the rows of X (m, p) after so many rounds, (stages, m, C)."""
    from ..kernels.adaboost import staged_votes

    out = np.empty((len(stages), len(X), votes.counts.shape[1]))
    columns, rows = np.ascontiguousarray(X.T), np.arange(len(X))
    staged_votes(votes, columns, levels, rows, stages, out)
    return out


@dataclass(frozen=True)
class VotesPredictor:
    """Trees that vote; they are those of `AdaBoostC44Classifier`.

    Attributes
    ----------
    seen : SeenLevels
    starts : ndarray of shape (n_trees + 1,)
        First node of each tree, then the number of nodes.
    feature, threshold, first_child, n_children, counts : ndarray, (n_nodes, ...)
        As of `C45Predictor`, nodes counted from each tree's root.
    says : ndarray of shape (n_trees,)
        What each vote counts.
    sigmoid : ndarray of shape (1 or C, 2)
        a and b of 1 / (1 + exp(-(a f + b))).
    """

    seen: SeenLevels
    starts: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    counts: np.ndarray
    says: np.ndarray
    sigmoid: np.ndarray

    @cached_property
    def _votes(self) -> Any:
        from ..kernels.adaboost import Votes

        start = np.repeat(self.starts[:-1], np.diff(self.starts))
        parent = parents_of(self.first_child + start, self.n_children) - start
        return Votes(
            self.starts,
            self.feature,
            self.threshold,
            self.first_child,
            self.n_children,
            np.maximum(parent, -1),
            self.counts,
            self.says,
        )

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Shares of the vote as margins, and their sigmoid, of the rows of X (m, k)."""
        rounds = np.array([len(self.says)])
        shares = shares_after(self._votes, self.seen.sizes, self.seen.coded(X), rounds)[0]
        return Beliefs(Platt(self.sigmoid).recalibrated(Beliefs(shares, shares)), shares)

    def to_arrays(self) -> Arrays:
        """The categories, the nodes, the votes and the sigmoid."""
        own = {
            n: getattr(self, n).astype(float) for n in ("starts", *NODE_ARRAYS, "says", "sigmoid")
        }
        return {**self.seen.to_arrays(), **own}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> VotesPredictor:
        """From its arrays, each tree held against what a tree must be."""
        starts, says, sigmoid, *nodes = fitting_arrays(
            arrays,
            starts=(None,),
            says=(None,),
            sigmoid=(1 if n_classes == 2 else n_classes, 2),
            feature=(None,),
            threshold=(None,),
            first_child=(None,),
            n_children=(None,),
            counts=(None, n_classes),
        )
        n = len(nodes[0])
        if any(len(a) != n for a in nodes):
            raise unfit_part_error("feature")
        starts = checked_integers(starts, 0, n + 1, "starts")
        if len(starts) < 2 or starts[0] != 0 or starts[-1] != n or (np.diff(starts) < 1).any():
            raise unfit_part_error("starts")
        if len(says) != len(starts) - 1 or not (says > 0).all() or not np.isfinite(says.sum()):
            raise unfit_part_error("says")
        seen = SeenLevels.from_arrays(arrays, n_columns)
        levels = seen.to_arrays()
        trees = [
            C45Predictor.from_arrays(
                {**levels, **{k: a[i:j] for k, a in zip(NODE_ARRAYS, nodes, strict=True)}},
                n_columns,
                n_classes,
                True,
            )
            for i, j in pairwise(starts)
        ]
        joined = {
            name: np.concatenate([getattr(tree, name) for tree in trees]) for name in NODE_ARRAYS
        }
        return cls(seen, starts, **joined, says=says, sigmoid=sigmoid)


class AdaBoost(AdaBoostParameters, Classifier):
    """`AdaBoostC44Classifier` in plans, on a table as it is.

    Units do not matter, as in `C45`.
    """

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
        weights: np.ndarray | None = None,
    ) -> VotesPredictor:
        """On a table as it is; the seed deals the folds."""
        seen = SeenLevels.of(X, levels or {})
        sizes = seen.sizes
        larger, exponents = magnified_columns(seen.coded(X), sizes)
        votes, _, sigmoid = chosen_trees(
            larger,
            y,
            np.ones(len(y)) if weights is None else weights,
            n_classes,
            sizes,
            rounds_to_try(self.rounds, self.max_rounds),
            stratified_splits(y, self.cv, seed),
            float(self.min_samples_leaf),
        )
        return VotesPredictor(
            seen,
            votes.starts,
            votes.feature,
            limits_in_units(votes.feature, votes.threshold, exponents),
            votes.first_child,
            votes.n_children,
            votes.counts,
            votes.says,
            sigmoid,
        )

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> VotesPredictor:
        """As of the predictor."""
        return VotesPredictor.from_arrays(arrays, n_columns, n_classes)
