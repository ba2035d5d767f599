"""Small files of genotypes for tests."""

from __future__ import annotations

import numpy as np

from tamis.kernels.genotypes.words import pack_calls

MAGIC = b"\x6c\x1b\x01"


def write_bed(stem, codes, phenotypes=None, chromosomes=None, families=None):
    """A .bed, .bim and .fam of codes 0 to 3 (m variants, n samples)."""
    m, n = codes.shape
    phenotypes = [1 + i % 2 for i in range(n)] if phenotypes is None else phenotypes
    chromosomes = [1] * m if chromosomes is None else chromosomes
    families = [f"f{i}" for i in range(n)] if families is None else families
    stem.with_suffix(".bed").write_bytes(MAGIC + pack_calls(codes).tobytes())
    stem.with_suffix(".bim").write_text(
        "".join(f"{c}\tv{j}\t0\t{100 * j + 1}\tA\tG\n" for j, c in enumerate(chromosomes))
    )
    stem.with_suffix(".fam").write_text(
        "".join(f"{f} s{i} 0 0 {1 + i % 2} {phenotypes[i]}\n" for i, f in enumerate(families))
    )
    return stem.with_suffix(".bed")


def random_codes(seed, m, n, missing=0.05):
    rng = np.random.default_rng(seed)
    codes = rng.choice([0, 2, 3], (m, n), p=[0.2, 0.4, 0.4])
    codes[rng.random((m, n)) < missing] = 1
    return codes
