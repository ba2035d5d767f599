"""The variance-stabilising transformation: as DESeq2, frozen, flat, and of awkward tables."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln

from common.examples import settings
from tamis._core.errors import DataError, PlanError
from tamis.kernels.dispersions import MAX_NO_DISPERSION, dispersion_trend, genewise_dispersions
from tamis.kernels.size_factors import log_geometric_means, size_factors
from tamis.preparation import LogCPM, VarianceStabilizer
from tamis.preparation.variance_stabilization import stabilized_counts

GOLDENS = Path(__file__).parents[1] / "goldens"
TABLES = ("few", "many", "zeros")


def made_counts(seed, n=8, p=60, depth=100.0, a0=0.1, a1=2.0, spread=0.5):
    """Counts of unequal depth whose dispersions scatter about a0 + a1/mean."""
    rng = np.random.default_rng(seed)
    means = depth * rng.gamma(0.5, size=p) + 0.5
    alpha = (a0 + a1 / means) * np.exp(rng.normal(0, spread, p))
    mu = means * np.exp2(rng.normal(0, 0.7, (n, 1)))
    return rng.negative_binomial(1 / alpha, 1 / (1 + alpha * mu)).astype(float)


def golden_tables():
    """Few samples, more and deeper ones, and a table in which every gene has a count of 0."""
    zeros = made_counts(3, n=10, p=150, depth=8.0)
    zeros[np.arange(150) % 10, np.arange(150)] = 0
    zeros[:, 5] = 0
    return {
        "few": made_counts(1, p=120),
        "many": made_counts(2, n=12, p=300, depth=1000.0),
        "zeros": zeros,
    }


def write_tables(folder):
    """For `make_vst.R`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, X in golden_tables().items():
        np.savetxt(folder / f"{name}.tsv", X, fmt="%d", delimiter="\t")


@pytest.fixture(scope="module", params=TABLES)
def golden(request):
    made = json.loads((GOLDENS / f"vst_{request.param}.json").read_text())
    return {k: np.array(v, dtype=float) if isinstance(v, list) else v for k, v in made.items()}


def test_size_factors_and_the_formula_as_deseq2(golden):
    X, exact = golden["counts"], {"rtol": 1e-12, "atol": 0}
    poscounts = size_factors(X, log_geometric_means(X, positive=True))
    np.testing.assert_allclose(poscounts, golden["poscounts"], **exact)
    found = size_factors(X, log_geometric_means(X))  # poscounts where DESeq2 gives an error
    expected = golden["poscounts"] if golden["ratio"] is None else golden["ratio"]
    np.testing.assert_allclose(found, expected, **exact)
    values = stabilized_counts(X / found[:, None], *golden["trend"])
    np.testing.assert_allclose(values, golden["transformed"], rtol=0, atol=1e-12)


def test_dispersions_and_trend_near_deseq2(golden):
    """Its search stops where the likelihood hardly rises; ours goes to the maximum."""
    X, theirs = golden["counts"], golden["dispersions"]
    factors = size_factors(X, log_geometric_means(X))
    found = genewise_dispersions(X, factors)
    over = found > 0
    np.testing.assert_array_equal(over, np.nan_to_num(theirs) > MAX_NO_DISPERSION)
    apart = np.abs(np.log(found[over] / theirs[over]))
    assert np.median(apart) < 2e-4
    assert apart.max() < 0.1
    likelihoods = [
        [slow_likelihood(X[:, j], factors, a[j]) for j in np.flatnonzero(over)]
        for a in (found, theirs)
    ]
    assert (np.subtract(*likelihoods) > -1e-8).all()
    means = (X / factors[:, None]).mean(axis=0)
    trend = dispersion_trend(means, np.nan_to_num(theirs))
    np.testing.assert_allclose(trend, golden["trend"], rtol=1e-6)


def test_whole_transformation_near_deseq2(golden):
    X = golden["counts"]
    of_all = VarianceStabilizer(max_genes=1000).fit_transform(X)
    of_few = VarianceStabilizer(max_genes=golden["few"]).fit_transform(X)
    assert np.abs(of_all - golden["transformed"]).max() < 0.005
    assert np.abs(of_few - golden["of_few"]).max() < 0.005


