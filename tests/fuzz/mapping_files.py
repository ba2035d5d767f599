"""A small valid mapping in every format that is read, and the two ontologies that it is of."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from tamis.ontology import Mapping, Ontology, OntologyMatcher
from tamis.ontology.made_up import make_vocabularies
from tamis.ontology.review import questions
from tamis.ontology.review_sheet import write_sheet

MADE = make_vocabularies(14, 14, 10, noise=0.7, random_state=3)
PAIR: tuple[Ontology, Ontology] = (MADE.source, MADE.target)
BESIDE = "beside.sssom.yml"  # the metadata of beside.sssom.tsv


def mapping() -> Mapping:
    """Some of what is true, with everything that a correspondence can hold."""
    rows = list(MADE.reference.correspondences)
    status = ("mapped", "accepted", "mapped", "mapped", "uncertain", "mapped", "refused")
    relation = "=====<>"
    labels = [dict(zip(one.iris, one.labels, strict=True)) for one in PAIR]
    found = [
        row._replace(
            status=status[k % 7],
            relation=relation[k % 7],
            confidence=1 - k / 20,
            source_label=labels[0][row.source],
            target_label=labels[1][row.target],
            evidence={"name": 1 - k / 10, "path from root": None if k % 2 else 0.25},
            comment="who\tknows" if k == 3 else "",
        )
        for k, row in enumerate(rows)
    ]
    # a review answers of the same class twice, and no pair twice
    more = rows[0]._replace(target=rows[1].target, status="refused")
    return Mapping(
        (*found, more),
        *(one.iri for one in PAIR),
        "a.obo",
        "b.obo",
        "tamis 0.1",
        {"seed": "0", "creator_id": "https://orcid.org/0000-0001", "license": "https://cc0.org/x"},
        ("labels are few",),
    )


@cache
def mappings() -> dict[str, bytes]:
    """Content by name of the file."""
    whole = mapping()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("x.sssom.tsv", "x.rdf", "x.json"):
            whole.write(Path(folder, name))
        sheet = Path(folder, "review.tsv")
        write_sheet(sheet, questions(OntologyMatcher().fit(*PAIR), *PAIR, 6))
        found = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    found["review.tsv"] = answered = _answered(found["review.tsv"])
    found["saved.csv"] = b"\xef\xbb\xbf" + _with_semicolons(answered)
    block, table = _block_and_table(found["x.sssom.tsv"])
    found["beside.sssom.tsv"], found[BESIDE] = table, block
    lines = [f"{c.source_label},{c.target},{c.status},{c.confidence}" for c in whole.mapped]
    found["known.csv"] = "\n".join(["source,target,note,score", *lines, ""]).encode()
    lines = [f"{c.source}\t{c.target}\t{c.relation}" for c in whole.mapped]
    found["three.tsv"] = "\n".join([*lines, ""]).encode()
    return found


def _answered(sheet: bytes) -> bytes:
    """A sheet with one of each answer."""
    head, *rows = sheet.decode().splitlines()
    words = ["yes", "no", "?", "", "1", "0"]
    lines = [word + row for word, row in zip(words, rows, strict=False)]
    return "\n".join([head, *lines, ""]).encode()


def _with_semicolons(sheet: bytes) -> bytes:
    """As a spreadsheet saves it."""
    return b'"' + sheet.replace(b'"', b"'").replace(b"\t", b'";"').replace(b"\n", b'"\r\n"')[:-1]


def _block_and_table(sssom: bytes) -> tuple[bytes, bytes]:
    """Metadata without their #, and the table."""
    lines = sssom.splitlines(keepends=True)
    block = [line[1:] for line in lines if line.startswith(b"#")]
    return b"".join(block), b"".join(line for line in lines if not line.startswith(b"#"))
