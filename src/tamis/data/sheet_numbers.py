"""Numbers among text: covariates of a sheet, which is read as text, and cells of a frame's columns
of text."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from .cells import CellRules, Odd, odd_faults
from .faults import Fault
from .missing_marks import MissingMarks
from .raw import Raw, Text, parse_number
from .reading import Reading


def as_numbers(
    column: Text, name: str, rules: CellRules, bare: bool = True
) -> tuple[Text, list[Fault]]:
    """A column with its numbers as Python writes them, by the rules of a table's columns, and
    what is wrong with it; as it stands where no value is a number: those are classes. If `bare`,
    a number is one without a unit and no limit."""
    times = np.bincount(column.codes[column.codes >= 0], minlength=len(column.values)).tolist()
    used = [code for code, count in enumerate(times) if count]
    plain = {code: rules.number(column.values[code]) for code in used}
    if all(x is None for x in plain.values()) and (
        bare or not any(_is_number(rules.read(column.values[code], name)) for code in used)
    ):
        return column, []
    own = replace(rules, units_of={}, limits_of=Counter())
    texts: list[str | None] = list(column.values)
    numbers = np.full(len(texts) + 1, np.nan)  # the last for what is missing
    unread = np.zeros(len(texts) + 1, bool)
    for code in used:
        text, x = column.values[code], plain[code]
        if x is None:
            x, limit, unit = own.parts(text, name)
            own.count(name, limit, unit, times[code])
        if x is None:
            unread[code] = True
            continue
        numbers[code] = x
        texts[code] = None if x != x else text if parse_number(text) == x else repr(x)
    if unread.any():
        odd = Odd()
        for row in np.flatnonzero(unread[column.codes]).tolist():
            odd.add(column.values[column.codes[row]], f"{row + 1:,}")
        return column, odd_faults({name: odd}, len(column.codes), own)
    return Text.of_codes(column.codes, texts), own.faults(lambda _: numbers[column.codes])


def with_declared_text(raw: Raw, how: Reading) -> Raw:
    """The table with numbers among the text of columns that a file declares as text (Parquet,
    ARFF), where the user has said how cells are read."""
    if not (how.units or how.limits or how.thousands or how.decimal):
        return raw
    rules = CellRules(
        MissingMarks(how.missing, raw.header, how.given_decimal == ","),
        how.given_decimal or ".",
        how.thousands,
        how.limits,
        how.units,
    )
    for place, name in enumerate(raw.columns):
        if name not in raw.typed or name in raw.levels or name in how.categorical:
            continue
        if all(parse_number(value) is not None for value in raw.text[name].distinct()):
            continue  # digits that are declared to be text
        text, faults = as_numbers(raw.text[name], name, rules, bare=False)
        raw.faults += faults
        if faults:  # there is nothing more to say of it
            del raw.text[name]
            raw.X[:, place] = 0
        elif text is not raw.text[name]:
            raw.typed.discard(name)
            del raw.text[name]  # from now on it is a column of numbers like others
            raw.X[:, place] = [np.nan if v is None else float(v) for v in text.labels]
    return raw


def _is_number(value: float | None) -> bool:
    return value is not None and value == value
