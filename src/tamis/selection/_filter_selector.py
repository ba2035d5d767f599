"""Any univariate filter as a scikit-learn selector."""

from __future__ import annotations

from .._core.interfaces import Ranking
from ._base import RankerSelector
from ._cutoffs import benjamini_hochberg
from ._filter_ranker import FilterRanker


class FilterSelector(FilterRanker, RankerSelector):
    """Keep the features with the best univariate score.

    Every condition given must hold: a feature is kept if it passes `threshold`, `max_p` and
    `max_fdr`, and is among the `size` best of those that do.

    Parameters
    ----------
    score_func : str or callable, default="moderated_t"
        ``pearson``, ``welch_t``, ``moderated_t``, ``limma_trend``, ``fold_change``,
        ``wilcoxon``, ``trend``, ``chi2`` (each value a category), ``mutual_information``,
        ``mtd``, the last two also with ``_discrete`` (each value a category), ``hsic``,
        ``hsic_unbiased``, ``hsic_gaussian``, or a function of (X, y) that returns scores or
        (statistics, p-values); statistics rank by absolute value.
    size : int or None, default=10
        Number of features to keep at most; None for no limit.
    random_state : int, default=None
        For filters that draw random numbers: mutual information breaks ties by noise, and
        mixed tables permute labels.
    threshold : float, default=None
        Least score (absolute) of a feature that is kept.
    max_p, max_fdr : float, default=None
        Largest p-value, and largest false discovery rate of Benjamini and Hochberg. Only
        for filters that have p-values; for the others see `permutation_p_values`.
    discrete_features : bool, mask or column indices, default=False
        For ``mtd`` and ``mutual_information``. With discrete and continuous features in
        one table, scores are those of `mixed_scores`, and p-values by permutation.
    n_permutations : int, default=1000
        For mixed tables.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Absolute scores, higher is better.
    ranking_ : ndarray of shape (n_features,)
        1 is best; ties go to the lower column.
    support_ : ndarray of shape (n_features,)
        Not always the first of `ranking_` under a cut by p-value: where degrees of freedom
        differ between features, p-values and scores need not agree in order.
    pvalues_, fdr_ : ndarray of shape (n_features,) or None
        None where the filter has no p-values.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import FilterSelector
    >>> golub = load_golub()
    >>> FilterSelector("welch_t", size=3).fit_transform(golub.X, golub.y).shape
    (38, 3)
    >>> selector = FilterSelector("wilcoxon", size=None, max_fdr=0.01)
    >>> int(selector.fit(golub.X, golub.y).get_support().sum())
    232
    """

    def _keep(self, ranking: Ranking) -> None:
        self.pvalues_ = ranking.p_values
        self.fdr_ = None if ranking.p_values is None else benjamini_hochberg(ranking.p_values)
