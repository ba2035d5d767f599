"""Evidence of Monte Carlo feature selection: edges of the interdependency graph that come again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ..interactions.graphs.graph import LEAST_ERRORS, PRESET_VIEW
from ..study.results.evidence_schema import IdGraph, InteractionEntry
from ..study.results.schema import MethodEntry, StudyContent
from ._blocks import Block, chartless_block, table_name
from ._interaction_table import OVERLAP_NOTE, frequency_column, how_alike, number_columns
from ._numbers import count_text, plural_text
from ._table import Column, TableView, build_table, field_column

GRAPH_MEANING = (
    "In every outer training set the trees gave a graph: an edge runs from a feature to one that "
    "trees split on below it, and weighs the more, the more those splits separate the classes. "
    f"Each part's heaviest edges are taken, {PRESET_VIEW['edges']} at most, of those that weigh "
    f"{LEAST_ERRORS:g} standard errors or more."
)
NO_NULL_NOTE = (
    "Graphs are made in the training sets of the study itself, not in permuted runs: there is no "
    "number of permuted labels to hold this against."
)


def id_graph_block(
    method: MethodEntry, content: Mapping[str, object], number: int, result: StudyContent
) -> Block:
    """A method's edges, the most frequent first."""
    given = cast(IdGraph, content)
    found = given.get("interactions")
    said = [GRAPH_MEANING]
    tables: list[TableView] = []
    if found is None or not found["terms"]:
        said.append("No edge was as heavy in any outer training set.")
    else:
        said += [how_alike(found, "edges"), f"{OVERLAP_NOTE} {NO_NULL_NOTE}"]
        tables.append(_dependency_table(method, found["terms"], found["n_folds"], number))
    if "n_edges" in given:
        said.append(
            f"On all samples the graph has {plural_text(given['n_edges'], 'edge')} of "
            f"{LEAST_ERRORS:g} standard errors or more between "
            f"{count_text(given.get('of'))} features."
        )
    rest = ""
    if found is not None and found["n_different"] > len(found["terms"]) > 0:
        rest = f"The {count_text(len(found['terms']))} most frequent are shown."
    return chartless_block(method, said, tables, rest)


def _dependency_table(
    method: MethodEntry, terms: list[InteractionEntry], n_folds: int, number: int
) -> TableView:
    columns = [
        field_column("rank", "#"),
        Column("from", lambda r: r["features"][0], "Feature", numeric=False, help="from"),
        Column(
            "to",
            lambda r: r["features"][-1],
            "Below it",
            numeric=False,
            help="the feature that trees split on below it",
        ),
        frequency_column(n_folds),
        *number_columns(terms),
    ]
    rows = [{**term, "rank": i} for i, term in enumerate(terms, 1)]
    return build_table(
        table_name("id_graph", number), f"Heaviest edges: {method['label']}", columns, rows
    )
