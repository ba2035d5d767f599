"""Some variants of a cohort whichever files they are in: their rows, counts and chromosomes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..._core.arrow import numbers_of
from ..readers.genotypes import Genotypes
from ..readers.variants import Variants, plain_chromosome
from .sharing import each_block

NOT_AUTOSOMES = ("0", "23", "24", "25", "26")  # unplaced, X, Y, XY and MT


def packed_rows(genotypes: Genotypes, columns: np.ndarray) -> np.ndarray:
    """Packed calls (m, bytes) of some of the variants taken, given rising."""
    parts = [piece.packed() for piece in genotypes.only(columns).pieces()]
    return np.ascontiguousarray(parts[0] if len(parts) == 1 else np.concatenate(parts))


def columns_of(genotypes: Genotypes, chosen: Genotypes) -> np.ndarray:
    """Where the variants of a subset are among those taken."""
    if chosen.columns is None:
        return np.arange(genotypes.shape[1])
    if genotypes.columns is None:
        return chosen.columns
    return np.searchsorted(genotypes.columns, chosen.columns)


def thinned_columns(columns: np.ndarray, most: int) -> np.ndarray:
    """At most so many of them, evenly spread."""
    if len(columns) <= most:
        return columns
    return columns[np.linspace(0, len(columns) - 1, most).astype(np.int64)]


def count_calls(genotypes: Genotypes, n_jobs: int, quiet: bool) -> np.ndarray:
    """Two copies of allele 1, one, none, missing: (p, 4) int32 among the samples taken."""
    from ...kernels.genotypes.counts import count_groups
    from ...kernels.genotypes.words import masks_of

    n, p = genotypes.shape
    mask = masks_of(genotypes.groups_of_file(np.zeros(n, dtype=np.int64)), 1)
    counts = np.empty((p, 1, 4), dtype=np.int32)

    def count_packed(packed: np.ndarray) -> np.ndarray:
        return count_groups(packed, mask)

    for place, found in each_block(genotypes, count_packed, "Calls by variant", n_jobs, quiet):
        counts[place] = found
    return counts[:, 0]


def copies_of(counts: np.ndarray) -> np.ndarray:
    """Of both alleles (p, 2), from counts of calls."""
    return 2 * counts[:, [0, 2]].astype(np.int64) + counts[:, [1]]


def autosomal_variants(variants: Variants) -> np.ndarray:
    """Variants of all `autosomes_in_order`: indices, rising."""
    return np.sort(np.concatenate([np.empty(0, dtype=np.int64), *autosomes_in_order(variants)]))


def autosomes_in_order(variants: Variants) -> Iterator[np.ndarray]:
    """Variants of one autosome after the other, in the order of the files: indices, rising.

    A chromosome is none if it is X, Y, XY, MT or not known; lines that are broken and positions
    that are negative are left out.
    """
    coded = variants.chromosome.dictionary_encode()
    names = [plain_chromosome(name) for name in coded.dictionary.to_pylist()]
    codes = numbers_of(coded.indices)
    plain, merged = np.unique(names, return_inverse=True)
    usable = variants.left_out == 0
    own = np.where(usable, merged.reshape(-1)[codes], -1)
    order = np.argsort(own, kind="stable")
    cuts = np.searchsorted(own[order], np.arange(len(plain) + 1))
    for k, name in enumerate(plain):
        if name not in NOT_AUTOSOMES and cuts[k] < cuts[k + 1]:
            yield order[cuts[k] : cuts[k + 1]]
