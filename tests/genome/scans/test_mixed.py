"""The mixed-model scan beside a slow dense reference, GEMMA, and what it must not be fooled by."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binomtest, multivariate_normal, norm, spearmanr

from common.bed_files import ONE, codes_of, write_cohort
from common.pedigrees import Founders, copies_of_people
from tamis._core.errors import DataError, PlanError
from tamis.genome import mixed_scan, open_genotypes, principal_components, simulate_cohort
from tamis.genome.quality.inflation import genomic_inflation, inflation_text
from tamis.genome.scans import mixed
from tamis.genome.scans.mixed_model import ClassModel, labels_of, liability_share
from tamis.genome.scans.mixed_result import (
    DETERMINED_CODE,
    EXCLUDED_CODE,
    NOT_AUTOSOMAL_CODE,
    RARE_CODE,
)
from tamis.kernels.saddle_point import saddle_tails
from tamis.kernels.variance_share import fit_shares


@pytest.fixture(scope="module")
def families(tmp_path_factory):
    """300 people in 60 families, 1,200 variants on four chromosomes, calls missing."""
    folder = tmp_path_factory.mktemp("families")
    make = Founders(1, np.random.default_rng(0).uniform(0.03, 0.5, 1200))
    people = [one for _ in range(60) for one in make.nuclear_family(3)]
    copies = copies_of_people(people)
    rng = np.random.default_rng(2)
    effects = rng.normal(0, 1, 1200)
    genetic = copies.T @ effects
    liability = genetic / genetic.std() + rng.normal(0, 1, 300)
    y = np.where(liability > np.quantile(liability, 0.7), "ill", "healthy")
    chromosomes = [str(1 + j // 300) for j in range(1200)]
    write_cohort(folder / "made", codes_of(copies, 0.02), chromosome=chromosomes)
    return open_genotypes(folder / "made"), y


def dense_reference(genotypes, y, covariates, relationship_columns, given):
    """Score tests by matrices of all samples, one variant after the other.

    Equations of `tamis.genome.scans.mixed`; `given` are the shares, of which it is checked that no
    other has a higher likelihood.
    """
    copies = genotypes.calls().astype(float)
    missing = copies < 0
    copies[missing] = np.nan
    frequency = np.nanmean(copies, axis=0) / 2
    centred = np.where(missing, 0.0, copies - 2 * frequency)
    standard = centred / np.sqrt(2 * frequency * (1 - frequency))
    chromosome = np.array(genotypes.variants.chromosome.to_pylist())
    label = (y == np.unique(y)[1]).astype(float)
    n = len(label)
    C = np.ones((n, 1)) if covariates is None else np.column_stack([np.ones(n), covariates])
    beta = np.zeros(C.shape[1])
    for _ in range(100):
        mu = 1 / (1 + np.exp(-C @ beta))
        W = np.diag(mu * (1 - mu))
        beta += np.linalg.inv(C.T @ W @ C) @ (C.T @ (label - mu))
    mu = 1 / (1 + np.exp(-C @ beta))
    w = np.sqrt(mu * (1 - mu))
    r, X = (label - mu) / w, C * w[:, None]
    used = np.zeros(len(frequency), dtype=bool)
    used[relationship_columns] = True
    score, variance = np.empty(len(frequency)), np.empty(len(frequency))
    for name in np.unique(chromosome):
        Z = standard[:, used & (chromosome != name)]
        K = Z @ Z.T / Z.shape[1] * np.outer(w, w) / (w**2).mean()

        def parts(h, K=K):
            V = (1 - h) * np.eye(n) + h * K
            inverse = np.linalg.inv(V)
            M = X.T @ inverse @ X
            P = inverse - inverse @ X @ np.linalg.inv(M) @ X.T @ inverse
            return P, V, M

        def loss(h, parts=parts):
            P, V, M = parts(h)
            logs = np.linalg.slogdet(V)[1] + np.linalg.slogdet(M)[1]
            return 0.5 * ((n - X.shape[1]) * np.log(r @ P @ r) + logs)

        h = given[name]
        best = minimize_scalar(loss, bounds=(0, 0.999), method="bounded")
        assert loss(h) <= best.fun + 1e-9
        assert h == pytest.approx(best.x, abs=1e-4)
        P, _, _ = parts(h)
        sigma = r @ P @ r / (n - X.shape[1])
        for j in np.flatnonzero(chromosome == name):
            g = w * centred[:, j]
            score[j], variance[j] = g @ P @ r / sigma, g @ P @ g / sigma
    return score, variance


@pytest.mark.parametrize("with_covariates", [False, True])
def test_scores_equal_the_dense_reference(families, with_covariates):
    genotypes, y = families
    rng = np.random.default_rng(5)
    covariates = None
    if with_covariates:
        covariates = np.column_stack([rng.normal(50, 10, 300), rng.integers(0, 2, 300)])
        covariates[:, 0] += 8 * (y == "ill")
    scan = mixed_scan(genotypes, y, covariates=covariates)
    used = principal_components(genotypes, k=2).columns
    assert scan.n_relationship_variants == len(used) > 800
    score, variance = dense_reference(genotypes, y, covariates, used, scan.shares)
    assert (scan.reasons == 0).all()
    assert min(scan.shares.values()) > 0.2
    np.testing.assert_allclose(scan.score, score, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(scan.variance, variance, rtol=1e-8)
    np.testing.assert_allclose(scan.effect, score / variance, rtol=1e-8, atol=1e-10)
    z, normal = np.abs(scan.z), 2 * norm.sf(np.abs(scan.z))  # up to two standard deviations
    same = np.isclose(scan.p_values, normal, rtol=1e-12, atol=0)
    assert same[z <= 2].all()
    assert not same[z > 2].any()
    assert ((z > 1.9) & (z <= 2)).any()
    assert ((z > 2) & (z < 2.1)).any()


def restricted_likelihood(share, values, fixed, outcome):
    """Its logarithm at the best variance, but for a constant, as it is defined."""
    covariance = np.diag(1 - share + share * values)
    inverse = np.linalg.inv(covariance)
    middle = fixed.T @ inverse @ fixed
    left = outcome - fixed @ np.linalg.solve(middle, fixed.T @ inverse @ outcome)
    squares = left @ inverse @ left / (len(outcome) - fixed.shape[1])
    determinants = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(middle)[1]
    return -0.5 * ((len(outcome) - fixed.shape[1]) * np.log(squares) + determinants)


def test_the_share_is_that_of_the_highest_likelihood():
    rng = np.random.default_rng(0)
    for seed in range(8):
        n, c = 120, 1 + seed % 3
        values = rng.gamma(1, 1, n)
        fixed = rng.normal(size=(n, c))
        h = (0.0, 0.2, 0.6, 0.95)[seed % 4]
        outcome = rng.normal(size=n) * np.sqrt(1 - h + h * values)
        found = fit_shares(values, fixed, outcome[:, None])[0]
        best = max(
            restricted_likelihood(k / 1000, values, fixed, outcome) for k in range(0, 1000, 5)
        )
        assert restricted_likelihood(found, values, fixed, outcome) >= best - 1e-9


def test_without_relationships_no_share_is_found():
    """Every share is as likely where the relationships are the identity."""
    outcome = np.random.default_rng(0).normal(size=(10, 1))
    assert fit_shares(np.ones(10), np.ones((10, 1)), outcome)[0] == 0.0


def test_tails_of_a_saddle_point_are_those_of_all_outcomes():
    """Of 12 coin flips all 4,096 outcomes can be weighed."""
    rng = np.random.default_rng(3)
    chances, weights = rng.uniform(0.05, 0.4, 12), rng.gamma(1, 1, 12)
    outcomes = (np.arange(4096)[:, None] >> np.arange(12)) & 1
    probability = np.where(outcomes, chances, 1 - chances).prod(axis=1)
    sums = (outcomes - chances) @ weights
    width = np.sqrt((weights**2 * chances * (1 - chances)).sum())
    for z in (1.5, 2.0, 2.5, 3.0):
        exact = probability[np.abs(sums) >= z * width].sum()
        found = saddle_tails(weights[None], chances, np.array([z * width]))[0]
        assert 0.85 < found / exact < 1.18
    assert np.isnan(saddle_tails(weights[None], chances, np.array([0.0]))[0])
    largest = np.maximum(weights * (1 - chances), -weights * chances).sum()
    last = chances.prod()  # the largest outcome: all ones
    for score in (largest, 1.1 * largest):
        found = saddle_tails(weights[None], chances, np.array([score]))[0]
        assert found == pytest.approx(last, rel=1e-9)
    found = saddle_tails(-weights[None], chances, np.array([-0.99999 * largest]))[0]
    assert last <= found < 2 * last


def test_a_variant_that_tells_the_classes_has_a_p_above_0(tmp_path):
    rng = np.random.default_rng(5)
    sick = rng.permutation([0, 1] * 10)
    copies = rng.binomial(2, rng.uniform(0.2, 0.5, (600, 1)), (600, 20))
    copies[5] = 2 * sick
    chromosomes = [str(1 + j // 200) for j in range(600)]
    genotypes = open_genotypes(
        write_cohort(tmp_path / "made", codes_of(copies), chromosome=chromosomes)
    )
    p = mixed_scan(genotypes, sick).p_values
    assert 0.5**20 < p[5] == np.nanmin(p) < 1e-4


def test_rare_alleles_and_few_cases_have_uniform_p(tmp_path):
    """Where the normal tail is several times too small."""
    rng = np.random.default_rng(1)
    n, p = 600, 4000
    copies = rng.binomial(2, rng.uniform(0.01, 0.03, (p, 1)), (p, n))
    copies[:1000] = rng.binomial(2, 0.3, (1000, n))
    chromosomes = [str(1 + (j >= 500) + 2 * (j >= 1000)) for j in range(p)]
    genotypes = open_genotypes(
        write_cohort(tmp_path / "made", codes_of(copies), chromosome=chromosomes)
    )
    y = np.arange(n) < 30
    scan = mixed_scan(genotypes, y.astype(int), scanned=np.arange(p) >= 1000, frequency=0.005)
    tested = scan.reasons == 0
    found, normal = scan.p_values[tested], 2 * norm.sf(np.abs(scan.z[tested]))
    assert tested.sum() > 2900
    assert (normal < 0.001).mean() > 0.004
    assert binomtest(int((found < 0.001).sum()), len(found), 0.001).pvalue > 0.01


def test_relatives_do_not_make_hits_and_an_effect_is_found(tmp_path):
    """In herds of half siblings; polygenic labels whose effects lie on other chromosomes."""
    make = Founders(7, np.random.default_rng(7).uniform(0.1, 0.5, 1000), block=5)
    people = []
    for _ in range(8):
        sire = make.founder()
        people += [make.child(sire, make.founder()) for _ in range(40)]
    copies = copies_of_people(people)
    rng = np.random.default_rng(2)
    genetic = (rng.normal(size=1000) * (np.arange(1000) < 500)) @ copies
    genetic /= genetic.std()
    planted = 700
    chromosomes = [str(1 + j // 125) for j in range(1000)]
    path = write_cohort(tmp_path / "made", codes_of(copies), chromosome=chromosomes)
    genotypes = open_genotypes(path)
    liability = 1.5 * genetic + rng.normal(size=320)
    later = np.arange(1000) >= 500
    scan = mixed_scan(genotypes, (liability > 0).astype(int), scanned=later, draws=99)
    z = norm.isf(genomic_inflation(scan.p_values))
    assert 0.8 < scan.inflation < 1.2
    assert scan.share > 0.2
    assert np.nanmin(scan.p_adjusted) > 0.05
    x, y = copies[later].T - copies[later].mean(axis=1), (liability > 0) - (liability > 0).mean()
    z = (x.T @ y) / np.sqrt((x**2).sum(axis=0) * (y**2).mean())
    assert np.median(z**2) / 0.4549 > 1.4  # what a trend test makes of it
    liability += 1.3 * copies[planted]
    scan = mixed_scan(
        genotypes, (liability > np.median(liability)).astype(int), scanned=later, draws=99
    )
    assert scan.top(1).tolist() == [planted]
    assert scan.p_adjusted[planted] == 0.01
    assert scan.effect[planted] > 0.5
    assert scan.threshold() < np.abs(scan.z[planted])


@pytest.mark.parametrize("rate", [0.01, 0.2, 0.5])
def test_a_share_of_liabilities_is_that_of_bivariate_normal_tails(rate):
    """Siblings' labels, by the distribution function of two normal variables."""
    t = norm.isf(rate)
    for liable in (0.1, 0.5, 0.9):
        half = np.array([[1, liable / 2], [liable / 2, 1]])
        both = multivariate_normal(cov=half).cdf([-t, -t])
        share = 2 * (both - rate**2) / (rate * (1 - rate))
        assert liability_share(share, rate) == pytest.approx(liable, abs=2e-3)
    assert liability_share(1.0, rate) == pytest.approx(0.95)


