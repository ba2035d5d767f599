"""No remedy that is printed changes which values stand under which name.

Tables as many programs write them, each with something wrong (`writers`), are read; every remedy
that a message prints is taken, up to four one after the other, until the table is read, and what is
read is held against what was written (`judge`). `python -m remedies` draws any number of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from remedies.__main__ import followed
from remedies.kinds import ELSEWHERE, drawn, kind_of, kinds, printed_texts
from remedies.steps import Step, printed_steps, python_steps, shell_steps
from tamis.cli._option_words import one_line

ROOT = Path(__file__).parents[2]
TABLES = 10_000
LEAST = 100  # of each kind of remedy
FEW = 12


@pytest.mark.longer
def test_remedies_of_some_tables():
    found = followed(7, range(FEW))
    assert found.wrong == []
    assert found.tables == FEW
    assert found.at_once + found.read + found.unread.total() == FEW
    assert sum(found.kinds.values()) > FEW


@pytest.mark.slow
def test_remedies_of_all_tables():
    found = followed(11, range(TABLES))
    assert found.wrong == []
    assert found.tables == TABLES
    assert {kind: found.kinds[kind] for kind in drawn() if found.kinds[kind] < LEAST} == {}
    assert found.unread.total() < TABLES / 4


def test_every_text_that_names_an_option_is_drawn_or_has_a_test():
    texts = printed_texts()
    assert len(texts) > 70
    for words, test in ELSEWHERE.items():
        assert any(words in text for text in texts), words
        file, name = test.split("::")
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
    assert {*drawn()} < {*kinds()}


def test_a_message_is_of_its_text():
    message = (
        "'column 5' has no name in the header: name it, or leave it out with drop=['column 5']"
    )
    option, text = kind_of("drop", message)
    assert (option, text[:25]) == ("drop", "{} has no name in the hea")
    with pytest.raises(AssertionError, match="of no known text"):
        kind_of("drop", "say drop=['x']")


@pytest.mark.parametrize(
    ("message", "steps"),
    [
        ("drop=['a', 'b'] or id='c'", [Step("drop", ("a", "b")), Step("id", "c")]),
        ("say long=['a', 'b c', \"d'e\"]", [Step("long", ("a", "b c", "d'e"))]),
        ("say transpose=True; drop_unlabelled=True", [Step("transpose", True),
                                                      Step("drop_unlabelled", True)]),
        ("with drop=[...], or all with drop=['<empty>']", [Step("drop", None),
                                                           Step("drop", ("<empty>",))]),
        ("name it with samples_sheet= or blocks=", [Step("samples_sheet", None),
                                                    Step("block", None)]),
        ("say missing=['g=a=b']", [Step("missing", ("g=a=b",))]),
    ],
)  # fmt: skip
def test_steps_of_a_message_are_those_of_the_command(message, steps):
    assert python_steps(message) == steps
    assert shell_steps(one_line(message)) == steps
    assert printed_steps(message) == steps
