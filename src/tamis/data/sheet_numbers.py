"""Numbers among the attributes of samples: a sheet is read as text, and its covariates may be
numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from .cells import CellRules, Odd, odd_faults
from .faults import Fault
from .raw import Text, parse_number


def as_numbers(column: Text, name: str, rules: CellRules) -> tuple[Text, list[Fault]]:
    """A covariate with its numbers as Python writes them, by the rules of a table's columns, and
    what is wrong with it; as it stands where no value is a bare number: those are classes."""
    times = Counter(column.codes[column.codes >= 0].tolist())
    used = {code: column.values[code] for code in times}
    plain = {code: rules.number(text) for code, text in used.items()}
    if all(x is None for x in plain.values()):
        return column, []
    own = replace(rules, units_of={}, limits_of=Counter())
    values: list[str | None] = list(column.values)
    odd, numbers = Odd(), np.full(len(column.codes), np.nan)
    for code, text in used.items():
        x, rows = plain[code], np.flatnonzero(column.codes == code)
        if x is None:
            x = own.read(text, name)
            own.count(text, name, times[code])
        if x is None:
            for row in rows.tolist():
                odd.add(text, f"{row + 1:,}")
            continue
        numbers[rows] = x
        values[code] = None if x != x else text if parse_number(text) == x else repr(x)
    if odd.texts:
        return column, odd_faults({name: odd}, len(column.codes), own)
    return Text.of_codes(column.codes, values), own.faults(lambda _: numbers)
