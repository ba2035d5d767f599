"""The result of Monte Carlo feature selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from typing_extensions import TypedDict

from .._core.errors import counted_noun
from .._core.first_screen import FirstScreen
from .._core.interfaces import Evidence, Ranking, Term
from ..interactions.graphs.graph import LEAST_ERRORS, PRESET_VIEW
from ._orders import order_of

if TYPE_CHECKING:
    import pandas as pd

    from ..plotting.picture import Picture


KIND = "id_graph"  # of evidence
MAX_SHOWN_FEATURES = 100  # features, of a table or a picture


class Cutoff(TypedDict, total=False):
    """Where a ranking is cut, and how many features that keeps; empty: nowhere."""

    rule: str
    threshold: float | None
    size: int
    level: float | None


class Growth(TypedDict, total=False):
    """What the trees were grown with, as numbers."""

    m: int
    s: int
    t: int
    u: float
    v: float
    max_ancestors: int | None
    balance: float | None
    n_permutations: int
    train: list[int]


@dataclass(frozen=True, repr=False)
class MonteCarloRanking(Ranking, FirstScreen):
    """A ranking by relative importance, and where it comes from.

    Attributes
    ----------
    offered : ndarray of shape (p,)
        Projections that offered each feature.
    accuracy : float
        Mean weighted accuracy (wAcc) of the trees.
    recalls : ndarray of shape (C,)
        Mean recall of each class; 0 for a class too small to be in a test set.
    n_trees : int
        Of the observed run; those of permuted classes and of the second stage not counted.
    convergence : sequence of mappings
        ``projections``, ``distance``, ``common``.
    cutoff : mapping
        ``rule``, ``threshold`` (importance to exceed, or None), ``size``, ``level``.
    family_p_values, fdr : ndarray of shape (p,) or None
    maxima : ndarray of shape (k,)
        The largest importance of each run with permuted classes.
    settings : mapping
    names : tuple of str
        Of all p features; empty if they have none.
    graph : InteractionGraph or None
    """

    offered: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    accuracy: float = float("nan")
    recalls: np.ndarray = field(default_factory=lambda: np.zeros(0))
    n_trees: int = 0
    convergence: Sequence[Mapping[str, float]] = ()
    cutoff: Cutoff = field(default_factory=Cutoff)
    family_p_values: np.ndarray | None = None
    fdr: np.ndarray | None = None
    maxima: np.ndarray = field(default_factory=lambda: np.zeros(0))
    settings: Growth = field(default_factory=Growth)
    names: tuple[str, ...] = ()
    graph: Any = None

    def evidence(self, owner: np.ndarray, names: Sequence[str]) -> Sequence[Evidence]:
        """The heaviest edges of the graph, of two standard errors and more; none without one."""
        if self.graph is None:
            return ()
        shown = self.graph.filter(min_errors=LEAST_ERRORS)
        place = {f"x{j}": int(feature) for j, feature in enumerate(owner)}
        ends = [place[name] for name in shown.names]
        found: dict[tuple[int, int], Term] = {}
        for a, b, weight in zip(shown.source, shown.target, shown.weight, strict=True):
            pair = ends[a], ends[b]
            if pair[0] != pair[1] and pair not in found:  # a category may be several columns
                found[pair] = Term(pair, about={"weight": float(weight)})
        terms = list(found.values())[: PRESET_VIEW["edges"]]
        content = {"n_edges": len(found), "shown": len(terms), "of": len(self.graph.names)}
        return (Evidence(KIND, content, terms),)

    def frame(self) -> pd.DataFrame:
        """All features, best first, as a pandas DataFrame."""
        import pandas as pd

        order = order_of(self.scores)
        columns = {
            "column": order,
            "name": [self.names[j] if self.names else f"x{j}" for j in order],
            "importance": self.scores[order],
            "offered": self.offered[order],
        }
        found = {"family_p_value": self.family_p_values, "p_value": self.p_values, "fdr": self.fdr}
        columns |= {name: v[order] for name, v in found.items() if v is not None}
        return pd.DataFrame(columns)

    def to_dict(self, most: int = MAX_SHOWN_FEATURES) -> dict[str, object]:
        """Plain numbers: settings, cut-off, convergence, the best `most` features."""
        rows = self.frame().head(most).to_dict("records")
        for row in rows:  # a feature that was never offered has importance -inf and no p-values
            row |= {
                key: None
                for key in ("importance", "p_value", "fdr")
                if key in row and not np.isfinite(row[key])
            }
        return {
            "features": rows,
            "cutoff": dict(self.cutoff),
            "settings": dict(self.settings),
            "n_trees": self.n_trees,
            "accuracy": self.accuracy,
            "recalls": self.recalls.tolist(),
            "maxima": self.maxima.tolist(),
            "convergence": [dict(update) for update in self.convergence],
        }

    def plot(self) -> Picture:
        """Importances beside those of permuted runs (`tamis.plotting.importance_cutoff`)."""
        from ..plotting.importance_cutoff import importance_cutoff
        from ..plotting.picture import Picture

        best = self.frame().head(MAX_SHOWN_FEATURES)
        chart = importance_cutoff(
            {
                "features": [
                    {"name": name, "importance": value if np.isfinite(value) else None}
                    for name, value in zip(best["name"], best["importance"], strict=True)
                ],
                "maxima": self.maxima.tolist(),
                "threshold": self.cutoff.get("threshold"),
                "size": self.cutoff.get("size", 0),
            }
        )
        return Picture("cutoff", (chart,))

    def summary(self) -> str:
        """One line."""
        line = (
            f"{counted_noun(self.n_trees, 'tree')} of mean weighted accuracy {self.accuracy:.3f} "
            f"on projections of {self.settings['m']} of {counted_noun(len(self.scores), 'feature')}"
        )
        if not self.cutoff:
            return line
        line += f"; {counted_noun(self.cutoff['size'], 'feature')} kept by {self.cutoff['rule']}"
        if self.cutoff["level"] is not None:
            line += f" at level {self.cutoff['level']:g}"
        return line
