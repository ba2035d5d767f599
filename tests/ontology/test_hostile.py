"""Files that are made to fill the memory, or to fetch what is not theirs."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.ontology import read_ontology
from tamis.ontology.reading.nesting import _depth_of_brackets, _depth_of_xml

ROOT = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">'
    '<owl:Class rdf:about="http://a.org/A"><rdfs:label>{}</rdfs:label></owl:Class></rdf:RDF>'
)


def doctype(*entities):
    return "<!DOCTYPE rdf:RDF [" + " ".join(entities) + "]>\n"


LAUGHS = ['<!ENTITY l0 "lol">'] + [f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10)]
REFUSED = {
    "billion laughs": (doctype(*LAUGHS) + ROOT.format("&l9;"), "expand too far"),
    "an entity of itself": (
        doctype('<!ENTITY a "&b;">', '<!ENTITY b "&a;">') + ROOT.format("&a;"),
        "not valid RDF/XML",
    ),
    "quadratic": (doctype(f'<!ENTITY a "{"x" * 1000}">') + ROOT.format("&a;" * 400_000), "longer"),
    "a long entity": (doctype(f'<!ENTITY a "{"x" * 100_000}">') + ROOT.format("&a;"), "too far"),
    "an external entity": (
        doctype('<!ENTITY e SYSTEM "file:///etc/passwd">') + ROOT.format("&e;"),
        "external entity 'e'",
    ),
    "a public entity": (
        doctype('<!ENTITY e PUBLIC "x" "http://a.org/e">') + ROOT.format("&e;"),
        "external entity 'e'",
    ),
    "a parameter": (doctype('<!ENTITY % p "x">', "%p;") + ROOT.format("a"), "parameter entity"),
    "many entities": (
        doctype(*(f'<!ENTITY e{k} "x">' for k in range(2000))) + ROOT.format("a"),
        "too far",
    ),
    "no such entity": (ROOT.format("&gone;"), "not valid RDF/XML"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_entities_that_expand_or_come_from_elsewhere(tmp_path, what):
    text, said = REFUSED[what]
    path = tmp_path / "x.owl"
    path.write_text(text)
    with pytest.raises(DataError) as error:
        read_ontology(path)
    assert said in str(error.value)
    assert len(str(error.value)) < 480


def test_short_entities_of_the_file_are_read(tmp_path):
    path = tmp_path / "x.owl"
    short = doctype('<!ENTITY a "http://a.org/">', "<!ENTITY b '&a;b#'>", '<!ENTITY a "again">')
    path.write_text(
        '<?xml version="1.0"?>\n<!-- <!DOCTYPE x> -->\n' + short + ROOT.format("&b;c &lt;")
    )
    assert read_ontology(path).labels == ("http://a.org/b#c <",)
    path.write_text('<!DOCTYPE rdf:RDF SYSTEM "http://a.org/x.dtd">' + ROOT.format("heart"))
    assert read_ontology(path).labels == ("heart",)  # nothing is fetched


def test_packed_bombs_are_not_unpacked_to_the_end(tmp_path, monkeypatch):
    path = tmp_path / "x.owl.gz"
    path.write_bytes(gzip.compress(b" " * 50_000_000))
    monkeypatch.setenv("TAMIS_LARGEST_ONTOLOGY", "20000000")
    with pytest.raises(DataError, match="unpacks to more than 20 MB"):
        read_ontology(path)


def test_more_classes_than_are_read(tmp_path, monkeypatch):
    path = tmp_path / "x.obo"
    path.write_text("".join(f"[Term]\nid: X:{k}\n\n" for k in range(30)))
    monkeypatch.setenv("TAMIS_MOST_CLASSES", "20")
    with pytest.raises(DataError, match="30 classes, and at most 20"):
        read_ontology(path)


@pytest.mark.parametrize("depth", [400, 100_000])
def test_what_is_nested_deeply(tmp_path, depth):
    nested = {
        "x.ttl": "<a:a> <a:b> " + "[ <a:b> " * depth + "1" + " ]" * depth + " .",
        "x.jsonld": '{"a:b":' * depth + "1" + "}" * depth,
        "x.owl": ROOT.replace("{}", "<rdf:Description><rdfs:label>" * depth),
    }
    for name, text in nested.items():
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(DataError) as error:
            read_ontology(path)
        assert ("levels deep" in str(error.value)) == (depth > 400 and name != "x.ttl")


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        (b"<a></a>", 1),
        (b"<a><b><c/></b><b></b></a>", 3),
        (b"<?xml version='1.0'?><!-- x --><a><b/></a>", 2),
        (b"<a/>" * 5, 1),
        (b"", 0),
    ],
)
def test_the_depth_of_tags(text, depth):
    assert _depth_of_xml(np.frombuffer(text, dtype=np.uint8)) == depth


@pytest.mark.parametrize(
    ("text", "depth"), [(b"[{()}]()", 3), (b"()()", 1), (b"no", 0), (b"((", 2), (b"))((", 0)]
)
def test_the_depth_of_brackets(text, depth):
    assert _depth_of_brackets(text) == depth
