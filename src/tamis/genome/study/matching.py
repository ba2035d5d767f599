"""Which lines of new files are the variants of a model, and which of their alleles is counted.

A line is one of the variants by its place (chromosome and position) and its alleles, or, where no
such line is at its place, by its name and its alleles (`variant_lines`). What is not certain is
refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names
from ..._core.first_screen import FirstScreen
from ..readers.genotypes import Genotypes
from ..readers.variant_lines import (
    COMPLEMENT_STRAND,
    NO_FIT,
    SWAPPED_ORDER,
    WRITTEN_STRAND,
    Lines,
    Wanted,
    find_lines,
)
from ..readers.variants import Variants
from .strands import MIN_WITNESSES, Frequencies
from .table import GenotypeTable


@dataclass(frozen=True, repr=False)
class Matching(FirstScreen):
    """Lines of files for the k variants of a model.

    Attributes
    ----------
    lines : ndarray of shape (k,) of int64
        Among the variants of the genotypes.
    turned : ndarray of shape (k,) of bool
        Allele 1 of the line is allele 2 of the model.
    unknown : ndarray of shape (k,) of bool
        The line names no allele: it has no calls.
    other_strand : ndarray of shape (k,) of bool
        The letters are those of the other strand.
    by_name : ndarray of shape (k,) of bool
        Found by name alone.
    by_frequency : int
        Variants A/T or C/G whose strand allele frequencies have decided.
    unsure : int
        Those taken as they are written, with few others to show the strand.
    """

    lines: np.ndarray
    turned: np.ndarray
    unknown: np.ndarray
    other_strand: np.ndarray
    by_name: np.ndarray
    by_frequency: int
    unsure: int

    def summary(self) -> str:
        """A sentence: how many are found in which way."""
        here = ~self.other_strand
        kinds = [
            (here & ~self.turned & ~self.unknown, "as written"),
            (here & self.turned, "with the other allele counted"),
            (self.other_strand, "written on the other strand"),
            (self.unknown, "with no allele named, and so no calls"),
        ]
        parts = [f"{count:,} {words}" for mask, words in kinds if (count := int(mask.sum()))]
        text = f"{counted_noun(len(self.lines), 'variant')} of the model found: {', '.join(parts)}"
        if named := int(self.by_name.sum()):
            text += f"; {named:,} by name, not at their positions (another genome build?)"
        if self.by_frequency:
            text += f"; the strand of {self.by_frequency:,} A/T or C/G by allele frequency"
        if self.unsure:
            text += (
                f"; {self.unsure:,} A/T or C/G taken as written, though few others show the strand"
            )
        return text


def match_variants(wanted: Wanted, genotypes: Genotypes) -> Matching:
    """Find the variants of a model among those of genotypes.

    Letters are compared in either case. Of the alleles of one letter those of the other strand
    (A for T, C for G) do too, where those of this one do not; longer ones have to be equal. An
    allele that a line does not know (``0`` or ``.`` where nobody has it) is any. A/T and C/G look
    alike on both strands: they are taken as written where no other variant is on the other strand;
    else as frequencies say, where these are clearly away from 1/2, and those of the others show the
    cohorts to be of one population (`strands`).

    Raises
    ------
    DataError
        A variant is not there, has other alleles or several lines, or its strand is not certain.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=20, n_controls=30, n_variants=100)
    ...     genotypes = open_genotypes(f"{folder}/made.bed")
    ...     column_ids = GenotypeTable(genotypes).column_ids(np.array([3, 7]))
    ...     match_variants(Wanted.of(["v4", "v8"], column_ids), genotypes).summary()
    '2 variants of the model found: 2 as written'
    """
    there = genotypes.variants
    found, by_name = find_lines(wanted, there)
    found = found.believed()
    n_here, n_others = (
        int(found.witness(WRITTEN_STRAND).sum()),
        int(found.witness(COMPLEMENT_STRAND).sum()),
    )
    turned, moved = found.fit[WRITTEN_STRAND] == SWAPPED_ORDER, found.fit[WRITTEN_STRAND] == NO_FIT
    twins = np.flatnonzero((found.fit > NO_FIT).all(axis=0) & ~found.several)
    unclear = np.zeros(len(wanted), dtype=bool)
    if len(twins) and (n_others or n_here < MIN_WITNESSES):
        known = np.flatnonzero(found.witness(WRITTEN_STRAND) | found.witness(COMPLEMENT_STRAND))
        back = turned | (found.fit == [[NO_FIT], [SWAPPED_ORDER]]).all(axis=0)
        sides = _frequencies_there_and_here(wanted, genotypes, found.line, turned, twins).sides()
        if not n_others:
            unclear[twins] = sides < 0
        elif _frequencies_there_and_here(
            wanted, genotypes, found.line, back, known
        ).one_population():
            unclear[twins] = sides == 0
        else:
            unclear[twins] = True
        moved[twins] = sides < 0
    _refuse_uncertain(
        wanted, there, found, unclear, (n_here, n_others), genotypes.sources[0].path.name
    )
    unknown = (found.fit == NO_FIT).all(axis=0)
    moved &= ~unknown
    return Matching(
        found.line,
        np.where(moved, found.fit[COMPLEMENT_STRAND] == SWAPPED_ORDER, turned),
        unknown,
        moved,
        by_name,
        len(twins) if n_others else 0,
        0 if n_others or n_here >= MIN_WITNESSES else len(twins),
    )


def _frequencies_there_and_here(
    wanted: Wanted, genotypes: Genotypes, lines: np.ndarray, turned: np.ndarray, which: np.ndarray
) -> Frequencies:
    """Of allele 1 of some variants of the model, there and here, among all samples of the files:
    each sample is then predicted the same alone."""
    columns, place = np.unique(lines[which], return_inverse=True)
    table = GenotypeTable(replace(genotypes, rows=None)).only(columns)
    calls, copies = (counts[place] for counts in table.calls_and_copies())
    copies = np.where(turned[which], 2 * calls - copies, copies)
    return Frequencies(wanted.copies[which], wanted.calls[which], copies, calls)


def _refuse_uncertain(
    wanted: Wanted,
    there: Variants,
    found: Lines,
    unclear: np.ndarray,
    witnesses: tuple[int, int],
    name: str,
) -> None:
    """One line on all variants that are not certain."""
    lost, k = found.line < 0, len(wanted)
    absent = np.flatnonzero(lost & (found.misfit < 0))
    others = np.flatnonzero(lost & (found.misfit >= 0))
    several, unclear = np.flatnonzero(found.several), np.flatnonzero(unclear)
    wrong = []
    if len(absent):
        wrong.append(
            f"it lacks {len(absent):,}, by chromosome and position and by name: "
            f"{listed_names(wanted.words(absent))}; give files that have them, such as imputed ones"
        )
    if len(others):
        first = there.take(found.misfit[others[:1]])
        wrong.append(
            f"of {len(others):,} its alleles are others: {listed_names(wanted.words(others))}, "
            f"where the first is {first.allele1[0].as_py()}/{first.allele2[0].as_py()}; give "
            "files with these alleles"
        )
    if len(several):
        wrong.append(
            f"of {len(several):,} several lines fit: {listed_names(wanted.words(several))}; leave "
            "all but one out"
        )
    if len(unclear):
        n, m = witnesses
        why = (
            f"{m:,} of {n + m:,} others are on the other one"
            if m
            else ("allele frequencies are those of the other strand, and few others show it")
        )
        wrong.append(
            f"of {len(unclear):,} the strand is not certain, for {why}: "
            f"{listed_names(wanted.words(unclear))}; write it on the strand of the study (plink "
            "--flip)"
        )
    if wrong:
        raise DataError(
            f"{name!r} and the {counted_noun(k, 'variant')} of the model: {'; '.join(wrong)}"
        )
