"""Clusters of features: their map, and the features nearest to each representative."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import cast

from ..study.results.evidence_schema import ClusterMap, FeatureCluster, FeatureClusters
from ..study.results.schema import MethodEntry, StudyContent
from ._blocks import Block, table_name
from ._numbers import count_text, decimal_text, plural_text
from ._table import Cell, build_table, computed_column, field_column

KIND = "clusters"
MAX_SHOWN_MEMBERS = 5  # members of a cluster beside its representative
ALGORITHM_SENTENCES = {
    "kmeans": "k-means gave {n} of the {p} features that are not constant",
    "som": "A self-organising map gave {n} of the {p} features that are not constant",
}
REPRESENTATIVE_SENTENCES = {
    "best": "Each cluster is represented by its feature with the best score ({filter}).",
    "medoid": "Each cluster is represented by its medoid, the feature nearest to all others; the "
    "score ({filter}) orders the representatives.",
}


def cluster_block(
    method: MethodEntry, content: Mapping[str, object], number: int, result: StudyContent
) -> Block:
    """A method's clusters on all samples, at the size of its final model or the nearest to those
    that were chosen."""
    given = cast(FeatureClusters, content)
    shown = _shown_size(given, method, result)
    details = {
        f["name"]: f"#feature-{i}"
        for i, f in enumerate(result["features"], 1)
        if f.get("distribution") or f.get("scores")
    }
    columns = [
        field_column("cluster", "#"),
        computed_column(
            "feature",
            lambda r: r["name"],
            "Feature",
            lambda v: Cell(v, href=details.get(v, "")),
            numeric=False,
        ),
        computed_column(
            "correlation",
            lambda r: r["correlation"],
            "r",
            lambda v: decimal_text(v, 2),
            help="correlation with the representative of the cluster",
        ),
        computed_column(
            "score",
            lambda r: r["score"],
            "Score",
            lambda v: decimal_text(v, 2),
            help=f"{given['filter']}, all samples",
        ),
        field_column("representative"),
        field_column("features"),
    ]
    rows = [row for c, one in enumerate(shown["clusters"], 1) for row in _cluster_rows(c, one)]
    more = sum(one["n"] for one in shown["clusters"]) > len(rows)
    nearest = f"the {MAX_SHOWN_MEMBERS} features nearest to it" if more else "all other features"
    return {
        "name": method["name"],
        "label": method["label"],
        "chart": {**shown, "label": method["label"]},
        "said": [_clustering_words(given, shown), _cluster_size_words(given, shown)],
        "verdict": "",
        "caption": "Clusters of all samples: the darker, the more features.",
        "rest": f"Of each cluster its representative (bold) and {nearest}.",
        "tables": [
            build_table(
                table_name(KIND, number),
                f"Features by cluster: {method['label']}",
                columns,
                rows,
                lambda row: row["name"] == row["representative"],
                search=True,
            )
        ],
    }


def _cluster_rows(number: int, one: FeatureCluster) -> list[dict[str, object]]:
    same = {"cluster": number, "representative": one["name"], "features": one["n"]}
    first = {"name": one["name"], "correlation": 1.0, "score": one["score"]}
    return [{**same, **row} for row in (first, *one["members"][:MAX_SHOWN_MEMBERS])]


def _shown_size(given: FeatureClusters, method: MethodEntry, result: StudyContent) -> ClusterMap:
    """The size that the final model has, or else the one nearest to the sizes chosen."""
    final = result["final"]
    wanted = median(method["sizes"] or [0])
    if final is not None and final["method"] == method["name"]:
        wanted = final["size"]
    return min(given["sizes"], key=lambda one: (abs(one["size"] - wanted), one["size"]))


def _clustering_words(given: FeatureClusters, shown: ClusterMap) -> str:
    words = ALGORITHM_SENTENCES[given["algorithm"]].format(
        n=plural_text(shown["n_clusters"], "cluster"), p=count_text(given["n_clustered"])
    )
    mirror = (
        " A feature and its mirror image belong together. The sign of a correlation plays no part."
        if given["absolute"]
        else ""
    )
    which = REPRESENTATIVE_SENTENCES[given["representative"]].format(filter=given["filter"])
    return (
        f"{words}, by their correlations. The classes play no part in the clusters.{mirror} {which}"
    )


def _cluster_size_words(given: FeatureClusters, shown: ClusterMap) -> str:
    kept = sum(one["chosen"] for one in shown["clusters"])
    words = f"Shown are the clusters of all samples for {plural_text(shown['size'], 'feature')}."
    if kept < shown["n_clusters"]:
        words += f" The {count_text(kept)} best representatives are kept."
    if len(given["sizes"]) > 1:
        words += (
            " Each number of features has clusters of its own, and each training set, too: "
            "how often a feature is chosen over all of them is in the table of features."
        )
    return words
