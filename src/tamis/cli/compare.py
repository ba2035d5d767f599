"""`tamis compare`: the methods of several finished studies."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from ._shared import FORCE_OPTION, free_output, path_option, print_result


@click.command("compare")
@click.argument("folders", metavar="DIR...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--metric",
    metavar="NAME",
    help="Score to compare, by its short name (default: bcr; of studies of a number q2).",
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="NAME=DIR,DIR",
    help="Data sets that derive from one source, by their studies; or a TSV file of data set and "
    "source.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Level of the tests.",
)
@path_option("--out", "FILE", "Where to write the page.", Path("tamis-comparison.html"))
@FORCE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as one JSON object.")
def command(
    folders: tuple[Path, ...],
    metric: str | None,
    sources: tuple[str, ...],
    alpha: float,
    out: Path,
    force: bool,
    as_json: bool,
) -> None:
    """Compare the finished studies in DIR..., on the terminal and on a page.

    Studies of one table, with different plans: their scores in pairs, over the same outer folds.
    Studies of several data sets: the methods that all have, by ranks, tests, wins and losses.
    """
    from ..report import PAGE_OUTPUT, write_comparison
    from ..study.results.compare import compare_studies
    from ..study.results.sources import read_sources

    free_output(PAGE_OUTPUT, out, force)
    found = compare_studies(folders, metric, read_sources(sources), alpha)
    free_output(PAGE_OUTPUT, out, force)  # something may have come meanwhile
    page = write_comparison(found.to_dict(), out)
    print_result(found.to_dict(), as_json, found.summary(), f"page: {page}")
