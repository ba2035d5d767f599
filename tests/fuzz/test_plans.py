"""Plans that nobody means, in a process that is watched: read and fitted, or told in one line.

`just fuzz` does so with as many as are asked for.
"""

from __future__ import annotations

import pytest

from fuzz.plan_texts import PLANS, plan_text
from fuzz.spoiled_plans import DEEP

pytestmark = pytest.mark.longer

FAMILY = "plans"

# plans that once ended in a traceback, or were told in more than a line
ONCE = {
    "a table without a path": '[[dataset]]\ntable = ""',
    "lists in lists": f"costs = {'[' * DEEP}{']' * DEEP}",
    "lists that the parser takes": f"costs = {'[' * 400}{']' * 400}",
    "tables in tables": f"[{'a.' * DEEP}a]",
    "a number of 5,000 digits": f"seed = {'9' * DEEP}",
    "a hexadecimal one": f"seed = 0x{'f' * DEEP}",
    "more than 64 bits": f"costs = {{ ill = {10**30}, well = 1 }}",
    "a classifier that is a number": '[[method]]\nselect = "welch_t"\nclassify = 5',
    "a method that is a number": "[[method]]\nselect = 5",
    "a table without a name": '[[""]]',
    "a name that steers the terminal": '["\\u001b[31mred\\u202e"]',
    "a value of 10,000 characters": f'metric = "{"x" * 10_000}"',
    "a list of 3,000": f"permutations = {list(range(3000))}",
    "no text": b"\xff\xfe\x00",
    "a line of zeros": bytes(3000),
}


@pytest.mark.parametrize("name", PLANS)
def test_what_is_spoiled_is_valid_at_first(watched, tmp_path, name):
    path = tmp_path / "plan.toml"
    path.write_text(plan_text(PLANS[name]), encoding="utf-8")
    assert watched.ask(path) == ("", "")


@pytest.mark.parametrize("what", ONCE)
def test_faults_that_were(watched, tmp_path, what):
    path, text = tmp_path / "plan.toml", ONCE[what]
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    said, fault = watched.ask(path)
    assert fault == ""
    assert said
