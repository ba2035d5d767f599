"""The hierarchy that follows from the axioms; by HermiT itself where it and Java are there."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from ontology.made_up import EXPECTED, OBO, PREFIXES, RDF_XML, TURTLE, content_of
from tamis._core.errors import DataError, MissingExtraError, PlanError
from tamis.ontology import OntologyMatcher, read_ontology
from tamis.ontology.reading import hermit
from tamis.ontology.reading.axioms import Axioms
from tamis.ontology.reading.build import build_ontology
from tamis.ontology.reading.content import read_content
from tamis.ontology.reading.rdf import base_of, rdf_facts

HEAD = "".join(f"@prefix {short}: <{iri}> .\n" for short, iri in PREFIXES.items())
# a class with a sufficient condition, one that meets it, and one that is the same by it
DEFINED = (
    HEAD
    + """
obo:p a owl:ObjectProperty ; rdfs:label "has part" .
obo:Animal a owl:Class . obo:Wing a owl:Class . obo:Feather a owl:Class ; rdfs:subClassOf obo:Wing .
obo:Flyer a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( obo:Animal
  [ a owl:Restriction ; owl:onProperty obo:p ; owl:someValuesFrom obo:Wing ] ) ] .
obo:Winged a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( obo:Animal
  [ a owl:Restriction ; owl:onProperty obo:p ; owl:someValuesFrom obo:Wing ] ) ] .
obo:Bird a owl:Class ; rdfs:subClassOf obo:Animal ,
  [ a owl:Restriction ; owl:onProperty obo:p ; owl:someValuesFrom obo:Feather ] .
"""
)
DISJOINT = """obo:Stone a owl:Class ; owl:disjointWith obo:Animal .
obo:Gargoyle a owl:Class ; rdfs:subClassOf obo:Stone , obo:Bird .
"""
RAISED = 'Exception in thread "main"'
REFUSED = {
    f"{RAISED} org.x.InconsistentOntologyException: Inconsistent ontology": (
        "'x.ttl' is inconsistent: its axioms contradict each other"
    ),
    f"{RAISED} java.lang.OutOfMemoryError: Java heap space": (
        "HermiT needs more memory than there is"
    ),
    f"{RAISED} java.BadException: Non-simple '<urn:n:6>', <urn:n:99>\n\tat x": (
        "HermiT cannot reason about 'x.ttl' (Non-simple 'p', <urn:n:99>); mend it, or read"
    ),
    f"{RAISED} java.lang.StackOverflowError": "nested too deeply for HermiT",
    "It all went pear-shaped: no parser": (
        "HermiT cannot reason about 'x.ttl' (It all went pear-shaped: no parser); mend it"
    ),
    "": "(exit code 3)",
}


@pytest.fixture
def file(tmp_path):
    """A file of what is given."""

    def written(text, name="x.ttl"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return written


@pytest.fixture
def java(tmp_path, monkeypatch):
    """Another Java, which does what a shell script says; and a library that is not imported."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "owlready2" / "hermit").mkdir(parents=True)
    (tmp_path / "owlready2" / "__init__.py").write_text("raise RuntimeError('imported')")
    (tmp_path / "owlready2" / "hermit" / "HermiT.jar").touch()
    program = tmp_path / "home" / "bin" / "java"
    program.parent.mkdir(parents=True)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))

    def does(script):
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    does("exit 9")
    return does


@pytest.fixture
def real():
    """HermiT itself."""
    try:
        hermit.hermit_command()
    except MissingExtraError as error:
        pytest.skip(str(error))


