"""The two passes of quality control over the calls: by sample, then by variant.

What counts on which chromosome is PLINK 1.9's: males have one X and one Y, nobody else a Y; a
call of both alleles where there is one is a copy of neither, and missing in the comparison of
classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..blocks.sharing import each_block
from ..readers.genotypes import Genotypes
from ..readers.samples import Samples

X, Y, MT = 1, 2, 3  # kinds of variant; 0 is an autosome's
CHROMOSOME_NAMES = {X: "23", Y: "24", MT: "26"}
MALE, FEMALE = 1, 2
MISSING_COLUMN = 3  # where counts have it


@dataclass(frozen=True)
class People:
    """The samples taken, and what each counts for (n,).

    Attributes
    ----------
    label : ndarray of int64
        Class code; 0 where there are no classes.
    founder : ndarray of bool
        No parent of theirs is among those kept.
    control : ndarray of bool
        Hardy-Weinberg equilibrium is looked for among them.
    sex : ndarray of int8
    kept : ndarray of bool
    """

    label: np.ndarray
    founder: np.ndarray
    control: np.ndarray
    sex: np.ndarray
    kept: np.ndarray


@dataclass(frozen=True)
class VariantCounts:
    """What is counted of variants.

    Attributes
    ----------
    counts : ndarray of shape (p, 4) of int32
        Two copies of allele 1, one, none, missing; among all who have the chromosome.
    copies : ndarray of shape (p, 2) of int32
        Of both alleles among founders.
    hardy, differential : ndarray of shape (p,)
        p-values, NaN where nothing was tested.
    """

    counts: np.ndarray
    copies: np.ndarray
    hardy: np.ndarray
    differential: np.ndarray

    @classmethod
    def empty(cls, p: int) -> VariantCounts:
        """Nothing yet."""
        counts, copies = np.zeros((p, 4), dtype=np.int32), np.zeros((p, 2), dtype=np.int32)
        return cls(counts, copies, np.full(p, np.nan), np.full(p, np.nan))

    def put(self, at: Any, other: VariantCounts) -> None:
        """Those of some variants."""
        for name in ("counts", "copies", "hardy", "differential"):
            getattr(self, name)[at] = getattr(other, name)


def kinds_of(genotypes: Genotypes) -> np.ndarray:
    """Kind of each variant (p,) int8."""
    found = np.zeros(genotypes.shape[1], dtype=np.int8)
    for kind, name in CHROMOSOME_NAMES.items():
        found[genotypes.variants.on(name)] = kind
    return found


def founders_of(samples: Samples, kept: np.ndarray) -> np.ndarray:
    """Samples neither of whose parents is among those kept (n,) bool."""
    there = set(zip(samples.family[kept], samples.id[kept], strict=True))
    found = np.ones(len(samples), dtype=bool)
    for parents in (samples.father, samples.mother):
        for k in np.flatnonzero(parents != "0"):
            found[k] &= (samples.family[k], parents[k]) not in there
    return found


def missing_by_sample(
    genotypes: Genotypes, kinds: np.ndarray, unread: np.ndarray, n_jobs: int, quiet: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Missing calls of each sample taken (n,), and of how many variants; only males have a Y.

    Variants that are left out, or without a call of anybody, are not looked at: they say nothing
    of one sample or another.
    """
    from ...kernels.genotypes.counts import count_groups
    from ...kernels.genotypes.missing import count_missing
    from ...kernels.genotypes.words import masks_of

    n = genotypes.n_file
    mask = masks_of(genotypes.groups_of_file(np.zeros(genotypes.shape[0], dtype=np.int64)), 1)

    def count_missing_block(
        packed: np.ndarray, unread: np.ndarray, kinds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, int, int]:
        idle = unread | ~count_groups(packed, mask)[:, 0, :MISSING_COLUMN].any(axis=1)
        on_y = ~idle & (kinds == Y)
        every, of_y = count_missing(packed, n), np.zeros(n, dtype=np.int64)
        if idle.any():
            every -= count_missing(packed[idle], n)
        if on_y.any():
            of_y = count_missing(packed[on_y], n)
        return every, of_y, int((~idle).sum()), int(on_y.sum())

    missing, of_y = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    looked, on_y = 0, 0
    each = each_block(
        genotypes, count_missing_block, "Calls by sample", n_jobs, quiet, along=(unread, kinds)
    )
    for _, (more, more_y, some, some_y) in each:
        missing += more
        of_y += more_y
        looked, on_y = looked + some, on_y + some_y
    if genotypes.rows is not None:
        missing, of_y = missing[genotypes.rows], of_y[genotypes.rows]
    male = genotypes.samples.sex == MALE
    return np.where(male, missing, missing - of_y), np.where(male, looked, looked - on_y)


