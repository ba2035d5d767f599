"""Relatives among the samples of another command: what it says of them, and leaving them out."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from .._core.terminal import say_to_user

if TYPE_CHECKING:
    from ._genome_options import Cohort, GenomeOptions

NOBODY_LEFT_OUT_MESSAGE = (
    "--unrelated {}: nobody is left out, for there are too few samples, or no variants of the "
    "autosomes that tell relatives."
)
MIN_ANNOUNCED_SECONDS = 1.0  # seconds that need no telling


def look_at_relatives(
    cohort: Cohort,
    asked: GenomeOptions,
    related: str | None,
    apart: str | None,
    duplicates: str | None = None,
    classless: bool = False,
) -> tuple[Cohort, list[str]]:
    """The cohort, without relatives if that is asked for, and remarks for terminal and page.

    `related`, `apart` and `duplicates` say what the command makes of relatives, of several
    populations and of one person twice; None: nothing needs to be said. Two classes have to be left
    unless the command is `classless`.
    """
    from .._core.errors import DataError, counted_noun
    from ..genome.structure.degrees import DEGREE_BORDERS
    from ..genome.structure.relatives import look_for_relatives
    from ..genome.structure.relatives_words import remarks_on_relatives

    since = monotonic()
    found = look_for_relatives(cohort.genotypes, asked.n_jobs, asked.quiet)
    remarks = []
    if found is None:
        if asked.unrelated is not None:
            remarks.append(NOBODY_LEFT_OUT_MESSAGE.format(asked.unrelated))
            say_to_user(remarks[0], asked.quiet)
        return cohort, remarks
    if asked.unrelated is not None:
        kept = found.unrelated(asked.unrelated)
        gone = int((~kept).sum())
        remarks.append(
            f"{gone:,} of {len(kept):,} samples are left out (--unrelated {asked.unrelated})."
        )
        if found.smallest > 1.01 * DEGREE_BORDERS[asked.unrelated]:
            remarks.append(
                f"These variants tell relatives only from a kinship of {found.smallest:.2f} on, "
                f"degree {asked.unrelated} begins at {DEGREE_BORDERS[asked.unrelated]:.3f}. More "
                "distant "
                "relatives may be left in: use more chromosomes."
            )
        if gone:
            labels, strata = (
                None if part is None else part[kept] for part in (cohort.labels, cohort.strata)
            )
            cohort = replace(
                cohort,
                genotypes=cohort.genotypes.subset(samples=kept),
                labels=labels,
                strata=strata,
            )
            found = found.among(kept)
            if not (classless or labels is None) and len(set(labels)) < 2:
                raise DataError(
                    f"--unrelated {asked.unrelated} leaves "
                    f"{counted_noun(int(kept.sum()), 'sample')} of one class: give a lower "
                    "degree, or keep all in `tamis genome mixed`"
                )
    remarks += remarks_on_relatives(found.to_dict(1), related, apart, duplicates)
    took = monotonic() - since
    if took > MIN_ANNOUNCED_SECONDS:
        say_to_user(
            f"relatives: {found.n_variants:,} variants looked at in {took:.1f} s",
            asked.quiet,
        )
    for remark in remarks:
        say_to_user(remark, asked.quiet)
    return cohort, remarks
