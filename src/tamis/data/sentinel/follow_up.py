"""Names of what is known only after the class: times of follow-up, dates of death."""

from __future__ import annotations

import re

from ..._core.errors import listing
from .interface import Suspect
from .separation import Separations, by_chance
from .watched import Watched

# of survival analysis, as TCGA, cBioPortal and R's package survival call them; read as words
_END = r"os|pfs|dfs|rfs|efs|dss|dmfs|mfs|ttp|pfi|dfi|lfs|css|bcr"
_SPAN = r"days?|weeks?|months?|mo|years?|yrs?"
_UNIT = rf"time|{_SPAN}|status|event|censor(?:ed|ing)?|delay|[tmdye]"
_WHAT = (
    r"death|event|relapse|recurrence|progression|metastasis|failure|censoring|last .+|new tumor.*"
)
ALWAYS = re.compile(
    rf"(?:{_END})(?: ?(?:{_UNIT}))+|(?:{_UNIT}) (?:{_END})"
    rf"|(?:time|{_SPAN}) (?:to|until|till) (?:{_WHAT})"
    r"|(?:.* )?(?:survival|survived|survivors?)(?: .*)?"
    r"|(?:.* )?(?:progression|disease|relapse|recurrence|metastasis|event|failure) free(?: .*)?"
    r"|(?:.* )?follow ?up(?: .*)?|(?:.* )?last (?:contact|seen|visit)(?: .*)?"
    r"|(?:is )?(?:censor(?:ed|ing)?|deceased|dead|died|death)(?: (?:date|status|time|year|event))?"
    r"|(?:date|year|cause|time|age) (?:(?:of|at) )?death|vital status|fu ?time|stime"
)
SHORT = re.compile(rf"(?:{_END})|time|t|duration|tte|{_SPAN}")
EVENT = re.compile(
    r"(?i).*(?:status|event|dea(?:d|th)|die[ds]?\b|deceased|alive|vital|surviv|relapse|recur|"
    r"progress|metasta|censor|outcome|remission|remitted).*"
)


UNLIKELY = 1e-3  # an association by chance, in any column that is called so


def as_words(name: str) -> str:
    """A column's name in lower case, its words apart.

    Examples
    --------
    >>> as_words("Overall_Survival (months)")
    'overall survival months'
    """
    return " ".join(re.findall(r"[a-z0-9]+", name.lower()))


def find_follow_up(table: Watched, each: Separations) -> list[Suspect]:
    """Columns called like a time of follow-up or what ended it; short names, such as ``time``, only
    where the class is an event and they go with it. Refused are those that go with the class."""
    event = any(EVENT.fullmatch(word) for word in (table.target, *table.classes))
    words = [as_words(name) for name in table.names]
    always = [j for j, name in enumerate(words) if ALWAYS.fullmatch(name)]
    short = [j for j, name in enumerate(words) if event and SHORT.fullmatch(name)]
    suspects = []
    for j in sorted({*always, *short}):
        p = by_chance(each.found[j], table.sizes)
        goes = bool(p * (len(always) + len(short)) < UNLIKELY)
        if goes or j in always:
            told = f", and goes with the class (p = {p:.1g})" if goes else ""
            name = listing([table.names[j]])
            text = f"column {name} is called like follow-up, known only after the class{told}"
            suspects.append(Suspect("follow-up", (table.names[j],), text, goes))
    return suspects
