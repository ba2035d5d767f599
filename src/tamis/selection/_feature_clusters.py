"""Clusters of features: their values over the samples are the points. No label is looked at."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.interfaces import Seeds
from ..kernels.self_organising_map import nearest_units, self_organising_map, turned_points
from ..kernels.units import column_units, in_units
from ._halves import child_seed
from ._orders import order_of

MAX_ROUNDS = 10  # of k-means, each with features turned to their centres
MAX_ITERATIONS = 100  # of Lloyd's algorithm in a round
OWN_SIZES = (5, 10, 20, 50)  # among which the silhouette chooses
SILHOUETTE_SAMPLE = 1000  # features that the silhouette is computed on
SILHOUETTE_STREAM = 0  # key of the stream of that sample; sizes, from 1, are those of the clusters


@dataclass(frozen=True)
class Points:
    """Features as points on the unit sphere, so that squared distances are 2 (1 - r).

    Attributes
    ----------
    columns : ndarray of shape (m,)
        Those that are not constant, rising.
    values : ndarray of shape (m, n)
        Of mean 0 and length 1.
    mirrored : bool
        A feature and its mirror image, of r = -1, are one point.
    """

    columns: np.ndarray
    values: np.ndarray
    mirrored: bool

    @classmethod
    def of(cls, X: np.ndarray, mirrored: bool) -> Points:
        """The columns of X (n, p)."""
        X = in_units(X, column_units(X))
        columns = np.flatnonzero(X.max(axis=0) > X.min(axis=0))
        values = np.ascontiguousarray(X[:, columns].T)
        for _ in range(2):  # the second time takes off what rounding left of large values
            values = values - values.mean(axis=1, keepdims=True)
            values /= np.abs(values).max(axis=1, keepdims=True)
        values /= np.sqrt((values**2).sum(axis=1, keepdims=True))
        return cls(columns, values, mirrored)

    def __len__(self) -> int:
        return len(self.columns)


@dataclass(frozen=True)
class Clusters:
    """One clustering of the features, and the representative of each cluster.

    Attributes
    ----------
    labels : ndarray of shape (p,) of int
        Number of each column's cluster, 0 for the one whose representative scores best; -1 for a
        constant column.
    representatives : ndarray of shape (c,)
        A column for each cluster.
    correlations : ndarray of shape (p,)
        Of each column with the representative of its cluster; 0 for a constant column.
    places : ndarray of shape (c, 2) or None
        Of the units of a self-organising map on its grid.
    """

    labels: np.ndarray
    representatives: np.ndarray
    correlations: np.ndarray
    places: np.ndarray | None = None


def k_means(points: Points, k: int, stream: Seeds) -> np.ndarray:
    """Label of each of the points (m,), by k-means of scikit-learn.

    Where a feature and its mirror image are one, all start turned to the side of the first
    principal component; then features nearer to a centre the other way round are turned, and
    k-means goes on from there, until none is. No round can raise the sum of squared distances.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    seed = int(stream.generate_state(1)[0])

    def fitted_means(signs: np.ndarray, start: Any) -> Any:
        means = KMeans(k, init=start, n_init=1, max_iter=MAX_ITERATIONS, random_state=seed)
        with warnings.catch_warnings():  # of fewer different features than clusters
            warnings.simplefilter("ignore", ConvergenceWarning)
            return means.fit(points.values * signs[:, None])

    if not points.mirrored:
        return fitted_means(np.ones(len(points)), "k-means++").labels_
    signs, start = turned_points(points.values), "k-means++"
    for _ in range(MAX_ROUNDS):
        start = fitted_means(signs, start).cluster_centers_
        nearest, turned = nearest_units(points.values, start, True)
        if (turned == signs).all():
            break
        signs = turned
    return nearest


