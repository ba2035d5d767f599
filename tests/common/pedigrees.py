"""Copies of alleles of made-up relatives: variants are in blocks that are handed down together."""

from __future__ import annotations

import numpy as np


class Founders:
    """Haplotypes (2, p) of one person after the other, of a population."""

    def __init__(self, seed, frequencies, block=10):
        self.rng = np.random.default_rng(seed)
        self.frequencies, self.block = frequencies, block

    def founder(self, frequencies=None):
        own = self.frequencies if frequencies is None else frequencies
        return (self.rng.random((2, len(own))) < own).astype(np.int8)

    def child(self, father, mother):
        """Whole blocks come from one or the other haplotype of a parent."""
        p = father.shape[1]
        which = self.rng.integers(0, 2, (2, -(-p // self.block))).repeat(self.block, axis=1)[:, :p]
        return np.stack(
            [
                np.where(w, parent[1], parent[0])
                for w, parent in zip(which, (father, mother), strict=True)
            ]
        )

    def nuclear_family(self, children):
        """Father, mother and children."""
        parents = [self.founder(), self.founder()]
        return [*parents, *(self.child(*parents) for _ in range(children))]

    def cousins(self):
        """Two, whose mothers are sisters."""
        _, _, one, other = self.nuclear_family(2)
        return [self.child(self.founder(), one), self.child(self.founder(), other)]


def copies_of_people(people):
    """(p, n) of haplotypes."""
    return np.stack([haplotypes.sum(axis=0) for haplotypes in people], axis=1)
