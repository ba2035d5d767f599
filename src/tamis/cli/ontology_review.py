"""`tamis ontology review`: a person answers the questions that matter, round by round."""

from __future__ import annotations

import os
from pathlib import Path

import rich_click as click

from .._core.outputs import OutputFile
from ._ontology_options import (
    LEARNING_OPTIONS,
    MAPPING_OUTPUT,
    SOURCE_ARGUMENT,
    TARGET_ARGUMENT,
    MatchOptions,
    written_mapping,
)
from ._shared import (
    FORCE_OPTION,
    free_output,
    gathered_as,
    number_option,
    path_option,
    print_result,
    require_apart,
)
from .ontology_match import check_page, check_suffix, default_name


def _is_sheet(path: Path) -> bool:
    from ..ontology.review_sheet import is_sheet

    return is_sheet(path)


SHEET_OUTPUT = OutputFile("sheet of a review", _is_sheet)


@click.command("review")
@SOURCE_ARGUMENT
@TARGET_ARGUMENT
@LEARNING_OPTIONS
@path_option(
    "--out",
    "SHEET",
    "The questions, a table to fill in; if it is there, its answers are read first, and stay "
    "(default: A-B.review.tsv here).",
)
@click.option(
    "--answers",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="SHEET",
    help="Another sheet that was filled in, as a colleague's. Repeatable.",
)
@number_option("--most", "Questions at most.", least=0, default=50)
@click.option(
    "--mapping",
    "mapping_out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the mapping, too, as `tamis ontology match` does.",
)
@path_option("--page", "FILE", "Write a page, too: questions with both contexts, and the mapping.")
@FORCE_OPTION
@gathered_as(MatchOptions)
@click.pass_context
def command(
    ctx: click.Context,
    options: MatchOptions,
    out: Path | None,
    answers: tuple[Path, ...],
    most: int,
    mapping_out: Path | None,
    page: Path | None,
    force: bool,
) -> None:
    """Ask a person about the pairs of A and B that are most probably wrong.

    Fill in the column match of SHEET: yes, no, ? (you do not know), or nothing; then run the same
    command again. It learns from all answers, rewrites the mapping, and asks the next questions. A
    pair that was accepted stays, one that was refused never comes back, and no pair is asked about
    twice.
    """
    from ..ontology.review import questions
    from ..ontology.review_sheet import opened_sheet, read_sheet, write_sheet

    out = out or default_name(options.source, options.target, ".review.tsv")
    others = [path for path in answers if not _same_file(path, out)]
    ctx.params["answers"] = tuple(others)  # read, and not written
    free_output(SHEET_OUTPUT, out, force)
    if mapping_out is not None:
        check_suffix(mapping_out)
        free_output(MAPPING_OUTPUT, mapping_out, force)
    check_page(page, force)
    require_apart(out, mapping_out, page)
    sheet = opened_sheet(out)
    sheets = [sheet, *map(read_sheet, others)]
    source, target = options.ontologies()
    known = options.known(source, target, *sheets)
    matcher = options.learned(source, target, known)
    spoken = {(one.source, one.target) for one in known.correspondences}
    next_ones = questions(matcher, source, target, most, spoken)
    if mapping_out is not None:
        free_output(MAPPING_OUTPUT, mapping_out, force)  # something may have come meanwhile
    check_page(page, force)
    n_open = write_sheet(out, next_ones, sheet)
    found = options.mapped(matcher, source, target)
    counts = {
        word: sum(row.answer == status for one in sheets for row in one.answered)
        for word, status in (("yes", "accepted"), ("no", "refused"), ("unknown", "uncertain"))
    }
    lines = [
        found.summary().replace("\n", "\n  ! "),
        f"  answers   {counts['yes']:,} yes, {counts['no']:,} no, {counts['unknown']:,} unknown",
        f"  sheet     {out}: {n_open:,} open",
    ]
    if mapping_out is not None:
        lines.append(written_mapping(found, mapping_out))
    if page is not None:
        from ..ontology.context import contexts_of
        from ..report import write_mapping_page

        contexts = contexts_of(found, source, target)
        write_mapping_page(found.to_dict(), page, contexts, next_ones)
        lines.append(f"  page      {page}")
    content = {"sheet": str(out), "open": n_open, "answers": counts, "mapping": found.to_dict()}
    print_result(content, options.as_json, *lines)


def _same_file(path: Path, other: Path) -> bool:
    return path == other or (path.exists() and other.exists() and os.path.samefile(path, other))
