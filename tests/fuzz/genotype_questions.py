"""What is asked of files of genotypes that may be wrong; answers must not contradict each other."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from fuzz.genotype_files import COHORTS, write_cohort
from tamis.genome import mtd_scan, open_genotypes, quality_control
from tamis.genome.readers.phenotypes import read_phenotypes
from tamis.genome.readers.samples import Samples


def warm() -> None:
    """Valid files of each kind, so that kernels are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        for made in COHORTS.values():
            ask(write_cohort(made, Path(folder)))


def ask(path: Path) -> None:
    """Open, read all there is, scan and look at quality.

    Raises
    ------
    DataError
        The files are wrong.
    """
    genotypes = open_genotypes(path)
    n, p = genotypes.shape
    [source] = genotypes.sources
    assert len(genotypes.digest()) == 64
    frame = genotypes.variants.frame()
    assert len(frame) == len(genotypes.variants.broken) == p
    assert len(genotypes.samples) == len(genotypes.samples.frame()) == n
    genotypes.variants.on("X")
    assert sum(len(piece.packed()) for piece in genotypes.pieces(2)) == p
    calls = genotypes.calls()
    assert calls.shape == (n, p)
    assert ((calls >= -1) & (calls <= 2)).all()
    np.testing.assert_array_equal(calls, genotypes.calls(np.arange(p)[::-1])[:, ::-1])
    likely = source.probabilities(0, p)
    if likely is not None:
        assert likely.shape == (p, n, 3)
        known = ~np.isnan(likely[:, :, 0])
        assert np.array_equal(known, ~np.isnan(likely).any(axis=2))
        assert ((likely[known] >= 0) & (likely[known] <= 1)).all()
        np.testing.assert_allclose(likely[known].sum(axis=1), 1, atol=1e-5)
        assert not (calls.T[~known] >= 0).any()
    y = np.arange(n) % 2
    scan = mtd_scan(genotypes, y, permutations=1)
    kept, left = scan.frame(), scan.dropped()
    assert len(kept) + len(left) == p
    assert kept["MTD"].between(0, 2).all()
    assert (left["REASON"] != "").all()
    assert (calls[:, genotypes.variants.broken] == -1).all() or path.suffix == ".bed"
    assert scan.summary()
    found = quality_control(genotypes, y, sample_missing=None)
    assert found.summary()
    tables = sorted(path.parent.glob("*.pheno"))
    if tables:
        mtd_scan(genotypes, read_labels(tables[0], genotypes.samples))
    elif (genotypes.samples.phenotype != "-9").any():
        mtd_scan(genotypes)


def read_labels(path: Path, samples: Samples) -> np.ndarray:
    """Of a table, whichever its columns are."""
    found = read_phenotypes(path, samples)
    assert found.labels.shape == (len(samples),)
    assert all(label is None or label.strip() for label in found.labels)
    return found.labels