@pytest.mark.parametrize(("least", "fits"), [(1.5e-6, True), (0.7e-6, False)])
def test_covariates_may_all_but_tell_a_class(least, fits):
    """A column by which one label in a million and a half, or in 700,000, is 1."""
    logit = np.log(least / (1 - least))
    covariate = np.repeat([0.0, 1.0], [400, 400])
    label = np.where(np.arange(800) % 400 < 200, 1.0, 0.0)
    far = np.append(covariate, logit / np.log(0.25 / 0.75) * 1.0)
    label[400:] = np.arange(400) < 100  # odds of 1 : 3 at 1, of 1 : 1 at 0
    columns, labels = np.column_stack([np.ones(801), far]), np.append(label, 0.0)
    if fits:
        assert ClassModel.fitted(columns, labels).mean.min() == pytest.approx(least, rel=0.05)
    else:
        with pytest.raises(DataError, match="determine the class of some samples"):
            ClassModel.fitted(columns, labels)


def test_draws_have_as_many_cases_and_the_relationships_of_the_model():
    rng = np.random.default_rng(0)
    n = 400
    family = np.arange(n) // 4
    label = np.zeros(n)
    label[rng.permutation(n)[:120]] = 1
    model = ClassModel.fitted(np.ones((n, 1)), label)
    genetic = (rng.normal(size=(100, 2000))[family] + rng.normal(size=(n, 2000))) / np.sqrt(2)
    noise = rng.normal(size=(n, 2000))
    labels = labels_of(model, 0.4, genetic, noise, 120)
    assert (labels.sum(axis=0) == 120).all()
    own, other = labels[::4], labels[1::4]
    within = ((own - 0.3) * (other - 0.3)).mean() / (0.3 * 0.7)
    assert within == pytest.approx(0.2, abs=0.01)  # siblings: half of the share
    odd = family % 2 == 1
    label = (rng.random(n) < np.where(odd, 0.6, 0.1)).astype(float)
    model = ClassModel.fitted(np.column_stack([np.ones(n), odd]), label)
    labels = labels_of(model, 0.0, genetic, noise, int(label.sum()))
    for part in (odd, ~odd):
        assert model.mean[part] == pytest.approx(label[part].mean(), abs=1e-8)
        assert labels[part].mean() == pytest.approx(label[part].mean(), abs=0.01)


