"""Relatives among the samples of another command: what it says of them, and leaving them out."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from .._core.terminal import say_to_user

if TYPE_CHECKING:
    from ._genome_options import Cohort, GenomeOptions

SOON = 1.0  # seconds that need no telling


def look_at_relatives(
    cohort: Cohort, asked: GenomeOptions, related: str | None, apart: str | None,
    duplicates: str | None = None,
) -> tuple[Cohort, list[str]]:  # fmt: skip
    """The cohort, without relatives if that is asked for, and remarks for terminal and page.

    `related`, `apart` and `duplicates` say what the command makes of relatives, of several
    populations and of one person twice; None: nothing needs to be said.
    """
    from ..genome.relatives import look_for_relatives
    from ..genome.relatives_words import remarks_on_relatives

    since = monotonic()
    found = look_for_relatives(cohort.genotypes, asked.n_jobs, asked.quiet)
    if found is None:
        return cohort, []
    remarks = []
    if asked.unrelated is not None:
        kept = found.unrelated(asked.unrelated)
        if gone := int((~kept).sum()):
            remarks.append(
                f"{gone:,} of {len(kept):,} samples are left out (--unrelated {asked.unrelated})."
            )
            parts = (None if p is None else p[kept] for p in (cohort.labels, cohort.strata))
            labels, strata = parts
            cohort = replace(
                cohort, genotypes=cohort.genotypes.subset(samples=kept), labels=labels,
                strata=strata,
            )  # fmt: skip
            found = found.among(kept)
    remarks += remarks_on_relatives(found.to_dict(1), related, apart, duplicates)
    took = monotonic() - since
    if took > SOON:
        say_to_user(
            f"relatives: {found.n_variants:,} pruned variants looked at in {took:.1f} s",
            asked.quiet,
        )
    for remark in remarks:
        say_to_user(remark, asked.quiet)
    return cohort, remarks
