"""Columns that tell when, where or how a sample was taken, or its stage: they repeat, and name no
patient."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .names import PATIENT_PATTERN

MONTH_NAMES = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_NUMBERED = (
    "plate|well|batch|run|lane|chip|slide|flowcell|hour|day|week|month|quarter|year|visit|cycle|"
    "time|timepoint|version|release|build|stage|grade|chr|chromosome"
)
_WORD = re.compile(rf"(?i)(?:{_NUMBERED}|date|datetime|timestamp|scan|tnm|dose)s?")
_YEAR, _DAY, _CLOCK = r"(?:19|20)\d\d", r"(?:0?[1-9]|[12]\d|3[01])", r"\d?\d:[0-5]\d(?::[0-5]\d)?"
_NAMED = rf"(?:{MONTH_NAMES})[a-z]*"
_KINDS = (
    rf"(?:{_YEAR}([-/.]){_DAY}(?:\1{_DAY})?|{_DAY}([-/.]){_DAY}\2{_YEAR}|{_DAY}([/.]){_DAY}\3\d\d"
    rf"|{_DAY}[-/. ]*{_NAMED}(?:[-/. ]*(?:{_YEAR}|\d\d))?|{_NAMED}[-/. ]*{_YEAR}"
    rf"|{_YEAR}[- ]?[qw]\d\d?)(?:[t ]{_CLOCK}\S*)?",
    rf"{_CLOCK}(?:\.\d+)?(?: ?[ap]m)?",
    rf"(?:{_NUMBERED})s?[ _.#-]*\d+[a-z]?",
    r"\d+(?:\.\d+)? ?(?:h|hours?|min|sec|days?|weeks?|months?|years?|[mup]?g|kg|[mu]l|[mun]m|%)",
    r"(?:[cpyra]{0,2}(?:t(?:is|x|[0-4][a-d]?)|n(?:x|[0-3][a-c]?)|m(?:x|[01][a-c]?))[ ,/]*)+",
    r"v(?:er\.?)? ?\d+(?:\.\d+)+\S*|(?:0|[1-9]\d?)(?:\.(?:0|[1-9]\d{0,2})){2,3}",
)
CIRCUMSTANCE_PATTERNS = tuple(re.compile(kind, re.IGNORECASE) for kind in _KINDS)
WELL_PATTERN = re.compile(r"([A-P])(?:0?[1-9]|1\d|2[0-4])")
FEWEST_PLATE_ROWS = 4  # P01, P02 ... are patients: wells have many letters
MIN_SHARE = 0.9  # of the values


def names_nobody(name: str, values: Iterable[str]) -> bool:
    """Whether a column describes, by its name or its values, a circumstance and no patient.

    A name that has a word for patients, such as ``patient_visit``, does not count.

    Examples
    --------
    >>> names_nobody("visit_date", ["2021-03-04"]), names_nobody("x", ["T1a", "N0"])
    (True, True)
    >>> names_nobody("x", ["P07", "P08"]), names_nobody("x", ["TCGA-A1-03"])
    (False, False)
    """
    words = re.findall(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*", name)
    if any(map(_WORD.fullmatch, words)) and not any(map(PATIENT_PATTERN.fullmatch, words)):
        return True
    values = list(values)
    wells = [found[1] for value in values if (found := WELL_PATTERN.fullmatch(value))]
    hits = max(
        sum(kind.fullmatch(value) is not None for value in values) for kind in CIRCUMSTANCE_PATTERNS
    )
    if len(set(wells)) >= FEWEST_PLATE_ROWS:
        hits = max(hits, len(wells))
    return bool(values) and hits >= MIN_SHARE * len(values)
