"""`tamis study` over a folder or a list of tables: one line a set, and a table of all."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import rich_click as click

from .._core.inside import Inside
from .._core.outputs import OutputFile
from .._core.terminal import say_to_user
from ..study.multi_dataset import OVERVIEW_NAME, is_overview
from ._shared import announce_useful_jobs, duration_text, if_exists, one_line, print_result
from ._study_options import StudyOptions
from ._study_workers import Jobs, shared_out

STUDIES_OUTPUT = OutputFile("table of studies", is_overview)


def run_all(sets: list[Any], plan: Any, options: StudyOptions, usual: str) -> None:
    """Study every table; one that cannot be studied is reported and passed over. The folder is the
    usual one unless another is named.

    A finished set is not run again under --resume. The exit code is 2 if any set failed.
    """
    from .._core.errors import TamisError
    from .._core.files import write_text
    from .._core.journal import Journal
    from .._core.tsv import tsv_text
    from ..metrics.estimates import estimate_text
    from ..study.results.first_screen import chance_of, stability_shown

    out = options.out or Path(usual)
    STUDIES_OUTPUT.require_free(out / OVERVIEW_NAME, [table.table for table in sets])
    overview = Inside(out, OVERVIEW_NAME)
    overview.exists()
    for table in sets:
        Inside(out, table.name).require_folder()
    header = [
        "set",
        "samples",
        "features",
        plan.metric,
        "low",
        "high",
        "nogueira",
        "warnings",
        "error",
    ]
    rows, results, failed = [], {}, []
    with shared_out(options) as jobs, nullcontext() if options.dry_run else Journal(out):
        if jobs.n_jobs is not None and not options.dry_run:
            jobs = replace(jobs, n_jobs=announce_useful_jobs(jobs.n_jobs, options.quiet))
        for number, table in enumerate(sets, 1):
            start = time.monotonic()
            try:
                content = study_one_set(table, plan, out / table.name, jobs, options)
            except TamisError as error:
                failed.append(table.name)
                rows.append([table.name, *[""] * 7, one_line(str(error))])
                say_to_user(f"{table.name} ({number} of {len(sets)}): {one_line(str(error))}")
                continue
            took = duration_text(time.monotonic() - start)
            results[table.name] = content
            if options.dry_run:
                n, p = content["n_samples"], content["n_features"]
                need = f"{content['n_fits']:,} fits, about {duration_text(content['seconds'])}"
                size = "; ".join([f"{n} x {p:,}, {need}", *content["remarks"]])
                say_to_user(f"{table.name} ({number} of {len(sets)}): {size}", options.quiet)
                continue
            metric = content["plan"]["metric"]
            score = content["metrics"][metric]
            again = content["permutation"]["stability"]
            stable, _ = stability_shown(content, content["headline"]["stability"], again)
            codes = ", ".join(w["code"] for w in content["warnings"])
            rows.append(
                [
                    table.name,
                    content["data"]["n_samples"],
                    content["data"]["n_features"],
                    score["mean"],
                    score["low"],
                    score["high"],
                    stable,
                    codes,
                    "",
                ]
            )
            write_text(overview, tsv_text(header, rows))
            level, _ = chance_of(content, metric)
            beside = "" if level is None else f", chance {level:.3f}"
            line = f"{metric} {estimate_text(score)}{beside}, {took}" + (
                f"; {codes}" if codes else ""
            )
            say_to_user(f"{table.name} ({number} of {len(sets)}): {line}", options.quiet)
        if not options.dry_run:
            write_text(overview, tsv_text(header, rows))
        if options.as_json or not options.dry_run:
            print_result({"sets": results, "failed": failed}, options.as_json, str(overview))
        if failed:
            names = ", ".join(failed)
            raise click.ClickException(f"{len(failed)} of {len(sets)} sets failed: {names}")


def study_one_set(table: Any, plan: Any, folder: Path, jobs: Jobs, options: StudyOptions) -> Any:
    """The result of one set, computed, continued, or read if it is finished."""
    from ..report import write_report
    from ..study.leak_warnings import leak_warnings
    from ..study.prepare import prepare_study
    from ..study.run import begin_study
    from ..study.tasks import estimate_seconds

    data = table.read()
    if options.dry_run:
        resolved, design, _ = prepare_study(data, plan)
        suspects = leak_warnings(data, resolved)
        _, fits, seconds = estimate_seconds(resolved, design, jobs.processes)
        return {
            "n_samples": data.shape[0],
            "n_features": data.shape[1],
            "n_fits": fits,
            "seconds": round(seconds, 1),
            "remarks": [f"may be a leak: {text}" for text in suspects],
        }
    with begin_study(data, plan, folder, if_exists=if_exists(options.resume)) as study:
        result = study.run(jobs.n_jobs, quiet=True)
        write_report(result.to_dict(), folder)
    return result.to_dict()
