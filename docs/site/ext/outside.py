"""Links from pages to files of the repository that lie outside docs/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes

ROOT = Path(__file__).parents[3]
PAGES = {  # by which page a file of the root stands in the site
    "README.md": "index",
    "CONTRIBUTING.md": "site/contributing",
    "ARCHITECTURE.md": "site/architecture",
    "CHANGELOG.md": "site/changes",
    "LICENSE": "site/licence",
}


def links_from_root(app: Any, path: Path, page: str, content: list[str]) -> None:
    """What a file of the root that is included links to, as seen from docs/site."""

    def seen_from_site(link: re.Match[str]) -> str:
        target = link[1].partition("#")[0]
        return f"](../../{link[1]})" if target and (ROOT / target).exists() else link[0]

    content[0] = re.sub(r"\]\(([^()\s]+)\)", seen_from_site, content[0])


def link_pages(app: Any, tree: nodes.document) -> None:
    """A link to a file of the root is one to its page; of other files outside docs/ the site has
    copies, which MyST makes."""
    kinds = (addnodes.download_reference, addnodes.pending_xref)
    for link in [node for kind in kinds for node in tree.findall(kind)]:
        target = Path(app.srcdir, link["reftarget"])  # where it is absolute, that
        if isinstance(link, addnodes.download_reference):
            target = Path(app.env.relfn2path(link["reftarget"], app.env.docname)[1])
        for name, page in PAGES.items():
            if target.resolve() in (ROOT / name, (ROOT / name).with_suffix("")):
                made = addnodes.pending_xref(
                    refdomain="std",
                    reftype="doc",
                    reftarget=f"/{page}",
                    refexplicit=True,
                    refdoc=app.env.docname,
                    refwarn=True,
                )
                made += nodes.inline("", link.astext())
                link.replace_self(made)


def setup(app: Any) -> dict[str, bool]:
    app.connect("include-read", links_from_root)
    app.connect("doctree-read", link_pages, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
