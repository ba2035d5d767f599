"""`tamis demo`: the whole default study on bundled data."""

from __future__ import annotations

import tempfile
from pathlib import Path

import rich_click as click

from .study import finish, plan_of, remarks


@click.command("demo")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Result folder (default: a new tamis-demo folder here).",
)
@click.option("--n-jobs", type=int, default=-1, show_default=True, help="Worker processes.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress and no remarks on stderr.")
def command(out: Path | None, n_jobs: int, as_json: bool, quiet: bool) -> None:
    """Run the default study on the Golub leukaemia data (38 samples, 3,051 genes), bundled
    with Tamis, and write the report."""
    from .._core.errors import StoreError
    from ..data import load_golub

    data = load_golub()
    remarks(data, quiet)
    if out is None:
        try:
            out = Path("tamis-demo")
            if out.exists():
                out = Path(tempfile.mkdtemp(prefix="tamis-demo-", dir="."))
        except OSError as error:
            raise StoreError(f"cannot write here ({error.strerror}): choose a folder with --out")  # noqa: B904
    finish(data, plan_of(None, {}), out, n_jobs, False, as_json, quiet)
