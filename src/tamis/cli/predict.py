"""`tamis predict`: a saved model on new samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from .._core.outputs import OutputFile, starts_with
from .._core.terminal import print_table, say_to_user
from ._new_samples import model_reading, new_samples
from ._shared import (
    CODE_OPTION,
    FORCE_OPTION,
    HELP_OPTION,
    RUN_PANEL,
    TABLES_ARGUMENT,
    TRUST_OPTION,
    free_output,
    in_panel,
    path_option,
)

HEADER_START = "sample\tpredicted\taccepted\t"
HEADER_STARTS = [
    f"{HEADER_START}{certainty}{known}(".encode()
    for certainty in ("", "certainty\t")
    for known in ("p", "score", "label")
]
NUMBER_HEADERS = (b"sample\tpredicted\n", b"sample\tpredicted\tlow\thigh\n")  # of a number
PREDICTIONS_OUTPUT = OutputFile(
    "predictions of Tamis", starts_with(*HEADER_STARTS, *NUMBER_HEADERS)
)
MODEL_ARGUMENT = click.argument("model", type=click.Path(path_type=Path))


@click.command("predict")
@MODEL_ARGUMENT
@TABLES_ARGUMENT
@model_reading
@in_panel(
    RUN_PANEL,
    click.option(
        "--level",
        type=click.FloatRange(0.5, 1, max_open=True),
        metavar="SHARE",
        help="Level of the prediction intervals of a number (default: 0.95), where the model has "
        "them.",
    ),
    CODE_OPTION,
    TRUST_OPTION,
    path_option("--out", "FILE", "Write here instead of to stdout."),
    FORCE_OPTION,
    HELP_OPTION,
)
def command(
    model: Path,
    tables: tuple[Path, ...],
    out: Path | None,
    force: bool,
    trust: tuple[str, ...],
    level: float | None,
    **reading: Any,
) -> None:
    """Apply MODEL (the model.npz of a study) to the samples of TABLE.

    Prints a TSV: sample, predicted class, whether the sample was accepted (a declined one has no
    class), its certainty if the model declines samples, and the probability of each class (scores
    if the classifier has no probabilities). Of a model of a number: sample, the number and, if its
    study kept prediction intervals (--intervals), low and high. A new sample, of a new group where
    there were groups, lies between them about as often as --level says in simulations; guaranteed,
    whatever the distribution, is about 2 x level - 1: 0.9 at 0.95 (docs/methods/regression.md).

    Columns are found by name; their order does not matter and others are ignored. The model of a
    study of genotypes takes genotypes (.bed, .pgen, .bgen, .vcf; files of the same samples are one
    cohort) and finds its variants by place and alleles; covariates are columns of --samples.
    """
    from .._core.errors import counted_noun, shorten_text
    from .._core.files import write_text
    from .._core.registry import find_row
    from .._core.rows import DecisionRow
    from .._core.tsv import tsv_text
    from ..model.cohort import value_misfits
    from ..model.file import load_model
    from ..model.prediction_intervals import USUAL_LEVEL, intervals_of
    from ..model.predictions import prediction_table

    if out is not None:
        free_output(PREDICTIONS_OUTPUT, out, force)
    fitted = load_model(model, trust)
    data = new_samples(fitted, tables, **reading)
    for code, remark in value_misfits(fitted, data):
        say_to_user(f"  ! {code}: {remark}")
    decided, ends = fitted.decide(data), intervals_of(fitted, data, level)
    header, rows = prediction_table(fitted, data, decided, ends)
    if (kept := fitted.cv_plus) is not None:
        lost = counted_noun(len(kept.missing(data)), "column")
        said = kept.words(level or USUAL_LEVEL)
        say_to_user(said if ends else f"no prediction intervals: the table lacks {lost} for them")
    if decided.certainty is not None:
        say_to_user(f"certainty: {fitted.decision.scale(decided.beliefs)}")
        if learnt := fitted.decision.report_text(fitted.classes):
            say_to_user(learnt)
    if fitted.log_target:
        say_to_user(
            f"predictions are medians of {shorten_text(str(fitted.about.get('target')))}: its "
            "logarithm was learnt"
        )
    if fitted.classes and fitted.known == "proba":
        unlike = decided.accepted & (decided.codes != decided.beliefs.proba.argmax(axis=1))
        if unlike.any():
            rule = find_row(fitted.decided_by.name, DecisionRow).summary
            say_to_user(
                f"{unlike.sum():,} of {counted_noun(len(rows), 'sample')} get another class than "
                f"the likeliest, by the model's rule: {rule} (docs/methods/decisions.md)"
            )
    declined = int((~decided.accepted).sum())
    if declined:
        say_to_user(f"{declined} of {len(rows)} samples declined: no class is given for them")
    text = tsv_text(header, rows)
    if out is None:
        print_table(text)
    else:
        free_output(PREDICTIONS_OUTPUT, out, force)  # something may have come meanwhile
        write_text(out, text)
        say_to_user(f"{len(rows)} predictions written to {out}")
