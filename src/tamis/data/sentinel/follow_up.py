"""Names of what is known only after the class: times of follow-up, dates of death."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..._core.errors import listing
from ..dataset import Dataset
from .interface import Suspect
from .separation import by_chance

# of survival analysis, as cBioPortal, TCGA and R's survival package call them
_END = r"os|pfs|dfs|rfs|efs|dss|dmfs|mfs|ttp|pfi|dfi|lfs|css|bcr"
_UNIT = r"time|months?|mo|days?|weeks?|years?|yrs?|status|event|censor(?:ed|ing)?|delay|[tmdye]"
ALWAYS = re.compile(
    rf"(?i)(?:{_END})(?:[ ._-]?(?:{_UNIT}))+|(?:{_UNIT})[ ._-](?:{_END})"
    r"|(?:days|weeks|months|years|time)[ ._-]?(?:to|until|since|of|till)[ ._-]?\w+"
    r"|\w*(?:overall|progression|disease|relapse|recurrence|metastasis|event)[ ._-]?free\w*"
    r"|\w*surviv(?:al|ed|or)\w*|\w*follow[ ._-]?up\w*|\w*last[ ._-]?(?:contact|seen|visit)\w*"
    r"|(?:is[ ._-]?)?(?:censor(?:ed|ing)?|deceased|dead|died|death)"
    r"(?:[ ._-]?(?:date|status|time|year))?"
    r"|(?:date|year|cause|time|age)[ ._-]?(?:(?:of|at)[ ._-]?)?death"
    r"|vital[ ._-]?status|fu[ ._-]?time|stime"
)
SHORT = re.compile(rf"(?i)(?:{_END})|time|t|duration|tte|months?|days?|years")
EVENT = re.compile(
    r"(?i).*(?:status|event|dea(?:d|th)|die[ds]?\b|deceased|alive|vital|surviv|relapse|recur|"
    r"progress|metasta|censor|outcome|remission|remitted).*"
)


UNLIKELY = 1e-3  # an association by chance, in any column that is called so


def find_follow_up(data: Dataset, names: Sequence[str], found: np.ndarray) -> list[Suspect]:
    """Columns called like a time of follow-up or what ended it; short names, such as ``time``, only
    where the class is an event and they go with it. Refused are those that go with the class;
    `found`: `separations`."""
    event = any(EVENT.fullmatch(word) for word in (data.target, *data.classes))
    sizes = np.bincount(data.codes, minlength=len(data.classes)).astype(float)
    always = [j for j, name in enumerate(names) if ALWAYS.fullmatch(name)]
    short = [j for j, name in enumerate(names) if event and SHORT.fullmatch(name)]
    suspects = []
    for j in sorted({*always, *short}):
        p = by_chance(found[j], sizes)
        goes = bool(p * (len(always) + len(short)) < UNLIKELY)
        if goes or j in always:
            told = f", and goes with the class (p = {p:.1g})" if goes else ""
            name = listing(names[j : j + 1])
            text = f"column {name} is called like follow-up, known only after the class{told}"
            suspects.append(Suspect("follow-up", (names[j],), text, goes))
    return suspects
