"""What is written as TOML."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Ends of lines are escaped in texts: these are between the members of a list.
PLAIN_LIST = re.compile(r"\[\n +([^][{}]*),\n *\]")
LINE_BREAK_PATTERN = re.compile(r"\n +")


def toml_text(content: Mapping[str, object]) -> str:
    """A mapping as TOML; a list of numbers or texts is one line.

    Examples
    --------
    >>> print(toml_text({"seed": 1, "method": [{"select": "pearson", "sizes": [5, 10]}]}), end="")
    seed = 1
    <BLANKLINE>
    [[method]]
    select = "pearson"
    sizes = [5, 10]
    """
    import tomli_w

    return PLAIN_LIST.sub(
        lambda found: f"[{LINE_BREAK_PATTERN.sub(' ', found[1])}]", tomli_w.dumps(content)
    )
