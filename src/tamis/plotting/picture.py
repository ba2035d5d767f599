"""Charts of a result for people: what the page draws, in a notebook or a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .._core.errors import MissingExtraError, PlanError, listed_names, nearest_name, require_library
from .._core.files import write_bytes
from ._svg import FONT_FAMILY

SIDE_BY_SIDE = "display:flex;flex-wrap:wrap;gap:1em"
TITLE_PATTERN = re.compile(r"<title>([^<>]*)</title>")
PNG_WIDTH = 1440  # pixels of a chart
SINGLE_CHART_STYLE = "flex:1 1 20em;max-width:32em"


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
        charts = (
            f'<div style="{SINGLE_CHART_STYLE}"><div>{_chart_title(c)}</div>{c}</div>'
            for c in self.charts
        )
        return f'<div style="{SIDE_BY_SIDE}">{"".join(charts)}</div>'

    def save(self, path: str | os.PathLike[str]) -> list[Path]:
        """Write a file for each chart, of several ``name-1.svg`` and so on; the files written.

        Charts are SVG. CairoSVG (``pip install '.[plot]'``) makes PNG of them, on white and
        1,440 pixels wide, or PDF.

        Parameters
        ----------
        path : path-like
            Ends in ``.svg``, ``.png`` or ``.pdf``.

        Raises
        ------
        PlanError
            The name has another ending.
        MissingExtraError
            For PNG and PDF: CairoSVG, or the library Cairo that it calls, is not installed.

        Examples
        --------
        >>> Picture("roc", ("<svg/>",)).save("roc.jpg")
        Traceback (most recent call last):
        ...
        tamis._core.errors.PlanError: 'roc.jpg': charts are written as .svg, .png or .pdf
        """
        path = Path(path)
        kind = path.suffix.lower()
        if kind not in (".svg", ".png", ".pdf"):
            raise PlanError(f"{str(path)!r}: charts are written as .svg, .png or .pdf")
        drawn = [_as_file(chart, kind) for chart in self.charts]
        several = len(self.charts) > 1
        found = [
            path.with_name(f"{path.stem}-{k}{path.suffix}") if several else path
            for k in range(1, len(self.charts) + 1)
        ]
        for at, content in zip(found, drawn, strict=True):
            write_bytes(at, content)
        return found


def _as_file(chart: str, kind: str) -> bytes:
    """What a file with this ending holds."""
    if kind == ".svg":
        return f"{chart}\n".encode()
    purpose = f"writing a {kind} (a .svg needs no library)"
    try:
        cairosvg = require_library("cairosvg", "plot", purpose)
    except OSError as error:  # it loads Cairo when it is imported
        raise MissingExtraError(
            f"{purpose} needs the library Cairo of the system: install it (Debian: libcairo2, "
            "macOS: cairo of Homebrew, Windows: GTK)"
        ) from error
    plain = chart.replace(FONT_FAMILY, "sans-serif").encode()  # Cairo asks for the first font alone
    if kind == ".png":
        content: bytes = cairosvg.svg2png(plain, output_width=PNG_WIDTH, background_color="white")
    else:
        content = cairosvg.svg2pdf(plain)
    return content


def _chart_title(chart: str) -> str:
    """What a chart is called for those who do not see it, escaped as it is there."""
    found = TITLE_PATTERN.search(chart)
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
        raise PlanError(f"no picture {kind!r}: this result has {listed_names(found, 30)}{hint}")
    return Picture(kind, found[kind])
