"""Alignment RDF: others' files, and what is written."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given

from common.examples import settings
from ontology.small_vocabularies import MAPPINGS
from ontology.test_mapping import FOUND, said, written
from tamis._core.errors import DataError
from tamis.ontology import Correspondence, Mapping, read_mapping
from tamis.ontology.mapping_files.alignment_writing import alignment_text

HEAD = (
    "<?xml version='1.0' encoding='utf-8'?>\n"
    "<rdf:RDF xmlns='http://knowledgeweb.semanticweb.org/heterogeneity/alignment'\n"
    "  xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n<Alignment>\n"
)
CELL = (
    "<map><Cell><entity1 rdf:resource='http://a#{0}'/><entity2 rdf:resource='http://b#{0}'/>"
    "<measure>{1}</measure><relation>{2}</relation></Cell></map>\n"
)
TAIL = "</Alignment></rdf:RDF>\n"


def read(folder, text, name="known.rdf"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_mapping(path)


@pytest.mark.shared
def test_every_shared_alignment_reads(shared_data):
    """51 of the benchmark, 15 of the conference and 60 of four systems on it."""
    folder = shared_data / "ontology"
    benchmark = {
        path.parent.name: read_mapping(path)
        for path in sorted(folder.glob("benchmark/*/refalign.rdf"))
    }
    assert len(benchmark) == 51
    cells = {"101": 97, "228": 33, "301": 61, "302": 48, "303": 49, "304": 76, "102": 0}
    equal = {"301": 52, "302": 37, "303": 41, "304": 74}
    assert {name: len(benchmark[name].correspondences) for name in cells} == cells
    assert {name: len(benchmark[name]) for name in equal} == equal
    conference = [read_mapping(path) for path in folder.glob("conference/alignments/*.rdf")]
    assert sum(len(one.correspondences) for one in conference) == 230
    systems = [read_mapping(path) for path in folder.glob("conference/oaei2019*/*/*.rdf")]
    assert (len(conference), len(systems)) == (15, 60)
    every = [*benchmark.values(), *conference, *systems]
    assert all(one.source and one.target for one in every)
    relations = Counter(c.relation for one in every for c in one.correspondences)
    assert relations == {"=": 4532, "<": 27, ">": 3}
    assert [one.remarks for one in every if one.remarks] == [("1 measure above 1 taken for 1",)]


def test_what_stands_reads_again():
    text, again = written(FOUND, ".rdf")
    assert said(again, "mapped") == [
        Correspondence(c.source, c.target, c.relation, c.confidence) for c in FOUND.mapped
    ]
    assert (again.source, again.target, again.tool) == ("http://a", "http://b", "tamis 0.1")
    assert (again.source_name, again.target_name) == ("a.owl", "b.obo")
    assert b"<type>??</type>" in text


@settings(max_examples=25)
@given(MAPPINGS)
def test_what_stands_reads_again_whatever_it_is(mapping):
    _, again = written(mapping, ".rdf")
    keys = [(c.source, c.target, c.relation, c.confidence) for c in said(again, "mapped")]
    assert keys == [
        (c.source, c.target, c.relation, c.confidence) for c in said(mapping, "mapped", "accepted")
    ]


def test_others_read_what_we_write(tmp_path):
    """As RDF, where each cell is a node with the two entities."""
    rdf = pytest.importorskip("pyoxigraph")
    rows = tuple(Correspondence(f"http://a#{k}&<'", f'http://b#{k}"', "<") for k in range(3))
    text = alignment_text(Mapping(rows, "http://a", "http://b"))
    triples = list(rdf.parse(text.encode(), format=rdf.RdfFormat.RDF_XML, lenient=True))
    entities = {t.object.value for t in triples if t.predicate.value.endswith("entity1")}
    assert entities == {c.source for c in rows}


def test_relations_of_all_tools(tmp_path):
    api = "fr.inrialpes.exmo.align.impl.rel."
    words = [
        "=",
        "&lt;",
        "&gt;",
        "&amp;lt;",
        "\u2261",
        f"{api}EquivRelation",
        f"{api}SubsumedRelation",
        "?",
        "%",
        "InstanceOf",
    ]
    text = HEAD + "".join(CELL.format(k, 1.0, word) for k, word in enumerate(words)) + TAIL
    found = read(tmp_path, text)
    assert {c.source[-1]: c.relation for c in found.mapped} == dict(
        zip("0123456", "=<><==<", strict=True)
    )
    assert [c.source[-1] for c in found.correspondences if c.status == "uncertain"] == ["7"]
    assert found.remarks == tuple(
        f"1 cell left out: the relation {word!r} says neither equivalent, broader nor narrower"
        for word in ("%", "InstanceOf")
    )


def test_names_in_texts_nested_ontologies_bases_and_missing_measures(tmp_path):
    text = HEAD.replace("<rdf:RDF", "<rdf:RDF xml:base='http://base/'").replace(
        "<Alignment>",
        "<Alignment><onto1><Ontology rdf:about='http://a'><location>file:/x/a.owl</location>"
        "</Ontology></onto1><onto2><Ontology rdf:about='http://b'><location>http://y/b.owl"
        "</location></Ontology></onto2>",
    )
    text += (
        "<map><Cell><entity1>http://a#1</entity1><entity2><Class rdf:about='#2'/></entity2></Cell>"
        "</map><map><Cell><entity1><And><Class/></And></entity1><entity2 rdf:resource='http://b#2'/>"
        "</Cell></map>"
    )
    found = read(tmp_path, text + TAIL)
    assert found.correspondences == (Correspondence("http://a#1", "http://base/#2"),)
    assert found.remarks == ("1 cell left out: an expression, not a class with a name",)
    assert (found.source, found.target_name) == ("http://a", "b.owl")


def test_other_encodings_and_suffixes(tmp_path):
    text = HEAD.replace("utf-8", "iso-8859-1") + CELL.format("é", 0.5, "=") + TAIL
    found = read(tmp_path, text.encode("latin-1"), "known.txt.bak")
    assert found.correspondences[0].source == "http://a#é"


LAUGHS = "".join(f"<!ENTITY l{k} '{f'&l{k - 1};' * 10}'>" for k in range(1, 9))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!DOCTYPE r [<!ENTITY l0 'ha'>" + LAUGHS + "]><r>&l8;</r>", "declares the entity 'l0'"),
        ("<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r>&x;</r>", "the entity 'x'"),
        (HEAD + CELL.format(1, "high", "=") + TAIL, "line 5: the confidence is 'high'"),
        (HEAD + CELL.format(1, -0.1, "=") + TAIL, "line 5: the confidence is '-0.1'"),
        (HEAD + CELL.format(1, "nan", "=") + TAIL, "line 5: the confidence is 'nan'"),
        (HEAD + CELL.format(1, 1, "="), "is no XML .*no element found"),
        (HEAD + "<a>" * 70, "nested too deeply"),
        (HEAD + "<a>" + "x" * 70_000, "more than 65,536 letters"),
        ("<rdf:RDF xmlns:rdf='x'/>", "holds no Alignment"),
        ("<?xml version='1.0' encoding='no-such'?><a/>", "is no XML"),
        (b"\x00\xff\x00", "is no XML"),
        ("", "is no XML"),
    ],
)
def test_faults_are_one_line(tmp_path, text, message):
    with pytest.raises(DataError, match=message) as told:
        read(tmp_path, text)
    assert "\n" not in str(told.value)


def test_what_xml_cannot_hold_is_refused():
    with pytest.raises(DataError, match="what XML cannot"):
        alignment_text(Mapping((Correspondence("http://a#\x01", "http://b#1"),)))


@pytest.mark.longer
def test_a_large_alignment_reads_in_seconds(tmp_path):
    text = HEAD + "".join(CELL.format(k, 0.5, "=") for k in range(100_000)) + TAIL
    start = time.process_time()
    found = read(tmp_path, text)
    assert len(found) == 100_000
    assert time.process_time() - start < 30