def slow_likelihood(y, factors, alpha):
    """Cox-Reid adjusted, of one gene, from the formula of the negative binomial."""
    mean = np.mean(y / factors)
    total = information = 0.0
    for count, factor in zip(y, factors, strict=True):
        mu, r = max(mean * factor, 0.5), 1 / alpha
        total += gammaln(count + r) - gammaln(r) - gammaln(count + 1)
        total += r * math.log(r / (r + mu)) + count * math.log(mu / (r + mu))
        information += mu / (1 + alpha * mu)
    return total - 0.5 * math.log(information)


def test_dispersions_are_maxima():
    X = made_counts(4, p=20)
    factors = size_factors(X, log_geometric_means(X))
    for j, alpha in enumerate(genewise_dispersions(X, factors)):
        if alpha > 0:
            near = [slow_likelihood(X[:, j], factors, alpha * f) for f in (0.999, 1, 1.001)]
            assert near[1] == max(near)


@given(st.integers(0, 10_000))
def test_trend_has_no_gradient(seed):
    """Of the gamma likelihood, whose score is design (alpha - trend) / trend^2."""
    rng = np.random.default_rng(seed)
    means = np.exp(rng.normal(3, 1.5, 40))
    alphas = (0.2 + 3 / means) * np.exp(rng.normal(0, 0.3, 40))
    a0, a1 = dispersion_trend(means, alphas)
    if min(a0, a1) > 0:
        trend = a0 + a1 / means
        score = (alphas - trend) / trend**2
        assert abs(np.sum(score * a0)) < 1e-6
        assert abs(np.sum(score * a1 / means)) < 1e-6


def test_trend_at_its_edges():
    means = np.array([1.0, 10.0, 100.0, 1000.0])
    assert dispersion_trend(means, np.zeros(4)) == (0.0, 0.0)
    assert dispersion_trend(means[:0], means[:0]) == (0.0, 0.0)
    assert dispersion_trend(means[:1], np.array([0.3])) == (0.3, 0.0)
    a0, a1 = dispersion_trend(means, 2 / means - 1e-4)  # falls below the curve: a0 < 0
    assert a0 == 0
    assert a1 == pytest.approx(np.mean(2 - 1e-4 * means))
    assert dispersion_trend(means, 0.1 + means / 5000) == (pytest.approx(0.15555), 0.0)
    with_outlier = np.append(0.1 + 2 / means, 200.0), np.append(means, 500.0)
    assert dispersion_trend(*with_outlier[::-1]) == pytest.approx((0.1, 2.0))


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from(["ratio", "poscounts"]))
def test_a_sample_alone_is_what_it_is_among_others(seed, kind):
    X = made_counts(seed, p=15, depth=float(np.random.default_rng(seed).choice([3, 100])))
    new = made_counts(seed + 1, n=4, p=15)
    step = VarianceStabilizer(kind).fit(X)
    whole = step.transform(np.vstack([new, X]))
    alone = np.vstack([step.transform(row[None]) for row in np.vstack([new, X])])
    np.testing.assert_allclose(alone, whole, rtol=0, atol=1e-12)
    np.testing.assert_allclose(step.transform(X), whole[4:], rtol=0, atol=1e-12)


@given(
    st.floats(1e-3, 5),
    st.floats(0, 10),
    st.lists(st.floats(0, 1e6), min_size=1, max_size=9),
)
def test_formula_as_written(a0, a1, counts):
    q = np.array(counts)
    root = np.sqrt(a0 * q * (1 + a1 + a0 * q))
    expected = np.log2((1 + a1 + 2 * a0 * q + 2 * root) / (4 * a0))
    np.testing.assert_allclose(stabilized_counts(q, a0, a1), expected, rtol=1e-10, atol=1e-10)


