"""`Interactions`: a finished search, from one dictionary."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._core.checked_json import fitting_together
from .._core.fields import text_of_field
from .._core.registry import find_row
from .._core.rows import SearchRow
from .folder import InteractionFolder
from .schema import SearchResult


@dataclass(frozen=True)
class Interactions:
    """A finished search. Everything is drawn from `to_dict()` (see docs/interact.md).

    Attributes
    ----------
    content : dict
        Its keys and types: `tamis.discovery.schema.InteractionsResult` of the method mcfs,
        `tamis.discovery.schema.SetsResult` of all others.
    folder : Path
        Where its tables, graph and page lie.
    """

    content: SearchResult
    folder: Path

    def __repr__(self) -> str:
        c = self.content
        return f"Interactions({c['name']!r} by {c['method']}; {str(self.folder)!r})"

    def to_dict(self) -> Any:
        """The whole result as plain numbers, text, lists and dictionaries."""
        return self.content

    def frame(self) -> Any:
        """All features, best first, as a pandas DataFrame."""
        import pandas as pd

        path = self.folder / "features.csv"
        found = pd.read_csv(path, keep_default_na=False, na_values=[""], dtype={"name": str})
        return found.assign(name=found["name"].map(text_of_field, na_action="ignore"))

    def summary(self) -> str:
        """What was found, the best first, in a few lines of text."""
        with fitting_together(self.folder):
            text: str = find_row(self.content["method"], SearchRow).load().summary(self.content)
        return text


def open_interactions(folder: str | os.PathLike[str]) -> Interactions:
    """Open the folder of a finished search.

    Raises
    ------
    StoreError
        It holds no search, or an unfinished one.

    Examples
    --------
    >>> open_interactions("nowhere")
    Traceback (most recent call last):
    ...
    tamis._core.errors.StoreError: no finished search in 'nowhere': it is not the folder of ...
    """
    store = InteractionFolder(folder)
    return Interactions(store.read_result(), store.folder)
