"""Reading ontologies, beside rdflib, owlready2, fastobo and pronto in the same run.

    python benchmarks/ontology_reading.py [FILE ...] [--classes 20000] [--repeats 3]

Without files, an ontology is made up: labels, two synonyms, a definition, two superclasses and a
relation for each class, as RDF/XML and as OBO. The number of classes is checked to be equal before
anything is timed. rdflib parses only; owlready2 and pronto make objects, as Tamis does. Peers that
are not installed are left out. CPU seconds, the least of the repeats.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from _harness import markdown, timed, versions

OBO = "http://purl.obolibrary.org/obo/"
HEAD = f"""<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY obo "{OBO}"> <!ENTITY owl "http://www.w3.org/2002/07/owl#"> ]>
<rdf:RDF xml:base="{OBO}x.owl" xmlns:owl="&owl;" xmlns:obo="&obo;"
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
 xmlns:oio="http://www.geneontology.org/formats/oboInOwl#">
<owl:Ontology rdf:about="{OBO}x.owl"/>
<owl:AnnotationProperty rdf:about="&obo;IAO_0000115"/>
<owl:AnnotationProperty rdf:about="http://www.geneontology.org/formats/oboInOwl#hasExactSynonym"/>
<owl:ObjectProperty rdf:about="&obo;BFO_0000050"><rdfs:label>part of</rdfs:label>
</owl:ObjectProperty>
"""
CLASS = """<owl:Class rdf:about="&obo;X_{k:07d}"><rdfs:label>structure number {k}</rdfs:label>
<oio:hasExactSynonym>part {k}</oio:hasExactSynonym>
<oio:hasExactSynonym>organ {k}</oio:hasExactSynonym>
<obo:IAO_0000115>The structure that bears the number {k} in a made-up body.</obo:IAO_0000115>
{parents}<rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="&obo;BFO_0000050"/>
<owl:someValuesFrom rdf:resource="&obo;X_{part:07d}"/></owl:Restriction></rdfs:subClassOf>
</owl:Class>
"""
TERM = """
[Term]
id: X:{k:07d}
name: structure number {k}
def: "The structure that bears the number {k} in a made-up body." [PMID:1]
synonym: "part {k}" EXACT []
synonym: "organ {k}" EXACT []
{parents}relationship: part_of X:{part:07d}
"""


def make(folder: Path, n: int) -> list[Path]:
    """The same ontology in two formats."""
    owl, obo = folder / "made.owl", folder / "made.obo"
    above = [sorted({k // 3, k // 7} - {k}) for k in range(n)]
    with owl.open("w") as file:
        file.write(HEAD)
        for k, ups in enumerate(above):
            parents = "".join(f'<rdfs:subClassOf rdf:resource="&obo;X_{p:07d}"/>\n' for p in ups)
            file.write(CLASS.format(k=k, parents=parents, part=k // 2))
        file.write("</rdf:RDF>\n")
    with obo.open("w") as file:
        file.write("format-version: 1.2\nontology: x\n")
        for k, ups in enumerate(above):
            parents = "".join(f"is_a: X:{p:07d}\n" for p in ups)
            file.write(TERM.format(k=k, parents=parents, part=k // 2))
        file.write("\n[Typedef]\nid: part_of\nname: part of\n")
    return [owl, obo]


# lines that the grammar of OBO does not allow, or that name what is not there
DEVIATIONS = {
    "quotes inside a definition": 'def: "the "pump" of it" [PMID:1]',
    "a definition without quotes": "def: pumps",
    "a synonym without references": 'synonym: "cor" EXACT',
    "a synonym of version 1.0": 'related_synonym: "cor" []',
    "an invented tag": "my_tag: 1",
    "words without a tag": "see elsewhere",
    "a cross-reference with blanks": "xref: Wikipedia: Heart organ",
    "a date that is none": "creation_date: yesterday",
    "a superclass of another file": "is_a: Y:9 ! thing",
    "a superclass with a blank": "is_a: X 2",
    "an undeclared relation": "relationship: part_of X:2",
    "a circle": "is_a: X:2 ! b",
    "two definitions": 'def: "a" []\ndef: "b" []',
    "lines of Windows": 'def: "a" []\r',
}


def by_tamis(path: Path) -> int:
    from tamis.ontology import read_ontology

    return len(read_ontology(path))


def by_rdflib(path: Path) -> int:
    import rdflib

    graph = rdflib.Graph().parse(path, format="xml")
    found = set(graph.subjects(rdflib.RDF.type, rdflib.OWL.Class))
    return sum(isinstance(one, rdflib.URIRef) for one in found)


def by_owlready2(path: Path) -> int:
    import owlready2

    world = owlready2.World()
    world.get_ontology(path.resolve().as_uri()).load()
    classes = list(world.classes())
    for one in classes:  # as Tamis has them at hand
        one.label, one.is_a, getattr(one, "hasExactSynonym", None)
    return len(classes)


def by_fastobo(path: Path) -> int:
    import fastobo

    frames = fastobo.load(str(path))
    return sum(type(one).__name__ == "TermFrame" for one in frames)


def by_pronto(path: Path) -> int:
    import pronto

    terms = list(pronto.Ontology(path, import_depth=0, threads=1).terms())
    return len(terms)


OF_RDF = {"rdflib": by_rdflib, "owlready2": by_owlready2, "pronto": by_pronto}
OF_OBO = {"fastobo": by_fastobo, "pronto": by_pronto}


def installed(names: dict[str, Callable]) -> dict[str, Callable]:
    """Those that can be imported."""
    found = {}
    for name, read in names.items():
        try:
            version(name)
        except PackageNotFoundError:
            continue
        found[name] = read
    return found


def deviations(folder: Path) -> str:
    """Which reader takes a file with a line that deviates."""
    readers = {"tamis": by_tamis, **installed(OF_OBO)}
    rows = []
    for what, line in DEVIATIONS.items():
        path = folder / "deviation.obo"
        second = "\n[Term]\nid: X:2\nname: b\nis_a: X:1\n"
        path.write_text(f"format-version: 1.2\n\n[Term]\nid: X:1\nname: a\n{line}\n{second}")
        row = [what]
        for read in readers.values():
            try:
                row.append(f"{read(path)} classes")
            except Exception as error:  # whatever a reader says no with
                row.append(f"refused ({type(error).__name__})")
        rows.append(row)
    return markdown(["a line of an OBO file", *readers], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--classes", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for path in asked.files or make(Path(folder), asked.classes):
            peers = installed(OF_OBO if path.suffix == ".obo" else OF_RDF)
            own = timed(lambda path=path: by_tamis(path), asked.repeats)
            size = f"{path.stat().st_size / 1e6:.1f} MB"
            rows.append([path.name, size, f"{own.value:,}", "tamis", f"{own.cpu:.2f}", ""])
            for name, read in peers.items():
                try:
                    peer = timed(lambda path=path, read=read: read(path), asked.repeats)
                except Exception as error:  # whatever a reader says no with
                    rows.append(["", "", "", name, f"refused ({type(error).__name__})", ""])
                    continue
                if peer.value != own.value:
                    raise SystemExit(f"{path.name}: tamis {own.value} classes, {name} {peer.value}")
                rows.append(["", "", "", name, f"{peer.cpu:.2f}", f"{peer.cpu / own.cpu:.1f}"])
            rows += index_rows(path, Path(folder), asked.repeats, own.cpu)
        told = deviations(Path(folder))
    print(markdown(["file", "size", "classes", "reader", "CPU s", "times Tamis"], rows))
    print(f"\n{told}")
    names = sorted({*installed(OF_RDF), *installed(OF_OBO)})
    print(f"\n{versions('pyoxigraph', *names)}; least of {asked.repeats}.")


def index_rows(path: Path, folder: Path, repeats: int, whole: float) -> list[list[str]]:
    """A prepared index of the file: opened."""
    from tamis.ontology import read_ontology

    index = folder / "prepared.index"
    ontology = read_ontology(path)
    ontology.write(index)
    opened = timed(lambda: read_ontology(index), repeats)
    assert opened.value.synonyms == ontology.synonyms
    size = f"{index.stat().st_size / 1e6:.1f} MB"
    return [["its index", size, "", "tamis", f"{opened.cpu:.2f}", f"{opened.cpu / whole:.2f}"]]


if __name__ == "__main__":
    main()
