"""Readers of ontologies given spoiled files, in a process that is watched."""

from __future__ import annotations

import gzip

import pytest

pytest.importorskip("pyoxigraph")

from fuzz.spoiled_ontologies import ontologies
from ontology.made_up import PREFIXES
from ontology.test_hostile import LAUGHS, ROOT, doctype

pytestmark = pytest.mark.longer

FAMILY = "ontologies"
LONG = 20_000  # classes of a circle
HEAD = "".join(f"@prefix {short}: <{iri}> .\n" for short, iri in PREFIXES.items())
CIRCLES = {
    "x.obo": lambda: "".join(
        f"[Term]\nid: X:{k}\nis_a: X:{(k + 1) % LONG}\n\n" for k in range(LONG)
    ),
    "x.ttl": lambda: (
        HEAD + "".join(f"obo:X_{k} rdfs:subClassOf obo:X_{(k + 1) % LONG} .\n" for k in range(LONG))
    ),
    "y.ttl": lambda: (
        HEAD  # of intersections, none of which has an end
        + "obo:X_1 a owl:Class ; owl:equivalentClass _:a . _:a owl:intersectionOf _:b . "
        "_:b rdf:first _:a ; rdf:rest _:b .\n"
    ),
}

# files that are meant to fill the memory, or that once did what they must not
ONCE = {
    "billion laughs": ("x.owl", lambda: (doctype(*LAUGHS) + ROOT.format("&l9;")).encode()),
    "an external entity": (
        "x.owl",
        lambda: (doctype('<!ENTITY e SYSTEM "file:///etc/passwd">') + ROOT.format("&e;")).encode(),
    ),
    "a label of 100 MB": ("x.owl", lambda: ROOT.format("x" * 100_000_000).encode()),
    "a label of 100 MB in OBO": ("x.obo", lambda: b"[Term]\nid: X:1\nname: " + b"x" * 100_000_000),
    "a label of 100 MB in Turtle": (
        "x.ttl",
        lambda: b'<a:b> <a:c> "' + b"x" * 100_000_000 + b'" .',
    ),
    "a label of 100 MB, packed": (
        "x.owl.gz",
        lambda: gzip.compress(ROOT.format("x" * 100_000_000).encode(), 1),
    ),
    "blanks, packed": ("x.obo.gz", lambda: gzip.compress(b" \n" * 200_000_000, 1)),
    "deep JSON": ("x.jsonld", lambda: b'{"a:b":' * 100_000 + b"1" + b"}" * 100_000),
    "deep XML": ("x.owl", lambda: b"<a>" * 1_000_000),
    "wrong encoding": ("x.ttl", lambda: '<a:b> <a:c> "é" .'.encode("latin-1")),
    "another encoding than it says": (
        "x.owl",
        lambda: b'<?xml version="1.0" encoding="utf-8"?>' + ROOT.format("é").encode("latin-1"),
    ),
    "binary": ("x.owl", lambda: bytes(range(256)) * 1000),
    "empty": ("x.owl", lambda: b""),
    "a web page": ("x.owl", lambda: b"<!DOCTYPE html>\n<html><body>404</body></html>"),
    "truncated": ("x.owl", lambda: ontologies()["x.owl"][:1200]),
}


@pytest.mark.parametrize("name", ontologies())
def test_what_is_spoiled_is_valid_at_first(watched, tmp_path, name):
    (tmp_path / name).write_bytes(ontologies()[name])
    assert watched.ask(tmp_path / name) == ("", "")


@pytest.mark.parametrize("what", ONCE)
def test_hostile_files_are_told_in_one_line(watched, tmp_path, what):
    name, content = ONCE[what]
    (tmp_path / name).write_bytes(content())
    said, fault = watched.ask(tmp_path / name)
    assert fault == ""
    assert said


@pytest.mark.parametrize("name", CIRCLES)
def test_circles_of_the_hierarchy_are_read(watched, tmp_path, name):
    (tmp_path / name).write_text(CIRCLES[name]())
    assert watched.ask(tmp_path / name) == ("", "")
