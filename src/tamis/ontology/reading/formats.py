"""Which format a text is in: known by what it holds, and by its name where that leaves it open."""

from __future__ import annotations

import re
from typing import Literal

from ..._core.errors import DataError, shorten_text

Format = Literal["RDF/XML", "Turtle", "N-Triples", "JSON-LD", "OBO"]
HEAD_BYTES = 1 << 16  # bytes that are looked at
FORMAT_BY_ENDING: dict[str, Format] = {
    ".obo": "OBO",
    ".nt": "N-Triples",
    ".ttl": "Turtle",
    ".n3": "Turtle",
    ".turtle": "Turtle",
    ".jsonld": "JSON-LD",
    ".json": "JSON-LD",
}
COMMENTS_PATTERN = re.compile(r"(?:\s+|<!--.*?-->|<\?.*?\?>|^[#!][^\n]*\n)+", re.S | re.M)
# a tag with a prefix has to declare it, after a blank
IRI_PATTERN = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*|#[^\s<>]*|/[^\s<>]*|)>")
ELEMENT_PATTERN = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)([^>]*)", re.S)
TURTLE_PATTERN = re.compile(r"@prefix|@base|PREFIX\s|BASE\s|\[|\(|_:|[\w.-]*:[\w.-]*\s", re.I)
OBO_TAG = re.compile(
    r"(?:format-version|data-version|ontology|default-namespace|date|saved-by)\s*:"
)
OTHER_FORMATS = (
    (re.compile(r"(?:Prefix|Ontology)\s*\("), "OWL functional syntax"),
    (re.compile(r"(?:Prefix|Ontology|Class)\s*:\s"), "Manchester syntax"),
)
CONVERT_ADVICE = (
    "convert it to RDF/XML or Turtle, for instance with `robot convert --input {} --output x.owl`"
)
ALLOWED_FORMATS_ADVICE = "give RDF/XML, Turtle, N-Triples, JSON-LD or OBO"


def format_of(content: bytes, name: str) -> Format:
    """The format of a file, by its first letters.

    Raises
    ------
    DataError
        It is a web page, in another format of ontologies, or in none that is known.

    Examples
    --------
    >>> format_of(b"<http://a.org/A> a <http://www.w3.org/2002/07/owl#Class> .", "a.owl")
    'Turtle'
    >>> format_of(b"format-version: 1.2", "a.txt")
    'OBO'
    """
    by_ending = FORMAT_BY_ENDING.get(_file_ending(name))
    head = content[:HEAD_BYTES].decode("utf-8", "replace").lstrip("\ufeff")
    rest = COMMENTS_PATTERN.sub("", head, count=1) if COMMENTS_PATTERN.match(head) else head
    if OBO_TAG.match(rest) or re.search(r"^\[(?:Term|Typedef)\]\s*$", head, re.M):
        return "OBO"
    if rest.startswith("<") and not IRI_PATTERN.match(rest):
        return _of_xml(rest, name)
    if rest.startswith("{") or (rest.startswith("[") and by_ending != "Turtle"):
        return "JSON-LD"
    for start, kind in OTHER_FORMATS:
        if start.match(rest):
            raise DataError(
                f"{name!r} is in {kind}, which is not read: {CONVERT_ADVICE.format(name)}"
            )
    if IRI_PATTERN.match(rest) or TURTLE_PATTERN.match(rest):
        return by_ending if by_ending == "N-Triples" else "Turtle"
    if by_ending is not None:
        return by_ending
    raise DataError(
        f"{name!r} begins with {shorten_text(rest[:40])!r}, as no ontology does: "
        f"{ALLOWED_FORMATS_ADVICE}"
    )


def _file_ending(name: str) -> str:
    """``.obo`` of ``go.OBO.gz``."""
    name = name.lower().removesuffix(".gz")
    return name[name.rfind(".") :] if "." in name else ""


def _of_xml(text: str, name: str) -> Format:
    """RDF/XML, or a refusal."""
    body = re.sub(
        r"\A<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*(?:\[.*?\]\s*)?>", "", text, flags=re.S
    )
    if re.match(r"<!DOCTYPE\s+html", text, re.I):
        body = "<html"
    found = ELEMENT_PATTERN.match(
        COMMENTS_PATTERN.sub("", body, count=1) if COMMENTS_PATTERN.match(body) else body
    )
    root = found[2] if found else ""
    if root.lower() == "html":
        raise DataError(
            f"{name!r} is a web page (HTML): download the file itself, not the page that shows it"
        )
    if root == "Ontology" and not (found and found[1] == "owl:"):
        raise DataError(f"{name!r} is in OWL/XML, which is not read: {CONVERT_ADVICE.format(name)}")
    if root != "RDF" and found and "22-rdf-syntax-ns#" not in found[3] and "22-rdf" not in text:
        raise DataError(
            f"{name!r} is XML and holds <{shorten_text(root)}>, no ontology: "
            f"{ALLOWED_FORMATS_ADVICE}"
        )
    return "RDF/XML"
