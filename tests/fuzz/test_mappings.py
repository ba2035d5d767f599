"""Files of mappings that are spoiled, given to Python and to the commands in a watched process."""

from __future__ import annotations

import json

import pytest

from fuzz.mapping_files import BESIDE, PAIR, mappings

pytestmark = pytest.mark.longer

FAMILY = "mappings"
MB = 1_000_000
LAUGHS = b'<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
CELL = (
    b"<map><Cell><entity1 rdf:resource='http://a#1'/><entity2 rdf:resource='http://b#1'/>%s"
    b"</Cell></map>"
)
RDF = (
    b"<?xml version='1.0'?>%s<rdf:RDF xmlns='http://knowledgeweb.semanticweb.org/heterogeneity/"
    b"alignment' xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><Alignment>%s"
    b"</Alignment></rdf:RDF>"
)
TABLE = b"subject_id\tpredicate_id\tobject_id\nhttp://a#1\tskos:exactMatch\thttp://b#1\n"
SHEET = b"match\tsource\ttarget\n"
SOURCE, TARGET = (one.iris[0].encode() for one in PAIR)
PAIRS = b"%s\t%s\n" % (SOURCE, TARGET)


def long_text():
    return b"x" * (100 * MB)


# name and what makes the content: files that fill the memory, take for ever or once did harm
REFUSED = {
    "truncated": ("x.rdf", lambda: mappings()["x.rdf"][:900]),
    "a wrong encoding": ("x.tsv", lambda: "a:1\tb:é\n".encode("latin-1")),
    "two bytes a letter": ("x.tsv", lambda: "a:1\tb:1\n".encode("utf-16")),
    "an unknown encoding": ("x.rdf", lambda: b"<?xml version='1.0' encoding='x-none'?><a/>"),
    "billion laughs": ("x.rdf", lambda: RDF % (LAUGHS, CELL % b"<relation>&b;</relation>")),
    "an external entity": (
        "x.rdf",
        lambda: RDF % (b'<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>', CELL % b"&a;"),
    ),
    "a text of 100 MB": (
        "x.rdf",
        lambda: RDF % (b"", CELL % (b"<relation>%s</relation>" % long_text())),
    ),
    "a comment of 100 MB": ("x.rdf", lambda: RDF % (b"<!--%s-->" % long_text(), b"")),
    "an attribute of 100 MB": ("x.rdf", lambda: RDF % (b"", CELL % (b"<a b='%s'/>" % long_text()))),
    "elements in each other": ("x.rdf", lambda: RDF % (b"", b"<a>" * MB)),
    "an IRI that is none": (
        "x.rdf",
        lambda: (RDF % (b"", CELL % b"")).replace(b"RDF xmlns=", b"RDF xml:base='//[' xmlns="),
    ),
    "a label of 100 MB": ("x.tsv", lambda: PAIRS + long_text() + b"\t" + TARGET),
    "a label of 100 MB in quotes": ("x.csv", lambda: b'a,"' + long_text() + b'"\n'),
    "a quotation mark that stays open": ("x.tsv", lambda: PAIRS + b'"' + b"a\tb\n" * MB),
    "anchors and aliases": ("x.tsv", lambda: b"#a: &a [x, x]\n#b: [*a, *a]\n" + TABLE),
    "lists in each other": ("x.tsv", lambda: b"#a: " + b"[" * 100_000 + b"\n" + TABLE),
    "metadata of 100 MB": ("x.tsv", lambda: b"#comment: " + long_text() + b"\n" + TABLE),
    "a million lines of metadata": ("x.tsv", lambda: b"#- a\n" * MB + TABLE),
    "lists in JSON": ("x.json", lambda: b"[" * MB),
    "a number of 5,000 digits": (
        "x.json",
        lambda: mappings()["x.json"].replace(b'"version": 1', b'"version": ' + b"1" * 5000),
    ),
    "a label of 100 MB in JSON": (
        "x.json",
        lambda: json.dumps({"kind": "ontology mapping", "source": "x" * 100 * MB}).encode(),
    ),
    "columns without end": (
        "x.tsv",
        lambda: b"a\tb" + b"\t" * 10 * MB + b"\na\tb" + b"\t" * 20 * MB,
    ),
    "a name of nobody": ("x.tsv", lambda: PAIRS + b"nobody " * 20_000 + b"\t" + TARGET + b"\n"),
    "a sheet with a wrong word": ("x.tsv", lambda: SHEET + b"perhaps\t" + PAIRS),
    "a sheet of yes and no": ("x.tsv", lambda: SHEET + b"yes\t" + PAIRS + b"no\t" + PAIRS),
    "a sheet with an answer of 100 MB": ("x.tsv", lambda: SHEET + long_text() + b"\t" + PAIRS),
    "a sheet of a class that is not there": (
        "x.tsv",
        lambda: SHEET + b"yes\t" + TARGET + b"\t" + SOURCE,
    ),
    "binary": ("x.tsv", lambda: bytes(range(256)) * 1000),
    "empty": ("x.tsv", lambda: b""),
}
READ = {
    "the same pair again and again": ("x.tsv", lambda: PAIRS * 20_000),
    "blank lines": ("x.tsv", lambda: PAIRS + b"\n" * MB),
    "a million blanks": ("x.tsv", lambda: SOURCE + b"\t" + TARGET + b" " * MB + b"\n"),
}


# Those that take longest.
DEAR = {
    "a label of 100 MB in quotes",
    "a million lines of metadata",
    "columns without end",
    "metadata of 100 MB",
    "blank lines",
    "the same pair again and again",
}


def _marked(names):
    return [pytest.param(one, marks=pytest.mark.slow if one in DEAR else ()) for one in names]


@pytest.mark.parametrize("name", mappings())
def test_what_is_spoiled_is_valid_at_first(watched, tmp_path, name):
    names = ("beside.sssom.tsv", BESIDE) if name == BESIDE else (name,)
    for one in names:
        (tmp_path / one).write_bytes(mappings()[one])
    assert watched.ask(tmp_path / names[0]) == ("", "")


@pytest.mark.parametrize("what", _marked(REFUSED))
def test_hostile_files_are_told_in_one_line(watched, tmp_path, what):
    name, content = REFUSED[what]
    (tmp_path / name).write_bytes(content())
    said, fault = watched.ask(tmp_path / name)
    assert fault == ""
    assert said


@pytest.mark.parametrize("what", _marked(READ))
def test_long_files_are_read(watched, tmp_path, what):
    name, content = READ[what]
    (tmp_path / name).write_bytes(content())
    assert watched.ask(tmp_path / name) == ("", "")


def test_a_creator_whose_prefix_is_not_declared_is_kept(watched, tmp_path):
    (tmp_path / "x.tsv").write_bytes(
        b"#curie_map:\n#  a: http://a#\n#creator_id: orcid:1\n" + TABLE
    )
    said, fault = watched.ask(tmp_path / "x.tsv")
    assert "orcid" not in said + fault
