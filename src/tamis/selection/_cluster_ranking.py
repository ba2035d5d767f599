"""The result of clustering-based selection: which feature is in which cluster, size by size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import PlanError, counted_noun, value_text
from .._core.first_screen import FirstScreen
from .._core.interfaces import Evidence, Ranking
from ..metrics.estimates import plain_number
from ._feature_clusters import Clusters
from ._orders import order_of

if TYPE_CHECKING:
    import pandas as pd

    from ..plotting.picture import Picture


KIND = "clusters"  # of evidence
MAX_KEPT_MEMBERS = 10  # of a cluster that the evidence holds, beside its representative
MAX_KEPT_CLUSTERS = 100  # clusters of a size that it holds


@dataclass(frozen=True, repr=False)
class ClusterRanking(Ranking, FirstScreen):
    """Representatives of clusters, and the clusters.

    Attributes
    ----------
    clusters : mapping of size to Clusters
        Of the sizes requested; empty on parts where nothing is shown, and without sizes at which
        every feature is chosen.
    n_points : int
        Columns that are not constant.
    algorithm, representative : str
        As of `ClusterSelector`.
    filter : str
        What the score is called.
    absolute : bool
    names : tuple of str
        Of all p features; empty if they have none.
    """

    clusters: Mapping[int, Clusters] = field(default_factory=dict)
    n_points: int = 0
    algorithm: str = "kmeans"
    representative: str = "best"
    filter: str = ""
    absolute: bool = True
    names: tuple[str, ...] = ()

    def labels(self, size: int) -> np.ndarray:
        """Number of each column's cluster at a size, -1 for constant columns (p,)."""
        if size in self.clusters:
            return self.clusters[size].labels
        labels = np.full(len(self.scores), -1)
        labels[order_of(self.scores)[: self.n_points]] = np.arange(self.n_points)
        return labels

    def frame(self, size: int | None = None) -> pd.DataFrame:
        """The features of each cluster as a pandas DataFrame, the representative first.

        ``cluster`` counts from 1, the best representative's first; ``correlation`` is that with the
        representative; ``chosen`` says whether the feature is kept. Constant features are left out.

        Parameters
        ----------
        size : int, default=None
            One of `clusters`; None is the largest.
        """
        import pandas as pd

        size, found = self._of(size)
        chosen = np.isin(np.arange(len(self.scores)), self.path[size])
        columns = np.concatenate(
            [self._members(found, c) for c in range(len(found.representatives))]
        )
        return pd.DataFrame(
            {
                "column": columns,
                "name": [self._name(j) for j in columns],
                "cluster": found.labels[columns] + 1,
                "representative": [
                    self._name(found.representatives[c]) for c in found.labels[columns]
                ],
                "correlation": found.correlations[columns],
                "score": self.scores[columns],
                "chosen": chosen[columns],
            }
        )

    def to_dict(self, most: int = MAX_KEPT_MEMBERS) -> dict[str, Any]:
        """What `tamis.plotting.cluster_map` draws of each size: plain numbers, at most `most`
        members of a cluster beside its representative."""
        owner = np.arange(len(self.scores))
        return self._content(owner, [self._name(j) for j in owner], most)

    def summary(self) -> str:
        """How many clusters of how many features there are at each size."""
        what = {"som": "self-organising map"}.get(self.algorithm, "k-means")
        sizes = "; ".join(
            f"{counted_noun(len(found.representatives), 'cluster')} of "
            f"{found_sizes(found).min():,} to {found_sizes(found).max():,} features"
            for _, found in sorted(self.clusters.items())
        )
        return (
            f"{what} of {counted_noun(self.n_points, 'feature')}"
            + (" and their mirror images" if self.absolute else "")
            + (f": {sizes}" if sizes else ": each is a cluster of its own")
        )

    def plot(self, size: int | None = None) -> Picture:
        """The clusters of a size (`tamis.plotting.cluster_map`)."""
        from ..plotting.cluster_map import cluster_map
        from ..plotting.picture import Picture

        size, _ = self._of(size)
        shown = next(one for one in self.to_dict()["sizes"] if one["size"] == size)
        return Picture("clusters", (cluster_map(shown),))

    def evidence(self, owner: np.ndarray, names: Sequence[str]) -> Sequence[Evidence]:
        """The clusters of each size, with the features nearest to each representative."""
        if not self.clusters:
            return ()
        return (Evidence(KIND, self._content(owner, names, MAX_KEPT_MEMBERS)),)

    def _content(self, owner: np.ndarray, names: Sequence[str], most: int) -> dict[str, Any]:
        return {
            "algorithm": self.algorithm,
            "representative": self.representative,
            "filter": self.filter,
            "absolute": self.absolute,
            "n_clustered": self.n_points,
            "sizes": [
                {
                    "size": int(size),
                    "n_clusters": len(found.representatives),
                    "clusters": [
                        self._cluster(size, c, owner, names, most)
                        for c in range(min(len(found.representatives), MAX_KEPT_CLUSTERS))
                    ],
                }
                for size, found in sorted(self.clusters.items())
            ],
        }

    def _cluster(
        self, size: int, c: int, owner: np.ndarray, names: Sequence[str], most: int
    ) -> dict[str, object]:
        """One cluster: its representative, its place, and the nearest of its members."""
        found = self.clusters[size]
        first, *others = self._members(found, c)
        place = None if found.places is None else found.places[c].tolist()
        near = np.abs(found.correlations[others]) if self.absolute else found.correlations[others]
        return {
            "name": names[owner[first]],
            "chosen": bool(first in self.path[size]),
            "score": plain_number(self.scores[first]),
            "n": len(others) + 1,
            "mean_correlation": float(near.mean()) if len(others) else None,
            "place": place,
            "members": [
                {
                    "name": names[owner[j]],
                    "correlation": float(found.correlations[j]),
                    "score": plain_number(self.scores[j]),
                }
                for j in others[:most]
            ],
        }

    def _members(self, found: Clusters, c: int) -> np.ndarray:
        """Columns of a cluster: the representative, then those most correlated with it."""
        columns = np.flatnonzero(found.labels == c)
        near = found.correlations[columns]
        near = np.where(
            columns == found.representatives[c], 2.0, abs(near) if self.absolute else near
        )
        return columns[order_of(near)]

    def _of(self, size: int | None) -> tuple[int, Clusters]:
        if not self.clusters:
            raise PlanError("there are no clusters to show: every feature is chosen, ask for fewer")
        size = max(self.clusters) if size is None else size
        if size not in self.clusters:
            raise PlanError(
                f"size={value_text(size)}: choose from {', '.join(map(str, sorted(self.clusters)))}"
            )
        return size, self.clusters[size]

    def _name(self, column: Any) -> str:
        return self.names[column] if self.names else f"column {column}"


def found_sizes(found: Clusters) -> np.ndarray:
    """How many features each cluster has (c,)."""
    return np.bincount(found.labels[found.labels >= 0], minlength=len(found.representatives))
