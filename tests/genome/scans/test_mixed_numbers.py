"""The mixed-model scan of a number beside a slow dense reference, GEMMA, and chance."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binomtest, kstest, spearmanr
from scipy.stats import t as student

from common.bed_files import codes_of, write_cohort
from common.pedigrees import Founders, copies_of_people
from tamis._core.errors import DataError
from tamis.genome import mixed_scan, open_genotypes, principal_components
from tamis.genome.readers.numbers import parsed_numbers
from tamis.genome.scans.mixed_model import NumberModel


@pytest.fixture(scope="module")
def families(tmp_path_factory):
    """150 people in 30 families, 600 variants on three chromosomes, calls missing."""
    folder = tmp_path_factory.mktemp("families")
    make = Founders(1, np.random.default_rng(0).uniform(0.05, 0.5, 600))
    people = [one for _ in range(30) for one in make.nuclear_family(3)]
    copies = copies_of_people(people)
    rng = np.random.default_rng(2)
    genetic = rng.normal(0, 1, 600) @ copies
    y = 20 + 3 * (genetic / genetic.std() + rng.normal(0, 1, 150))
    chromosomes = [str(1 + j // 200) for j in range(600)]
    write_cohort(folder / "made", codes_of(copies, 0.02), chromosome=chromosomes)
    return open_genotypes(folder / "made"), y


def centred_copies(genotypes):
    """Copies less their mean, missing calls 0, and the same over their expected deviation."""
    copies = genotypes.calls().astype(float)
    copies[copies < 0] = np.nan
    frequency = np.nanmean(copies, axis=0) / 2
    centred = np.nan_to_num(copies - 2 * frequency)
    return centred, centred / np.sqrt(2 * frequency * (1 - frequency))


def dense_reference(genotypes, y, covariates, relationship_columns, given):
    """Effects, standard errors and t by generalised least squares with matrices of all samples.

    `given` are the shares, of which it is checked that no other has a higher REML likelihood.
    """
    centred, standard = centred_copies(genotypes)
    chromosome = np.array(genotypes.variants.chromosome.to_pylist())
    n = len(y)
    X = np.ones((n, 1)) if covariates is None else np.column_stack([np.ones(n), covariates])
    used = np.zeros(len(chromosome), dtype=bool)
    used[relationship_columns] = True
    found = np.empty((3, len(chromosome)))
    for name in np.unique(chromosome):
        Z = standard[:, used & (chromosome != name)]
        K = Z @ Z.T / Z.shape[1]

        def loss(h, K=K):
            V = (1 - h) * np.eye(n) + h * K
            W = np.linalg.inv(V)
            M = X.T @ W @ X
            left = y - X @ np.linalg.solve(M, X.T @ W @ y)
            logs = np.linalg.slogdet(V)[1] + np.linalg.slogdet(M)[1]
            return 0.5 * ((n - X.shape[1]) * np.log(left @ W @ left) + logs)

        h = given[name]
        best = minimize_scalar(loss, bounds=(0, 0.999), method="bounded")
        assert loss(h) <= best.fun + 1e-9
        assert h == pytest.approx(best.x, abs=1e-4)
        W = np.linalg.inv((1 - h) * np.eye(n) + h * K)
        for j in np.flatnonzero(chromosome == name):
            D = np.column_stack([X, centred[:, j]])
            covariance = np.linalg.inv(D.T @ W @ D)
            effects = covariance @ D.T @ W @ y
            left = y - D @ effects
            error = np.sqrt(covariance[-1, -1] * (left @ W @ left) / (n - D.shape[1]))
            found[:, j] = effects[-1], error, effects[-1] / error
    return found


@pytest.mark.parametrize("with_covariates", [False, True])
def test_effects_equal_the_dense_reference(families, with_covariates):
    genotypes, y = families
    rng = np.random.default_rng(5)
    covariates = None
    if with_covariates:
        covariates = np.column_stack([rng.normal(50, 10, 150) + y, rng.integers(0, 2, 150)])
    scan = mixed_scan(genotypes, y, covariates=covariates, regression=True)
    used = principal_components(genotypes, k=2).columns
    effect, error, t = dense_reference(genotypes, y, covariates, used, scan.shares)
    assert max(scan.shares.values()) > 0.2
    np.testing.assert_allclose(scan.effect, effect, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(1 / np.sqrt(scan.variance), error, rtol=1e-8)
    np.testing.assert_allclose(scan.z, t, rtol=1e-8, atol=1e-10)
    freedom = 150 - (4 if with_covariates else 2)
    np.testing.assert_allclose(scan.p_values, 2 * student.sf(np.abs(t), freedom), rtol=1e-7)
    table = scan.frame()
    np.testing.assert_allclose(table["BETA"] / table["SE"], table["T"], rtol=1e-12)
    assert scan.to_dict()["number"] == {
        "smallest": y.min(),
        "median": np.median(y),
        "largest": y.max(),
    }
    assert "150 samples (a number," in scan.summary()
    assert "of the variance of the number" in scan.summary()


def test_shift_and_unit_change_nothing_but_effects(families):
    genotypes, y = families
    one = mixed_scan(genotypes, y, regression=True, draws=19)
    two = mixed_scan(genotypes, 1e6 - 1000 * y, regression=True, draws=19, n_jobs=2)
    # a maximum is found to about the root of the precision
    np.testing.assert_allclose(two.z, -one.z, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(two.effect, -1000 * one.effect, rtol=1e-5, atol=1e-3)
    np.testing.assert_allclose(two.largest, one.largest, rtol=1e-5)
    text = mixed_scan(genotypes, [f"{v!r}" for v in y.tolist()], regression=True)
    np.testing.assert_allclose(text.z, one.z, rtol=1e-8, atol=1e-12)


def test_p_are_those_of_gemma(families, tmp_path):
    """Of one chromosome, with relationships by the others; the share of its score test is by
    maximum likelihood, ours by restricted; its beta and se are of least squares, as ours."""
    if shutil.which("gemma") is None:
        pytest.skip("needs gemma (Debian package gemma)")
    genotypes, y = families
    scan = mixed_scan(genotypes, y, regression=True)
    chromosome = np.array(genotypes.variants.chromosome.to_pylist())
    used = np.isin(np.arange(600), principal_components(genotypes, k=2).columns)
    _, standard = centred_copies(genotypes)
    rest = standard[:, used & (chromosome != "2")]
    np.savetxt(tmp_path / "k.txt", rest @ rest.T / rest.shape[1], fmt="%.12g")
    own = np.flatnonzero(chromosome == "2")
    codes = np.array([3, 2, 0, 1])[genotypes.calls()[:, own].T.astype(int)]
    write_cohort(tmp_path / "two", codes, phenotype=[f"{v!r}" for v in y.tolist()])
    arguments = ["-bfile", "two", "-k", "k.txt", "-lmm", "3", "-maf", "0", "-miss", "1", "-o", "g"]
    done = subprocess.run(
        ["gemma", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    theirs = pd.read_csv(tmp_path / "output" / "g.assoc.txt", sep="\t")
    assert theirs["rs"].tolist() == [f"v{j}" for j in range(200)]
    assert spearmanr(scan.p_values[own], theirs["p_score"])[0] > 0.999
    np.testing.assert_allclose(scan.p_values[own], theirs["p_score"], atol=0.02)


def test_chance_gives_uniform_p(tmp_path):
    """In herds of half siblings; the number is polygenic by chromosomes that are not scanned, with
    few people, so that a normal tail would be too short."""
    p_values, hits = [], 0
    for seed in range(6):
        make = Founders(seed, np.random.default_rng(seed).uniform(0.1, 0.5, 800), block=2)
        people = []
        for _ in range(6):
            sire = make.founder()
            people += [make.child(sire, make.founder()) for _ in range(10)]
        copies = copies_of_people(people)
        rng = np.random.default_rng(100 + seed)
        genetic = (rng.normal(size=800) * (np.arange(800) < 400)) @ copies
        y = genetic / genetic.std() + rng.normal(size=60)
        chromosomes = [str(1 + j // 200) for j in range(800)]
        path = write_cohort(tmp_path / f"made{seed}", codes_of(copies), chromosome=chromosomes)
        later = np.arange(800) >= 400
        scan = mixed_scan(open_genotypes(path), y, regression=True, scanned=later, draws=19)
        p_values.append(scan.p_values[400::8])  # of linked variants one
        hits += np.nanmin(scan.p_adjusted) <= 0.05
    found = np.concatenate(p_values)
    found = found[~np.isnan(found)]
    assert len(found) > 280
    assert kstest(found, "uniform").pvalue > 0.01
    assert binomtest(int((found < 0.05).sum()), len(found), 0.05).pvalue > 0.01
    assert hits <= 2


def test_an_effect_is_found_and_an_exact_fit_is_not_infinite_noise(families):
    genotypes, y = families
    copies = centred_copies(genotypes)[0]
    scan = mixed_scan(genotypes, y + 5 * copies[:, 450], regression=True, draws=19)
    assert scan.top(1).tolist() == [450]
    assert scan.effect[450] == pytest.approx(5, abs=1.5)
    assert scan.p_adjusted[450] == 0.05
    assert "with |T| above" in scan.summary()
    exact = mixed_scan(genotypes, copies[:, 450], regression=True)
    assert exact.top(1).tolist() == [450]
    assert exact.effect[450] == pytest.approx(1)
    assert 0 <= exact.p_values[450] < 1e-100


@pytest.mark.quick
def test_what_is_no_number():
    assert parsed_numbers(["1", 2.5, "-3e2"], "y").tolist() == [1, 2.5, -300]
    np.testing.assert_allclose(parsed_numbers([1, 2, 4], "y", log=True), np.log([1, 2, 4]))
    for labels, words in (
        ([], "y has no value of any sample"),
        (["1", "tall", "2"], r"y has text in 1 sample \('tall'\)"),
        ([1.0, np.inf, 2.0], "y has an infinite value"),
        ([3, 3, 3], "y has the value 3 in all samples"),
        (["1", "2", "1"], "y has two different values, 1 and 2: these are classes"),
    ):
        with pytest.raises(DataError, match=words):
            parsed_numbers(labels, "y")
    with pytest.raises(DataError, match="y has 2 values of 0 or below, such as -1"):
        parsed_numbers([-1, 0, 2], "y", log=True)


@pytest.mark.quick
def test_what_cannot_be_scanned(families):
    genotypes, y = families
    with pytest.raises(DataError, match="linear combination of the covariates"):
        mixed_scan(genotypes, y, covariates=2 * y + 1, regression=True)
    with pytest.raises(DataError, match="constant, or a linear combination of the others"):
        mixed_scan(genotypes, y, covariates=np.ones(150), regression=True)
    few = np.where(np.arange(150) < 3, y, np.nan)
    with pytest.raises(DataError, match="3 samples, where 4 are the least"):
        mixed_scan(genotypes, few, regression=True)
    with pytest.raises(DataError, match=r"it is no class; .*--regression"):
        mixed_scan(genotypes, y)
    age = np.where(np.arange(150) < 2, 1.0, np.nan)
    with pytest.raises(DataError, match="the 2 samples that have all covariates have one value"):
        mixed_scan(genotypes, np.maximum(np.arange(150), 1), covariates=age, regression=True)


def test_a_number_is_centred_before_it_is_projected():
    """A large mean costs no digits of what is left."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=40), rng.normal(size=40)
    columns = np.column_stack([np.ones(40), x])
    near, far = NumberModel.fitted(columns, y), NumberModel.fitted(columns, y + 2.0**40)
    np.testing.assert_allclose(far.residual, near.residual, atol=1e-3)
    np.testing.assert_allclose(near.mean + near.residual, y, atol=1e-12)
