"""Numbers read equal Python's float(text), bit for bit; layouts equal the csv module."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.data.fields import WHITESPACE, Fields, FieldStyle, MessyQuotes, split_fields
from tamis.data.raw import MISSING_TEXTS, parse_number

digits = st.text("0123456789", min_size=1, max_size=25)
decimal = st.builds(
    lambda sign, a, b, e: f"{sign}{a}{b}{e}",
    st.sampled_from(["", "-", "+"]),
    digits,
    st.one_of(st.just(""), digits.map(lambda d: "." + d)),
    st.one_of(st.just(""), st.integers(-330, 320).map(lambda e: f"e{e}")),
)
numeral = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.floats(-1e6, 1e6).map(lambda v: f"{v:.5f}"),
    st.integers(-(10**18), 10**18).map(str),
    decimal,
)


def bits(value: float) -> bytes:
    return np.float64(value).tobytes()


@settings(max_examples=300, deadline=None)
@given(st.lists(numeral, min_size=1, max_size=20))
def test_values_equal_float(cells):
    fields = split_fields(("\t".join(cells) + "\n").encode(), "\t", len(cells), "t", 1)
    values, known, bad = fields.numbers(np.ones(len(cells), bool), FieldStyle())
    assert not bad
    assert known.all()
    assert [bits(v) for v in values[0]] == [bits(float(c)) for c in cells]


messy = st.one_of(
    numeral,
    st.sampled_from(MISSING_TEXTS),
    st.sampled_from(["abc", "1_0", "0x1", "1e", "-", "nan1"]),
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.lists(messy, min_size=3, max_size=3), min_size=1, max_size=6),
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.booleans(),
)
def test_missing_and_text_are_told_apart(rows, wanted, padded):
    """The slow reference: one cell at a time."""
    pad = " " if padded else ""
    text = "".join(",".join(pad + c + pad for c in row) + "\n" for row in rows)
    fields = split_fields(text.encode(), ",", 3, "t", 1)
    values, known, bad = fields.numbers(np.array(wanted), FieldStyle())
    expected_bad = []
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            value = None if cell in MISSING_TEXTS else parse_number(cell)
            assert (bool(known[r, c]) and not math.isnan(values[r, c])) == (
                wanted[c] and value is not None
            )
            if known[r, c]:
                assert math.isnan(values[r, c]) or bits(values[r, c]) == bits(value)
            elif wanted[c] and cell not in MISSING_TEXTS:
                expected_bad.append((r, c, cell))
    assert sorted(bad) == sorted(expected_bad)


cell = st.text('ab ",;é\n1', max_size=5)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(cell, min_size=2, max_size=2), min_size=1, max_size=5), st.booleans())
def test_fields_equal_the_csv_module(rows, crlf):
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n" if crlf else "\n").writerows(rows)
    try:
        fields = split_fields(out.getvalue().encode(), ",", 2, "t", 1)
    except MessyQuotes:
        assert '"' in out.getvalue()
        return
    assert fields is not None
    for j in range(2):
        codes, values = fields.strings(slice(None), np.array([j]))
        assert [values[c] for c in codes[:, 0]] == [row[j] for row in rows]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(digits, min_size=2, max_size=2), min_size=1, max_size=5),
    st.text(" \t", min_size=1, max_size=3),
    st.text(" \t", max_size=2),
)
def test_blanks_equal_str_split(rows, gap, edge):
    text = "".join(edge + gap.join(row) + edge + "\n" for row in rows)
    fields = split_fields(text.encode(), WHITESPACE, 2, "t", 1)
    got = [[fields.cell(r, c) for c in range(2)] for r in range(len(fields.starts))]
    assert got == [line.split() for line in text.splitlines()]


def test_fields_of_rows():
    fields = Fields.of_rows([["a", "é,"], ["", "1.5"]])
    assert [[fields.cell(r, c) for c in range(2)] for r in range(2)] == [["a", "é,"], ["", "1.5"]]


@pytest.mark.parametrize("text", ["1_000", "abc", "", "1,5"])
def test_number_refuses(text):
    assert parse_number(text) is None
