"""Covariates of the scans of genotypes that take them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from ._genome_options import in_options
from ._shared import applied_options, path_option, repeated_option, say_to_user

if TYPE_CHECKING:
    from ..genome.readers.genotypes import Genotypes

COVARIATE_OPTIONS = applied_options(
    path_option(
        "--covar",
        "FILE",
        "Covariates: PLINK's file, or any table with a header and a column IID.",
    ),
    repeated_option(
        "--covar-name", "Column of --covar; may be given again (default: all).", "covariates"
    ),
)
FREQUENCY_OPTION = click.option(
    "--frequency",
    type=click.FloatRange(0, 0.5),
    metavar="SHARE",
    default=0.01,
    show_default=True,
    help="Variants with a lower minor allele frequency are not tested.",
)


def read_covar(
    covar: Path | None, covariates: tuple[str, ...], genotypes: Genotypes, quiet: bool
) -> tuple[Any, list[str]]:
    """The covariates of --covar as a data frame, and their names; None without any."""
    import pandas as pd

    from .._core.errors import PlanError
    from ..genome.readers.covariates import read_covariates

    if covar is None:
        if covariates:
            raise PlanError("--covar-name names columns of --covar FILE: give that too")
        return None, []
    with in_options(names="covar_name"):
        given, names, joined = read_covariates(covar, genotypes.samples, covariates)
    if joined:
        say_to_user(joined, quiet)
    return pd.DataFrame(given, columns=names), names


def say_left_out(n: int, quiet: bool) -> list[str]:
    """A remark on samples without a covariate, if there are any."""
    from .._core.errors import counted_noun

    if not n:
        return []
    remark = f"{counted_noun(n, 'sample misses', 'samples miss')} a covariate: left out."
    say_to_user(remark, quiet)
    return [remark]
