"""Readers of tables given spoiled files, in a process that is watched."""

from __future__ import annotations

import gzip

import pytest

from fuzz.genotype_files import write_cohort
from fuzz.table_files import DENSE, HEAD, TABLES, how_read

pytestmark = pytest.mark.longer

FAMILY = "tables"

BODY = "id,class,g1\na,u,1\nb,v,2\nc,u,3\n"
# files with which a reader once did what it must not: name, content, how it is read
ONCE = {
    "nothing but line ends": ("t.csv.gz", gzip.compress(b"\n" * 2_000_000), {}),
    "spaces in a sparse row": ("t.arff", HEAD + b"{1 3" + b" " * 100_000 + b"1,0 v}\n", {}),
    "comments": ("t.arff", b"%\n" * 300_000 + HEAD + DENSE, {}),
    "a header of commas": ("t.csv.gz", gzip.compress(b"a" + b"," * 20_000_000 + b"\n1,2\n"), {}),
    "an open quote": ("t.csv.gz", gzip.compress(BODY.encode() + b'd,v,"' + b"x" * 9_000_000), {}),
    "a ragged row": ("t.csv.gz", gzip.compress(BODY.encode() + b"d" + b"," * 20_000_000), {}),
    "blanks without end": ("t.txt.gz", gzip.compress(b"a b\n1" + b" " * 20_000_000 + b"x"), {}),
    "a nominal of nothing": ("t.arff", HEAD.replace(b"g1 REAL", b"g1 {}") + b"{0 v}\n{}\n", {}),
    "an index of 5,000 digits": ("t.arff", HEAD + b"{" + b"1" * 5000 + b" 2}\n", {}),
    "a return in quotes": ("t.arff", HEAD + DENSE + b"u,1,red,1,\"a\rb\"\nv,1,red,1,'a\rb'\n", {}),
    "a return in a row": ("t.csv", BODY.replace("b,", "b\r,").encode(), {}),
    "returns for line ends": ("t.csv", b"id,class,g1\na,u,1\rb,v,2\rc,u,3\r", {}),
    "a delimiter behind each row": (
        "t.csv",
        BODY.replace("\n", ",\n").encode(),
        {"only": ["g1"], "target_optional": True},
    ),
    "a pattern that meets row names": ("t.csv", BODY[2:].encode(), {"drop": ["*s*"]}),
}


@pytest.mark.parametrize("name", TABLES)
def test_what_is_spoiled_is_valid_at_first(watched, tmp_path, name):
    path = write_cohort(TABLES[name], tmp_path)
    (tmp_path / "how.json").write_bytes(how_read(name))
    assert watched.ask(path) == ("", "")


@pytest.mark.parametrize("what", ONCE)
def test_faults_that_were(watched, tmp_path, what):
    name, content, how = ONCE[what]
    (tmp_path / name).write_bytes(content)
    (tmp_path / "how.json").write_bytes(how_read(name, **how))
    _, fault = watched.ask(tmp_path / name)
    assert fault == ""
