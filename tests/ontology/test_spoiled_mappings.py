"""Spoiled files of mappings: a mapping, or one line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.test_mapping import FOUND
from tamis._core.errors import TamisError
from tamis.ontology import Mapping, read_mapping

TABLE = 'source\ttarget\tmatch\tconfidence\na:1\tb:1\tyes\t0.5\na:2\t"b\n:2"\t?\t\n'
PIECES = [b"\t", b"\n", b'"', b"#", b":", b"|", b"\\", b"\0", b"\xff", b"&x;", b"<", b">", b"[[[[",
          b"- &a *a", b"nan", b"1e999", b"\r", b"<!DOCTYPE r [<!ENTITY x 'y'>]>", b"</Cell>",
          b"{", b"null", b"\xef\xbb\xbf", b"Not", b"sssom:NoTermFound", b"!!int"]  # fmt: skip


@pytest.fixture(scope="module")
def valid(tmp_path_factory):
    """A file of each format: its bytes by its suffix."""
    folder = tmp_path_factory.mktemp("valid")
    (folder / "known.csv").write_text(TABLE.replace("\t", ","))
    for suffix in (".sssom.tsv", ".rdf", ".json"):
        FOUND.write(folder / f"known{suffix}")
    return folder, {path.suffix: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.longer
@pytest.mark.parametrize("suffix", [".tsv", ".csv", ".rdf", ".json"])
@settings(max_examples=400)
@given(data=st.data())
def test_a_spoiled_file_is_a_mapping_or_one_line(valid, suffix, data):
    folder, contents = valid
    content = contents[suffix]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        to = data.draw(st.integers(at, min(at + 40, len(content))) | st.just(len(content)))
        content = content[:at] + data.draw(st.sampled_from(PIECES) | st.just(b"")) + content[to:]
    path = folder / f"spoiled{suffix}"
    path.write_bytes(content)
    told = None
    try:
        found = read_mapping(path)
    except TamisError as error:
        told = str(error)
    if told is None:
        assert isinstance(found, Mapping)
        assert all(0 <= c.confidence <= 1 for c in found.correspondences)
        found.summary()
    else:
        assert "\n" not in told