def count_variants(
    genotypes: Genotypes, kinds: np.ndarray, people: People, n_jobs: int, quiet: bool
) -> VariantCounts:
    """Calls of all variants counted and tested among the people kept."""
    n_classes = int(people.label.max()) + 1
    plain, by_sex = _people_cells(genotypes, people, False), _people_cells(genotypes, people, True)

    def count_variant_block(packed: np.ndarray, kinds: np.ndarray) -> VariantCounts:
        here = VariantCounts.empty(len(kinds))
        for k in np.unique(kinds):
            at = np.flatnonzero(kinds == k)
            rows = packed if len(at) == len(kinds) else packed[at]
            here.put(at, _test_variants(rows, by_sex if k in (X, Y) else plain, k, n_classes))
        return here

    found = VariantCounts.empty(genotypes.shape[1])
    each = each_block(
        genotypes, count_variant_block, "Calls by variant", n_jobs, quiet, along=(kinds,)
    )
    for at, here in each:
        found.put(at, here)
    return found


@dataclass(frozen=True)
class _Cells:
    """Samples that count for the same things: masks, and what they count for (G,)."""

    masks: np.ndarray
    label: np.ndarray
    founder: np.ndarray
    control: np.ndarray
    sex: np.ndarray


def _people_cells(genotypes: Genotypes, people: People, by_sex: bool) -> _Cells:
    """The people kept, in as few cells as there are."""
    from ...kernels.genotypes.words import masks_of

    sex = people.sex if by_sex else np.zeros_like(people.sex)
    keys = np.stack([people.label, people.founder, people.control, sex], axis=1)
    kinds, place = np.unique(keys[people.kept], axis=0, return_inverse=True)
    groups = np.full(len(keys), -1, dtype=np.int64)
    groups[people.kept] = place.reshape(-1)
    masks = masks_of(genotypes.groups_of_file(groups), len(kinds))
    return _Cells(masks, kinds[:, 0], kinds[:, 1] == 1, kinds[:, 2] == 1, kinds[:, 3])


def _test_variants(packed: np.ndarray, cells: _Cells, kind: int, n_classes: int) -> VariantCounts:
    """Variants of one kind."""
    from ...kernels.genotypes.counts import count_groups
    from ...kernels.genotypes.fisher import differential_missingness
    from ...kernels.genotypes.hardy_weinberg import hardy_weinberg

    counts = count_groups(packed, cells.masks)
    looked = (cells.sex == MALE) if kind == Y else np.ones(len(cells.sex), dtype=bool)
    single = (cells.sex == MALE) & (kind in (X, Y))  # who has one copy alone
    called = counts[:, :, 0] + counts[:, :, 2] + np.where(single, 0, counts[:, :, 1])
    founders = cells.founder & looked
    copies = np.zeros((len(packed), 2), dtype=np.int32)
    for at, ones in ((founders & single, 0), (founders & ~single, 1)):
        some = counts[:, at].sum(axis=1, dtype=np.int32)
        copies += (1 + ones) * some[:, [0, 2]] + ones * some[:, [1]]
    hardy = np.full(len(packed), np.nan)
    tested = cells.founder & cells.control & ((cells.sex == FEMALE) if kind == X else looked)
    if kind not in (Y, MT):
        among = counts[:, tested].sum(axis=1)
        hardy = np.where(among[:, :MISSING_COLUMN].any(axis=1), hardy_weinberg(among), np.nan)
    differential = np.full(len(packed), np.nan)
    if n_classes > 1:
        whom = [(cells.label == c) & looked for c in range(n_classes)]
        there = np.stack([called[:, at].sum(axis=1) for at in whom], axis=1)
        every = np.stack([counts[:, at].sum(axis=(1, 2)) for at in whom], axis=1)
        differential = differential_missingness(there, every - there)
    return VariantCounts(counts[:, looked].sum(axis=1, dtype=np.int32), copies, hardy, differential)
