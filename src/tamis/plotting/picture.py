"""Charts of a result for people: what the page draws, in a notebook or a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .._core.errors import PlanError, listing, nearest_name
from .._core.files import write_text

SIDE_BY_SIDE = "display:flex;flex-wrap:wrap;gap:1em"
TITLE = re.compile(r"<title>([^<>]*)</title>")
ONE = "flex:1 1 20em;max-width:32em"


@dataclass(frozen=True)
class Picture:
    """One or several charts, as SVG. A notebook shows them in its own colours.

    Attributes
    ----------
    name : str
    charts : tuple of str
        Each one ``<svg>`` element, which stands alone.
    """

    name: str
    charts: tuple[str, ...]

    def __repr__(self) -> str:
        n = len(self.charts)
        return f"Picture({self.name!r}: {n} chart{'s' if n > 1 else ''})"

    def _repr_html_(self) -> str:
        charts = (f'<div style="{ONE}"><div>{_title(c)}</div>{c}</div>' for c in self.charts)
        return f'<div style="{SIDE_BY_SIDE}">{"".join(charts)}</div>'

    def save(self, path: str | os.PathLike[str]) -> list[Path]:
        """Write a file for each chart, of several ``name-1.svg`` and so on; the files written.

        Raises
        ------
        PlanError
            The name does not end in ``.svg``.
        """
        path = Path(path)
        if path.suffix.lower() != ".svg":
            raise PlanError(f"{str(path)!r}: charts are written as SVG; name it .svg")
        several = len(self.charts) > 1
        found = [
            path.with_name(f"{path.stem}-{k}{path.suffix}") if several else path
            for k in range(1, len(self.charts) + 1)
        ]
        for at, chart in zip(found, self.charts, strict=True):
            write_text(at, chart + "\n")
        return found


def _title(chart: str) -> str:
    """What a chart is called for those who do not see it, escaped as it is there."""
    found = TITLE.search(chart)
    return found[1] if found else ""


def picture_of(kind: str, charts: Mapping[str, str | Iterable[str]]) -> Picture:
    """The charts of a kind, of all that a result has.

    Raises
    ------
    PlanError
        It has none of that kind; those that it has are named.

    Examples
    --------
    >>> picture_of("roc", {"roc": "<svg/>", "pr": ""})
    Picture('roc': 1 chart)
    >>> picture_of("pr", {"roc": "<svg/>", "pr": ""})
    Traceback (most recent call last):
    ...
    tamis._core.errors.PlanError: no picture 'pr': this result has 'roc'
    """
    found = {name: (one,) if isinstance(one, str) else tuple(one) for name, one in charts.items()}
    found = {name: shown for name, many in found.items() if (shown := tuple(filter(None, many)))}
    if kind not in found:
        near = nearest_name(kind, found)
        hint = f" (did you mean {near!r}?)" if near else ""
        raise PlanError(f"no picture {kind!r}: this result has {listing(found, 30)}{hint}")
    return Picture(kind, found[kind])
