"""Tables of values as text, tab-separated."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .fields import plain_field

PLAIN_NAMES = re.compile(r"[0-9A-Za-z][!-~]*(?:\n[0-9A-Za-z][!-~]*)*")  # one a line


def table_field(value: Any) -> str:
    """One field: floats as they round-trip, nothing for what is undefined, no tabs or breaks, and
    no formula of a spreadsheet.

    Examples
    --------
    >>> table_field(0.1), table_field(None), table_field("a\\tb"), table_field("-x")
    ('0.1', '', 'a b', "'-x")
    """
    if isinstance(value, str):
        return plain_field(" ".join(value.split()))
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating):
        return repr(float(value))
    return str(value)


def name_fields(names: Sequence[str]) -> list[str]:
    """`table_field` of many names; of those that nearly all tables have, at once.

    Examples
    --------
    >>> name_fields(["a", "-x y"]), name_fields(["a", "b"]), name_fields(["a\\nb"])
    (['a', "'-x y"], ['a', 'b'], ['a b'])
    """
    text = "\n".join(names)
    if text.count("\n") < len(names) and PLAIN_NAMES.fullmatch(text):  # a name may hold a break
        return list(names)
    return [table_field(name) for name in names]


def tsv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as text."""
    lines = ["\t".join(map(table_field, header))]
    lines += ["\t".join(map(table_field, row)) for row in rows]
    return "\n".join(lines) + "\n"
