"""What is written as TOML is read back as it was."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from tamis._core.toml_text import toml_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text(
    "[]{},= \n\"'\\\t\x7f", max_size=9
)
LEAVES = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(
    LEAVES,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(TEXTS, inside, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_all_is_read_back(content):
    assert tomllib.loads(toml_text(content)) == content


def test_a_list_of_plain_values_is_one_line():
    text = toml_text({"sizes": [5, 10], "costs": [[0, 1.5], [1, 0]], "drop": ["a", "b[\n"]})
    assert text.splitlines() == [
        "sizes = [5, 10]",
        "costs = [",
        "    [0, 1.5],",
        "    [1, 0],",
        "]",
        "drop = [",
        '    "a",',
        r'    "b[\n",',
        "]",
    ]
