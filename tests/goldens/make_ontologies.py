"""What owlready2 reads in the shared ontologies: counts, and digests of what is told of each class.

`python tests/goldens/make_ontologies.py`, with TAMIS_DATA and owlready2 (0.51 made the golden).
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import owlready2

FOLDER = Path(os.environ["TAMIS_DATA"]) / "ontology"
TARGET = Path(__file__).with_name("owlready2_ontologies.json")


def digest(lines: list[str]) -> str:
    """Of lines, whatever their order."""
    text = "\n".join(sorted(lines)).replace("##", "#")  # of a base that ends with one
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read(path: Path) -> dict:
    """Classes, superclasses, labels, comments and properties of a file."""
    world = owlready2.World()
    world.get_ontology(f"file://{path}").load()
    classes = list(world.classes())
    above = set()
    for one in classes:
        named = [p for p in one.is_a if isinstance(p, owlready2.ThingClass)]
        for other in (*one.is_a, *one.equivalent_to):
            if isinstance(other, owlready2.And):
                named += [p for p in other.Classes if isinstance(p, owlready2.ThingClass)]
        above |= {(one.iri, p.iri) for p in named if p is not owlready2.Thing and p is not one}
        unions = [other for other in one.equivalent_to if isinstance(other, owlready2.Or)]
        above |= {(p.iri, one.iri) for other in unions for p in other.Classes if p is not one}
    labels = {(one.iri, " ".join(str(label).split())) for one in classes for label in one.label}
    restrictions = {
        (one.iri, r.property.iri)
        for one in classes
        for r in (*one.is_a, *one.equivalent_to)
        for r in (r.Classes if isinstance(r, owlready2.And) else [r])
        if isinstance(r, owlready2.Restriction) and hasattr(r.property, "iri")
    }
    return {
        "classes": [len(classes), digest([one.iri for one in classes])],
        "properties": [len(list(world.properties())), digest([p.iri for p in world.properties()])],
        "superclasses": [len(above), digest([" ".join(pair) for pair in above])],
        "labels": [len(labels), digest([" ".join(pair) for pair in labels])],
        "restrictions": [len(restrictions), digest([" ".join(pair) for pair in restrictions])],
    }


files = sorted([*FOLDER.glob("benchmark/*/onto.rdf"), *FOLDER.glob("conference/ontologies/*.owl")])
found = {str(path.relative_to(FOLDER)): read(path) for path in files}
TARGET.write_text(json.dumps(found, indent=1) + "\n")
