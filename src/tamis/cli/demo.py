"""`tamis demo`: the default study on bundled data."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from ._shared import N_JOBS, OUTPUT_OPTIONS, path_option
from .study import begin_workers, finish_study, plan_of


@click.command("demo")
@path_option("--out", "DIR", "Result folder (default: a new tamis-demo folder here).")
@N_JOBS
@OUTPUT_OPTIONS
def command(out: Path | None, n_jobs: int, as_json: bool, quiet: bool) -> None:
    """Run the default study on the Golub leukaemia data (38 samples, 3,051 genes), bundled
    with Tamis, and write the report."""
    from ..data import load_golub

    if out is None:
        names = ["tamis-demo", *(f"tamis-demo-{k}" for k in range(2, 1000))]
        out = next(Path(name) for name in names if not Path(name).exists())
    plan = plan_of(None, {})
    begin_workers(plan, n_jobs, quiet)
    finish_study(load_golub(), plan, out, n_jobs, False, as_json, quiet)
