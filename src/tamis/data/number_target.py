"""A target that is a number: read from text, checked, and perhaps its logarithm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from .._core.errors import counted_noun, listed_names, shorten_text
from .checks import MAX_ABS_VALUE, refuse_gaps
from .event_names import EVENT_PATTERN, SURVIVAL_MESSAGE, as_words, names_time
from .faults import Fault
from .raw import Text, parse_number

MAX_CODE_LEVELS = 10  # different integers that may be codes of classes
DECIMAL_COMMA_PATTERN = re.compile(r"[-+]?\d+(?:,\d+)?(?:[eE][-+]?\d+)?")


def number_target(
    column: Text,
    name: str,
    ids: Sequence[str],
    others: Iterable[str],
    notes: list[str],
    *,
    decimal: str | None = None,
    thousands: str | None = None,
    log: bool = False,
    meant: bool = False,
) -> np.ndarray:
    """The values of a target column (n,), float64; with `log` their natural logarithms.

    Parameters
    ----------
    column : Text
    name : str
    ids : sequence of str
        Of the samples.
    others : iterable of str
        Names of other columns, one of which may be an event.
    notes : list of str
        What the user should know is added.
    decimal, thousands : str, optional
        As of `read_table`.
    log : bool
    meant : bool
        A time to an event may be predicted as it is (``allow``).

    Raises
    ------
    Fault
        A value is missing, text or infinite; all are equal, or there are two; logarithms of values
        that are not above 0; times to an event, of which censored ones are no values.
    """
    refuse_gaps(column, name, "value", ids)
    values = np.array(_parsed(column, name, ids, decimal, thousands, notes), dtype=np.float64)
    values = values[column.codes]
    if not meant:
        _refuse_times(values, name, others)
    if (odd := np.flatnonzero(~(np.abs(values) <= MAX_ABS_VALUE))).size:
        raise Fault(
            f"target {name!r} has the value {values[odd[0]]:g} in sample {ids[odd[0]]!r}: a finite "
            "number is needed; correct it, or leave the sample out",
            len(odd),
        )
    levels = np.unique(values)
    if len(levels) == 1:
        raise Fault(
            f"target {name!r} has the value {levels[0]:g} in all samples: there is nothing to "
            "predict"
        )
    if len(levels) == 2:
        raise Fault(
            f"target {name!r} has two different values, {levels[0]:g} and {levels[1]:g}: these are "
            "classes; leave out regression=True"
        )
    if len(levels) <= MAX_CODE_LEVELS and (levels == np.round(levels)).all():
        listed = ", ".join(f"{v:g}" for v in levels)
        notes.append(
            f"target {name!r} has {len(levels)} different values ({listed}), read as a number: if "
            "they are codes of classes, leave out regression=True"
        )
    if not log:
        return values
    if (low := np.flatnonzero(values <= 0)).size:
        raise Fault(
            f"target {name!r} has {counted_noun(len(low), 'value')} of 0 or below, such as "
            f"{values[low[0]]:g} in sample {ids[low[0]]!r}, which have no logarithm: leave out "
            "log_target=True",
            len(low),
        )
    return np.log(values)


def _refuse_times(values: np.ndarray, name: str, others: Iterable[str]) -> None:
    """Of a time to an event, censored ones among them would be read as values."""
    event = any(EVENT_PATTERN.fullmatch(as_words(one)) for one in others if one != name)
    if names_time(name, vague=event) and values.min() >= 0:
        raise Fault(
            f"target {name!r} {SURVIVAL_MESSAGE}: a censored time is no value; predict whether the "
            f"event comes before a fixed time, or, if every time ends in the event, say "
            f"allow=[{name!r}]"
        )


def _parsed(
    column: Text,
    name: str,
    ids: Sequence[str],
    decimal: str | None,
    thousands: str | None,
    notes: list[str],
) -> list[float]:
    """Each distinct text as a number; NaN of those that do not occur."""
    used = set(column.codes.tolist())
    texts = [value.strip() if k in used else "nan" for k, value in enumerate(column.values)]
    if thousands:
        texts = [text.replace(thousands, "") for text in texts]
    if decimal == ",":
        texts = [text.replace(",", ".") for text in texts]
    found = [parse_number(text) for text in texts]
    if all(x is not None for x in found):
        return [float(x) for x in found if x is not None]
    commas = [text for text in texts if "," in text]
    if (
        decimal is None
        and commas
        and all(text == "nan" or DECIMAL_COMMA_PATTERN.fullmatch(text) for text in texts)
    ):
        notes.append(f"target {name!r} has decimal commas, such as {commas[0]!r}, read as decimals")
        return [float(text.replace(",", ".")) for text in texts]
    bad = [k for k, x in enumerate(found) if x is None]
    rows = np.flatnonzero(np.isin(column.codes, bad))
    words = listed_names([shorten_text(column.values[k]) for k in bad], 3)
    mark = f"missing=[{f'{name}={column.values[bad[0]]}'!r}] with drop_unlabelled=True"
    raise Fault(
        f"target {name!r} has text in {len(rows):,} of {len(ids):,} samples ({words}): a number is "
        f"needed; correct it, leave those samples out ({mark}), or predict classes without "
        "regression=True",
        len(rows),
    )
