"""Made-up cohorts of relatives and of several populations, as files that PLINK reads.

Variants lie in blocks that are handed down together; founders are in linkage equilibrium.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

CHROMOSOMES, EACH, BLOCK = 22, 100, 10
RATE = 0.3  # of cases
HERITABILITY = 0.5  # of the liability, on odd chromosomes
SPAN = (0.05, 0.5)  # of frequencies


class Cohort:
    """People of one population or of several, one after the other."""

    def __init__(self, rng: np.random.Generator, frequencies: np.ndarray):
        self.rng, self.frequencies = rng, frequencies
        self.people: list[np.ndarray] = []

    def founder(self, frequencies: np.ndarray | None = None) -> np.ndarray:
        own = self.frequencies if frequencies is None else frequencies
        return (self.rng.random((2, len(own))) < own).astype(np.int8)

    def child(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        p = one.shape[1]
        which = self.rng.integers(0, 2, (2, p // BLOCK)).repeat(BLOCK, axis=1)
        return np.stack([np.where(w, x[1], x[0]) for w, x in zip(which, (one, other), strict=True)])


def unrelated(cohort: Cohort, n: int) -> None:
    cohort.people += [cohort.founder() for _ in range(n)]


def nuclear_families(cohort: Cohort, n: int) -> None:
    """Of two parents and three children."""
    for _ in range(n // 5):
        parents = [cohort.founder(), cohort.founder()]
        cohort.people += [*parents, *(cohort.child(*parents) for _ in range(3))]


def siblings(cohort: Cohort, n: int) -> None:
    """Pairs, without their parents."""
    for _ in range(n // 2):
        parents = [cohort.founder(), cohort.founder()]
        cohort.people += [cohort.child(*parents) for _ in range(2)]


def cryptic_cousins(cohort: Cohort, n: int) -> None:
    """A quarter of all are pairs of first cousins."""
    for _ in range(n // 8):
        grand = [cohort.founder(), cohort.founder()]
        for _ in range(2):
            cohort.people.append(cohort.child(cohort.founder(), cohort.child(*grand)))
    unrelated(cohort, n - len(cohort.people))


def half_sib_herds(cohort: Cohort, n: int) -> None:
    """Of forty that have a sire."""
    for _ in range(n // 40):
        sire = cohort.founder()
        cohort.people += [cohort.child(sire, cohort.founder()) for _ in range(40)]


def islands(cohort: Cohort, n: int, divergence: float = 0.05) -> None:
    """Four populations of unrelated people (Balding and Nichols 1995)."""
    scale, f = (1 - divergence) / divergence, cohort.frequencies
    for _ in range(4):
        own = cohort.rng.beta(f * scale, (1 - f) * scale)
        cohort.people += [cohort.founder(own) for _ in range(n // 4)]


def admixture(cohort: Cohort, n: int, divergence: float = 0.1) -> None:
    """Of two populations, from all shares of one to all of the other."""
    scale, f = (1 - divergence) / divergence, cohort.frequencies
    one, other = cohort.rng.beta(f * scale, (1 - f) * scale, (2, len(f)))
    for share in cohort.rng.beta(0.7, 0.7, n):
        blocks = cohort.rng.random((2, len(f) // BLOCK)) < share
        which = blocks.repeat(BLOCK, axis=1)
        own = np.where(which, one, other)
        cohort.people.append((cohort.rng.random(own.shape) < own).astype(np.int8))


DESIGNS: dict[str, Callable[[Cohort, int], None]] = {
    "unrelated": unrelated,
    "nuclear families": nuclear_families,
    "siblings": siblings,
    "cryptic cousins": cryptic_cousins,
    "half-sib herds": half_sib_herds,
    "islands": islands,
    "admixture": admixture,
    "far islands": partial(islands, divergence=0.2),
}


def chromosomes(each: int = EACH) -> np.ndarray:
    """Of each variant, from 1 on."""
    return np.arange(CHROMOSOMES).repeat(each) + 1


def simulate(
    design: str,
    n: int,
    seed: int,
    folder: Path,
    odds: float = 1.0,
    rate: float = RATE,
    each: int = EACH,
    shift: float = 0.0,
    number: bool = False,
) -> tuple[Path, np.ndarray, int]:
    """Write a cohort of this design; the path of its files, labels of 0 and 1, and the variant of
    an even chromosome that has an effect, where odds are not 1. With `shift` liabilities rise
    from the first quarter of the people, an island, to the last, whatever their genes. With
    `number` liabilities themselves are the phenotype."""
    from tamis.kernels.genotypes.words import pack_calls

    rng = np.random.default_rng([seed, list(DESIGNS).index(design)])
    p = CHROMOSOMES * each
    cohort = Cohort(rng, rng.uniform(*SPAN, p))
    DESIGNS[design](cohort, n)
    copies = np.stack([one.sum(axis=0) for one in cohort.people], axis=1)
    odd = chromosomes(each) % 2 == 1
    effects = rng.normal(size=p) * odd / np.sqrt(2 * cohort.frequencies * (1 - cohort.frequencies))
    genetic = effects @ copies
    genetic *= np.sqrt(HERITABILITY) / genetic.std()
    even = np.flatnonzero(~odd & (cohort.frequencies > 0.2))
    planted = int(rng.choice(even))
    noise = rng.normal(size=copies.shape[1]) * np.sqrt(1 - HERITABILITY)
    # log odds as liability: the logistic's standard deviation is pi / sqrt 3, of a rest without
    # the polygenic part
    step = np.log(odds) * np.sqrt(3) / np.pi
    liability = genetic + noise + step * copies[planted]
    liability += shift * (4 * np.arange(len(liability)) // len(liability))
    label = (liability > np.quantile(liability, 1 - rate)).astype(int)
    phenotype = liability if number else 1 + label
    codes = np.array([3, 2, 0])[copies]
    stem = folder / f"cohort{seed}"
    stem.with_suffix(".bed").write_bytes(b"\x6c\x1b\x01" + pack_calls(codes).tobytes())
    stem.with_suffix(".bim").write_text(
        "".join(f"{c}\tv{j}\t0\t{1000 * (j + 1)}\tA\tG\n" for j, c in enumerate(chromosomes(each)))
    )
    stem.with_suffix(".fam").write_text(
        "".join(f"f{i} s{i} 0 0 0 {one}\n" for i, one in enumerate(phenotype.tolist()))
    )
    return stem, liability if number else label, planted
