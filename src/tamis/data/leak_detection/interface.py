"""What a detector of leaks finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_NAMED_COLUMNS = 3  # columns that are named
TABLE_KINDS = {  # of no single column, and what to do: `allow` takes the kind
    "class-filled": "study the table with its gaps, which each training set fills in by itself",
    "class-centred": "study the values as they were before",
    "class-gaps": "see whether the classes were measured alike",
    "preselected": "then results look too good: study all columns that were measured",
}


@dataclass(frozen=True)
class Suspect:
    """Columns that may tell the class because they come of it, or of how samples were handled.

    Attributes
    ----------
    kind : str
        The detector: "time-to-event", "follow-up", "alone", "copy", "pair", "gaps", "confined",
        "circumstance", or one of `TABLE_KINDS`.
    columns : tuple of str
        Empty where the table is meant.
    text : str
        What is so about them; one line, without advice.
    grave : bool
        A study refuses them unless they are allowed; others it reports.

    Examples
    --------
    >>> Suspect("copy", ("dx",), "column 'dx' is the class under another name", True).advice
    "leave it out with drop=['dx'], or say that it is meant with allow=['dx']"
    """

    kind: str
    columns: tuple[str, ...]
    text: str
    grave: bool = False

    @property
    def advice(self) -> str:
        """The ways to answer, as arguments."""
        if self.kind in TABLE_KINDS:
            return f"{TABLE_KINDS[self.kind]}, or say that it is meant with allow={self.kind!r}"
        if self.kind == "time-to-event":
            every = advice_on(self.columns, len(self.columns))
            return f"to study it as a class all the same, {every}"
        others = advice_on(self.columns)
        if self.kind == "circumstance":
            return f"if it is a batch, name it with batch={self.columns[0]!r}; else {others}"
        return others


def advice_on(columns: Sequence[str], most: int = MAX_NAMED_COLUMNS) -> str:
    """How columns are left out, or allowed; the first few are named.

    Examples
    --------
    >>> advice_on(["a", "b"])
    "leave them out with drop=['a', 'b'], or say that they are meant with allow=['a', 'b']"
    """
    it, they = ("it", "it is") if len(columns) == 1 else ("them", "they are")
    shown = ", ".join([*map(repr, columns[:most]), *(["..."] if len(columns) > most else [])])
    return f"leave {it} out with drop=[{shown}], or say that {they} meant with allow=[{shown}]"