def test_results_depend_on_the_seed_alone(families, monkeypatch):
    genotypes, y = families
    one = mixed_scan(genotypes, y, draws=19, seed=3)
    two = mixed_scan(genotypes, y, draws=19, seed=3, n_jobs=3)
    assert one.to_dict() == two.to_dict()
    np.testing.assert_array_equal(one.p_values, two.p_values)
    np.testing.assert_array_equal(one.largest, two.largest)
    assert not np.array_equal(one.largest, mixed_scan(genotypes, y, draws=19, seed=4).largest)
    some = mixed_scan(genotypes, y, draws=19, seed=3, scanned=np.arange(1200) >= 1100)
    np.testing.assert_allclose(some.z[1100:], one.z[1100:], rtol=1e-12)
    assert (some.reasons[:1100] == EXCLUDED_CODE).all()
    assert (some.largest <= one.largest + 1e-9).all()


def test_threads_are_as_many_as_memory_holds():
    assert mixed._chromosome_threads(500, 0, 4) == 4
    assert mixed._chromosome_threads(10_000, 0, 4) == 1
    assert (
        mixed._chromosome_threads(1000, 0, 4)
        == 4
        > mixed._chromosome_threads(1000, 100_000, 4)
        == 1
    )


def test_what_is_not_tested_is_told(tmp_path):
    rng = np.random.default_rng(0)
    copies = rng.binomial(2, 0.3, (300, 80))
    copies[0], copies[1] = 0, np.arange(80) < 1
    codes = codes_of(copies)
    codes[2] = ONE  # all have both alleles
    genotypes = open_genotypes(
        write_cohort(tmp_path / "x", codes, chromosome=["1"] * 100 + ["2"] * 100 + ["23"] * 100)
    )
    y = rng.integers(0, 2, 80)
    scan = mixed_scan(genotypes, y, covariates=copies[3])
    assert scan.reasons[:5].tolist() == [RARE_CODE, RARE_CODE, RARE_CODE, DETERMINED_CODE, 0]
    assert set(scan.reasons[200:]) == {NOT_AUTOSOMAL_CODE}
    assert np.isnan(scan.p_values[[0, 1, 2, 3, 250]]).all()
    told = scan.to_dict()["left_out"]
    assert told["determined by covariates"] == 1
    assert told["not on an autosome"] == 100
    assert "lambda GC" in scan.summary()