def told(path):
    with pytest.raises(DataError) as error:
        read_ontology(path, reasoner="hermit")
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_is_not_there_is_told_with_what_to_install(java, file, monkeypatch, tmp_path):
    path = file(DEFINED)
    with pytest.raises(PlanError, match="reasoner='pellet': give 'hermit' or None"):
        read_ontology(path, reasoner="pellet")
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtraError, match=r"needs Java.*apt install default-jre-headless"):
        read_ontology(path, reasoner="hermit")
    (tmp_path / "owlready2" / "hermit" / "HermiT.jar").unlink()
    with pytest.raises(MissingExtraError, match=r"pip install '.\[reasoner\]'"):
        read_ontology(path, reasoner="hermit")
    assert not read_ontology(path).reasoner


@pytest.mark.quick
@pytest.mark.parametrize("said", REFUSED)
def test_what_the_reasoner_refuses_is_one_line(java, file, tmp_path, said):
    (tmp_path / "said").write_text(said)
    java(f"cat '{tmp_path}/said' >&2; exit 3")
    assert REFUSED[said] in told(file(DEFINED))


@pytest.mark.longer
def test_it_has_a_limit_of_time(java, file, monkeypatch):
    java("sleep .3; ulimit -t >&2; exit 3")  # what the system allows, should Tamis be killed
    assert "(600)" in told(file(DEFINED))
    monkeypatch.setenv("TAMIS_REASONER_SECONDS", "1")
    java("exec sleep 60")
    assert "has not ended after 1 s; set TAMIS_REASONER_SECONDS higher" in told(file(DEFINED))


def test_what_it_says_becomes_superclasses(java, file):
    """Equivalent classes have one line of superclasses for all, and some are of other files."""
    text = HEAD + "".join(f"obo:{name} a owl:Class .\n" for name in "ABCDEF")
    text += "obo:B rdfs:subClassOf obo:A . obo:C rdfs:subClassOf obo:Far .\n"
    lines = [  # classes in the order of their IRIs
        "EquivalentClasses( <urn:c:1> <urn:c:2> )",
        "EquivalentClasses( <urn:n:20> <urn:c:3> )",
        "EquivalentClasses( <http://www.w3.org/2002/07/owl#Nothing> <urn:c:5> )",
        "SubClassOf( <urn:c:2> <urn:n:30> )",
        "SubClassOf( <urn:n:30> <urn:n:20> )",
        "SubClassOf( <urn:c:4> <urn:c:1> )",
        "SubClassOf( <urn:n:30> <urn:n:31> )",
        "SubClassOf( <urn:n:31> <urn:n:30> )",
    ]
    java("cat <<'END'\n" + "\n".join(lines) + "\nEND")
    found = read_ontology(file(text), reasoner="hermit")
    assert found.labels == tuple("ABCDEF")
    assert found.parents == ((), (0, 3), (0, 3), (), (1, 2), ())
    assert found.inferred == ((), (3,), (0, 3), (), (1, 2), ())
    assert found.remarks[-2:] == (
        "hierarchy inferred by HermiT: 5 superclasses that the file does not state, 1 group of "
        "equivalent classes",
        "1 unsatisfiable class ('F'): their axioms contradict each other, so that nothing can be "
        "one; their superclasses are those stated",
    )


def test_nothing_that_a_file_says_reaches_the_reasoner(file):
    """Names are numbers; imports, rules and annotations are left out."""
    path = file(
        DEFINED
        + DISJOINT
        + """
<http://a.org/x.owl> a owl:Ontology ; owl:imports <http://127.0.0.1:9/y.owl> .
obo:Bird rdfs:comment "secret" ; oio:secret obo:Secret .
<http://a.org/secret> a obo:Bird ; obo:p <http://a.org/secret2> ; rdfs:seeAlso obo:Secret .
obo:q a owl:DatatypeProperty . obo:Bird rdfs:subClassOf [ a owl:Restriction ; owl:onProperty obo:q ;
  owl:hasValue "a \\"b\\"\\n" ] , [ a owl:Restriction ; owl:onProperty obo:p ;
  owl:maxCardinality "3"^^<http://www.w3.org/2001/XMLSchema#int> ] .
"""
    )
    facts = rdf_facts(read_content(path), "Turtle", path.name, axioms=True)
    lines = list(Axioms(facts, build_ontology(facts, path.name)).lines())
    node = r"(?:<urn:(?:o|[cn]:\d+)>|_:b\d+|<http://www\.w3\.org/[\w/.-]+#[A-Za-z]+>)"
    for line in lines:
        assert re.fullmatch(rf'{node} {node} (?:{node}|"(?:[^"\\]|\\.)*"\^\^{node}) \.\n', line)
    text = "".join(lines)
    assert not re.search("secret|import|Bird|obo|127", text, re.I)
    assert '"a \\"b\\"\\n"^^<http://www.w3.org/2001/XMLSchema#string>' in text
    assert '"3"^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger>' in text
    of_individual = [one for one in lines if one.count("<urn:n:") == 3]
    assert len(of_individual) == 1  # that a thing has another as its part


