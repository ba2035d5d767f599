"""The genomic relationship matrix beside numpy and PLINK."""

from __future__ import annotations

import numpy as np
import pytest

from common.bed_files import codes_of, write_cohort
from genome.plink import run_plink
from tamis._core.errors import DataError
from tamis.genome import open_genotypes, principal_components, relationship_matrix


def by_hand(copies):
    """Z Z' / m of copies (n, m), NaN where missing."""
    f = np.nanmean(copies, axis=0) / 2
    Z = np.nan_to_num((copies - 2 * f) / np.sqrt(2 * f * (1 - f)))
    return Z @ Z.T / Z.shape[1]


@pytest.fixture
def cohort(tmp_path):
    rng = np.random.default_rng(0)
    copies = rng.binomial(2, rng.uniform(0.1, 0.5, (400, 1)), (400, 300))
    copies[7] = 0  # no variation
    return open_genotypes(write_cohort(tmp_path / "made", codes_of(copies)))


def test_the_matrix_is_that_by_hand(tmp_path):
    rng = np.random.default_rng(1)
    copies = rng.binomial(2, rng.uniform(0.02, 0.5, (600, 1)), (600, 70))
    genotypes = open_genotypes(write_cohort(tmp_path / "made", codes_of(copies, 0.03)))
    found, m = relationship_matrix(genotypes)
    used = principal_components(genotypes, k=2).columns
    calls = genotypes.calls().astype(float)
    calls[calls < 0] = np.nan
    assert m == len(used)
    np.testing.assert_allclose(found, by_hand(calls[:, used]), atol=1e-12)
    some, m = relationship_matrix(genotypes, samples=[5, 1, 9, 30], variants=np.arange(100, 300))
    own = calls[[5, 1, 9, 30], 100:300]
    own = own[:, np.abs(np.nanmean(own, axis=0) - 1) < 1]  # both alleles are there
    assert m == own.shape[1]
    np.testing.assert_allclose(some, by_hand(own), atol=1e-12)


def test_it_is_that_of_plink(cohort, tmp_path):
    """Without missing calls, for which PLINK divides each pair by the variants called in both."""
    found, m = relationship_matrix(cohort, variants=np.ones(400, dtype=bool))
    stem = run_plink(
        "plink1.9",
        tmp_path,
        "--bfile",
        "made",
        "--make-rel",
        "square",
        "--maf",
        "1e-9",
        "--allow-no-sex",
    )
    np.testing.assert_allclose(found, np.loadtxt(f"{stem}.rel"), rtol=2e-5, atol=1e-6)
    assert m == 399


def test_threads_change_nothing(cohort):
    one, _ = relationship_matrix(cohort)
    two, _ = relationship_matrix(cohort, n_jobs=3)
    np.testing.assert_array_equal(one, two)


def test_nothing_to_tell_by(tmp_path):
    genotypes = open_genotypes(write_cohort(tmp_path / "x", np.zeros((5, 4), dtype=int)))
    with pytest.raises(DataError, match="no variant"):
        relationship_matrix(genotypes)
    with pytest.raises(DataError, match="no variant is left to estimate relationships from"):
        relationship_matrix(genotypes, variants=[0, 1])
