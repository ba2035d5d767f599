"""Pictures of examples for sphinx-gallery.

A page shows what a notebook would: the chart itself, in the colours of the page. As files they are
needed for the list of examples alone.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any


def save_picture(block: Any, variables: dict[str, Any], gallery: dict[str, Any]) -> str:
    """Keep a chart that an example has shown; its page has it already."""
    from tamis.plotting.picture import Picture

    shown = variables["example_globals"].get("___")  # the value of a block's last line
    if isinstance(shown, Picture):
        path = Path(next(variables["image_path_iterator"])).with_suffix(".svg")
        path.write_text(shown.charts[0], encoding="utf-8")
    return ""


def fresh_folder(gallery: dict[str, Any], name: str) -> None:
    """Studies look for others of the same table beside them: each example has its own place."""
    tempfile.tempdir = None
    tempfile.tempdir = tempfile.mkdtemp(prefix="tamis-example-")
