"""The graph of sets of features: features, joined by the sets that hold both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..interactions.graph_files import GraphFiles
from .schema import FoundSet, SetEdge, SetFeature, SetGraph

LISTED = 300  # sets in the dictionary, and on the page
MOST_FEATURES, MOST_EDGES = 200, 1000  # of the graph


@dataclass(frozen=True, eq=False)
class GraphOfSets(GraphFiles):
    """Features joined by the sets they stand in together; undirected."""

    directed: ClassVar[bool] = False
    content: SetGraph

    def _tables(self) -> tuple[Any, Any]:
        import pandas as pd

        nodes, edges = self.content["features"], self.content["edges"]
        return (
            pd.DataFrame(nodes, columns=list(SetFeature.__annotations__)),
            pd.DataFrame(edges, columns=list(SetEdge.__annotations__)),
        )


def graph_of_sets(sets: Sequence[FoundSet], by: str) -> SetGraph:
    """The features of the best sets, and which of them are in sets together.

    A feature's value, and a pair's weight, is the largest of the sets that hold it.
    """
    names: dict[str, int] = {}
    inside: list[np.ndarray] = []
    values = []
    for one in sets[:LISTED]:
        there = dict.fromkeys(part["feature"] for part in one["parts"])
        for name in there:
            if len(names) < MOST_FEATURES:
                names.setdefault(name, len(names))
        inside.append(np.array([names[name] for name in there if name in names], dtype=np.int64))
        values.append(one["numbers"][by] or 0.0)
    n = len(names)
    weight, count = np.full((n, n), -np.inf), np.zeros((n, n), dtype=np.int64)
    for at, value in zip(inside, values, strict=True):
        here = np.ix_(at, at)
        weight[here] = np.maximum(weight[here], value)
        count[here] += 1
    kept = {part["feature"] for one in sets[:LISTED] if one["passes"] for part in one["parts"]}
    best = np.argsort(-np.diag(weight), kind="stable")
    ordered = list(names)
    a, b = (best[side] for side in np.triu_indices(n, 1))
    joined = np.flatnonzero(count[a, b])
    heaviest = joined[np.argsort(-weight[a, b][joined], kind="stable")][:MOST_EDGES]
    return {
        "features": [
            {
                "name": ordered[j],
                "value": float(weight[j, j]),
                "sets": int(count[j, j]),
                "selected": ordered[j] in kept,
            }
            for j in best
        ],
        "edges": [
            {
                "source": ordered[a[k]],
                "target": ordered[b[k]],
                "weight": float(weight[a[k], b[k]]),
                "sets": int(count[a[k], b[k]]),
            }
            for k in heaviest
        ],
    }