def map_units(points: Points, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit of each of the points (m,), and places of all units, of a self-organising map."""
    units, places = self_organising_map(points.values, k, points.mirrored)
    return nearest_units(points.values, units, points.mirrored)[0], places


def find_clusters(
    points: Points, scores: np.ndarray, k: int, algorithm: str, medoids: bool, stream: Seeds
) -> Clusters:
    """The features in k clusters, or in a map of at least k units; empty ones are left out.

    Parameters
    ----------
    points : Points
    scores : ndarray of shape (p,)
        Of all columns, higher is better: they order the clusters, and choose the representatives
        unless those are medoids.
    k : int
        Below the number of points.
    algorithm : {"kmeans", "som"}
    medoids : bool
    stream : SeedSequence
        Of this k alone.
    """
    places = None
    if algorithm == "som":
        found, places = map_units(points, k)
    else:
        found = k_means(points, k, stream)
    there, label = np.unique(found, return_inverse=True)
    at = (medoids_of if medoids else best_of)(points, scores, label, len(there))
    order = order_of(scores[points.columns[at]])
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    labels, correlations = np.full(len(scores), -1), np.zeros(len(scores))
    labels[points.columns] = rank[label]
    own = points.values[at[label]]
    correlations[points.columns] = np.clip((points.values * own).sum(axis=1), -1.0, 1.0)
    return Clusters(
        labels,
        points.columns[at[order]],
        correlations,
        None if places is None else places[there[order]],
    )


def best_of(points: Points, scores: np.ndarray, label: np.ndarray, n: int) -> np.ndarray:
    """The point of each cluster with the best score, ties to the lower column (n,)."""
    order = order_of(scores[points.columns])
    at = np.empty(n, dtype=np.int64)
    at[label[order[::-1]]] = order[::-1]  # the last to be written is the best
    return at


def medoids_of(points: Points, scores: np.ndarray, label: np.ndarray, n: int) -> np.ndarray:
    """The point of each cluster with the least sum of squared distances to the others (n,).

    On the sphere that is the point nearest to the mean direction; where mirror images are one,
    the mean of all as turned to the first principal component of the cluster.
    """
    at = np.empty(n, dtype=np.int64)
    for c in range(n):
        members = np.flatnonzero(label == c)
        values = points.values[members]
        if points.mirrored:
            values = values * turned_points(values)[:, None]
        # rounded: equal features have equal sums up to the last digits, and the lower column wins
        at[c] = members[np.round(values @ values.mean(axis=0), 12).argmax()]
    return at


def chosen_columns(
    clusters: Clusters, scores: np.ndarray, columns: np.ndarray, k: int
) -> np.ndarray:
    """Exactly k columns, best first: representatives, and of fewer clusters the best others too."""
    chosen = clusters.representatives[:k]
    if len(chosen) < k:
        others = columns[~np.isin(columns, chosen)]
        more = others[order_of(scores[others], k - len(chosen))]
        chosen = np.concatenate([chosen, more])
        chosen = chosen[np.lexsort((chosen, -scores[chosen]))]
    return chosen


def best_silhouette(points: Points, labellings: Sequence[np.ndarray], stream: Seeds) -> int:
    """Which labelling of the points has the largest mean silhouette (Rousseeuw 1987), ties to the
    first; on at most `SILHOUETTE_SAMPLE` of them.

    The distance is sqrt(2 (1 - r)), with the absolute correlation where mirror images are one.
    """
    from sklearn.metrics import silhouette_score

    some = np.arange(len(points))
    if len(some) > SILHOUETTE_SAMPLE:
        rng = np.random.default_rng(child_seed(stream, SILHOUETTE_STREAM))
        some = np.sort(rng.choice(some, SILHOUETTE_SAMPLE, replace=False))
    r = points.values[some] @ points.values[some].T
    apart = np.sqrt(np.maximum(2 - 2 * (np.abs(r) if points.mirrored else r), 0.0))
    np.fill_diagonal(apart, 0.0)
    widths = []
    for labels in labellings:
        n = len(np.unique(labels[some]))
        sound = 1 < n < len(some)
        widths.append(
            silhouette_score(apart, labels[some], metric="precomputed") if sound else -1.0
        )
    return int(np.round(widths, 12).argmax())
