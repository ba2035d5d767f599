"""`tamis evaluate`: a saved model on an external cohort."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from ._shared import TABLE, model_reading, new_samples, print_json
from .predict import MODEL


@click.command("evaluate")
@MODEL
@TABLE
@click.option("--target", metavar="COL", required=True, help="Column of the true class.")
@model_reading
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    model: Path, table: Path, target: str, seed: int, as_json: bool, **reading: Any
) -> None:
    """Validate MODEL on the samples of TABLE, whose classes are known: every metric with its
    95 % interval, and the confusion matrix."""
    from ..data.class_heading import class_heading
    from ..study.evaluate import evaluate
    from ..study.modelfile import load
    from ..study.first_screen import interval

    fitted = load(model)
    found = evaluate(fitted, new_samples(fitted, table, target=target, **reading), seed=seed)
    if as_json:
        print_json(found)
        return
    names = [class_heading(target, c) for c in fitted.classes]
    counts = ", ".join(f"{n} {c}" for c, n in zip(names, found["counts"].values(), strict=True))
    print(f"{found['data']}: {found['n_samples']} samples ({counts})")
    for name, estimate in found["metrics"].items():
        print(f"  {name:<9} {interval(estimate)}")
    width = max(map(len, names))
    print(f"  predicted \\ true  {'  '.join(f'{c:>{width}}' for c in names)}")
    for name, row in zip(names, found["confusion"], strict=True):
        print(f"  {name:>15}  {'  '.join(f'{int(n):>{width}}' for n in row)}")