@pytest.mark.quick
def test_what_cannot_be_scanned(tmp_path, families, monkeypatch):
    genotypes, y = families
    n = len(y)
    with pytest.raises(DataError, match=r"there are 3 classes .* a mixed scan compares two"):
        mixed_scan(genotypes, np.arange(n) % 3)
    with pytest.raises(DataError, match="constant, or a linear combination of the others"):
        mixed_scan(genotypes, y, covariates=np.ones(n))
    age = np.arange(n, dtype=float)
    with pytest.raises(DataError, match="constant, or a linear combination of the others"):
        mixed_scan(genotypes, y, covariates=np.column_stack([age, 2 * age + 1]))
    with pytest.raises(DataError, match="covariates determine the class of some samples"):
        mixed_scan(genotypes, y, covariates=(y == "ill").astype(float))
    with pytest.raises(DataError, match="give a row for each of 300 samples"):
        mixed_scan(genotypes, y, covariates=np.ones(n - 1))
    with pytest.raises(DataError, match="covariates: give numbers"):
        mixed_scan(genotypes, y, covariates=[["a"]] * n)
    with pytest.raises(DataError, match="every sample with a phenotype misses a covariate"):
        mixed_scan(genotypes, y, covariates=np.full(n, np.nan))
    with pytest.raises(DataError, match="lie on one chromosome"):
        mixed_scan(genotypes.subset(chromosome="2"), y)
    with pytest.raises(PlanError, match="frequency"):
        mixed_scan(genotypes, y, frequency=0.6)
    with pytest.raises(PlanError, match="draws"):
        mixed_scan(genotypes, y, draws=-1)
    with pytest.raises(PlanError, match="needs 19 draws at least"):
        mixed_scan(genotypes, y).threshold()
    monkeypatch.setattr(mixed, "MAX_SAMPLES", 200)
    with pytest.raises(DataError, match="300 samples: a mixed scan takes 200 at most"):
        mixed_scan(genotypes, y)
    few = open_genotypes(write_cohort(tmp_path / "few", np.full((4, 3), ONE)))
    with pytest.raises(DataError, match="no variant is left to test"):
        mixed_scan(few, [0, 1, 1])


