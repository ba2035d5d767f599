"""`tamis evaluate`: a saved model on an external cohort."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from ._shared import (
    CODE,
    DATA,
    HELP,
    RUN,
    TABLES,
    TRUST,
    in_panel,
    model_reading,
    new_samples,
    print_result,
)
from .predict import MODEL


@click.command("evaluate")
@MODEL
@TABLES
@in_panel(
    DATA, click.option("--target", metavar="COL", required=True, help="Column of the true class.")
)
@model_reading
@in_panel(
    RUN,
    CODE,
    TRUST,
    click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object."),
    HELP,
)
def command(
    model: Path, tables: tuple[Path, ...], as_json: bool, trust: tuple[str, ...], **reading: Any
) -> None:
    """Validate MODEL on the samples of TABLE, whose classes are known: every metric with its
    95 % interval, and the confusion matrix. Warns where the table does not suit the model.

    The model of a study of genotypes takes genotypes (.bed, .pgen, .bgen, .vcf), as `tamis predict`
    does; --target is a column of --samples, or phenotype, that of the .fam.
    """
    from ..model.evaluate import evaluate, evaluation_text
    from ..model.file import load_model

    fitted = load_model(model, trust)
    found = evaluate(fitted, new_samples(fitted, tables, **reading))
    print_result(found, as_json, evaluation_text(found))
