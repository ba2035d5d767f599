"""Small .bed files, with what stands beside them, of codes."""

from __future__ import annotations

import numpy as np

from tamis.kernels.genotypes.words import pack_calls

TWO, MISSING, ONE, NONE = 0, 1, 2, 3  # as a .bed codes the copies of allele 1


def write_cohort(path, codes, chromosome="1", sex=None, phenotype=None, parents=None):
    """Write a .bed of codes (p, n), and its .bim and .fam; the path without an ending."""
    p, n = codes.shape
    chromosomes = [chromosome] * p if isinstance(chromosome, str) else chromosome
    sex = [0] * n if sex is None else sex
    phenotype = [-9] * n if phenotype is None else phenotype
    parents = parents or {}
    with open(f"{path}.bim", "w") as file:
        file.writelines(f"{c} v{j} 0 {j + 1} A C\n" for j, c in enumerate(chromosomes))
    with open(f"{path}.fam", "w") as file:
        for i in range(n):
            father, mother = parents.get(i, ("0", "0"))
            file.write(f"f i{i} {father} {mother} {sex[i]} {phenotype[i]}\n")
    with open(f"{path}.bed", "wb") as file:
        file.write(b"\x6c\x1b\x01" + pack_calls(codes).tobytes())
    return path


def codes_of(copies, missing=0.0, seed=0):
    """Codes of copies of allele 1, with a share of them missing at random."""
    rng = np.random.default_rng(seed)
    found = np.array([NONE, ONE, TWO])[copies]
    found[rng.random(found.shape) < missing] = MISSING
    return found
