"""Texts in tables for people: no formula, nothing lost, numbers as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis._core.fields import plain_field, plain_frame, text_of_field
from tamis.genome.blocks.tables import write_table
from tamis.interactions.graphs.graph_files import GraphFiles

CHARACTERS = "'=+-@\t\n＝0123456789.eEinfax "
texts = st.text(st.sampled_from(CHARACTERS), max_size=12) | st.text(max_size=8)
HOSTILE = ["=1+1", "+x", "-log10", "@sum(A1)", "\t=1", "x\r=1", "＝1+1", "'=1", "-1-1", "=\n1"]


@given(texts.filter(lambda text: "\r" not in text))
def test_what_was_written_is_read(text):
    assert text_of_field(plain_field(text)) == text


@given(texts)
def test_no_field_is_computed(text):
    """A reference of its own: what a spreadsheet computes begins with one of seven characters."""
    field = plain_field(text)
    if len(field) > 1 and field[0] in "=+-@\t\n＝":
        float(field)


@given(st.floats() | st.integers())
def test_numbers_stay_numbers(number):
    assert plain_field(repr(number)) == repr(number)
    assert plain_field(f"{number:+}") == f"{number:+}"


@pytest.mark.parametrize("text", HOSTILE)
def test_every_writer_agrees(tmp_path, text):
    class Graph(GraphFiles):
        def _tables(self):
            nodes = pd.DataFrame({"name": [text, "b"]})
            return nodes, pd.DataFrame({"source": [text], "target": ["b"], "weight": [-1.5]})

    Graph().to_csv(tmp_path / "edges.csv")
    assert pd.read_csv(tmp_path / "edges.csv").source[0] == plain_field(text)
    name = " ".join(text.split())
    for column in (pa.array([name]), pa.array([name]).dictionary_encode()):
        write_table(pa.table({"SNP": column}), tmp_path / "t.tsv")
        assert (tmp_path / "t.tsv").read_text() == f"SNP\n{plain_field(name)}\n"
        write_table(pa.table({"SNP": column}), tmp_path / "t.tsv", to_plink=True)
        assert (tmp_path / "t.tsv").read_text() == f"SNP\n{name}\n"


def test_frames_keep_numbers_and_gaps():
    frame = pd.DataFrame({"=name": ["-x", None], "n": [-1.0, 2.0]})
    found = plain_frame(frame)
    assert list(found.columns) == ["'=name", "n"]
    assert found["'=name"].tolist() == ["'-x", None]
    assert found.n.tolist() == [-1.0, 2.0]
    assert list(frame.columns) == ["=name", "n"]


def test_columns_of_one_name_keep_their_own_values():
    found = plain_frame(pd.DataFrame([["=a", "=b"]], columns=["x", "x"]))
    assert found.to_numpy().tolist() == [["'=a", "'=b"]]


def test_nothing_else_writes_tables():
    """A writer that goes round `plain_field` shows here."""
    writers = re.compile(r"\.to_csv\(|csv\.writer\(|DictWriter\(|write_csv\(|\"\\t\"\.join")
    room = Path(tamis.__file__).parent
    found = {
        str(path.relative_to(room).as_posix())
        for path in room.rglob("*.py")
        if writers.search(path.read_text(encoding="utf-8"))
    }
    assert found == {
        "data/formats/kinds.py",  # programs that are printed
        "data/formats/spreadsheet_child.py",  # a sheet, for the reader of text
        "_core/terminal.py",  # a table that was made by one of the others
        "_core/tsv.py",
        "data/written.py",
        "study/results/tables.py",
        "discovery/interface.py",
        "discovery/monte_carlo.py",
        "discovery/set_result.py",
        "genome/blocks/tables.py",
        "interactions/graphs/graph_files.py",
        "interactions/rules/rule_set.py",
        "ontology/mapping_files/sssom_writing.py",
        "ontology/review_sheet.py",
    }
