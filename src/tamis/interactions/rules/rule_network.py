"""`RuleNetwork`: which conditions stand together in the rules of a class."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from ..._core.errors import PlanError, counted_noun
from ..._core.first_screen import FirstScreen
from ..graphs.graph_files import GraphFiles
from .rule import Rule, condition_text, plain_value

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture

MOST_CONDITIONS, MOST_EDGES = 60, 200  # in `to_dict`


@dataclass(frozen=True, eq=False)
class RuleNetwork(GraphFiles, FirstScreen):
    """Undirected graph of the conditions in the rules of a class.

    A condition is a feature and a direction (``<=`` or ``>``), or a feature and a category.
    Its weight is the sum over its rules of support * accuracy, that is of the samples they get
    right, each rule as often as trees say it; the weight of an edge is the same sum over the rules
    that have both conditions.

    Attributes
    ----------
    label
        The class.
    size : float
        Its samples.
    conditions : tuple of (feature, op, value)
        Heaviest first; the value of a limit is the median over its rules.
    weight : ndarray of shape (n,)
    rules : ndarray of shape (n,)
        Rules with the condition.
    source, target : ndarray of shape (e,)
        Places in `conditions`, source < target. Edges are heaviest first.
    edge_weight, edge_rules : ndarray of shape (e,)

    References
    ----------
    Bornelov, Marillet & Komorowski (2014), Ciruvis: a web-based tool for rule networks and
    interaction detection using rule-based classifiers, BMC Bioinformatics 15, 139.

    Examples
    --------
    >>> from tamis.interactions import Rule, RuleNetwork
    >>> rules = [Rule((("a", ">", 1.0), ("b", "=", "x")), "ill", 10, 8),
    ...          Rule((("a", ">", 2.0), ("c", "<=", 0.5)), "ill", 5, 5)]
    >>> network = RuleNetwork.of("ill", 20, rules)
    >>> network.nodes()[["name", "weight", "rules"]].values.tolist()
    [['a > 1.5', 13.0, 2], ['b = x', 8.0, 1], ['c <= 0.5', 5.0, 1]]
    >>> network.frame().values.tolist()
    [['a > 1.5', 'b = x', 8.0, 1], ['a > 1.5', 'c <= 0.5', 5.0, 1]]
    """

    directed: ClassVar[bool] = False

    label: Any
    size: float
    conditions: tuple[tuple[str, str, Any], ...]
    weight: np.ndarray
    rules: np.ndarray
    source: np.ndarray
    target: np.ndarray
    edge_weight: np.ndarray
    edge_rules: np.ndarray

    def __repr__(self) -> str:
        n, edges = (
            counted_noun(len(self.conditions), "condition"),
            counted_noun(len(self.source), "edge"),
        )
        return f"RuleNetwork({self.label!r}: {n}, {edges})"

    @classmethod
    def of(cls, label: Any, size: float, rules: Sequence[Rule]) -> RuleNetwork:
        """The network of rules, all of one class."""
        weight: dict[tuple, float] = defaultdict(float)
        count: Counter = Counter()
        limits: dict[tuple, list[Any]] = {}
        for rule in rules:
            for condition in rule.conditions:
                limits.setdefault(_node_key(condition), []).append(condition[2])
            nodes = sorted({_node_key(condition) for condition in rule.conditions}, key=repr)
            for key in [*((node,) for node in nodes), *combinations(nodes, 2)]:
                weight[key] += rule.correct * max(rule.trees, 1)
                count[key] += 1
        ordered = sorted(limits, key=lambda node: (-weight[node,], repr(node)))
        place = {node: i for i, node in enumerate(ordered)}
        edges = sorted(
            (-weight[key], *sorted(place[node] for node in key), count[key])
            for key in weight
            if len(key) == 2
        )
        table = np.array(edges, dtype=float).reshape(-1, 4)
        values = [
            limits[node][0] if node[1] == "=" else float(np.median(limits[node]))
            for node in ordered
        ]
        return cls(
            label,
            float(size),
            tuple((node[0], node[1], v) for node, v in zip(ordered, values, strict=True)),
            np.array([weight[node,] for node in ordered], dtype=float),
            np.array([count[node,] for node in ordered], dtype=np.int64),
            table[:, 1].astype(np.int64),
            table[:, 2].astype(np.int64),
            -table[:, 0],
            table[:, 3].astype(np.int64),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The conditions in words, each once: a second of the same words has a number."""
        seen: Counter = Counter()
        names = []
        for text in map(condition_text, self.conditions):
            seen[text] += 1
            names.append(text if seen[text] == 1 else f"{text} ({seen[text]})")
        return tuple(names)

    def filter(
        self,
        conditions: int | None = None,
        edges: int | None = None,
        min_weight: float | None = None,
    ) -> RuleNetwork:
        """The network of the heaviest conditions and edges.

        Parameters
        ----------
        conditions : int, optional
            Keep so many of the heaviest conditions, and the edges between them.
        edges : int, optional
            Then so many of the heaviest edges.
        min_weight : float, optional
            Then those of at least this weight.
        """
        for name, value in (("conditions", conditions), ("edges", edges)):
            if value is not None and (not isinstance(value, int | np.integer) or value < 0):
                raise PlanError(f"{name}={value!r}: give a whole number of at least 0, or None")
        n = len(self.conditions) if conditions is None else min(conditions, len(self.conditions))
        kept = self.target < n  # the source stands before it
        if edges is not None:
            kept &= np.cumsum(kept) <= edges
        if min_weight is not None:
            kept &= self.edge_weight >= min_weight
        return replace(
            self,
            conditions=self.conditions[:n],
            weight=self.weight[:n],
            rules=self.rules[:n],
            source=self.source[kept],
            target=self.target[kept],
            edge_weight=self.edge_weight[kept],
            edge_rules=self.edge_rules[kept],
        )

    def frame(self) -> pd.DataFrame:
        """One row an edge, heaviest first."""
        import pandas as pd

        names = np.array(self.names, dtype=object)
        return pd.DataFrame(
            {
                "source": names[self.source],
                "target": names[self.target],
                "weight": self.edge_weight,
                "rules": self.edge_rules,
            }
        )

    def nodes(self) -> pd.DataFrame:
        """One row a condition, heaviest first; `value` as text, `edges` are those at it."""
        import pandas as pd

        ends = np.concatenate([self.source, self.target])
        return pd.DataFrame(
            {
                "name": list(self.names),
                "feature": [str(c[0]) for c in self.conditions],
                "op": [c[1] for c in self.conditions],
                "value": [str(plain_value(c[2])) for c in self.conditions],
                "weight": self.weight,
                "rules": self.rules,
                "edges": np.bincount(ends, minlength=len(self.conditions)),
            }
        )

    def to_dict(self) -> dict[str, object]:
        """Plain numbers, for the page and for JSON: 60 conditions and 200 edges at most."""
        shown = self.filter(MOST_CONDITIONS, MOST_EDGES)
        return {
            "label": str(self.label),
            "size": float(self.size),
            "nodes": [
                {
                    "id": i,
                    "text": text,
                    "feature": str(feature),
                    "op": op,
                    "value": plain_value(value),
                    "weight": float(shown.weight[i]),
                    "rules": int(shown.rules[i]),
                }
                for i, (text, (feature, op, value)) in enumerate(
                    zip(shown.names, shown.conditions, strict=True)
                )
            ],
            "edges": [
                {
                    "source": int(shown.source[k]),
                    "target": int(shown.target[k]),
                    "weight": float(shown.edge_weight[k]),
                    "rules": int(shown.edge_rules[k]),
                }
                for k in range(len(shown.edge_weight))
            ],
        }

    def summary(self) -> str:
        """One line."""
        line = (
            f"{self.label}: {counted_noun(len(self.conditions), 'condition')}, "
            f"{counted_noun(len(self.edge_weight), 'edge')}"
        )
        if not len(self.edge_weight):
            return line
        first, second = (self.names[end[0]] for end in (self.source, self.target))
        rules = counted_noun(int(self.edge_rules[0]), "rule")
        return f"{line}; the heaviest is {first} - {second}, {self.edge_weight[0]:.3g} in {rules}"

    def plot(self, conditions: int = 20, edges: int = 30) -> Picture:
        """The heaviest conditions and edges (`tamis.plotting.rule_network`)."""
        from ...plotting.picture import Picture
        from ...plotting.rule_network import RulePicture, rule_network

        shown = cast(RulePicture, self.to_dict())
        return Picture("network", (rule_network(shown, conditions, edges),))

    def _tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        return self.nodes(), self.frame()


def _node_key(condition: tuple[str, str, Any]) -> tuple[str, ...]:
    """What makes two conditions one: not the limit, but the category."""
    feature, op, value = condition
    return (feature, op, value) if op == "=" else (feature, op)
