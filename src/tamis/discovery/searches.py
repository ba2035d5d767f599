"""Ways to search: what each is told, and what it gives. A new one is a file and a row."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .._core.errors import PlanError, nearest
from ..data.checks import Summary
from ..data.dataset import Dataset
from .schema import KIND, SCHEMA, FamilyTest, SearchHead, SearchRecord, SearchResult

# A method's name, and the module of this room whose SEARCH it is.
MODULES = {
    "mcfs": "monte_carlo",
    "rit": "intersection_sets",
    "irf": "forest_sets",
    "pairs": "pair_sets",
}


@dataclass(frozen=True)
class Task:
    """One search, whose settings are checked.

    Attributes
    ----------
    data : Dataset
    columns : Summary
        Of its columns.
    about : SearchRecord
        With all settings and the seed.
    folder : Path
        For the tables, and for what is to be kept if the search is killed.
    n_jobs : int or None
        Threads.
    quiet : bool
        No progress.
    """

    data: Dataset
    columns: Summary
    about: SearchRecord
    folder: Path
    n_jobs: int | None
    quiet: bool

    @property
    def settings(self) -> dict[str, Any]:
        """As the user gave them, or the defaults."""
        return self.about["settings"]

    def head(self, permutation: FamilyTest | None) -> SearchHead:
        """What every result begins with."""
        data, (n, p) = self.data, self.data.shape
        sizes = np.bincount(data.codes, minlength=len(data.classes)).tolist()
        return {
            "schema": SCHEMA,
            "kind": KIND,
            "method": self.settings["method"],
            "name": data.name,
            "target": data.target,
            "seed": self.settings["seed"],
            "versions": self.about["versions"],
            "data": {
                "n_samples": n,
                "n_features": p,
                "n_categorical": len(data.levels),
                "missing": float(self.columns.missing.sum() / (n * p)),
                "classes": [
                    {"name": name, "size": size}
                    for name, size in zip(data.classes, sizes, strict=True)
                ],
            },
            "permutation": permutation,
        }


@dataclass(frozen=True)
class Search:
    """A way to search.

    Attributes
    ----------
    settings : mapping
        What a user may set, and the defaults.
    tables : tuple of str
        Files written beside ``interactions.json``.
    check : callable
        From data, columns and settings; raises what is wrong, before a folder is made.
    find : callable
        From a `Task` to the result; writes the tables, too.
    content : type
        Of the result.
    summary : callable
        From the result to a few lines of text.
    """

    settings: Mapping[str, Any]
    tables: tuple[str, ...]
    check: Callable[[Dataset, Summary, dict[str, Any]], None]
    find: Callable[[Task], SearchResult]
    content: type
    summary: Callable[[Any], str]


def search_named(method: Any) -> Search:
    """The search of a method's name.

    Examples
    --------
    >>> search_named("mcsf")
    Traceback (most recent call last):
    ...
    tamis._core.errors.PlanError: method='mcsf': did you mean 'mcfs'?
    """
    if method not in MODULES:
        raise PlanError(f"method={method!r}: {nearest(method, MODULES)}")
    search: Search = importlib.import_module(f".{MODULES[method]}", __package__).SEARCH
    return search
