"""New samples for a saved model, of a table or of genotypes, for `predict` and `evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from .._core.terminal import say_to_user
from ._shared import (
    ALLOW_OPTION,
    BLOCKS_OPTIONS,
    DATA_PANEL,
    DROP_OPTION,
    ID_OPTION,
    LAYOUT_OPTIONS,
    SAMPLES_OPTION,
    TRANSPOSE_OPTION,
    in_panel,
    one_line,
)

model_reading = in_panel(
    DATA_PANEL,
    SAMPLES_OPTION,
    ID_OPTION,
    TRANSPOSE_OPTION,
    click.option("--group", metavar="COL", help="Column of patients, if some have several rows."),
    click.option("--batch", metavar="COL", help="Column of batches."),
    DROP_OPTION,
    BLOCKS_OPTIONS,
    LAYOUT_OPTIONS,
    ALLOW_OPTION,
)


def new_samples(
    model: Any, tables: tuple[Path, ...], target: str | None = None, **reading: Any
) -> Any:
    """Read a table for a saved model: only the columns it uses, categories declared as there; or
    the variants it uses from files of genotypes."""
    from ..genome.readers.endings import is_genotypes
    from ..model.samples import samples_for

    table = tables[0]
    if all(map(is_genotypes, tables)):
        return new_genotypes(model, tables, target, **reading)
    if len(tables) > 1:
        raise click.UsageError(
            "several files are one cohort only if all are genotypes (.bed, .pgen, .bgen, .vcf); "
            "give one table, and tables of the same samples with --block NAME=TABLE"
        )
    given = {key: value for key, value in reading.items() if value is not None}
    data = samples_for(model, table, target, **given)
    for note in data.notes:
        say_to_user(f"  {one_line(note)}")
    return data


def new_genotypes(
    model: Any,
    files: tuple[Path, ...],
    target: str | None,
    *,
    samples: Path | None,
    group: str | None,
    batch: str | None,
    unify: tuple[str, ...] = (),
    allow: tuple[str, ...] = (),
    **others: Any,
) -> Any:
    """Genotypes for a saved model, and a word on how its variants were found."""
    from ..genome import genotypes_for_model, open_genotypes
    from ..model.samples import as_model_spells

    foreign = [name for name, value in others.items() if value and name != "incomplete"]
    if foreign:
        option = {"blocks": "block"}.get(foreign[0], foreign[0].replace("_", "-"))
        raise click.UsageError(
            f"{files[0].name!r} holds genotypes, of which --{option} says nothing: leave it out"
        )
    data = genotypes_for_model(
        model,
        open_genotypes(files),
        target,
        samples=samples,
        group=group,
        batch=batch,
        unify=unify,
        allow=allow,
    )
    data = as_model_spells(model, data, batch or "", unify, allow)
    for note in data.notes:
        say_to_user(f"  {one_line(note)}")
    return data
