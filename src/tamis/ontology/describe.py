"""What an ontology holds, and what stands around one of its classes: for terminals and JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .._core.errors import PlanError, listing, nearest, shorten
from .ontology import ALONE, Ontology

MOST = 10  # neighbours that a terminal shows


def describe_ontology(ontology: Ontology) -> dict[str, Any]:
    """Counts, and the remarks."""
    kinds = Counter(one.kind for one in ontology.properties)
    return {
        "name": ontology.name,
        "iri": ontology.iri,
        "classes": len(ontology),
        "labelled": int(ontology.labelled.sum()),
        "obsolete": int(ontology.obsolete.sum()),
        "synonyms": sum(map(len, ontology.synonyms)),
        "related": sum(map(len, ontology.related)),
        "definitions": sum(map(bool, ontology.definitions)),
        "roots": len(ontology.roots),
        "depth": int(ontology.depths.max(initial=0)),
        "superclasses": sum(map(len, ontology.parents)),
        "properties": {kind: kinds[kind] for kind in ("object", "data", "annotation")},
        "individuals": len(ontology.individuals),
        "restrictions": len(ontology.restrictions),
        "remarks": list(ontology.remarks),
    }


def ontology_lines(content: dict[str, Any]) -> list[str]:
    """The same for people."""
    c, kinds = content, content["properties"]
    return [
        f"{c['name']} ({c['iri']})" if c["iri"] != c["name"] else c["name"],
        f"  classes       {c['classes']:,} ({c['labelled']:,} with a label, "
        f"{c['obsolete']:,} obsolete)",
        f"  hierarchy     {c['superclasses']:,} superclasses, {c['roots']:,} roots, "
        f"depth {c['depth']}",
        f"  names         {c['synonyms']:,} synonyms, {c['related']:,} related names, "
        f"{c['definitions']:,} definitions",
        f"  properties    {sum(kinds.values()):,} ({kinds['object']:,} object, "
        f"{kinds['data']:,} data, {kinds['annotation']:,} annotation), "
        f"{c['restrictions']:,} restrictions",
        f"  individuals   {c['individuals']:,}",
        *(f"  ! {remark}" for remark in c["remarks"]),
    ]


def find_class(ontology: Ontology, asked: str) -> int:
    """Position of the class of an IRI, a local name, a label or a synonym.

    Raises
    ------
    PlanError
        There is none, or several.
    """
    if asked in ontology:
        return ontology.position[asked]
    wanted = asked.strip().casefold()
    first = zip(ontology.local_names, ontology.labels, strict=True)
    for names in (first, ontology.synonyms, ontology.related):
        found = [k for k, own in enumerate(names) if wanted in map(str.casefold, own)]
        if len(found) > 1:
            raise PlanError(
                f"class={shorten(asked)!r} is the name of {len(found):,} classes: give the IRI of "
                f"one, such as {listing((ontology.iris[k] for k in found), 2)}"
            )
        if found:
            return found[0]
    raise PlanError(
        f"class={shorten(asked)!r} is no IRI and no name in {ontology.name!r}: "
        f"{nearest(asked, ontology.labels)}"
    )


def describe_class(ontology: Ontology, at: int) -> dict[str, Any]:
    """One class with its names and what stands around it."""
    one = ontology.class_at(at)

    def named(positions: Any) -> list[dict[str, str]]:
        return [{"iri": ontology.iris[k], "label": ontology.labels[k]} for k in positions]

    properties = [p for p in ontology.properties if at in p.domains]
    restrictions = [
        {
            "property": ontology.properties[r.property].label,
            "filler": None if r.filler == ALONE else ontology.labels[r.filler],
        }
        for r in ontology.restrictions
        if r.owner == at
    ]
    return {
        **one._asdict(),
        "labelled": bool(ontology.labelled[at]),
        "depth": int(ontology.depths[at]),
        "parents": named(ontology.parents[at]),
        "children": named(ontology.children[at]),
        "siblings": named(ontology.siblings(at)),
        "ancestors": named(sorted(ontology.ancestors(at))),
        "properties": [{"iri": p.iri, "label": p.label, "kind": p.kind} for p in properties],
        "restrictions": restrictions,
        "individuals": [
            {"name": i.name, "label": i.label} for i in ontology.individuals if at in i.types
        ],
    }


def class_lines(content: dict[str, Any]) -> list[str]:
    """The same for people; of many neighbours the first."""
    names = {
        "synonyms": content["synonyms"],
        "related": content["related"],
        "parents": [one["label"] for one in content["parents"]],
        "children": [one["label"] for one in content["children"]],
        "siblings": [one["label"] for one in content["siblings"]],
        "properties": [one["label"] for one in content["properties"]],
        "restrictions": [
            f"{one['property']} {one['filler'] or ''}".strip() for one in content["restrictions"]
        ],
        "individuals": [one["label"] or one["name"] for one in content["individuals"]],
    }
    head = f"{content['label']} ({content['iri']})" + (", obsolete" if content["obsolete"] else "")
    lines = [head]
    if content["definition"]:
        lines.append(f"  {'definition':13} {shorten(content['definition'], 400)}")
    for what, found in names.items():
        if found:
            more = f"; and {len(found) - MOST:,} more" if len(found) > MOST else ""
            lines.append(f"  {what:13} {'; '.join(shorten(f, 80) for f in found[:MOST])}{more}")
    return lines
