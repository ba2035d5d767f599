"""Options of commands whose work can be computed in parts, each in a folder of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from .._core.errors import PlanError
from ._shared import applied_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._core.parts import Part


def part_said(ctx: click.Context, parameter: click.Parameter, given: str | None) -> Part | None:
    """``--part 3/10``."""
    if given is None:
        return None
    from .._core.parts import Part

    try:
        return Part.of(given)
    except PlanError as error:
        raise click.BadParameter(str(error)) from None


def folders_said(
    ctx: click.Context, parameter: click.Parameter, given: tuple[Path | str, ...]
) -> tuple[Path, ...]:
    """``--join DIR``; an empty text, of a variable that is not set, is no folder."""
    if any(not str(path) for path in given):
        raise click.BadParameter("'' is no folder: is a variable empty?")
    return tuple(map(Path, given))


PART_OPTIONS = applied_options(
    click.option(
        "--part",
        metavar="K/N",
        callback=part_said,
        help="Compute one of N parts of equal cost, such as 3/10, in a folder of its own; --join "
        "makes the result of all.",
    ),
    click.option(
        "--join",
        type=click.Path(),
        callback=folders_said,
        multiple=True,
        metavar="DIR",
        help="Folder of a part, or one that parts lie in: the result that one run would have "
        "given. Repeatable.",
    ),
)


def refuse_part_of_joined(part: Part | None, join: Sequence[Path]) -> None:
    """That both are given."""
    if part and join:
        raise click.UsageError("--part computes and --join puts together: give one")


def part_folder(usual: str | Path, part: Part) -> Path:
    """Where a part goes without --out: into one folder for all, which --join takes."""
    return Path(f"{usual}-parts", f"{part.number}-of-{part.count}")
