"""`tamis report`: the page of a finished study or search for interactions."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from .._core.terminal import print_text
from ._shared import FORCE_OPTION, free_output, path_option


@click.command("report")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@path_option("--out", "FILE", "Where to write the page (default: report.html in the folder).")
@FORCE_OPTION
def command(folder: Path, out: Path | None, force: bool) -> None:
    """Write the page of a finished study or search in DIR again, and print its path."""
    from .._core.inside import Inside
    from ..discovery import open_interactions
    from ..discovery.folder import InteractionFolder
    from ..report import PAGE_OUTPUT, write_interactions, write_report
    from ..study import open_study

    page = out or Inside(folder, "report.html")
    free_output(PAGE_OUTPUT, Path(page), force)
    if InteractionFolder(folder).holds_search():
        found = open_interactions(folder).to_dict()
        print_text(str(write_interactions(found, page)))
    else:
        print_text(str(write_report(open_study(folder).to_dict(), folder, page)))
