"""What a detector of leaks finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Suspect:
    """Columns that may tell the class because they come of it, or of how samples were handled.

    Attributes
    ----------
    kind : str
        The detector: "follow-up", "alone", "copy", "pair", "confined" or "circumstance".
    columns : tuple of str
    text : str
        What is so about them; one line, without advice.
    grave : bool
        A study refuses them unless they are allowed; others it tells.

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
        """The two ways to answer, as arguments."""
        names = list(self.columns)
        it, they = ("it", "it is") if len(names) == 1 else ("them", "they are")
        return f"leave {it} out with drop={names}, or say that {they} meant with allow={names}"
