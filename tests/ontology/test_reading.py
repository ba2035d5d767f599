"""Files -> `Ontology`: every format, and all that names and individuals hide behind."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from ontology.made_up import EXPECTED, OBO, RDF_XML, TURTLE, content_of
from tamis._core.errors import DataError, TamisError
from tamis.ontology import read_ontology
from tamis.ontology.index import INDEX_MAGIC, INDEX_VERSION

HEAD = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#"
 xmlns:oio="http://www.geneontology.org/formats/oboInOwl#" xml:base="http://a.org/x">"""
PREFIX = """
@prefix : <http://a.org/x#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


@pytest.fixture
def read(tmp_path):
    """Read a text, by default Turtle with the usual prefixes."""

    def reading(text, name="x.ttl"):
        path = tmp_path / name
        text = PREFIX + text if name == "x.ttl" else text
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_ontology(path)

    return reading


def as_format(kind):
    """The Turtle above as another format of RDF."""
    import pyoxigraph as ox

    quads = ox.parse(TURTLE, format=ox.RdfFormat.TURTLE)
    return ox.serialize((q.triple for q in quads), format=getattr(ox.RdfFormat, kind))


FORMATS = {
    "RDF/XML": (RDF_XML, "x.owl"),
    "Turtle": (TURTLE, "x.ttl"),
    "Turtle named .owl": (TURTLE, "x.owl"),
    "RDF/XML without a name": (RDF_XML, "x"),
    "RDF/XML in UTF-16": (RDF_XML.replace("iso-8859-1", "utf-16").encode("utf-16"), "x.rdf"),
    "Turtle with a mark": ("\ufeff" + TURTLE, "x.n3"),
    "N-Triples": (lambda: as_format("N_TRIPLES"), "x.nt"),
    "N-Triples named .owl": (lambda: as_format("N_TRIPLES"), "x.owl"),
    "JSON-LD": (lambda: as_format("JSON_LD"), "x.jsonld"),
    "another RDF/XML": (lambda: as_format("RDF_XML"), "x.xml"),
    "OBO": (OBO, "x.obo"),
    "OBO named .txt": (OBO, "x.txt"),
    "OBO of Windows": (OBO.replace("\n", "\r\n"), "x.obo"),
    "RDF/XML packed": (gzip.compress(RDF_XML.encode("latin-1")), "x.owl.gz"),
    "OBO packed": (gzip.compress(OBO.encode()), "x.obo.gz"),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_content_is_the_same_ontology_in_every_format(tmp_path, kind):
    text, name = FORMATS[kind]
    text = text() if callable(text) else text
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read_ontology(path)
    assert content_of(found) == content_of(EXPECTED)
    assert found.name == name
    found.write(tmp_path / "index")
    again = read_ontology(tmp_path / "index")
    assert content_of(again) == content_of(EXPECTED)
    assert again.name == name


def test_the_order_of_statements_does_not_matter(tmp_path):
    lines = as_format("N_TRIPLES").decode().splitlines()
    for seed in range(5):
        random.Random(seed).shuffle(lines)
        path = tmp_path / "x.nt"
        path.write_text("\n".join(lines))
        assert content_of(read_ontology(path)) == content_of(EXPECTED)


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-8", "windows-1252", "utf-16", "ascii"])
def test_declared_encodings(read, encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?>{HEAD}<owl:Class rdf:ID="A">'
    text += "<rdfs:label>cœur é</rdfs:label></owl:Class></rdf:RDF>"
    written = "utf-8" if encoding == "ascii" else encoding  # many files call themselves so
    found = read(text.encode(written, "ignore"), "x.owl")
    assert found.labels == ("cœur é",) if encoding != "iso-8859-1" else ("cur é",)


def test_labels_in_english_or_without_a_language_come_first(read):
    found = read(
        ':A a owl:Class ; rdfs:label "Herz"@de, "heart"@en-GB ; skos:prefLabel "coeur"@fr, '
        '"core" . :B a owl:Class ; rdfs:label "nur Deutsch"@de . '
        ':C a owl:Class ; rdfs:label "  two \\n words" .'
    )
    assert found.labels == ("heart", "nur Deutsch", "two words")
    assert found.synonyms[0] == ("Herz", "coeur", "core")
    assert found.labelled.all()


def test_missing_labels_are_local_names_in_words_and_said(read):
    found = read(
        ":AcademicEvent a owl:Class . :has_an_ISBN a owl:Class . <urn:a:XMLFile> a owl:Class ."
        '<http://a.org/x/Y/> a owl:Class ; rdfs:label "" .'
    )
    assert set(found.labels) == {"Academic Event", "has an ISBN", "XML File", "Y"}
    assert not found.labelled.any()
    assert found.remarks == (
        "4 of 4 classes without a label: the local name, in words, stands for it",
    )


def test_names_behind_nodes(read):
    found = read(
        ':A a owl:Class ; rdfs:label "a" ; oio:hasRelatedSynonym :g1 ; oio:hasExactSynonym [ '
        'rdfs:label "exact" ] ; oio:hasDefinition [ rdfs:label "says what" ] . '
        ':g1 a oio:Synonym ; rdfs:label "behind an IRI" . oio:Synonym a owl:Class . '
        "oio:DbXref a owl:Class ."
        ':B a owl:Class ; xl:prefLabel [ xl:literalForm "preferred" ] ; xl:altLabel [ '
        'xl:literalForm "other" ] ; skos:hiddenLabel "prefered" . [] a owl:Axiom ; '
        "owl:annotatedSource :B ; owl:annotatedProperty oio:hasNarrowSynonym ; "
        'owl:annotatedTarget "narrow" .'
    )
    assert found.labels == ("a", "preferred")
    assert found.synonyms == (("exact",), ("other",))
    assert found.related == (("behind an IRI",), ("narrow", "prefered"))
    assert found.definitions == ("says what", "")
    assert not found.individuals  # nodes of synonyms are none, nor are classes of the format


def test_vocabularies_of_skos_are_classes(read):
    found = read(
        ':s a skos:ConceptScheme . :A a skos:Concept ; skos:prefLabel "animal" ; skos:narrower :C .'
        ':B a skos:Concept ; skos:broader :A ; skos:altLabel "pooch" ; skos:definition "barks" .'
        ":C a skos:Concept ."
    )
    assert found.parents == ((), (0,), (0,))
    assert (found.synonyms[1], found.definitions[1]) == (("pooch",), "barks")
    assert found.iri == "http://a.org/x#s"


def test_individuals_need_no_declaration_and_no_name(read):
    found = read(
        ":A a owl:Class . :p a owl:ObjectProperty, :A . :B a owl:Class, :A . :i a :A . [] a :A . "
        '[] a :B ; rdfs:label "b" . :j a owl:NamedIndividual . :k a :Elsewhere . rdf:nil a :A .'
    )
    assert [(one.name, one.types) for one in found.individuals] == [
        ("http://a.org/x#i", (0,)),
        ("http://a.org/x#j", ()),
        ("_:1", (0,)),
        ("_:2", (1,)),
    ]
    assert [one.label for one in found.individuals] == ["i", "j", "", "b"]


def test_properties_have_domains_ranges_and_kinds(read):
    found = read(
        ":A a owl:Class . :B a owl:Class . :o a owl:ObjectProperty ; rdfs:domain [ a owl:Class ; "
        "owl:unionOf ( :A :B ) ] ; rdfs:range :B . :d a owl:DatatypeProperty, "
        "owl:FunctionalProperty ; rdfs:domain :A ; rdfs:range xsd:string . :n a "
        "owl:AnnotationProperty . :r a rdf:Property ; rdfs:range :A . :f a owl:FunctionalProperty "
        "; rdfs:range xsd:date . :q a rdf:Property ."
    )
    said = {p.iri[-1]: (p.kind, p.domains, p.ranges, p.datatypes) for p in found.properties}
    assert said == {
        "o": ("object", (0, 1), (1,), ()),
        "d": ("data", (0,), (), ("string",)),
        "n": ("annotation", (), (), ()),
        "r": ("object", (), (0,), ()),
        "f": ("data", (), (), ("date",)),
        "q": ("annotation", (), (), ()),
    }


def test_restrictions_are_found_wherever_they_stand(read):
    r = "[ a owl:Restriction ; owl:onProperty :p ; owl:{} {} ]"
    found = read(
        ":p a owl:ObjectProperty . :A a owl:Class . :B a owl:Class ; rdfs:subClassOf "
        + r.format("allValuesFrom", "[ owl:unionOf ( :A :C ) ]")
        + " . :C a owl:Class ; "
        "owl:intersectionOf ( :A " + r.format("minCardinality", 1) + " ) . :D a owl:Class ; "
        "owl:equivalentClass [ owl:intersectionOf ( :B [ owl:intersectionOf ( :C "
        + r.format("onClass", ":D")
        + " ) ] ) ] ."
    )
    assert found.restrictions == ((1, 0, 0), (1, 0, 2), (2, 0, -1), (3, 0, 3))
    assert found.parents == ((), (), (0,), (1, 2))


def test_obsolete_classes(read):
    found = read(
        ":A a owl:DeprecatedClass . :B a owl:Class ; owl:deprecated true . :C a owl:Class ; "
        "rdfs:subClassOf oio:ObsoleteClass . :D a owl:Class ; owl:deprecated false ."
    )
    assert found.obsolete.tolist() == [True, True, True, False]
    assert not found.remarks[1:]


def test_circles_are_broken_whatever_the_order(read):
    found = read(
        ":A a owl:Class ; rdfs:subClassOf :B . :B a owl:Class ; rdfs:subClassOf :C . :C a owl:Class"
        " ; rdfs:subClassOf :A, :Top . :D a owl:Class ; rdfs:subClassOf :C . :Top a owl:Class ; "
        "rdfs:subClassOf :Top, owl:Thing . :E a owl:Class ; owl:equivalentClass :D ."
    )
    assert found.parents == ((5,), (5,), (5,), (2,), (2,), ())
    assert sum("circle" in remark for remark in found.remarks) == 1
    assert "1 circle in the hierarchy" in found.remarks[1]
    assert sorted(found.downwards) == list(range(6))


def test_a_list_that_runs_in_a_circle_ends(read):
    found = read(
        ":A a owl:Class . :B a owl:Class ; owl:intersectionOf _:l . "
        "_:l rdf:first :A ; rdf:rest _:l ."
    )
    assert found.parents == ((), (0,))


def test_classes_of_a_union_are_below_it(read):
    found = read(
        ":A a owl:Class ; owl:equivalentClass [ owl:unionOf ( :B :C ) ] . :B a owl:Class . "
        ":C a owl:Class ."
    )
    assert found.parents == ((), (0,), (0,))


def test_the_longest_definition_in_english_counts(read):
    texts = '"short", "a longer one"@en, "la plus longue de toutes"@fr'
    found = read(f':A a owl:Class ; skos:definition {texts} ; rdfs:comment "a much longer one" .')
    assert found.definitions == ("a longer one",)


def test_superclasses_of_other_ontologies_are_left_out_and_said(read):
    found = read(":A rdfs:subClassOf <http://b.org/B> .")
    assert found.parents == ((),)
    assert "1 superclass ('http://b.org/B') of other ontologies" in found.remarks[1]


def test_names_given_twice_are_joined_and_said(read):
    found = read(
        f'{HEAD}<owl:Class rdf:ID="A"/><owl:Class rdf:ID="A"><rdfs:label>a</rdfs:label></owl:Class>'
        "</rdf:RDF>",
        "x.owl",
    )
    assert found.labels == ("a",)
    assert found.remarks == ("1 rdf:ID used more than once ('A'): what the places state is joined",)


def test_relative_names_without_a_base_are_of_the_file(read):
    text = HEAD.replace(' xml:base="http://a.org/x"', "") + '<owl:Class rdf:about="#A"/></rdf:RDF>'
    assert read(text, "my x.owl").iris == ("file:///my%20x.owl#A",)


def test_long_names_are_cut_and_said(read, monkeypatch):
    monkeypatch.setenv("TAMIS_LONGEST_NAME", "20")
    found = read(f':A a owl:Class ; rdfs:label "{"a" * 30}" ; skos:altLabel "{"a" * 21}", "b" .')
    assert found.labels == ("a" * 20,)
    assert found.synonyms == (("a" * 20, "b"),)
    assert "2 names of more than 20 letters: cut there" in found.remarks[0]


# what real OBO files hold that its grammar does not allow; stricter readers refuse them
LOOSE = {
    "quotes inside": ('def: "the "pump" of it" [PMID:1]', "definitions", 'the "pump" of it'),
    "no list of references": ('synonym: "cor" EXACT', "synonyms", ("cor",)),
    "a synonym of version 1.0": ('narrow_synonym: "cor" []', "related", ("cor",)),
    "a synonym without a scope": ('synonym: "cor" []', "related", ("cor",)),
    "a type of synonym": ('synonym: "c, o" EXACT ABBREVIATION [x:y]', "synonyms", ("c, o",)),
    "a text without quotes": ("def: pumps", "definitions", "pumps"),
    "a tag of its own": ("my_tag: 1", "labels", "heart"),
    "a reference with blanks": ("xref: Wikipedia: Heart organ", "labels", "heart"),
    "a comment": ("comment: see also {x} and more", "definitions", "see also {x} and more"),
    "escapes": (r'def: "a\, b\: \"c\"\nd" []', "definitions", 'a, b: "c" d'),
}


@pytest.mark.parametrize("what", LOOSE)
def test_obo_as_it_is_met(read, what):
    line, where, expected = LOOSE[what]
    found = read(f"[Term]\nid: X:1\nname: heart ! organ\n{line}\n\n[Term]\nid: X:2\n", "x.obo")
    assert getattr(found, where)[0] == expected
    assert len(found) == 2


@pytest.mark.parametrize(
    ("written", "obsolete"),
    [("true", True), ("TRUE", True), ("True", True), ("1", True), ("yes", True), ("false", False),
     ("FALSE", False), ("0", False), ("10", False), ("true ! for long", True)],
)  # fmt: skip
def test_an_obsolete_class_of_obo_however_it_is_written(read, written, obsolete):
    found = read(f"[Term]\nid: X:1\nname: a\nis_obsolete: {written}\n", "x.obo")
    assert found.obsolete.tolist() == [obsolete]


def test_remarks_of_obo_are_no_lines_without_a_tag(read):
    text = "! of today\n[Term]\n! the heart\nid: X:1\n  ! more\nname: heart\n"
    assert read(text, "x.obo").remarks == ()
    (remark,) = read(text + "heart, the\n", "x.obo").remarks
    assert remark == "1 line of no tag, or stanzas of no id: left out"


def test_more_tags_of_obo(read):
    found = read(
        "[Term]\nid: X:1\nis_a: X:3\n[Term]\nid: X:2\nunion_of: X:3\nunion_of: X:4\n"
        "[Term]\nid: X:3\n[Term]\nid: X:4\n[Term]\nid: X:5\nequivalent_to: X:1\n"
        "[Typedef]\nid: X:6\ndomain: X:1\nrange: X:3\n"
        "[Typedef]\nid: X:7\nis_metadata_tag: true\n",
        "x.obo",
    )
    assert found.parents == ((2,), (), (1,), (1,), (2,))
    said = [(one.kind, one.domains, one.ranges) for one in found.properties]
    assert said == [("object", (0,), (2,)), ("annotation", (), ())]


def test_identifiers_of_obo(read):
    found = read(
        "format-version: 1.2\nontology: z\nidspace: Q http://q.org/ words\n[Term]\nid: Q:7\n\n"
        "[Term]\nid: http://b.org/B\n\n[Term]\nid: lonely one\n\n[Term]\nid: X:1\n"
        "is_a: lonely one ! x\n\n[Term]\nname: without\n\nstray words\n",
        "x.obo",
    )
    base = "http://purl.obolibrary.org/obo/"
    lonely = f"{base}z#lonely%20one"
    assert set(found.iris) == {"http://q.org/7", "http://b.org/B", lonely, f"{base}X_1"}
    assert found[f"{base}X_1"].parents == (lonely,)
    assert "2 lines of no tag, or stanzas of no id: left out" in found.remarks


REFUSED = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n", "is empty"),
    "binary": (bytes(range(256)) * 20, "no text"),
    "a web page": (b"<!DOCTYPE html>\n<html><body>Not found</body></html>", "web page"),
    "another web page": (b"\n<html lang='en'><head>", "web page"),
    "OWL/XML": (
        b'<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#"></Ontology>',
        "OWL/XML",
    ),
    "functional syntax": (b"Prefix(:=<http://a.org/>)\nOntology(<http://a.org/>)", "functional"),
    "Manchester syntax": (b"Prefix: : <http://a.org/>\nClass: A", "Manchester"),
    "other XML": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "<svg>"),
    "words": (b"To whom it may concern", "begins with"),
    "no class": (PREFIX.encode() + b':a rdfs:label "a" .', "no class"),
    "truncated": (RDF_XML.encode()[:900], "not valid RDF/XML"),
    "truncated Turtle": (TURTLE.encode()[:900], "not valid Turtle"),
    "another encoding": (
        TURTLE.encode().replace(b"heart", b"h\xe9art"),
        "not UTF-8 (line 10): save it as UTF-8, for",
    ),
    "another encoding of XML": (
        b"<?xml version='1.0'?><rdf:RDF>\xe9</rdf:RDF>",
        "as <?xml version=",
    ),
    "no such encoding": (b'<?xml version="1.0" encoding="klingon"?><rdf:RDF/>', "klingon"),
    "no text encoding": (b'<?xml version="1.0" encoding="idna"?><rdf:RDF/>', "idna"),
    "damaged gzip": (gzip.compress(TURTLE.encode() * 50)[:90], "damaged gzip"),
    "an index of another version": (b"TAMIS ontology index 99\n", "format '99'; this one reads"),
    "a damaged index": (INDEX_MAGIC + INDEX_VERSION + b"\nabc\nxyz", "damaged ontology index"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_ontology_is_refused_in_one_line(tmp_path, what):
    content, said = REFUSED[what]
    path = tmp_path / "thing.owl"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"thing\.owl") as error:
        read_ontology(path)
    assert said in str(error.value)
    assert len(str(error.value)) < 480


def test_a_wrong_byte_is_told_with_its_line_in_any_block(tmp_path, monkeypatch):
    monkeypatch.setattr("tamis.ontology.reading.content.BLOCK_BYTES", 7)
    (path := tmp_path / "x.ttl").write_bytes(b"# caf\xc3\xa9\n" * 9 + b"# caf\xc3\n")
    with pytest.raises(DataError, match=r"not UTF-8 \(line 10\)"):
        read_ontology(path)


def test_files_that_are_not_there(tmp_path):
    address = Path("https://purl.obolibrary.org/obo/hp.owl")
    for path, said in (
        (tmp_path, "folder"),
        (tmp_path / "x.owl", "does not exist"),
        (address, "'https://purl.obolibrary.org/obo/hp.owl' is an address, and nothing is fetched"),
    ):
        with pytest.raises(TamisError, match=said):
            read_ontology(path)
