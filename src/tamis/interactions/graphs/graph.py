"""`InteractionGraph`: which features follow which in the trees of Monte Carlo feature selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..._core.errors import PlanError, counted_noun
from ..._core.first_screen import FirstScreen
from .graph_files import GraphFiles

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture

MOST_FEATURES, MOST_EDGES = 200, 1000  # in `to_dict`
MOST_UPDATES = 200
PRESET_VIEW = {"features": 6, "edges": 12}  # the view of the method's authors
LEAST_ERRORS = 2.0  # standard errors that an edge weighs at least, where it is shown


@dataclass(frozen=True, eq=False)
class InteractionGraph(GraphFiles, FirstScreen):
    """Directed graph of features: from the antecedent to the feature that a tree splits on below.

    The weight of an edge is its ID weight per tree that was offered both features: the sum over
    trees, nodes and their ancestors of GR(given node) * n(given node) / n(antecedent node),
    divided by (projections with both features * splits). A pair that met often by chance is
    therefore no heavier.

    Attributes
    ----------
    names : tuple of str
        Of the nodes, best relative importance first.
    importance : ndarray of shape (n,)
        Relative importance (RI) of the nodes.
    offered : ndarray of shape (n,)
        Projections that offered each.
    source, target : ndarray of shape (e,)
        Places in `names`: antecedent and given. Edges are heaviest first.
    weight : ndarray of shape (e,)
    se : ndarray of shape (e,)
        Standard error of `weight`, from the scatter between projections; NaN if the pair met
        but once.
    count : ndarray of shape (e,)
        Pairs of nodes in trees that contributed.
    met : ndarray of shape (e,)
        Projections that offered both features.
    selected : ndarray of shape (n,) of bool
        Features that the cut-off keeps.
    p_values, fdr : ndarray of shape (n,) or None
    cutoff, settings : mapping
    n_trees : int
    accuracy : float
        Mean weighted accuracy of the trees.
    convergence : list of mappings
        ``projections``, ``distance``, ``common``.

    References
    ----------
    Draminski, Dabrowski, Diamanti, Koronacki & Komorowski (2016), Discovering networks of
    interdependent features in high-dimensional problems, in Big Data Analysis: New Algorithms
    for a New Society, 285-304, Springer.

    Examples
    --------
    >>> from tamis.interactions import InteractionGraph
    >>> graph = InteractionGraph.of(
    ...     ["a", "b", "c"], [0.5, 0.4, 0.1], [(0, 1, 0.2, 0.01, 9, 50), (1, 2, 0.3, 0.2, 4, 2)]
    ... )
    >>> graph.frame()[["source", "target", "weight"]].values.tolist()
    [['b', 'c', 0.3], ['a', 'b', 0.2]]
    >>> graph.filter(features=2).summary()
    '2 features, 1 edge; the heaviest is a -> b, 0.2 (standard error 0.01, met in 50 projections)'
    """

    names: tuple[str, ...]
    importance: np.ndarray
    offered: np.ndarray
    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    se: np.ndarray
    count: np.ndarray
    met: np.ndarray
    selected: np.ndarray
    p_values: np.ndarray | None = None
    fdr: np.ndarray | None = None
    cutoff: Mapping[str, object] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    n_trees: int = 0
    accuracy: float = float("nan")
    convergence: Sequence[Mapping[str, float]] = ()

    def __repr__(self) -> str:
        n, edges = counted_noun(len(self.names), "feature"), counted_noun(len(self.weight), "edge")
        return f"InteractionGraph({n}, {edges}; {counted_noun(self.n_trees, 'tree')})"

    @classmethod
    def of(
        cls, names: Sequence[str], importance: Sequence[float], edges: Sequence[tuple], **more: Any
    ) -> InteractionGraph:
        """A graph of named features and edges (source, target, weight, se, count, met).

        Puts features and edges in their order.
        """
        n = len(names)
        table = np.array(edges, dtype=float).reshape(-1, 6)
        order = np.argsort(-np.asarray(importance, dtype=float), kind="stable")
        place = np.empty(n, dtype=np.int64)
        place[order] = np.arange(n)
        source, target = place[table[:, 0].astype(int)], place[table[:, 1].astype(int)]
        by_weight = np.lexsort((target, source, -table[:, 2]))
        for name in ("offered", "selected", "p_values", "fdr"):
            if more.get(name) is not None:
                more[name] = np.asarray(more[name])[order]
        more.setdefault("offered", np.zeros(n, dtype=np.int64))
        more.setdefault("selected", np.zeros(n, dtype=bool))
        count, met = table[by_weight, 4:].astype(np.int64).T
        return cls(
            names=tuple(str(names[j]) for j in order),
            importance=np.asarray(importance, dtype=float)[order],
            source=source[by_weight],
            target=target[by_weight],
            weight=table[by_weight, 2],
            se=table[by_weight, 3],
            count=count,
            met=met,
            **more,
        )

    def filter(
        self,
        features: int | None = None,
        edges: int | None = None,
        min_weight: float | None = None,
        min_met: int = 0,
        min_errors: float = 0.0,
        orphans: bool = True,
    ) -> InteractionGraph:
        """The graph of the best features and heaviest edges.

        Parameters
        ----------
        features : int, optional
            Keep so many of the most important features, and the edges between them.
        edges : int, optional
            Then so many of the heaviest edges.
        min_weight : float, optional
            Then those of at least this weight.
        min_met : int, default=0
            Only edges between features that were offered together so often; taken before the
            heaviest are. In a graph without a second stage the heaviest met once, by luck.
        min_errors : float, default=0.0
            Only edges that weigh at least so many of their standard errors; above 0 without those
            met once. Taken before the heaviest are, too.
        orphans : bool, default=True
            Whether features without an edge stay.
        """
        for name, value in (("features", features), ("edges", edges)):
            if value is not None and (not isinstance(value, int | np.integer) or value < 0):
                raise PlanError(f"{name}={value!r}: give a whole number of at least 0, or None")
        nodes = np.arange(len(self.names) if features is None else min(features, len(self.names)))
        kept = (self.source < len(nodes)) & (self.target < len(nodes)) & (self.met >= min_met)
        if min_errors > 0:
            kept &= self.weight >= min_errors * self.se  # False where `se` is NaN
        if edges is not None:
            kept &= np.cumsum(kept) <= edges
        if min_weight is not None:
            kept &= self.weight >= min_weight
        if not orphans:
            nodes = np.union1d(self.source[kept], self.target[kept])
        place = np.full(len(self.names), -1)
        place[nodes] = np.arange(len(nodes))

        def values_of_nodes(values: np.ndarray | None) -> Any:
            return None if values is None else values[nodes]

        return replace(
            self,
            names=tuple(self.names[j] for j in nodes),
            importance=self.importance[nodes],
            offered=self.offered[nodes],
            selected=self.selected[nodes],
            p_values=values_of_nodes(self.p_values),
            fdr=values_of_nodes(self.fdr),
            source=place[self.source[kept]],
            target=place[self.target[kept]],
            weight=self.weight[kept],
            se=self.se[kept],
            count=self.count[kept],
            met=self.met[kept],
        )

    def preset(self) -> InteractionGraph:
        """The view of the method's authors: the best 6 features and 12 edges.

        Edges of less than two standard errors are left out.
        """
        return self.filter(PRESET_VIEW["features"], PRESET_VIEW["edges"], min_errors=LEAST_ERRORS)

    def degrees(self) -> np.ndarray:
        """Edges at each node, either way."""
        ends = np.concatenate([self.source, self.target])
        return np.bincount(ends, minlength=len(self.names))

    def frame(self) -> pd.DataFrame:
        """One row an edge, heaviest first."""
        import pandas as pd

        names = np.array(self.names, dtype=object)
        return pd.DataFrame(
            {
                "source": names[self.source],
                "target": names[self.target],
                "weight": self.weight,
                "se": self.se,
                "count": self.count,
                "met": self.met,
            }
        )

    def features(self) -> pd.DataFrame:
        """One row a feature, most important first."""
        import pandas as pd

        table = {
            "name": list(self.names),
            "importance": self.importance,
            "offered": self.offered,
            "selected": self.selected,
            "edges": self.degrees(),
        }
        if self.p_values is not None:
            table |= {"p_value": self.p_values, "fdr": self.fdr}
        return pd.DataFrame(table)

    def to_dict(self) -> dict[str, object]:
        """Plain numbers, for the page and for JSON.

        At most 200 features and 1000 edges, and no edge of less than two standard errors.
        """
        shown = self.filter(MOST_FEATURES, MOST_EDGES, min_errors=LEAST_ERRORS)
        skip = -(-len(self.convergence) // MOST_UPDATES) or 1
        return {
            "features": [
                {
                    "name": name,
                    "importance": float(shown.importance[j]),
                    "p_value": _number_or_none(shown.p_values, j),
                    "fdr": _number_or_none(shown.fdr, j),
                    "selected": bool(shown.selected[j]),
                    "offered": int(shown.offered[j]),
                }
                for j, name in enumerate(shown.names)
            ],
            "edges": [
                {
                    "source": shown.names[shown.source[k]],
                    "target": shown.names[shown.target[k]],
                    "weight": float(shown.weight[k]),
                    "se": _number_or_none(shown.se, k),
                    "count": int(shown.count[k]),
                    "met": int(shown.met[k]),
                }
                for k in range(len(shown.weight))
            ],
            "cutoff": dict(self.cutoff),
            "settings": dict(self.settings),
            "n_trees": int(self.n_trees),
            "accuracy": None if np.isnan(self.accuracy) else float(self.accuracy),
            "preset": dict(PRESET_VIEW),
            "convergence": [dict(update) for update in self.convergence[::-1][::skip][::-1]],
        }

    def summary(self) -> str:
        """One line."""
        line = (
            f"{counted_noun(len(self.names), 'feature')}, {counted_noun(len(self.weight), 'edge')}"
        )
        if not len(self.weight):
            return line
        return (
            f"{line}; the heaviest is {self.names[self.source[0]]} -> "
            f"{self.names[self.target[0]]}, {self.weight[0]:.3g} (standard error "
            f"{self.se[0]:.2g}, met in {counted_noun(int(self.met[0]), 'projection')})"
        )

    def plot(
        self, features: int = PRESET_VIEW["features"], edges: int = PRESET_VIEW["edges"]
    ) -> Picture:
        """The best features and heaviest edges (`tamis.plotting.id_graph`)."""
        from ...plotting.id_graph import GraphPicture, id_graph
        from ...plotting.picture import Picture

        shown = cast(GraphPicture, self.to_dict())
        return Picture("graph", (id_graph(shown, features, edges),))

    def _tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        return self.features(), self.frame()


def _number_or_none(values: np.ndarray | None, j: int) -> float | None:
    return None if values is None or np.isnan(values[j]) else float(values[j])
