"""`tamis evaluate`: a saved model on an external cohort."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from .._core.outputs import OutputFile, starts_with
from .._core.terminal import say_to_user
from ._new_samples import model_reading, new_samples
from ._shared import (
    CODE_OPTION,
    DATA_PANEL,
    FORCE_OPTION,
    HELP_OPTION,
    RUN_PANEL,
    TABLES_ARGUMENT,
    TRUST_OPTION,
    free_output,
    in_panel,
    path_option,
    print_result,
)
from .predict import MODEL_ARGUMENT

KIND = "evaluation"
EVALUATION_OUTPUT = OutputFile(
    "result of `tamis evaluate`", starts_with(f'{{\n "kind": "{KIND}"'.encode())
)


@click.command("evaluate")
@MODEL_ARGUMENT
@TABLES_ARGUMENT
@in_panel(
    DATA_PANEL,
    click.option(
        "--target", metavar="COL", required=True, help="Column of the true class, or number."
    ),
)
@model_reading
@in_panel(
    RUN_PANEL,
    CODE_OPTION,
    TRUST_OPTION,
    path_option("--out", "FILE.json", "Write the result here, too, as one JSON object."),
    path_option("--report", "FILE.html", "Write a page of the result."),
    FORCE_OPTION,
    click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object."),
    HELP_OPTION,
)
def command(
    model: Path,
    tables: tuple[Path, ...],
    out: Path | None,
    report: Path | None,
    force: bool,
    as_json: bool,
    trust: tuple[str, ...],
    **reading: Any,
) -> None:
    """Validate MODEL on the samples of TABLE, whose classes, or numbers, are known: every metric
    with its 95 % interval, and the confusion matrix. Warns where the table does not suit the model.

    The model of a study of genotypes takes genotypes (.bed, .pgen, .bgen, .vcf), as `tamis predict`
    does; --target is a column of --samples, or phenotype, that of the .fam.
    """
    from .._core.files import write_json
    from ..model.evaluate import evaluate, evaluation_text
    from ..model.file import load_model

    if out is not None:
        free_output(EVALUATION_OUTPUT, out, force)
    if report is not None:
        from ..report import PAGE_OUTPUT, write_evaluation_page

        free_output(PAGE_OUTPUT, report, force)
    fitted = load_model(model, trust)
    found = evaluate(fitted, new_samples(fitted, tables, **reading))
    print_result(found, as_json, evaluation_text(found))
    if out is not None:
        free_output(EVALUATION_OUTPUT, out, force)  # something may have come meanwhile
        write_json(out, {"kind": KIND, **found})
        say_to_user(f"written to {out}")
    if report is not None:
        free_output(PAGE_OUTPUT, report, force)
        write_evaluation_page(found, report)
        say_to_user(f"page written to {report}")
