"""Families of a study: who may not stand on both sides of a split."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.errors import DataError, counted_noun, value_text
from ..readers.genotypes import Genotypes
from .degrees import DEGREE_BORDERS
from .relatives import look_for_relatives
from .relatives_result import Relatives
from .relatives_words import pairs_text

RELATIVES_CHOICES = ("group", "ignore")
DEGREES = (3, 2, 1)
MAX_FAMILY_SHARE = 0.5  # share of the samples, beyond which distant relatives do not join
# kinship: where the third degree begins to be lost, a note says so
UNCLEAR_KINSHIP = DEGREE_BORDERS[2]
NOT_LOOKED = "relatives are not looked for: there are no variants of the autosomes to find them by"
SPLIT_FAMILIES_ADVICE = (
    "`tamis genome study --relatives ignore` splits them, and results look too good"
)


@dataclass(frozen=True)
class Families:
    """Families of n samples.

    Attributes
    ----------
    of : ndarray of shape (n,) of int, or None
        The first sample of each one's family; None where no two samples are relatives.
    intra_group_correlation : ndarray of shape (n,), or None
        Twice the mean kinship of the pairs of its family, from 0 to 1.
    notes : tuple of str
        What was found, if it is something.
    """

    of: np.ndarray | None
    intra_group_correlation: np.ndarray | None
    notes: tuple[str, ...]


def find_families(genotypes: Genotypes, quiet: bool = True) -> Families:
    """Families by the relatives that a quick look finds, up to the third degree.

    People are of one family if a chain of relatives joins them. Where one would hold more than half
    of all, as in an isolated population, only nearer relatives join, of the first degree at least.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=20, n_controls=30, n_variants=6000)
    ...     find_families(open_genotypes(f"{folder}/made.bed"))
    Families(of=None, intra_group_correlation=None, notes=())
    """
    found = look_for_relatives(genotypes, quiet=quiet)
    if found is None:
        return Families(None, None, (NOT_LOOKED,))
    unclear = []
    if found.smallest > UNCLEAR_KINSHIP:
        unclear.append(
            f"relatives: a kinship below {found.smallest:.2f} cannot be distinguished from chance "
            "by these variants (siblings have .25, first cousins .06)"
        )
    numbers = found.to_dict(1)
    if not numbers["relatives"]:
        return Families(None, None, tuple(unclear))
    largest = MAX_FAMILY_SHARE * genotypes.shape[0]
    near = (d for d in DEGREES if np.bincount(found.families(d)).max() <= largest)
    degree = next(near, DEGREES[-1])
    code = found.families(degree)
    _, first, of = np.unique(code, return_index=True, return_inverse=True)
    sizes = np.bincount(of)
    note = _relatives_note(numbers["relations"], sizes, degree)
    return Families(first[of], _family_likeness(found, of)[of], (note, *unclear))


def _family_likeness(found: Relatives, of: np.ndarray) -> np.ndarray:
    """Twice the mean kinship of all pairs of each family; those not listed are unrelated."""
    sizes = np.bincount(of)
    first, second = of[found.pairs].T
    inside = first == second
    kinship = np.clip(2 * found.kinship[inside], 0.0, 1.0)
    sums = np.bincount(first[inside], np.nan_to_num(kinship), minlength=len(sizes))
    return sums / np.maximum(sizes * (sizes - 1) / 2, 1)


def _relatives_note(relations: dict[str, int], sizes: np.ndarray, degree: int) -> str:
    families, people = int((sizes > 1).sum()), int(sizes[sizes > 1].sum())
    near = "" if degree == DEGREES[0] else f" (by relatives up to degree {degree} alone)"
    return (
        f"relatives: {pairs_text(relations)}; {counted_noun(families, 'family', 'families')} of "
        f"{people:,} people, {sizes.max():,} at most, stand on one side of each split{near}; "
        f"{SPLIT_FAMILIES_ADVICE}"
    )


def notes_on_split(
    genotypes: Genotypes, groups: np.ndarray | None, folds: np.ndarray | None, quiet: bool = True
) -> list[str]:
    """A remark where relatives are of different groups (n,), or folds (n,) if there are none."""
    found = look_for_relatives(genotypes, quiet=quiet)
    if found is None:
        return []
    parts, what, option = (
        (folds, "folds", "split") if groups is None else (groups, "groups", "group")
    )
    assert parts is not None
    related = found.pairs[found.relation <= DEGREES[0] + 1]
    apart = int((parts[related[:, 0]] != parts[related[:, 1]]).sum())
    if not apart:
        return []
    return [
        f"relatives: {counted_noun(apart, 'pair')} of {len(related):,} up to the third degree are "
        f"of different {what}: results may look too good; leave out {option}= for families by the "
        "genotypes"
    ]


def checked_relatives(relatives: str) -> str:
    """One of `RELATIVES_CHOICES`; `DataError` else."""
    if relatives not in RELATIVES_CHOICES:
        raise DataError(f"relatives = {value_text(relatives)}: give 'group' or 'ignore'")
    return relatives