def test_samples_without_a_covariate_are_left_out(families):
    genotypes, y = families
    age = np.random.default_rng(0).normal(size=len(y))
    age[:7] = np.nan
    scan = mixed_scan(genotypes, y, covariates=age)
    some = mixed_scan(genotypes, y, covariates=age, samples=np.arange(7, len(y)))
    assert scan.sizes.sum() == len(y) - 7
    np.testing.assert_array_equal(scan.z, some.z)


def test_lambda_is_that_of_devlin_and_roeder():
    rng = np.random.default_rng(0)
    z = rng.normal(size=20_000)
    assert genomic_inflation(2 * norm.sf(np.abs(z))) == pytest.approx(1, abs=0.03)
    assert genomic_inflation(2 * norm.sf(np.abs(1.2 * z))) == pytest.approx(1.44, abs=0.04)
    assert np.isnan(genomic_inflation(np.array([np.nan])))
    assert "above 1.05: do this" in inflation_text(1.2, 20_000, "do this")
    assert "so few variants (standard error 0.23)" in inflation_text(1.2, 100, "do this")
    assert "1 without inflation" in inflation_text(1.01, 20_000, "do this")


def test_two_populations_are_no_hits(tmp_path):
    simulate_cohort(tmp_path / "two", [240, 60], [60, 240], 1500, divergence=0.05, seed=4)
    genotypes = open_genotypes(tmp_path / "two")
    scan = mixed_scan(genotypes, draws=99)
    assert scan.inflation < 1.15
    assert (scan.p_adjusted[scan.reasons == 0] <= 0.05).sum() <= 1
    apart = principal_components(genotypes, k=1).scores
    with_first = mixed_scan(genotypes, covariates=apart, draws=99)
    assert with_first.n_covariates == 1
    assert with_first.share < scan.share
    assert with_first.inflation < 1.15