@pytest.mark.longer
def test_a_defined_class_gains_a_child(real, file):
    path = file(DEFINED)
    stated, found = read_ontology(path), read_ontology(path, reasoner="hermit")
    names = dict(enumerate(found.labels))

    def above(ontology, name):
        return [names[k] for k in ontology.parents[ontology.labels.index(name)]]

    assert above(stated, "Bird") == ["Animal"]
    assert above(found, "Bird") == ["Animal", "Flyer", "Winged"]
    assert [names[k] for k in found.inferred[found.labels.index("Bird")]] == ["Flyer", "Winged"]
    assert above(found, "Flyer") == above(found, "Winged") == ["Animal"]
    assert "2 superclasses that the file does not state, 1 group of" in found.remarks[-1]
    assert found.digest != stated.digest
    found.write(index := path.with_suffix(".index"))
    for reasoner in (None, "hermit"):
        assert content_of(read_ontology(index, reasoner=reasoner)) == content_of(found)
    stated.write(index)
    assert "an index of the hierarchy as it was stated: prepare it again" in told(index)


@pytest.mark.longer
def test_contradictions_are_told(real, file):
    found = read_ontology(file(DEFINED + DISJOINT), reasoner="hermit")
    assert "1 unsatisfiable class ('Gargoyle')" in found.remarks[-1]
    names = [found.labels[k] for k in found.parents[found.labels.index("Gargoyle")]]
    assert names == ["Bird", "Stone"]
    assert "is inconsistent" in told(file(DEFINED + DISJOINT + "obo:x a obo:Gargoyle ."))


@pytest.mark.longer
def test_every_format_gives_the_same(real, file):
    """Of X_3 no more follows than its definition states."""
    for name, text in {"x.ttl": TURTLE, "x.obo": OBO, "x.owl": RDF_XML}.items():
        found = content_of(read_ontology(file(text, name), reasoner="hermit"))
        stated = content_of(EXPECTED)
        assert found.pop("inferred") == ((),) * 5
        assert found.pop("reasoner") == "hermit"
        assert found["remarks"][-1].endswith("0 superclasses that the file does not state")
        assert [found[key] for key in ("iris", "parents")] == [
            stated[k] for k in ("iris", "parents")
        ]


@pytest.mark.longer
def test_obo_has_transitive_relations_and_disjoint_terms(real, file):
    text = """[Term]\nid: X:1\nname: limb\n\n[Term]\nid: X:2\nname: hand\nrelationship: part_of X:1
\n[Term]\nid: X:3\nname: finger\nrelationship: piece_of X:2\n
[Term]\nid: X:4\nname: part of a limb\nintersection_of: X:5\nintersection_of: part_of X:1\n
[Term]\nid: X:5\nname: anything\n\n[Term]\nid: X:6\nname: no limb\nis_a: X:1\nis_a: X:7\n
[Term]\nid: X:7\nname: other\ndisjoint_from: X:1\n
[Typedef]\nid: part_of\nis_transitive: true\n\n[Typedef]\nid: piece_of\nis_a: part_of\n"""
    text = text.replace("name: hand\n", "name: hand\nis_a: X:5\n")
    text = text.replace("name: finger\n", "name: finger\nis_a: X:5\n")
    found = read_ontology(file(text, "x.obo"), reasoner="hermit")
    assert found.inferred == ((), (3,), (3,), (), (), (), ())
    assert "('no limb')" in found.remarks[-1]


