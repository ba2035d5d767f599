"""`tamis report`: the page of a finished study or search for interactions."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from .._core.terminal import print_text
from ._shared import path_option


@click.command("report")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@path_option("--out", "FILE", "Where to write the page (default: report.html in the folder).")
def command(folder: Path, out: Path | None) -> None:
    """Write the page of a finished study or search in DIR again, and print its path."""
    from ..discovery import open_interactions
    from ..discovery.folder import InteractionFolder
    from ..report import write_interactions, write_report
    from ..study import open_study

    if InteractionFolder(folder).holds_search():
        found = open_interactions(folder).to_dict()
        print_text(str(write_interactions(found, out or folder / "report.html")))
    else:
        print_text(str(write_report(open_study(folder).to_dict(), folder, out)))
