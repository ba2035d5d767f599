"""Names of a time to an event and of its event, as TCGA, cBioPortal, R's package survival and
others write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from .._core.errors import listed_names
from .raw import Text, parse_number

ENDPOINT_PATTERN = r"os|pfs|dfs|rfs|efs|dss|dmfs|mfs|ttp|pfi|dfi|lfs|css|bcr"
_SPAN = r"days?|weeks?|months?|mos?|years?|yrs?"
_LONG = rf"(?:time|{_SPAN}|delay|duration|[tdmy])"
_HAPPENED = (
    r"deaths?|dead|die[ds]|deceased|mortality|relapsed?|recurrence|recurred|recur|progression|"
    r"progressed|metastas[ie]s|failure|fail|event"
)
_SURVIVAL = (
    rf"(?:(?:overall|disease specific|cancer specific|(?:progression|disease|relapse|recurrence|"
    rf"metastasis|event) free) )?surv(?:ival)?|{ENDPOINT_PATTERN}|fu|follow ?up"
)
# a time by its name alone
TIME_PATTERN = re.compile(
    rf"(?:{_SURVIVAL})(?: (?:in )?{_LONG})+|{_LONG} (?:of )?(?:{_SURVIVAL})"
    rf"|(?:time|{_SPAN}) (?:to|until|till) (?:{_HAPPENED}|censoring|last .+|new tumor.*)(?: .+)?"
    rf"|(?:time|{_SPAN}) ?(?:{_HAPPENED})|(?:{_HAPPENED}) {_LONG}"
    r"|(?:fu|[psrd]|surv|os|pfs|dfs|rfs)time|tte|lenfol|(?:overall )?survival|time to event"
)
# a time beside an event, or one that goes with it
VAGUE_TIME = re.compile(r"time|duration|days?|weeks?|months?|t")
_STATE = r"status|stat|event|ind(?:icator)?|cens(?:or(?:ed|ing)?)?|cnsr"
EVENT_PATTERN = re.compile(
    rf"(?:(?:{_SURVIVAL}|vital|last|{_HAPPENED}|any) )?(?:{_STATE})"
    rf"|(?:fu|[pf])stat(?:us)?|(?:distant )?(?:{_HAPPENED})(?: (?:{_STATE}|{ENDPOINT_PATTERN}))?"
    rf"|(?:{ENDPOINT_PATTERN})|(?:{_STATE}|e) (?:{ENDPOINT_PATTERN})|(?:{ENDPOINT_PATTERN}) "
    rf"e|cens(?:or(?:ed|ing)?)?|is (?:{_HAPPENED})|e"
)
# what becomes of somebody; cBioPortal writes a number before it
STATE_PATTERN = re.compile(
    r"(?:\d+ ?[:=] ?)?(?:living|alive|dead|died|deceased|death|censored|censoring|event|no event|"
    r"(?:un)?relapsed?|recurred.*|progress(?:ed|ion).*|disease ?free|lost to follow.?up)",
    re.IGNORECASE,
)
CODE_PATTERN = re.compile(r"[0-3]|true|false|yes|no", re.IGNORECASE)
MOST_STATES = 4
LEAST_DIFFERENT = 3  # values of a time
LEAST_TIMES = 15  # different values of a time whose name is vague, or half as many as samples
YEAR_RANGE = (1900, 2100)  # a date
UNSUPPORTED_MESSAGE = "survival outcomes are not supported yet"
SURVIVAL_MESSAGE = "looks like a time to an event"


@lru_cache(1 << 16)  # several look at the names of a table
def as_words(name: str) -> str:
    """A column's name in lower case, its words apart.

    Examples
    --------
    >>> as_words("Overall_Survival (months)"), as_words("DaysToDeath")
    ('overall survival months', 'days to death')
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return " ".join(re.findall(r"[a-z0-9]+", apart.lower()))


def is_event(target: str, classes: Sequence[str]) -> bool:
    """Whether a class is what may happen to somebody in time: by the column's name, if its labels
    are codes or such states; or by these states.

    Examples
    --------
    >>> is_event("status", ["1", "2"]), is_event("status", ["case", "control"])
    (True, False)
    >>> is_event("OS_STATUS", ["0:LIVING", "1:DECEASED"]), is_event("er_status", ["0", "1"])
    (True, False)
    """
    if not 2 <= len(classes) <= MOST_STATES:
        return False
    states = all(STATE_PATTERN.fullmatch(label) for label in classes)
    coded = all(CODE_PATTERN.fullmatch(label) for label in classes)
    return states or (coded and EVENT_PATTERN.fullmatch(as_words(target)) is not None)


def names_time(name: str, vague: bool = False) -> bool:
    """Whether a column is called like a time to an event; `vague`: or merely like a time.

    Examples
    --------
    >>> names_time("OS_MONTHS"), names_time("days_to_last_follow_up"), names_time("futime")
    (True, True, True)
    >>> names_time("time"), names_time("time", vague=True), names_time("time_of_day", vague=True)
    (False, True, False)
    """
    words = as_words(name)
    return any(rule.fullmatch(words) for rule in (TIME_PATTERN, *([VAGUE_TIME] if vague else [])))


def holds_times(values: np.ndarray, vague: bool) -> bool:
    """Whether numbers may be times: from 0, of several values, no years of a calendar; more values
    where the name is `vague`."""
    there = values[np.isfinite(values)]
    different = len(np.unique(there))
    if (
        different < LEAST_DIFFERENT
        or there.min() < 0
        or (YEAR_RANGE[0] <= there.min() and there.max() <= YEAR_RANGE[1])
    ):
        return False
    return not vague or different >= min(LEAST_TIMES, len(there) / 2)


def event_text(target: str, times: Iterable[str]) -> str:
    """What such a class looks like."""
    named = listed_names([*times], 3)
    return f"{SURVIVAL_MESSAGE}: columns {named} and {target!r}; {UNSUPPORTED_MESSAGE}"


def note_on_times(target: str, sheet: Mapping[str, Text], names: Iterable[str]) -> list[str]:
    """Of an event whose time is no column of the table: it is in a sample sheet, or only among the
    names of the file, since it was left out."""
    beside = [
        name
        for name, text in sheet.items()
        if names_time(name, vague=name.lower() == "time") and _some_numbers(text)
    ]
    left = [name for name in names if names_time(name, vague=name.lower() == "time")]
    if not beside and not left:
        return []
    return [
        f"{event_text(target, beside or left)}; as a class, samples that were followed too briefly "
        "count as free of the event"
    ]


def _some_numbers(text: Text) -> bool:
    """Whether a column of text has several numbers."""
    return sum(parse_number(value) is not None for value in text.values) >= LEAST_DIFFERENT