@pytest.mark.longer
def test_nothing_is_fetched(real, file):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        place = f"http://127.0.0.1:{server.getsockname()[1]}/y.owl"
        text = f"<{place}> a owl:Ontology ; owl:imports <{place}> .\n"
        found = read_ontology(file(DEFINED + text), reasoner="hermit")
        with pytest.raises(TimeoutError):
            server.accept()
    assert "1 import not read" in "".join(found.remarks)


@pytest.mark.longer
def test_matching_sees_what_is_inferred(real, file):
    text = DEFINED.replace("obo:Bird", "obo:Fowl rdfs:subClassOf obo:Flyer , obo:Winged . obo:Fowl")
    other = file(text, "other.ttl")
    pairs = [
        [read_ontology(path, reasoner=one) for path in (file(DEFINED), other)]
        for one in (None, "hermit")
    ]
    values, settings = [], []
    for source, target in pairs:
        matcher = OntologyMatcher(["words", "parents"], threshold=0.5).fit(source, target)
        asked = source.iris[source.labels.index("Bird")], target.iris[target.labels.index("Fowl")]
        values.append(
            {one.name: one.value for one in matcher.explain(source, target, asked).evidence}
        )
        settings.append(matcher.match(source, target).settings)
    assert [one.get("reasoner") for one in settings] == [None, "hermit"]
    assert values[0]["words"] == values[1]["words"]
    assert values[0]["parents"] < values[1]["parents"] == 1


GAINS = {  # superclasses that are inferred, and groups of equivalent classes
    "conference/ontologies/cmt.owl": (1, 0),
    "conference/ontologies/iasted.owl": (1, 2),
    "benchmark/221/onto.rdf": (11, 0),
    "benchmark/302/onto.rdf": (1, 0),
}


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("name", GAINS)
def test_axioms_say_all_that_the_file_says(real, shared_data, name):
    """HermiT finds the same in the statements of the file, as they are."""
    import pyoxigraph as ox

    path = Path(shared_data, "ontology", name)
    content = read_content(path)
    facts = rdf_facts(content, "RDF/XML", path.name, axioms=True)
    axioms = Axioms(facts, build_ontology(facts, path.name))
    lines = list(axioms.lines())
    iris = {node[1:-1]: iri for iri, node in axioms.nodes.items()}
    quads = ox.parse(
        content, format=ox.RdfFormat.RDF_XML, base_iri=base_of(path.name), lenient=True
    )
    imports = "http://www.w3.org/2002/07/owl#imports"
    whole = [f"{q.triple} .\n" for q in quads if q.predicate.value != imports]

    def sets(lines, iri):
        below, same = hermit.inferred_hierarchy(lines, path.name)
        group = {iri(one): sorted(map(iri, found)) for found in same for one in found}
        pairs = [[group.get(iri(one), [iri(one)])[0] for one in pair] for pair in below]
        return sorted(pairs), sorted(map(sorted, group.values()))

    assert sets(lines, lambda one: iris.get(one, one)) == sets(whole, str)
    found = read_ontology(path, reasoner="hermit")
    groups = re.search(r"(\d+) groups?", found.remarks[-1])
    assert (sum(map(len, found.inferred)), int(groups[1]) if groups else 0) == GAINS[name]


@pytest.mark.slow
@pytest.mark.shared
def test_a_file_outside_owl_dl_is_refused(real, shared_data):
    said = told(Path(shared_data, "ontology", "benchmark", "222", "onto.rdf"))
    assert "Non-simple property 'isPartOf'" in said
