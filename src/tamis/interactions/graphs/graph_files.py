"""What graphs of features and of conditions have in common: files, and networkx."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from ..._core.errors import require_library

if TYPE_CHECKING:
    import pandas as pd


class GraphFiles:
    """A graph with a table of nodes (column ``name``) and one of edges (``source``, ``target``)."""

    directed: ClassVar[bool] = True

    def _tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Nodes and edges."""
        raise NotImplementedError

    def to_networkx(self) -> Any:
        """A ``networkx`` graph with the columns of both tables as attributes (extra ``graph``)."""
        networkx = require_library("networkx", "graph", "to_networkx")
        graph = networkx.DiGraph() if self.directed else networkx.Graph()
        nodes, edges = self._tables()
        for node in nodes.to_dict("records"):
            graph.add_nodes_from([(node.pop("name"), node)])
        for edge in edges.to_dict("records"):
            graph.add_edges_from([(edge.pop("source"), edge.pop("target"), edge)])
        return graph

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the edges as a CSV, complete or not at all; `plain_field` of names."""
        from ..._core.fields import plain_frame
        from ..._core.files import write_text

        frame = plain_frame(self._tables()[1])
        write_text(path, frame.to_csv(index=False, lineterminator="\n"))

    def to_graphml(self, path: str | os.PathLike[str]) -> None:
        """Write nodes and edges as GraphML, complete or not at all.

        Characters that XML cannot hold become U+FFFD.
        """
        from ..._core.files import write_text
        from .graphml import graphml_text

        kind = "directed" if self.directed else "undirected"
        write_text(path, graphml_text(*self._tables(), edgedefault=kind))
