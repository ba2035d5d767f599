"""What a method shows beside its scores, by kind of evidence (docs/json.md).

`results.json` has it under a method's ``evidence``; a plug-in may add kinds that are not here.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

InteractionEntry = TypedDict(
    "InteractionEntry",
    {
        "features": list[str],
        "signs": list[int],
        "class": str | None,
        "frequency": float,
        "about": dict[str, float],
    },
)


class Interactions(TypedDict):
    """Interactions over the outer training sets, and the 30 most frequent."""

    n_folds: int
    mean_size: float
    nogueira: float | None
    n_different: int
    terms: list[InteractionEntry]


class SelectionPath(TypedDict):
    """A feature of stability selection."""

    name: str
    probability: float
    path: list[float]


class StabilitySelection(TypedDict):
    """``evidence["stability_selection"]``, of all rows."""

    q: int
    threshold: float
    pfer: float
    bound: Literal["meinshausen_buhlmann", "unimodal", "r_concave"]
    n_pairs: int
    n_columns: int
    lambdas: list[float] | None
    sizes: list[int] | None
    n_stable: int
    inconclusive: bool
    n_selected: int
    features: list[SelectionPath]


class IdGraph(TypedDict):
    """``evidence["id_graph"]``: of the graph of all rows, if there is a final model, how many
    edges it has, and the heaviest edges of the outer training sets."""

    n_edges: NotRequired[int]
    shown: NotRequired[int]
    of: NotRequired[int]
    interactions: NotRequired[Interactions]


class ClusterMember(TypedDict):
    """A feature of a cluster, and its correlation with the representative."""

    name: str
    correlation: float
    score: float | None


class FeatureCluster(TypedDict):
    """A cluster of features, of which the members nearest to the representative are listed."""

    name: str
    chosen: bool
    score: float | None
    n: int
    mean_correlation: float | None
    place: list[float] | None
    members: list[ClusterMember]


class ClusterMap(TypedDict):
    """The clusters for a number of features."""

    size: int
    n_clusters: int
    clusters: list[FeatureCluster]


class FeatureClusters(TypedDict):
    """``evidence["clusters"]``, of all rows."""

    algorithm: Literal["kmeans", "som"]
    representative: Literal["best", "medoid"]
    filter: str
    absolute: bool
    n_clustered: int
    sizes: list[ClusterMap]


class SearchPoint(TypedDict):
    """A size or a generation of a search, and the best score there."""

    at: int
    score: float | None
    error: NotRequired[float | None]
    mean: NotRequired[float | None]


class SubsetSearch(TypedDict):
    """``evidence["subset_search"]``, of all rows."""

    method: str
    learner: str
    criterion: str
    told: str
    axis: Literal["features", "groups", "generations"]
    chosen: int | None
    n_features: int
    features: list[str]
    points: list[SearchPoint]


class Voter(TypedDict):
    """A member of a vote."""

    name: str
    weight: float
    stability: float | None
    shared: int
    alone: int
    agreement: float | None


class Votes(TypedDict):
    """``evidence["votes"]``, of all rows."""

    rule: str
    top: int
    n_subsamples: int | None
    n_chosen: int
    agreement: float | None
    members: list[Voter]
