"""What the registry holds of a search of `tamis interact`: one row."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class SearchRow:
    """One search on all samples.

    Attributes
    ----------
    name : str
        As in ``--method``.
    target : str
        ``module:attribute`` of the `tamis.discovery.interface.Search`, imported when it is used.
    summary : str
        What it finds: a sentence without its full stop.
    title : str
        What people call it, in a few words.
    cite : tuple of str
        Keys of `citations.CITATIONS`, or whole citations.
    page : str
        Of docs/methods, such as "mcfs.md".
    quick : mapping
        Settings under which the common tests run it.
    """

    role: ClassVar[str] = "search"
    key: ClassVar[str] = "method"  # of `find_interactions`
    heading: ClassVar[str] = "tamis interact --method ..."  # in lists

    name: str
    target: str
    summary: str
    title: str
    cite: tuple[str, ...] = ()
    page: str = ""
    quick: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Any:
        """The search."""
        module, _, attribute = self.target.partition(":")
        return getattr(importlib.import_module(module), attribute)

    @property
    def settings(self) -> list[str]:
        """All that a user may set, as `find_interactions` calls it."""
        return list(self.load().defaults)
