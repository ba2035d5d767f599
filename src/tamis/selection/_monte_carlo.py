"""Monte Carlo feature selection as a scikit-learn selector."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.utils.validation import validate_data

from ..data.categories import is_frame, read_text
from ..data.class_codes import class_codes
from ._base import RankerSelector
from ._monte_carlo_ranker import MonteCarloRanker, numbered_columns


class MonteCarloSelector(MonteCarloRanker, RankerSelector):
    """Rank features by their relative importance (RI) in thousands of small decision trees.

    `s` times, `m` features are drawn at random; for each draw (projection) `t` times, 66 % of
    every class train a pruned C4.5 tree and the other rows test it. A feature's RI is ::

        sum over trees wAcc^u * sum over nodes that split on it GR * (n in node / n in tree)^v

    divided by the trees that were offered it; wAcc is the mean over classes of the recall on
    the test rows, GR the gain ratio. RI depends on `m`: compare it at equal `m` only.

    By the default cut-off a feature passes if its RI exceeds the largest RI of **every one** of
    k runs with permuted classes. Without any effect, a feature is then reported with a
    probability of 1/(k + 1): 5 % for the default, 19 runs.

    Parameters
    ----------
    m : "sqrt", float or int, default="sqrt"
        Features of a projection: the rounded root of their number, at most 1000; a share of
        them; or a number.
    s : "auto" or int, default="auto"
        Projections; "auto" offers every feature 100 times on average.
    t : int, default=5
        Splits of each projection.
    u, v : float, default=1.0
    projections : {"all", "auto"}, default="all"
        "auto" ends before `s` where successive rankings level off (`convergence_`); permuted
        runs then have as many projections, and the level of the cut-off is approximate.
    cutoff : {"permutations", "kmeans", "angle", "mean", "contrast"}, default="permutations"
        What is kept if `size` is None. Only "permutations" is a test. "kmeans": the upper of
        two clusters of RI; "angle": down to where the slope of the best RI settles; "mean":
        the mean of these three sizes; "contrast": RI above that of the best 5 % of uniform
        noise columns, of which a tenth of the features are added.
    level : float, default=0.05
        Of the permutation cut-off: k = ceil(1/level) - 1 runs.
    n_permutations : int, default=None
        More runs than that: p-values on a finer scale, and a feature passes if at most
        floor(level (k + 1)) - 1 runs reach its RI. If given, there are p-values by any cut-off.
    balance : "auto", float or None, default="auto"
        Training takes no more rows of any class than `balance` times those of the smallest (1:
        equally many). None: 66 % of each; "auto": 2 if the largest class is more than 5 times
        the smallest, else None.
    feature_weights : array-like of shape (n_features,), default=None
        Relative probabilities of being drawn; 0 leaves a feature out.
    categorical_features : None, "from_dtype", mask, column numbers or names, default=None
        A split on them has a branch for each category that `fit` sees. Numbers are codes;
        in a data frame they may be text. "from_dtype": those of a data frame that are not
        numbers, and pandas categoricals.
    size : int, default=None
        Keep so many of the best instead; then there are no permuted runs unless requested.
    interactions : bool, default=True
        Whether to build `graph_` and `rules_`.
    second_stage : int, default=30
        The graph is of so many of the best features, drawn again and again together; 0: of all
        features, from the projections of the ranking, where a pair rarely meets.
    meetings : int, default=500
        How often each pair of them meets, on average.
    max_ancestors : int, default=None
        Ancestors of a node that count as antecedents; None is all.
    random_state : int, default=None
    n_jobs : int, default=None
        Threads. Results do not depend on it, to the bit.
    progress : bool, default=False
        Tell trees done and time left on stderr when it takes more than two seconds.
    checkpoint : path, default=None
        Folder in which finished runs are kept: the same fit, killed and started again, goes on
        after the last of them and gives the same result. It needs a `random_state`.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        RI; -inf for a feature that was never offered.
    ranking_, support_ : ndarray of shape (n_features,)
    p_values_ : ndarray of shape (n_features,) or None
        (1 + #{RI of any feature in any permuted run >= the feature's}) / (1 + #{RI of any feature
        in any permuted run}): right as far as the features' RI have one distribution without
        effect. NaN for a feature that was never offered.
    family_p_values_ : ndarray of shape (n_features,) or None
        (1 + #{permuted runs whose largest RI >= the feature's}) / (1 + k): adjusted for all
        features. The cut-off keeps those of at most `level`.
    fdr_ : ndarray of shape (n_features,) or None
        `p_values_` adjusted by Benjamini and Hochberg.
    cutoff_ : dict
        ``rule``, ``threshold``, ``size``, ``level``.
    is_categorical_ : ndarray of shape (n_features,), bool
    categories_ : list of n_features ndarrays or None
        Of a column of text its categories, in the order of their codes; of all others None.
    accuracy_ : float
        Mean wAcc.
    recalls_ : ndarray of shape (n_classes,)
        Mean recall of each class of ``classes_``.
    offered_ : ndarray of shape (n_features,)
    convergence_ : list of dict
        ``projections``; ``distance``: places that the best 30 have moved since the last update,
        on average (30 if new among them); ``common``: share of them that were among them.
    graph_ : InteractionGraph or None
    rules_ : RuleSet or None
        Rules on the features of the graph, from a further small forest; and a rule list on those
        kept. None without `interactions`, or with fewer than two features.
    result_ : MonteCarloRanking
        All of this, with ``frame()``, ``to_dict()`` and ``summary()``.

    Raises
    ------
    PlanError
        A parameter out of range.
    DataError
        Fewer than two classes; a category that is not a code; text in a column that is not
        categorical.
    StoreError
        `checkpoint` holds runs of another fit, or cannot be written.

    Notes
    -----
    Trees have the rules of `tamis.classifiers.C45Classifier`, without subtree raising. C4.5 does
    not tell values nearer than 1e-5 apart; columns with such values are magnified, until only
    values nearer than 1e-11 of the column's largest are alike, so that units do not matter.
    Columns are put in a new order for every tree, so that equal features share what they are
    worth. NaN is missing.

    References
    ----------
    Draminski, Rada-Iglesias, Enroth, Wadelius, Koronacki & Komorowski (2008), Monte Carlo
    feature selection for supervised classification, Bioinformatics 24, 110-117. Draminski &
    Koronacki (2018), J. Stat. Softw. 85(12).

    Examples
    --------
    >>> from tamis.data import make_mcfs_toy
    >>> from tamis.selection import MonteCarloSelector
    >>> toy = make_mcfs_toy(n_noise=50)
    >>> selector = MonteCarloSelector(categorical_features=sorted(toy.levels), random_state=0)
    >>> selector = selector.fit(toy.X, toy.y)
    >>> [toy.feature_names[j] for j in selector.get_support(indices=True)]
    ['A1', 'A2', 'B1', 'B2', 'C1', 'C2']
    """

    def fit(self, X, y):
        """Rank the features of X and keep the best.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.

        Returns
        -------
        self
        """
        frame = is_frame(X)
        if frame:
            X, mask, categories = read_text(X, self.categorical_features)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", ensure_all_finite="allow-nan")
        if not frame:
            _, mask, categories = read_text(X, self.categorical_features)
        self.is_categorical_, self.categories_ = mask, categories
        self.classes_, codes = class_codes(y, type(self).__name__)
        names = tuple(getattr(self, "feature_names_in_", ()))
        found, kept, self.rules_ = self.search(
            X,
            codes,
            mask,
            categories,
            names or numbered_columns(X.shape[1]),
            self.classes_,
            self._seed(),
        )
        self._select(found.scores, np.flatnonzero(kept))
        self.p_values_, self.fdr_ = found.p_values, found.fdr
        self.family_p_values_ = found.family_p_values
        self.cutoff_ = dict(found.cutoff)
        self.accuracy_, self.recalls_ = found.accuracy, found.recalls
        self.offered_ = found.offered
        self.convergence_, self.graph_ = list(found.convergence), found.graph
        self.result_ = replace(found, names=names)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
