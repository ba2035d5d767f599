"""A look at the pages that were built: every link inside the site leads to what is there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sphinx.util import logging

LINK = re.compile(r'<[^>]*\s(?:href|src)="([^"]+)"')
ID = re.compile(r'\sid="([^"]+)"')
WITH_A_SCHEME = re.compile(r"[a-z]+:|//")
HIGHLIGHTED = re.compile(r"<pre>.*?</pre>", re.S)  # examples may show links


@cache
def ids_of(page: Path) -> frozenset[str]:
    return frozenset(ID.findall(page.read_text(encoding="utf-8")))


def dead_links(page: Path, site: Path) -> list[str]:
    """Links of a page to a file that is not there, or to a place that its target has not."""
    found = []
    for link in dict.fromkeys(LINK.findall(HIGHLIGHTED.sub("", page.read_text(encoding="utf-8")))):
        if WITH_A_SCHEME.match(link):
            continue
        path, _, place = link.partition("#")
        target = (page.parent / unquote(path.partition("?")[0])).resolve() if path else page
        there = target.is_relative_to(site) and target.exists()
        if there and place and target.suffix == ".html":
            there = unquote(place) in ids_of(target)
        if not there:
            found.append(link)
    return found


def warn_of_dead_links(app: Any, error: Exception | None) -> None:
    if error or app.builder.name != "html":
        return
    for name in sorted(app.env.found_docs):  # other files may be of an earlier build
        for link in dead_links(Path(app.builder.get_outfilename(name)), Path(app.outdir)):
            logging.getLogger(__name__).warning("dead link: %s", link, location=name)


def setup(app: Any) -> dict[str, bool]:
    app.connect("build-finished", warn_of_dead_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
