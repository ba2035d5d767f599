"""What an ontology holds, and what stands around one of its classes: for terminals and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import get_args

from typing_extensions import TypedDict

from .._core.errors import PlanError, counted_noun, listed_names, nearest_name, shorten_text
from .named_classes import MAX_COMPARED_NAMES, ClassNames
from .ontology import Ontology
from .ontology_data import NO_FILLER, PropertyKind

PROPERTY_KINDS: tuple[PropertyKind, ...] = get_args(PropertyKind)
MAX_LISTED_NEIGHBOURS = 10  # neighbours that a terminal shows


class OntologyContent(TypedDict):
    """What `tamis ontology show` shows of a file."""

    name: str
    iri: str
    classes: int
    labelled: int
    obsolete: int
    synonyms: int
    related: int
    definitions: int
    roots: int
    depth: int
    superclasses: int
    reasoner: str
    inferred: int
    properties: dict[PropertyKind, int]
    individuals: int
    restrictions: int
    remarks: list[str]


class NamedClass(TypedDict):
    """A class that stands around another."""

    iri: str
    label: str


class ClassContent(TypedDict):
    """What it shows of a class."""

    iri: str
    label: str
    local_name: str
    synonyms: list[str]
    related: list[str]
    definition: str
    obsolete: bool
    labelled: bool
    depth: int
    parents: list[NamedClass]
    inferred: list[NamedClass]
    children: list[NamedClass]
    siblings: list[NamedClass]
    ancestors: list[NamedClass]
    properties: list[dict[str, str]]
    restrictions: list[dict[str, str | None]]
    individuals: list[dict[str, str]]


def describe_ontology(ontology: Ontology) -> OntologyContent:
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
        "roots": int((~ontology.obsolete[list(ontology.roots)]).sum()),
        "depth": int(ontology.depths.max(initial=0)),
        "superclasses": sum(map(len, ontology.parents)),
        "reasoner": ontology.reasoner,
        "inferred": sum(map(len, ontology.inferred)),
        "properties": {kind: kinds[kind] for kind in PROPERTY_KINDS},
        "individuals": len(ontology.individuals),
        "restrictions": len(ontology.restrictions),
        "remarks": list(ontology.remarks),
    }


def ontology_lines(content: OntologyContent) -> list[str]:
    """The same for people."""
    c, kinds = content, content["properties"]
    inferred = f" ({c['inferred']:,} of them inferred)" if c["reasoner"] else ""
    return [
        f"{c['name']} ({c['iri']})" if c["iri"] != c["name"] else c["name"],
        f"  classes       {c['classes']:,} ({c['labelled']:,} with a label, "
        f"{c['obsolete']:,} obsolete)",
        f"  hierarchy     {c['superclasses']:,} superclasses{inferred}, "
        f"{counted_noun(c['roots'], 'root')}, depth {c['depth']}",
        f"  names         {c['synonyms']:,} synonyms, {c['related']:,} related names, "
        f"{c['definitions']:,} definitions",
        f"  properties    {sum(kinds.values()):,} ({kinds['object']:,} object, "
        f"{kinds['data']:,} data, {kinds['annotation']:,} annotation), "
        f"{c['restrictions']:,} restrictions",
        f"  individuals   {c['individuals']:,}",
        *(f"  ! {remark}" for remark in c["remarks"]),
    ]


def find_class(ontology: Ontology, name: str) -> int:
    """Position of the class of an IRI, CURIE, local name, label or synonym.

    Raises
    ------
    PlanError
        There is none, or several.
    """
    if name in ontology:
        return ontology.position[name]
    found = ClassNames(ontology).at(name)
    wanted = name.strip().casefold()
    for names in (ontology.synonyms, ontology.related):
        found = found or [k for k, own in enumerate(names) if wanted in map(str.casefold, own)]
    if len(found) > 1:
        raise PlanError(
            f"class={shorten_text(name)!r} is the name of {len(found):,} classes: give the IRI of "
            f"one, such as {listed_names((ontology.iris[k] for k in found), 2)}"
        )
    if not found:
        raise PlanError(
            f"class={shorten_text(name)!r} is no IRI and no name in {ontology.name!r}: "
            f"{_similar_names_hint(name, ontology)}"
        )
    return found[0]


def _similar_names_hint(name: str, ontology: Ontology) -> str:
    """Names near to a mistyped one, or that hold it."""
    if close := nearest_name(name, islice(ontology.labels, MAX_COMPARED_NAMES)):
        return f"did you mean {shorten_text(close)!r}?"
    holding = (one for one in ontology.labels if name.strip().casefold() in one.casefold())
    if some := list(islice(holding, 5)):
        return f"did you mean one of {listed_names(some)}?"
    return "no name is like it"


def describe_class(ontology: Ontology, at: int) -> ClassContent:
    """One class with its names and what stands around it."""
    one = ontology.class_at(at)

    def named_classes_at(positions: Iterable[int]) -> list[NamedClass]:
        return [{"iri": ontology.iris[k], "label": ontology.labels[k]} for k in positions]

    properties = [p for p in ontology.properties if at in p.domains]
    restrictions: list[dict[str, str | None]] = [
        {
            "property": ontology.properties[r.property].label,
            "filler": None if r.filler == NO_FILLER else ontology.labels[r.filler],
        }
        for r in ontology.restrictions
        if r.owner == at
    ]
    return {
        "iri": one.iri,
        "label": one.label,
        "local_name": one.local_name,
        "synonyms": list(one.synonyms),
        "related": list(one.related),
        "definition": one.definition,
        "obsolete": one.obsolete,
        "labelled": bool(ontology.labelled[at]),
        "depth": int(ontology.depths[at]),
        "parents": named_classes_at(ontology.parents[at]),
        "inferred": named_classes_at(ontology.inferred[at] if ontology.reasoner else ()),
        "children": named_classes_at(ontology.children[at]),
        "siblings": named_classes_at(k for k in ontology.siblings(at) if not ontology.obsolete[k]),
        "ancestors": named_classes_at(sorted(ontology.ancestors(at))),
        "properties": [{"iri": p.iri, "label": p.label, "kind": p.kind} for p in properties],
        "restrictions": restrictions,
        "individuals": [
            {"name": i.name, "label": i.label} for i in ontology.individuals if at in i.types
        ],
    }


def class_lines(content: ClassContent) -> list[str]:
    """The same for people; of many neighbours the first."""
    names = {
        "synonyms": content["synonyms"],
        "related": content["related"],
        "parents": [
            one["label"] + (" (inferred)" if one in content["inferred"] else "")
            for one in content["parents"]
        ],
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
        lines.append(f"  {'definition':13} {shorten_text(content['definition'], 400)}")
    for what, found in names.items():
        if found:
            more = (
                f"; and {len(found) - MAX_LISTED_NEIGHBOURS:,} more"
                if len(found) > MAX_LISTED_NEIGHBOURS
                else ""
            )
            lines.append(
                f"  {what:13} "
                f"{'; '.join(shorten_text(f, 80) for f in found[:MAX_LISTED_NEIGHBOURS])}{more}"
            )
    return lines