def test_p_are_those_of_gemma(families, tmp_path):
    """Of one chromosome, with relationships by the others; its share is by maximum likelihood, ours
    by restricted, and its tail is that of an F distribution."""
    if shutil.which("gemma") is None:
        pytest.skip("needs gemma (Debian package gemma)")
    genotypes, y = families
    scan = mixed_scan(genotypes, y)
    chromosome = np.array(genotypes.variants.chromosome.to_pylist())
    used = np.isin(np.arange(1200), principal_components(genotypes, k=2).columns)
    copies = genotypes.calls().astype(float)
    copies[copies < 0] = np.nan
    frequency = np.nanmean(copies, axis=0) / 2
    Z = np.nan_to_num((copies - 2 * frequency) / np.sqrt(2 * frequency * (1 - frequency)))
    rest = Z[:, used & (chromosome != "2")]
    np.savetxt(tmp_path / "k.txt", rest @ rest.T / rest.shape[1], fmt="%.12g")
    own = np.flatnonzero(chromosome == "2")
    codes = np.array([3, 2, 0, 1])[genotypes.calls()[:, own].T.astype(int)]
    write_cohort(tmp_path / "two", codes, phenotype=(y == "ill").astype(int))
    done = subprocess.run(
        [
            "gemma",
            "-bfile",
            "two",
            "-k",
            "k.txt",
            "-lmm",
            "3",
            *("-maf", "0", "-miss", "1"),
            "-o",
            "g",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    theirs = pd.read_csv(tmp_path / "output" / "g.assoc.txt", sep="\t")
    assert theirs["rs"].tolist() == [f"v{j}" for j in range(300)]
    ours = scan.p_values[own]
    assert spearmanr(ours, theirs["p_score"])[0] > 0.9999
    small = np.abs(scan.z[own]) < 2  # beyond, ours are by a saddle point
    np.testing.assert_allclose(ours[small], theirs["p_score"][small], rtol=0.05)


def test_the_picture_is_that_of_the_page(families, tmp_path):
    from tamis.genome.scans.mixed_files import write_mixed
    from tamis.report import write_mixed_page

    genotypes, y = families
    scan = mixed_scan(genotypes, y)
    content = write_mixed(scan, tmp_path / "o", {}, [])
    page = write_mixed_page(content, "made", tmp_path / "o" / "report.html")
    (chart,) = scan.plot().charts
    assert chart in page.read_text(encoding="utf-8")
