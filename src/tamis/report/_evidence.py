"""One section a kind of evidence, found by its name; one without a maker is shown as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import plotting
from ..study.results.schema import FeatureEntry, MethodEntry, StudyContent
from ._blocks import Block, Maker, Section, chartless_block, table_name
from ._clusters import cluster_block
from ._id_graph import id_graph_block
from ._interaction_table import frequency_graph, interaction_table, model_words
from ._plain_evidence import plain_block
from ._stability_selection import probability_words, selection_block
from ._subset_search import search_block
from ._votes import votes_block, votes_words


@dataclass(frozen=True)
class Kind:
    """How a kind of evidence is shown.

    Attributes
    ----------
    title : str
        Of its section.
    block : callable
        From a method, the kind's content, the number of the block and the result.
    template : str
    draw : callable or None
        From a block's ``chart`` to SVG.
    """

    title: str
    block: Maker
    template: str = "evidence.html.j2"
    draw: Callable[[Any], str] | None = None


EVIDENCE_KINDS: dict[str, Kind] = {
    "stability_selection": Kind(
        "Stability selection",
        selection_block,
        "stability_selection.html.j2",
        plotting.stability_paths,
    ),
    "subset_search": Kind("Search for a subset", search_block, draw=plotting.search_trace),
    "id_graph": Kind("Interdependency graph", id_graph_block),
    "clusters": Kind("Clusters of features", cluster_block, draw=plotting.cluster_map),
    "votes": Kind("Vote of selectors", votes_block),
}
EVIDENCE_CHARTS: dict[str, Callable[[Any], str]] = {
    kind: how.draw for kind, how in EVIDENCE_KINDS.items() if how.draw
}
EVIDENCE_CHARTS["interactions"] = plotting.set_graph
GRAPH_SAID = (
    "Features joined by the interactions listed: the thicker and darker, the more training sets "
    "had the best of them; the larger a circle, the more of them hold the feature."
)
# Of a number a feature, by its title: a value under a method, in words.
NUMBER_WORDS: dict[str, Callable[[float, MethodEntry], str]] = {
    "selection probability": probability_words,
    "share of votes": votes_words,
}


def evidence_sections(result: StudyContent) -> list[Section]:
    """Every kind that a method shows, known ones first; then the interactions of models."""
    there = dict.fromkeys(kind for m in result["methods"] for kind in m.get("evidence") or {})
    known = [kind for kind in EVIDENCE_KINDS if kind in there]
    sections = [
        _evidence_section(kind, kind.replace("_", "-"), EVIDENCE_KINDS[kind], result)
        for kind in known
    ]
    for place, name in enumerate((kind for kind in there if kind not in EVIDENCE_KINDS), 1):
        other = Kind(f"Evidence: {name}", plain_block(name, place))
        sections.append(_evidence_section(name, f"evidence-{place}", other, result))
    return [*sections, *_model_interactions(result)]


def draw_chart(kind: str, block: Block) -> str:
    """A block's chart as SVG; nothing where it has none."""
    draw = EVIDENCE_CHARTS.get(kind)
    return "" if draw is None or block["chart"] is None else draw(block["chart"])


def number_words(feature: FeatureEntry, result: StudyContent) -> list[str]:
    """What evidence says of a single feature."""
    said = []
    for title, own in (feature.get("numbers") or {}).items():
        for method in result["methods"]:
            value = own.get(method["name"])
            if value is None:
                continue
            words = NUMBER_WORDS.get(title)
            plainly = f"{title[:1].upper()}{title[1:]} {value:.4g} ({method['name']})."
            said.append(words(value, method) if words else plainly)
    return said


def _evidence_section(kind: str, id: str, how: Kind, result: StudyContent) -> Section:
    there = [(m, (m.get("evidence") or {}).get(kind)) for m in result["methods"]]
    shown = [(method, content) for method, content in there if content is not None]
    return {
        "kind": kind,
        "id": id,
        "title": how.title,
        "template": how.template,
        "blocks": [how.block(m, content, k, result) for k, (m, content) in enumerate(shown, 1)],
    }


def _model_interactions(result: StudyContent) -> list[Section]:
    """Interactions that chosen models use, of each method whose models have any."""
    blocks: list[Block] = []
    for method in result["methods"]:
        found = method.get("interactions")
        if not found:
            continue
        name = table_name("interactions", len(blocks) + 1)
        shown, n = len(found["terms"]), found["n_different"]
        table = interaction_table(name, f"Interactions: {method['label']}", found)
        rest = f"The {shown} most frequent are shown." if n > shown else ""
        plain = chartless_block(method, model_words(found), [table], rest)
        blocks.append({**plain, "caption": GRAPH_SAID, "chart": frequency_graph(found)})
    if not blocks:
        return []
    return [
        {
            "kind": "interactions",
            "id": "interactions",
            "title": "Interactions in the models",
            "template": "evidence.html.j2",
            "blocks": blocks,
        }
    ]
