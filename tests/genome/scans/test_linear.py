"""The linear scan beside plain least squares and PLINK 1.9."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from common.bed_files import codes_of, write_cohort
from genome.plink import read_plink, run_plink
from tamis._core.errors import DataError
from tamis.genome import linear_scan, mixed_scan, open_genotypes
from tamis.genome.scans.mixed_result import DETERMINED_CODE, EXCLUDED_CODE, RARE_CODE
from tamis.metrics.false_discovery import benjamini_hochberg


def made(folder, n=120, p=300, seed=0):
    """People, of whose calls some are missing, a number and two covariates, of which some are."""
    rng = np.random.default_rng(seed)
    copies = rng.binomial(2, rng.uniform(0.02, 0.5, (p, 1)), (p, n))
    covariates = np.column_stack([rng.normal(50, 9, n), rng.integers(0, 2, n)])
    y = 0.4 * copies[5] + 0.05 * covariates[:, 0] + rng.normal(size=n)
    y[3], covariates[7, 0] = np.nan, np.nan
    chromosomes = [str(1 + j // (p // 2)) for j in range(p)]
    path = write_cohort(
        folder / "made", codes_of(copies, 0.05), chromosome=chromosomes, phenotype=[-9] * n
    )
    return path, y.round(4), covariates.round(3)


def plain(genotypes, y, covariates):
    """Effects, errors, t, p and samples of each variant by `lstsq` among those that have all."""
    copies, found = genotypes.calls().astype(float), []
    C = np.column_stack([np.ones(len(y)), covariates])
    for g in copies.T:
        own = (g >= 0) & np.isfinite(y) & np.isfinite(C).all(axis=1)
        D = np.column_stack([C, g])[own]
        effects = np.linalg.lstsq(D, y[own], rcond=None)[0]
        left, degrees = y[own] - D @ effects, own.sum() - D.shape[1]
        error = np.sqrt(left @ left / degrees * np.linalg.inv(D.T @ D)[-1, -1])
        t = effects[-1] / error
        found.append([effects[-1], error, t, 2 * student.sf(abs(t), degrees), own.sum()])
    return np.array(found).T


@pytest.mark.quick
def test_effects_are_those_of_least_squares(tmp_path):
    path, y, covariates = made(tmp_path)
    genotypes = open_genotypes(path)
    scan = linear_scan(genotypes, y, covariates=covariates, frequency=0.0, n_jobs=2)
    effect, error, t, p, n = plain(genotypes, y, covariates)
    own = scan.reasons == 0
    assert own.sum() > 290
    np.testing.assert_allclose(scan.effect[own], effect[own], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(1 / np.sqrt(scan.variance[own]), error[own], rtol=1e-9)
    np.testing.assert_allclose(scan.z[own], t[own], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(scan.p_values[own], p[own], rtol=1e-9)
    np.testing.assert_array_equal(scan.called[own], n[own])
    table = scan.frame()
    assert list(table.columns[5:]) == ["FREQ", "NMISS", "BETA", "SE", "T", "P", "FDR_BH"]
    np.testing.assert_allclose(table["FDR_BH"], benjamini_hochberg(p[own]), rtol=1e-8)
    one = linear_scan(genotypes, y, covariates=covariates, frequency=0.0)
    np.testing.assert_array_equal(one.p_values, scan.p_values)
    assert "118 samples (a number, " in scan.summary()
    assert "linear model, 2 covariates" in scan.summary()
    assert scan.to_dict()["discoveries"] == (table["FDR_BH"] <= 0.05).sum()


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("with_covariates", [False, True])
def test_numbers_are_those_of_plink(tmp_path, seed, with_covariates):
    """To the digits that PLINK 1.9 prints, of every variant."""
    path, y, covariates = made(tmp_path, seed=seed)
    genotypes = open_genotypes(path)
    people = pd.DataFrame({"FID": genotypes.samples.family, "IID": genotypes.samples.id})
    people.assign(y=y).to_csv(tmp_path / "y.txt", sep=" ", index=False, na_rep="-9")
    table = people.assign(age=covariates[:, 0], centre=covariates[:, 1])
    table.to_csv(tmp_path / "c.txt", sep=" ", index=False, na_rep="-9")
    more = ["--covar", "c.txt"] if with_covariates else []
    out = run_plink(
        *("plink1.9", tmp_path, "--bfile", "made", "--keep-allele-order", "--allow-no-sex"),
        *("--pheno", "y.txt", "--linear", "hide-covar", "--ci", "0.95", *more),
    )
    theirs = read_plink(out.with_suffix(".assoc.linear"))
    given = covariates if with_covariates else None
    ours = linear_scan(genotypes, y, covariates=given, frequency=0.0).frame()
    theirs = theirs.set_index("SNP").loc[ours["SNP"]].reset_index()
    assert len(ours) > 290
    np.testing.assert_array_equal(ours["NMISS"], theirs["NMISS"].astype(int))
    np.testing.assert_array_equal(ours["A1"], theirs["A1"])
    for mine, its in (("BETA", "BETA"), ("SE", "SE"), ("T", "STAT"), ("P", "P")):
        # four significant digits, the last of which may be rounded the other way
        np.testing.assert_allclose(ours[mine], theirs[its].astype(float), rtol=5.1e-4, atol=1e-12)


@pytest.mark.quick
def test_what_is_not_tested(tmp_path):
    path, y, _ = made(tmp_path, n=40, p=40)
    genotypes = open_genotypes(path)
    calls = genotypes.calls()
    known = np.isfinite(y)
    called = calls[:, 9] >= 0
    same = np.where(called, calls[:, 9], 0.0)
    batch = np.where(called, same, np.random.default_rng(0).normal(size=40))
    scan = linear_scan(genotypes, y, covariates=batch, frequency=0.1, scanned=np.arange(30))
    assert scan.reasons[9] == DETERMINED_CODE  # where it is called it is the covariate
    assert (scan.reasons[30:] == EXCLUDED_CODE).all()
    rare = np.minimum(scan.frequency, 1 - scan.frequency) < 0.1
    assert set(scan.reasons[:30][rare[:30]]) == {RARE_CODE}
    assert known.sum() == scan.sizes.sum() == 39
    uncalled = (calls[:, 9] < 0).astype(float)  # constant where variant 9 is called
    assert linear_scan(genotypes, y, covariates=uncalled).reasons[9] == DETERMINED_CODE
    with pytest.raises(DataError, match="two different values"):
        linear_scan(genotypes, np.arange(40) % 2)
    with pytest.raises(DataError, match="constant, or a linear combination"):
        linear_scan(genotypes, y, covariates=np.ones(40))


def test_without_relationships_the_mixed_scan_is_the_linear_one(tmp_path):
    rng = np.random.default_rng(0)
    copies = rng.binomial(2, 0.3, (400, 60))
    path = write_cohort(
        tmp_path / "made", codes_of(copies), chromosome=[str(1 + j // 200) for j in range(400)]
    )
    genotypes = open_genotypes(path)
    for seed in range(20):
        y = np.random.default_rng(seed).normal(size=60)
        mixed = mixed_scan(genotypes, y, regression=True)
        if max(mixed.shares.values()) == 0:
            break
    assert max(mixed.shares.values()) == 0
    linear = linear_scan(genotypes, y)
    np.testing.assert_allclose(mixed.p_values, linear.p_values, rtol=1e-8)
    np.testing.assert_allclose(mixed.effect, linear.effect, rtol=1e-8, atol=1e-12)
