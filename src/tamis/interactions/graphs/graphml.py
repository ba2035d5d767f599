"""A graph as GraphML (Brandes et al. 2002), from tables of nodes and edges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

# what XML 1.0 does not allow, not even as a reference
FORBIDDEN_PATTERN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
GRAPHML_TYPES = {"b": "boolean", "i": "long", "f": "double"}


def graphml_text(nodes: pd.DataFrame, edges: pd.DataFrame, edgedefault: str = "directed") -> str:
    """The document. `nodes` has a column name, `edges` have source and target; others are data.

    A number that is not known (NaN) is left out.
    """
    number = {name: f"n{i}" for i, name in enumerate(nodes["name"])}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    for owner, table in (("node", nodes), ("edge", edges.drop(columns=["source", "target"]))):
        for column in table.columns:
            kind = GRAPHML_TYPES.get(table[column].dtype.kind, "string")
            lines.append(
                f'  <key id="{owner}_{column}" for="{owner}" attr.name="{column}" '
                f'attr.type="{kind}"/>'
            )
    lines.append(f'  <graph edgedefault="{edgedefault}">')
    for row in nodes.to_dict("records"):
        lines += [
            f'    <node id="{number[row["name"]]}">',
            *_data_elements("node", row),
            "    </node>",
        ]
    for row in edges.to_dict("records"):
        source, target = (number[row.pop(end)] for end in ("source", "target"))
        lines += [
            f'    <edge source="{source}" target="{target}">',
            *_data_elements("edge", row),
            "    </edge>",
        ]
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _data_elements(owner: str, row: dict[Any, Any]) -> list[str]:
    return [
        f'      <data key="{owner}_{key}">{_value_text(value)}</data>'
        for key, value in row.items()
        if not (isinstance(value, float) and np.isnan(value))
    ]


def _value_text(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return escape(FORBIDDEN_PATTERN.sub("\ufffd", str(value)))
