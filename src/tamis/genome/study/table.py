"""Genotypes as the table of a study: packed, counted where they lie, a few columns made numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..._core.column_ids import ColumnIds
from ..._core.tables import Chromosome, CountedTable, Places
from ...data.counted import all_row_counts
from ..blocks.calls import autosomal_variants, copies_of, count_calls, thinned_columns
from ..quality.quality import quality_control
from ..readers.genotypes import Genotypes
from ..readers.variants import UNPLACED_CHROMOSOMES, Variants, plain_chromosome

LINKAGE_DISTANCE = 1_000_000  # base pairs within which a variant may stand for another
NEAR_PLACES = 250  # and lines of the files
N_STRUCTURE_VARIANTS = 20_000  # variants that show who descends from whom
# frequent variants of the autosomes, of so many
MIN_FREQUENT_VARIANTS, N_SAMPLED_VARIANTS = 500, 10_000
MIN_FREQUENT_MAF = 0.1  # the share of the rarer allele from which a variant is


@dataclass(frozen=True)
class GenotypeTable(CountedTable):
    """Samples by variants: copies of allele 1, NaN where there is no call.

    A `CountedTable`: class counts come from the packed calls, and nothing but the columns
    requested is ever a matrix.

    Parameters
    ----------
    genotypes : Genotypes

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=20, n_controls=30, n_variants=100)
    ...     table = GenotypeTable(open_genotypes(f"{folder}/made.bed"))
    ...     table.shape, table.take(None, np.array([7, 3])).shape
    ((50, 100), (50, 2))
    """

    genotypes: Genotypes

    n_values = 3
    has_places = True

    @property
    def shape(self) -> tuple[int, int]:
        """Samples and variants."""
        return self.genotypes.shape

    @property
    def variants(self) -> Variants:
        """What the columns are."""
        return self.genotypes.variants

    def take(self, rows: np.ndarray | None, columns: np.ndarray | None) -> np.ndarray:
        """Copies (n, k) float64 of some samples and variants, by number."""
        genotypes, own = self.genotypes, self.genotypes.rows
        if rows is not None:
            genotypes = replace(genotypes, rows=np.asarray(rows) if own is None else own[rows])
        found = genotypes.calls(columns).astype(np.float64)
        found[found < 0] = np.nan
        self._let_go()
        return found

    def walk(self, width: int) -> Iterator[tuple[slice, np.ndarray]]:
        """All samples, `width` variants after `width` variants."""
        for start in range(0, self.shape[1], width):
            stop = min(start + width, self.shape[1])
            yield slice(start, stop), self.take(None, np.arange(start, stop))

    def counts(self, groups: np.ndarray, n_groups: int) -> Iterator[tuple[slice, np.ndarray]]:
        """As of a `CountedTable`: no copy, one, two, no call (width, n_groups, 4)."""
        from ...kernels.genotypes.counts import (
            MISSING_CALL,
            NO_COPY,
            ONE_COPY,
            TWO_COPIES,
            count_groups,
        )
        from ...kernels.genotypes.words import masks_of

        masks = masks_of(self.genotypes.groups_of_file(groups), n_groups)
        for piece in self.genotypes.pieces():
            found = count_groups(piece.packed(), masks)
            self._let_go()
            yield piece.place, np.take(found, [NO_COPY, ONE_COPY, TWO_COPIES, MISSING_CALL], axis=2)

    def _let_go(self) -> None:
        """Workers hold many columns at a time; pages of a mapped file need not stay beside them."""
        for source in self.genotypes.sources:
            if hasattr(source, "let_go"):
                source.let_go()

    def only(self, columns: np.ndarray) -> GenotypeTable:
        """Some of the variants, rising."""
        return GenotypeTable(self.genotypes.only(columns))

    def near(self, column: int) -> np.ndarray:
        """Variants of the same chromosome within a million base pairs, itself among them."""
        low = max(0, column - NEAR_PLACES)
        around = np.arange(low, min(column + NEAR_PLACES + 1, self.shape[1]))
        chromosome, position = self.chromosome_codes, self.variants.position
        same = chromosome[around] == chromosome[column]
        return around[same & (np.abs(position[around] - position[column]) <= LINKAGE_DISTANCE)]

    @cached_property
    def chromosome_codes(self) -> np.ndarray:
        """Which chromosome each variant is on (p,)."""
        return np.asarray(self.variants.chromosome.dictionary_encode().indices)

    def places(self, columns: np.ndarray) -> Places:
        """Where some variants are (k,), and their alleles."""
        of = self.variants.take(columns)
        chromosomes, code = self._placed
        alleles = zip(of.allele1.to_pylist(), of.allele2.to_pylist(), strict=True)
        return Places(chromosomes, code[columns], of.position, list(alleles))

    def missing_p(self, y: np.ndarray) -> np.ndarray:
        """p (p,) of equally many missing calls in all classes, as `quality_control` has it."""
        found = quality_control(
            self.genotypes, y, missing=None, hardy=None, frequency=None, sample_missing=None
        )
        return found.variants.differential

    @cached_property
    def _placed(self) -> tuple[list[Chromosome], np.ndarray]:
        """Chromosomes in order, and which one each variant is on (p,), -1 where that, or its
        position there, is unknown."""
        written = self.variants.chromosome.dictionary_encode()
        names = written.dictionary.to_pylist()
        first: dict[str, str] = {}  # as first written: 1 and chr1 are one
        for name in names:
            first.setdefault(plain_chromosome(name), name)
        known = sorted((key for key in first if key not in UNPLACED_CHROMOSOMES), key=_in_order)
        place = {key: k for k, key in enumerate(known)}
        numbers = np.array([place.get(plain_chromosome(name), -1) for name in names], dtype=int)
        position = self.variants.position
        code = np.where(position > 0, numbers[self.chromosome_codes], -1)
        on = np.flatnonzero(code >= 0)
        least = np.full(len(known), np.iinfo(np.int64).max)
        most, counts = np.zeros(len(known), dtype=np.int64), np.bincount(code[on])
        np.minimum.at(least, code[on], position[on])
        np.maximum.at(most, code[on], position[on])
        there = np.flatnonzero(counts)
        again = np.full(len(known) + 1, -1)
        again[there] = np.arange(len(there))
        found = [
            Chromosome(first[known[k]], int(least[k]), int(most[k]), int(counts[k])) for k in there
        ]
        return found, again[code]

    def baseline(self) -> Mapping[str, object] | None:
        """What descent alone predicts: a linear discriminant on components of the genotypes."""
        some = thinned_columns(autosomal_variants(self.variants), N_SAMPLED_VARIANTS)
        counts = count_calls(self.genotypes.only(some), 1, True)
        copies = copies_of(counts)
        frequent = copies.min(axis=1) >= MIN_FREQUENT_MAF * copies.sum(axis=1)
        if frequent.sum() < MIN_FREQUENT_VARIANTS:
            return None
        step = {"name": "genotype_components", "n_variants": N_STRUCTURE_VARIANTS}
        return {"name": "descent alone", "select": "all", "prepare": [step], "classify": ["lda"]}

    def column_ids(self, columns: np.ndarray) -> ColumnIds:
        """What some variants are, and how many calls and copies of allele 1 there are of each."""
        of = self.variants.take(columns)
        rising, place = np.unique(columns, return_inverse=True)
        calls, copies = self.only(rising).calls_and_copies()
        return ColumnIds(
            "variants",
            {k: tuple(getattr(of, k).to_pylist()) for k in ("chromosome", "allele1", "allele2")},
            {
                "position": of.position.astype(np.float64),
                "calls": calls[place],
                "copies": copies[place],
            },
        )

    def calls_and_copies(self) -> tuple[np.ndarray, np.ndarray]:
        """How many calls there are of each variant, and copies of allele 1 among them (p,)."""
        found = [counts[:, :-1].astype(np.float64) for _, counts in all_row_counts(self)]
        counts = np.concatenate(found) if found else np.zeros((0, self.n_values))
        return counts.sum(axis=1), counts @ np.arange(self.n_values)

    def digest(self) -> str:
        """Of the files, and of what is taken of them."""
        return self.genotypes.digest()


def _in_order(chromosome: str) -> tuple[int, str]:
    """Numbers as such, and names behind them."""
    return (int(chromosome), "") if chromosome.isdecimal() else (1 << 62, chromosome)
