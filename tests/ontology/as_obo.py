"""An ontology as an OBO file: names and hierarchy."""

from __future__ import annotations

from collections.abc import Iterable

from tamis.ontology import Ontology


def obo_text(ontology: Ontology, order: Iterable[int] = ()) -> str:
    """Its classes in their order, or in another one."""
    lines = [f"format-version: 1.2\nontology: {ontology.name}\n"]
    for k in order or range(len(ontology)):
        name = ontology.local_names[k]
        lines.append(f"[Term]\nid: {name.replace('_', ':')}\nname: {ontology.labels[k]}")
        lines += [f'synonym: "{one}" EXACT []' for one in ontology.synonyms[k]]
        lines += [f"is_a: {ontology.local_names[p].replace('_', ':')}" for p in ontology.parents[k]]
        lines.append("")
    return "\n".join(lines)
