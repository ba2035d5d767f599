"""Clustering-based selection: clusters of features, and one representative of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from .._core.errors import PlanError, nearest_hint
from .._core.interfaces import Part, Ranking, Seeds
from .._core.threads import one_thread
from ._base import RankerSelector
from ._cluster_ranking import ClusterRanking
from ._feature_clusters import (
    OWN_SIZES,
    Clusters,
    Points,
    best_silhouette,
    chosen_columns,
    find_clusters,
)
from ._filter_ranker import FilterRanker
from ._filters import find_filter
from ._halves import child_seed
from ._orders import order_of

ALGORITHMS, REPRESENTATIVES = ("kmeans", "som"), ("best", "medoid")


class ClusterSelector(RankerSelector):
    """Put the features into clusters and keep one representative of each.

    The points are the features: the values of each over the samples, of mean 0 and length 1, so
    that squared distances are 2 (1 - r). Labels play no part in the clusters. For `size` k there
    are k clusters of their own, so sets of different sizes need not be nested.

    Parameters
    ----------
    size : int or None, default=10
        Number of features to keep. None: the one of 5, 10, 20 and 50 with the largest mean
        silhouette.
    algorithm : {"kmeans", "som"}, default="kmeans"
        k-means, or a self-organising map on a hexagonal grid: as near to a square as can be, with
        at least k units.
    representative : {"best", "medoid"}, default="best"
        The feature of the cluster with the best score, or the one with the least sum of squared
        distances to the others.
    score_func : str or callable, default="moderated_t"
        As of `FilterSelector`. It also orders the features that are kept.
    absolute : bool, default=True
        Whether a feature and its mirror image (r = -1) belong together. Features are turned to the
        first principal component, then to the centres of their clusters.
    random_state : int, default=None
        Of the starts of k-means and the sample for the silhouette.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Of the filter, higher is better; -inf for constant features.
    ranking_ : ndarray of shape (n_features,)
        1 is best, by `scores_` alone; ties go to the lower column.
    support_ : ndarray of shape (n_features,)
        The representatives, which need not be the first of `ranking_`.
    labels_ : ndarray of shape (n_features,)
        Number of each feature's cluster, 0 for the one whose representative scores best; -1 for
        constant features.
    result_ : ClusterRanking
        With ``frame()`` (feature, cluster, correlation with its representative), ``plot()``,
        ``to_dict()`` and ``summary()``.

    Raises
    ------
    PlanError
        A parameter that is none of what is allowed.

    Notes
    -----
    Constant features are never kept, so that fewer than `size` may be. A map may have more than k
    units with features: the k best representatives are kept. Where there are fewer clusters than
    k, as of features that repeat each other, the best of the other features fill up.

    References
    ----------
    Kohonen (2013), Neural Networks 37, 52-65; Dhillon, Marcotte & Roshan (2003), Bioinformatics
    19, 1612-1619, for mirror images; Rousseeuw (1987), J. Comput. Appl. Math. 20, 53-65.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import ClusterSelector
    >>> golub = load_golub()
    >>> selector = ClusterSelector(size=5, random_state=0).fit(golub.X, golub.y)
    >>> selector.get_support(indices=True).shape, int(selector.labels_.max())
    ((5,), 4)
    """

    def __init__(
        self,
        size: int | None = 10,
        algorithm: str = "kmeans",
        representative: str = "best",
        score_func: str | Callable = "moderated_t",
        absolute: bool = True,
        random_state: int | None = None,
    ):
        self.size = size
        self.algorithm = algorithm
        self.representative = representative
        self.score_func = score_func
        self.absolute = absolute
        self.random_state = random_state

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> ClusterRanking:
        """Cluster the columns of one training set, for each size by itself.

        What is shown of the clusters is kept where ``part.outer``.
        """
        self._check()
        scores = FilterRanker(self.score_func).rank(part, [], stream).scores
        points = Points.of(part.X, bool(self.absolute))
        scored = np.full(len(scores), -np.inf)  # constant columns are never chosen
        scored[points.columns] = scores[points.columns]
        own = [k for k in OWN_SIZES if part.own and k < len(points)]
        with one_thread():
            found = {
                k: self._clusters(points, scored, k, stream)
                for k in sorted({*sizes, *own})
                if k < len(points)
            }
            chosen = None
            if part.own:
                labels = [found[k].labels[points.columns] for k in own]
                chosen = own[best_silhouette(points, labels, stream)] if own else len(points)
        order = order_of(scored)[: len(points)]
        path = {
            int(k): chosen_columns(found[k], scored, points.columns, k) if k in found else order
            for k in {*sizes, *([] if chosen is None else [chosen])}
        }
        shown = {k: clusters for k, clusters in found.items() if k in path and part.outer}
        return ClusterRanking(
            scored,
            path,
            chosen,
            None,
            shown,
            len(points),
            self.algorithm,
            self.representative,
            self._title(),
            bool(self.absolute),
        )

    def _clusters(self, points: Points, scores: np.ndarray, k: int, stream: Seeds) -> Clusters:
        medoids = self.representative == "medoid"
        return find_clusters(points, scores, k, self.algorithm, medoids, child_seed(stream, k))

    def _title(self) -> str:
        """What the filter is called."""
        if isinstance(self.score_func, str):
            return find_filter(self.score_func).title
        return str(getattr(self.score_func, "__name__", "score"))

    def _check(self) -> None:
        for name, allowed in (("algorithm", ALGORITHMS), ("representative", REPRESENTATIVES)):
            value = getattr(self, name)
            if value not in allowed:
                raise PlanError(f"{name}={value!r}: {nearest_hint(value, allowed)}")

    def _ranking_to_keep(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """As `rank`, with the clusters."""
        return self.rank(replace(part, outer=True), sizes, stream)

    def _keep(self, ranking: Ranking) -> None:
        assert isinstance(ranking, ClusterRanking)
        names = tuple(getattr(self, "feature_names_in_", ()))
        self.result_ = replace(ranking, names=names)
        size = int(self.support_.sum()) if self.size is None else self.size
        self.labels_ = self.result_.labels(size)
