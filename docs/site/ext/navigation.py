"""Where each page stands: toctrees are added to pages as they are read.

The pages of docs/ are read on code hosts too, where a toctree would be a block of code.
"""

from __future__ import annotations

import re
from typing import Any

# The pages below a page, or patterns of them, under captions (# ...); a page stands below one.
TREES = {
    "index": """
        Start <self>
        Tutorials <site/tutorials>
        How-to <site/how_to>
        Reports <site/reports>
        Methods <methods/README>
        Warnings <warnings>
        CLI <site/cli/tamis>
        Python <python>
        Coming from <coming_from>
        Evidence <results/README>
        FAQ <faq>
        For developers <site/developers>
        """,
    "site/tutorials": """
        tutorial
        site/examples/index
        gallery
        """,
    "site/how_to": """
        commands
        glossary
        # Tables
        files
        data
        look
        leaks
        tables
        expression_files
        # Studies
        choosing
        plan
        report
        numbers
        evaluate
        outputs
        json
        # Your own methods
        own_code
        check
        # Interactions
        interact
        # Ontologies
        ontology
        ontology_matching
        ontology_review
        ontology_mappings
        ontology_candidates
        ontology_similarities
        """,
    "methods/README": "methods/*",
    "python": "Reference <site/reference>",
    "coming_from": "PLINK, GCTA, GEMMA or REGENIE <coming_from_plink>",
    "results/README": "results/*",
    "site/developers": """
        site/contributing
        site/architecture
        site/changes
        site/licence
        """,
}
ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>$', re.M)


def toctree(caption: str, pages: list[str], options: list[str]) -> str:
    """One list, of pages by their names from docs/."""
    names = [re.sub(r"(^|<)(?!self>)([\w*/]+>?)$", r"\1/\2", page) for page in pages]
    lines = [":maxdepth: 1", *options, *([f":caption: {caption}"] if caption else []), "", *names]
    return "\n\n```{toctree}\n" + "\n".join(lines) + "\n```\n"


def add_toctrees(app: Any, docname: str, source: list[str]) -> None:
    """The lists of a page below its text, seen where they are all of it; its anchors as MyST
    knows them."""
    source[0] = ANCHOR.sub(r"(\1)=", source[0])
    lists: dict[str, list[str]] = {}
    caption = ""
    for line in map(str.strip, TREES.get(docname, "").strip().splitlines()):
        if line.startswith("# "):
            caption = line[2:]
        else:
            lists.setdefault(caption, []).append(line)
    options = [] if docname.startswith("site/") else [":hidden:"]
    for caption, pages in lists.items():
        glob = [":glob:"] if "*" in "".join(pages) else []
        source[0] += toctree(caption, pages, options + glob)


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", add_toctrees)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
