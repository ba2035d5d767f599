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
    "autosomes to detect relatives with."
)
MIN_ANNOUNCED_SECONDS = 1.0  # seconds that need no telling


def look_at_relatives(
    cohort: Cohort,
    options: GenomeOptions,
    related: str | None,
    apart: str | None,
    duplicates: str | None = None,
    classless: bool = False,
) -> tuple[Cohort, list[str]]:
    """The cohort, without relatives if that is requested, and remarks for terminal and page.

    `related`, `apart` and `duplicates` say what the command makes of relatives, of several
    populations and of one person twice; None: nothing needs to be said. Two classes have to be left
    unless the command is `classless`. Parts leave remarks to whoever joins them.
    """
    if options.part and options.unrelated is None:
        return cohort, []
    from .._core.errors import DataError, counted_noun
    from ..genome.structure.degrees import DEGREE_BORDERS
    from ..genome.structure.relatives import look_for_relatives
    from ..genome.structure.relatives_words import remarks_on_relatives

    since = monotonic()
    found = look_for_relatives(cohort.genotypes, options.n_jobs, options.quiet)
    remarks = []
    if found is None:
        if options.unrelated is not None:
            remarks.append(NOBODY_LEFT_OUT_MESSAGE.format(options.unrelated))
            say_to_user(remarks[0], options.quiet)
        return cohort, remarks
    if options.unrelated is not None:
        kept = found.unrelated(options.unrelated)
        gone = int((~kept).sum())
        remarks.append(
            f"{gone:,} of {len(kept):,} samples are left out (--unrelated {options.unrelated})."
        )
        if found.smallest > 1.01 * DEGREE_BORDERS[options.unrelated]:
            remarks.append(
                f"With these variants relatives are detected only from a kinship of "
                f"{found.smallest:.2f} on, degree {options.unrelated} begins at "
                f"{DEGREE_BORDERS[options.unrelated]:.3f}. More distant "
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
                    f"--unrelated {options.unrelated} leaves "
                    f"{counted_noun(int(kept.sum()), 'sample')} of one class: give a lower "
                    "degree, or keep all in `tamis genome mixed`"
                )
    remarks += remarks_on_relatives(found.to_dict(1), related, apart, duplicates)
    took = monotonic() - since
    if took > MIN_ANNOUNCED_SECONDS:
        say_to_user(
            f"relatives: {found.n_variants:,} variants looked at in {took:.1f} s",
            options.quiet,
        )
    for remark in remarks:
        say_to_user(remark, options.quiet)
    return cohort, remarks
