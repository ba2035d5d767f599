"""`tamis check`: the common tests for a method of one's own."""

from __future__ import annotations

import json

import rich_click as click

from .._core.parameters import Parameters
from ._shared import CODE_OPTION, print_result


def settings_given(ctx: click.Context, parameter: click.Parameter, values: tuple) -> Parameters:
    """``NAME=VALUE``, the value as JSON or a text."""
    found: dict[str, object] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"{value!r}: give a name and a value, as in n_trees=8")
        try:
            found[name] = json.loads(text)
        except ValueError:
            found[name] = text
    return found


@click.command("check")
@click.argument("name", metavar="METHOD")
@click.option(
    "--set",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    callback=settings_given,
    help="A parameter of the method, such as n_trees=8. Repeatable.",
)
@CODE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def command(name: str, parameters: Parameters, as_json: bool, quiet: bool) -> int:
    """Check that a method of your own learns from training rows alone, predicts each row by itself,
    is reproducible, and finds nothing in noise.

    METHOD is package.module:ROW, a row of the registry (a search's too) or a list of them;
    package.module:Name, a selector or classifier with scikit-learn's manners; or a name that `tamis
    methods` lists. Exit code 0: every check passed. 1: one failed. 2: it cannot be run.
    """
    from .._core.progress import Progress
    from ..checks import check_method, n_checks
    from ..checks.roles import rows_named

    rows = rows_named(name)
    reports = []
    with Progress(sum(map(n_checks, rows)), f"checking {name}", quiet) as progress:
        for row in rows:
            reports.append(check_method(row, parameters, advance=lambda _: progress.advance()))
    failed = any(report.failed for report in reports)
    content = {"passed": not failed, "methods": [report.to_dict() for report in reports]}
    print_result(content, as_json, "\n\n".join(report.summary() for report in reports))
    return int(failed)
