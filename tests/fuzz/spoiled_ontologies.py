"""Inputs of the fuzzer of ontologies: the k-th of a seed is always the same."""

from __future__ import annotations

import gzip
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from fuzz.mutate import mutate
from ontology.made_up import EXPECTED, OBO, RDF_XML, TURTLE

QUESTIONS = "fuzz.ontology_questions"
ENTITIES = [b"&owl;", b"&o;", b"&l;", b'<!ENTITY l "&o;&o;">', b"<![CDATA[", b"]]>", b"<!--",
            b"-->",
            b"rdf:nodeID='a'", b"rdf:parseType='Literal'", b"xml:lang='x y'", b"<a>", b"</a>", b"[",
            b"]", b"(", b")", b"{", b"}", b"_:b1", b"<http://a.org/ b>", b'"""', b"[Term]\n",
            b"id: ",
            b"\\", b'"a" EXACT [', b"is_a: X:2\n", b" ! "]  # fmt: skip


@cache
def ontologies() -> dict[str, bytes]:
    """The same small ontology in every format."""
    import pyoxigraph as ox

    def other(kind: ox.RdfFormat) -> bytes:
        quads = ox.parse(TURTLE, format=ox.RdfFormat.TURTLE)
        return ox.serialize((quad.triple for quad in quads), format=kind) or b""

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.index")
        EXPECTED.write(path)
        index = path.read_bytes()
    return {
        "x.owl": RDF_XML.encode("latin-1"),
        "x.ttl": TURTLE.encode(),
        "x.obo": OBO.encode(),
        "x.nt": other(ox.RdfFormat.N_TRIPLES),
        "x.jsonld": other(ox.RdfFormat.JSON_LD),
        "y.owl.gz": gzip.compress(RDF_XML.encode("latin-1"), mtime=0),
        "x.index": index,
    }


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which file it was, and its path."""
    rng = np.random.default_rng([seed, k, 5])
    name = list(ontologies())[k % len(ontologies())]
    data = ontologies()[name]
    if rng.random() < 0.3:
        at = int(rng.integers(len(data)))
        data = data[:at] + ENTITIES[rng.integers(len(ENTITIES))] + data[at:]
    if rng.random() < 0.85:
        data = mutate(rng, data, text=not name.endswith(("gz", "index")))
    path = folder / name
    path.write_bytes(data)
    return name, path