def test_square_root_is_the_limit_without_overdispersion():
    q = np.array([0.0, 1.0, 7.0, 50.0, 400.0])
    small, limit = stabilized_counts(q, 1e-9, 0.5), stabilized_counts(q, 0.0, 0.5)
    ratio = (small - small[0])[1:] / limit[1:]
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-6)
    X = np.random.default_rng(0).binomial(40, 0.5, (30, 60)).astype(float)  # less than Poisson
    step = VarianceStabilizer().fit(X)
    assert (step.fitted_.a0, step.fitted_.a1) == (0, 0)
    np.testing.assert_allclose(step.transform(X)[0], 2 * np.sqrt(X[0] / step_factor(step, X[0])))


def step_factor(step, row):
    return size_factors(row[None], step.fitted_.log_means)[0]


def test_variance_is_flat_in_the_mean():
    """Counts with dispersions on the trend: standard deviations by tenth of the mean."""
    rng = np.random.default_rng(6)
    means = 10 ** rng.uniform(0.7, 4, 1000)
    alpha = 0.05 + 1 / means
    mu = means * np.exp2(rng.normal(0, 0.5, (100, 1)))
    X = rng.negative_binomial(1 / alpha, 1 / (1 + alpha * mu)).astype(float)
    tenths = np.array_split(np.argsort(means), 10)

    def range_of(step):
        deviations = step.fit_transform(X).std(axis=0, ddof=1)
        found = [np.median(deviations[t]) for t in tenths]
        return max(found) / min(found)

    assert range_of(VarianceStabilizer()) < 1.15
    assert range_of(LogCPM()) > 2


def test_awkward_tables_have_numbers():
    X = made_counts(7, p=40)
    X[:, 3] = 0  # a gene that none has
    X[:, 4] = 6  # constant
    X[2, 5] = np.nan
    X[:, 6] = np.nan
    X[1] = 0  # a sample without any count: every gene has a 0
    step = VarianceStabilizer().fit(X)
    np.testing.assert_array_equal(np.isnan(step.transform(X)), np.isnan(X))
    np.testing.assert_allclose(
        step.transform(X)[1, :3], stabilized_counts(np.zeros(3), *trend_of(step))
    )
    for table in (X[:, :1], X[:, 3:4], X[:1], X[:, 6:7], np.zeros((4, 3)), np.ones((4, 3))):
        found = VarianceStabilizer().fit(table).transform(table)
        np.testing.assert_array_equal(np.isnan(found), np.isnan(table))
    for unit in (1e12, 1e100, 1e280):
        found = VarianceStabilizer().fit(X * unit).transform(X * unit)
        np.testing.assert_array_equal(np.isfinite(found), np.isfinite(X))


def trend_of(step):
    return step.fitted_.a0, step.fitted_.a1


def test_gaps_are_left_out():
    """A gene with a gap has the dispersion of the other samples."""
    X = made_counts(8, p=30)
    factors = size_factors(X, log_geometric_means(X))
    holed = X.copy()
    holed[2, :10] = np.nan
    rest = np.delete(np.arange(8), 2)
    np.testing.assert_allclose(
        genewise_dispersions(holed, factors)[:10],
        genewise_dispersions(X[rest, :10], factors[rest]),
        rtol=1e-9,
    )


def test_some_columns_need_all_and_survive_their_file():
    X = golden_tables()["few"]
    X[0, 2] = 0
    step = VarianceStabilizer()
    fitted = step.learn(X, np.zeros(8))
    few, inputs = fitted.only(np.array([7, 9]))
    assert inputs.tolist() == list(range(120))
    again = step.from_arrays(few.to_arrays(), 120)
    np.testing.assert_array_equal(again.transform(X), fitted.transform(X)[:, [7, 9]])


def test_faults_are_one_line():
    X = made_counts(9)
    with pytest.raises(DataError, match="counts of 60 columns are below 0"):
        VarianceStabilizer().fit(-X - 1)
    with pytest.raises(PlanError, match="size_factors 'tmm' is unknown: give 'ratio', 'poscounts'"):
        VarianceStabilizer("tmm").fit(X)
