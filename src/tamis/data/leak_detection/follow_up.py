"""Names of what is known only after the class: times of follow-up, dates of death."""

from __future__ import annotations

import re

import numpy as np

from ..._core.errors import listed_names
from ..event_names import ENDPOINT_PATTERN, as_words, event_text, holds_times, is_event, names_time
from .interface import Suspect
from .watched import Watched

# of survival analysis, as TCGA, cBioPortal and R's package survival call them; read as words
_SPAN = r"days?|weeks?|months?|mo|years?|yrs?"
_LONG = rf"time|{_SPAN}|status|event|censor(?:ed|ing)?|delay"
_UNIT = rf"{_LONG}|[tmdye]"
_WHAT = (
    r"death|event|relapse|recurrence|progression|metastasis|failure|censoring|last .+|new tumor.*"
)
_LASTS = rf"(?: (?:in )?(?:{_UNIT}))*"
FOLLOW_UP_PATTERN = re.compile(
    rf"(?:{ENDPOINT_PATTERN})(?: (?:{_UNIT})|(?:{_LONG}))+|(?:{_UNIT}) (?:{ENDPOINT_PATTERN})"
    rf"|(?:time|{_SPAN}) (?:to|until|till) (?:{_WHAT})"
    rf"|(?:(?:overall|disease specific|cancer specific) )?surviv(?:al|ed){_LASTS}|surv ?time"
    r"|(?:progression|disease|relapse|recurrence|metastasis|event|failure) free"
    rf"(?: (?:survival|interval))?{_LASTS}"
    rf"|(?:{_SPAN}|time)? ?(?:of )?follow ?up{_LASTS}"
    rf"|(?:(?:{_SPAN}|date|time) )?(?:of |to |at )?last (?:contact|seen|follow ?up|visit)"
    rf"(?: (?:date|{_UNIT}))?"
    r"|(?:is |hospital |new )?(?:censor(?:ed|ing)?|deceased|dead|died|death)"
    r"(?: (?:date|status|time|year|event))?"
    r"|(?:date|year|cause|time) (?:(?:of|at) )?death|vital status|fu ?time|stime"
    r"|new tumor event.*"
)
SHORT_NAME_PATTERN = re.compile(rf"os|pfs|dfs|rfs|dss|time|duration|tte|{_SPAN}")
EVENT_PATTERN = re.compile(
    r"(?i).*(?:status|event|dea(?:d|th)|die[ds]?\b|deceased|alive|vital|surviv|relapse|recur|"
    r"progress|metasta|censor|outcome|remission|remitted).*"
)


MAX_CHANCE_P = 1e-3  # an association by chance, in any column that is called so


def find_time_to_event(table: Watched) -> list[Suspect]:
    """Times of the event that the class is. A column that is merely called ``days`` or the like has
    to go with a class called ``status``, which may be any."""
    if not is_event(table.target, table.classes):
        return []
    times = []
    for j, name in enumerate(table.names):
        vague = not names_time(name)
        if table.coded[j] or (vague and not names_time(name, vague=True)):
            continue
        if not holds_times(table.X[:, j], vague):
            continue
        if vague and as_words(table.target) == "status" and as_words(name) != "time":
            p = class_p_value(table.X[:, j], table.y, False)
            if p is None or p >= MAX_CHANCE_P:
                continue
        times.append(name)
    if not times:
        return []
    return [Suspect("time-to-event", tuple(times), event_text(table.target, times), True)]


def find_follow_up(table: Watched) -> list[Suspect]:
    """Columns called like a time of follow-up or what ended it; short names, such as ``time``, only
    where the class is an event and they go with it. Refused are those that go with the class."""
    event = any(EVENT_PATTERN.fullmatch(word) for word in (table.target, *table.classes))
    words = [as_words(name) for name in table.names]
    always = {j for j, name in enumerate(words) if FOLLOW_UP_PATTERN.fullmatch(name)}
    short = {j for j, name in enumerate(words) if event and SHORT_NAME_PATTERN.fullmatch(name)}
    suspects = []
    for j in sorted(always | short):
        p = class_p_value(table.X[:, j], table.y, bool(table.coded[j]))
        if p is None:
            continue
        goes = p * len(always | short) < MAX_CHANCE_P
        if goes or j in always:
            shown = f"{max(p, 1e-300):.1g}"
            linked = f", and goes with the class (p {'<' if p < 1e-300 else '='} {shown})" * goes
            name = listed_names([table.names[j]])
            text = f"column {name} is named like follow-up, known only after the class{linked}"
            suspects.append(Suspect("follow-up", (table.names[j],), text, goes))
    return suspects


def class_p_value(values: np.ndarray, y: np.ndarray, coded: bool) -> float | None:
    """Whether a column, or where it is missing, goes with the class: Kruskal and Wallis's test of
    numbers, the chi-squared test of categories and of missing values; the lesser p, doubled. None
    of a column that is the same everywhere, which says nothing."""
    from scipy.stats import chi2_contingency, kruskal

    there = ~np.isnan(values)
    tested = []
    for marks in ([values[there], y[there]], [there, y]):
        kinds, classes = np.unique(marks[0]), np.unique(marks[1])
        if len(kinds) < 2 or len(classes) < 2:
            continue
        if marks[0].dtype != bool and not coded:
            p = kruskal(*(marks[0][marks[1] == c] for c in classes)).pvalue
        else:
            counts = [[np.sum((marks[0] == k) & (marks[1] == c)) for c in classes] for k in kinds]
            p = chi2_contingency(counts, correction=False).pvalue
        tested.append(float(p))
    return min(1.0, len(tested) * min(tested)) if tested else None
