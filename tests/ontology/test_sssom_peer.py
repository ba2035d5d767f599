"""What we write passes the reference package of SSSOM, where there is one.

It brings dozens of dependencies, so it is in an environment of its own: `python -m venv E`,
`E/bin/pip install sssom`, and TAMIS_SSSOM=E/bin/sssom.
"""

from __future__ import annotations

import csv
import os
import subprocess

import pytest

from ontology.test_mapping import FOUND
from tamis.ontology import Correspondence, Mapping
from tamis.ontology.mapping_files.sssom_writing import sssom_text

PROGRAM = os.environ.get("TAMIS_SSSOM", "")
pytestmark = [
    pytest.mark.longer,
    pytest.mark.skipif(
        not PROGRAM, reason="needs the package sssom: set TAMIS_SSSOM to its program"
    ),
]
OBO = "http://purl.obolibrary.org/obo/"
MAPPINGS = {
    "all statuses": FOUND,
    "of ontologies of OBO": Mapping(
        (
            Correspondence(f"{OBO}HP_0000175", f"{OBO}MP_0000111", "=", 0.98, source_label="Cleft"),
            Correspondence("http://www.ebi.ac.uk/efo/EFO_0000001", f"{OBO}NCIT_C3", ">", 0.5),
            Correspondence(f"{OBO}hp#part_of", "http://mouse.owl#MA_0000001", "<", 1e-9),
        ),
        f"{OBO}hp.owl",
        "https://w3id.org/a/b/",
        tool="a program 2.0-rc1",
        settings={"license": "https://creativecommons.org/publicdomain/zero/1.0/", "no": "yes"},
        remarks=("a: b # c", "second\tline"),
    ),
    "odd names": Mapping(
        (
            Correspondence("http://x.org/a?id=1&b=(2)", "http://x.org/%20a;b,c", comment='"\t\n|'),
            Correspondence("urn:uuid:1234-5", "http://skos/skos#a", source_label="=1+1"),
            Correspondence("http://x.org/skos/1", "http://y.org/skos/1", evidence={"a b": 0.1}),
        ),
        settings={"creator_id": "https://orcid.org/0000-0002-7356-1779", "seed": "a|b\\c=d"},
    ),
    "nothing": Mapping(()),
}


@pytest.mark.parametrize("name", MAPPINGS)
def test_the_reference_package_reads_and_validates_what_we_write(tmp_path, name):
    mapping = MAPPINGS[name]
    path = tmp_path / "found.sssom.tsv"
    mapping.write(path)
    valid = subprocess.run([PROGRAM, "validate", path], capture_output=True, text=True)
    assert valid.returncode == 0, valid.stderr
    if not len(mapping):  # it takes an empty table for one empty row
        return
    complaints = [
        line for line in valid.stderr.splitlines() if not line.startswith("No attr for ext_")
    ]
    assert not complaints  # a row that it cannot take is a complaint, and no failure
    convert = [PROGRAM, "convert", path, "-o", tmp_path / "again.tsv", "-O", "tsv"]
    subprocess.run(convert, check=True, capture_output=True)
    theirs, ours = (
        rows_of(text) for text in ((tmp_path / "again.tsv").read_text(), sssom_text(mapping))
    )
    assert theirs == ours


def rows_of(text):
    """What a table says of each pair, but for evidence, which the package converts no further."""
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("#")]
    found = []
    for row in csv.DictReader(lines, delimiter="\t"):
        said = {k: v for k, v in row.items() if v and not k.startswith("ext_")}
        found.append({**said, "confidence": float(said["confidence"])})
    return sorted(found, key=str)
