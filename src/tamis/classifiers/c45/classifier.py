"""C4.5 decision trees, and C4.4 as one setting of them."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..._core.errors import PlanError
from ..base.folds import is_finite_number
from ..base.raw_tables import Rows, WeightedTableClassifier
from .growth import C45Parameters, grown_tree, tree_shares
from .text import Rule, tree_rules, tree_text


class C45Classifier(WeightedTableClassifier, C45Parameters):
    """C4.5 decision tree, with the rules of Weka's J48.

    A split is the one of the largest gain ratio among those whose gain is at least the mean;
    numeric features are cut in two and pay for the number of their cuts, categorical ones have
    a branch for each category. A sample with a missing value goes down every branch with a
    share of its weight. Then the tree is pruned by pessimistic estimates of its errors.
    ``prune=False, collapse=False, laplace=True`` is C4.4, a tree for probabilities.

    Parameters
    ----------
    prune : bool, default=True
        Replace subtrees by leaves, and by their heaviest branch with `subtree_raising`, where
        the estimated errors grow by no more than 0.1.
    confidence : float, default=0.25
        Level of the upper limit of a leaf's errors, above 0 and at most 0.5; less prunes more.
    min_samples_leaf : float, default=2
        Least weight of two branches of every split, at least 1.
    subtree_raising : bool, default=True
    collapse : bool, default=True
        First replace subtrees that make no fewer errors in training by leaves.
    laplace : bool, default=False
        Probabilities (n_c + 1) / (n + C) of a leaf in place of n_c / n.
    categorical_features : None, "from_dtype", mask, or sequence of int or str, default=None
        Columns of categories. "from_dtype": those of a data frame that are not numbers.
        A pandas categorical brings its declared categories; otherwise they are the values seen.
    random_state : None
        Not used: nothing is random.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    is_categorical_ : ndarray of shape (n_features,), bool
    categories_ : list of n_features arrays
        Of a categorical feature its categories, else empty.
    feature_ : ndarray of shape (n_nodes,), int64
        The feature a node splits on, -1 = leaf. Node 0 is the root, a parent stands before
        its children.
    threshold_ : ndarray of shape (n_nodes,)
        Samples of at most this go to the first child; NaN in leaves and categorical splits.
    first_child_, n_children_, parent_, depth_, level_ : ndarray of shape (n_nodes,), int64
        Children stand side by side, and `level_` says which of them a node is.
    counts_ : ndarray of shape (n_nodes, n_classes)
        Weight of each class, shares of samples with missing values included.
    gain_ratio_ : ndarray of shape (n_nodes,)
        Of the split, 0 in leaves.

    Raises
    ------
    PlanError
        A parameter is out of range.
    DataError
        The weights cannot be used, or a column holds text and is not categorical.

    Notes
    -----
    Trees are those of J48, split by split, with the thresholds among the training values.
    As there, values nearer than 1e-5 are not distinguished: give features on a scale on which that
    is little. Unlike there, a sample of weight 2 is a sample given twice in every respect.

    A category unknown to the tree is a missing value. A branch that no training sample took
    has the class distribution of its parent.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning. Quinlan (1996), Improved use of
    continuous attributes in C4.5, JAIR 4, 77-90. Provost & Domingos (2003), Tree induction for
    probability-based ranking, Machine Learning 52, 199-215 (C4.4).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis.classifiers import C45Classifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = C45Classifier(min_samples_leaf=5).fit(X, y)
    >>> print(model.tree_text())
    petal width (cm) <= 0.6: 0 (50.0)
    petal width (cm) > 0.6
    |   petal width (cm) <= 1.7
    |   |   petal length (cm) <= 4.9: 1 (48.0/1.0)
    |   |   petal length (cm) > 4.9: 2 (6.0/2.0)
    |   petal width (cm) > 1.7: 2 (46.0/1.0)
    """

    def _fit(self, rows: Rows) -> None:
        """Grow and prune the tree."""
        n_classes, levels = len(self.classes_), self._levels()
        tree = grown_tree(rows.X, levels, rows.codes, rows.weights, n_classes, self)
        (
            self.feature_,
            self.threshold_,
            self.first_child_,
            self.n_children_,
            self.parent_,
            self.depth_,
            self.level_,
            self.counts_,
            _,
            self.gain_ratio_,
        ) = tree

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X, (n_samples, n_classes)."""
        from ...kernels.c45 import Tree

        X = self._read_table(X)
        tree = Tree(
            self.feature_,
            self.threshold_,
            self.first_child_,
            self.n_children_,
            self.parent_,
            self.depth_,
            self.level_,
            self.counts_,
            self.counts_.sum(axis=1),
            self.gain_ratio_,
        )
        return tree_shares(tree, self._levels(), X, self.laplace)

    @property
    def n_nodes_(self) -> int:
        """Nodes of the tree, leaves included."""
        check_is_fitted(self)
        return len(self.feature_)

    @property
    def n_leaves_(self) -> int:
        """Leaves of the tree."""
        check_is_fitted(self)
        return int((self.feature_ < 0).sum())

    @property
    def feature_importances_(self) -> np.ndarray:
        """Gain ratios of a feature's splits, each times the share of weight there; sum 1.

        (n_features,); all 0 for a tree without a split.
        """
        check_is_fitted(self)
        share = self.counts_.sum(axis=1) / self.counts_[0].sum()
        splits = self.feature_ >= 0
        total = np.bincount(
            self.feature_[splits], (share * self.gain_ratio_)[splits], minlength=self.n_features_in_
        )
        return total / total.sum() if splits.any() else total

    def tree_text(self) -> str:
        """The tree as text: a line for each test, leaves with (weight/weight of other classes)."""
        check_is_fitted(self)
        return tree_text(self)

    def rules(self) -> list[Rule]:
        """One rule for each leaf that training samples reached, in the order of the text."""
        check_is_fitted(self)
        return tree_rules(self)

    def _check_parameters(self) -> None:
        for name in ("prune", "subtree_raising", "collapse", "laplace"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise PlanError(f"{name}={getattr(self, name)!r}: give True or False")
        if not is_finite_number(self.confidence) or not 0 < self.confidence <= 0.5:
            raise PlanError(
                f"confidence={self.confidence!r}: give a number above 0 and at most 0.5"
            )
        if not is_finite_number(self.min_samples_leaf) or self.min_samples_leaf < 1:
            raise PlanError(
                f"min_samples_leaf={self.min_samples_leaf!r}: give a number of at least 1"
            )
