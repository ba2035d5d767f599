"""Counts: factors and log-cpm against edgeR and loops, frozen ones, and what is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import DataError, ModelError, PlanError
from tamis.data.dataset import Dataset
from tamis.preparation import LogCPM
from tamis.preparation.counts import log_cpm, normalization_factors
from tamis.study import run_study

GOLDENS = Path(__file__).parents[1] / "goldens"
NORMALIZATIONS = ("tmm", "upper_quartile", "none")


def made_counts(seed, n=6, p=40, depth=30.0):
    """Counts of unequal depth, a few genes of which take up much of some samples."""
    rng = np.random.default_rng(seed)
    means = depth * rng.gamma(0.6, size=p) * np.exp2(rng.normal(size=(n, 1)))
    means[: n // 2, :3] *= 20
    return rng.negative_binomial(2, 2 / (2 + means)).astype(float)


def golden_tables():
    """Tables of many small counts, which are tied, of larger ones, and with genes that none has."""
    found = {"few": made_counts(1, depth=4.0), "many": made_counts(2, n=5, depth=400.0)}
    found["unseen"] = made_counts(3)
    found["unseen"][:, [4, 9]] = 0
    found["same"] = np.outer([1.0, 2.0, 5.0], made_counts(4)[0])  # one profile
    return found


def write_tables(folder):
    """For `make_log_cpm.R`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, X in golden_tables().items():
        np.savetxt(folder / f"{name}.tsv", X, fmt="%d", delimiter="\t")


@pytest.mark.parametrize("method", NORMALIZATIONS)
@pytest.mark.parametrize("name", ["few", "many", "unseen", "same"])
def test_as_edger(name, method):
    made = json.loads((GOLDENS / f"log_cpm_{name}.json").read_text())
    X, expected = np.array(made["counts"]), made[method]
    exact = {"rtol": 0, "atol": 1e-11}
    np.testing.assert_allclose(normalization_factors(X, method), expected["factors"], **exact)
    np.testing.assert_allclose(log_cpm(X, method), expected["prior_2"], **exact)
    np.testing.assert_allclose(log_cpm(X, method, 0.5), expected["prior_half"], **exact)


def slow_tmm(x, size, reference, reference_size):
    """Gene by gene, from the formula."""
    genes = []
    for o, r in zip(x, reference, strict=True):
        if o > 0 and r > 0:
            M = math.log2((o / size) / (r / reference_size))
            A = (math.log2(o / size) + math.log2(r / reference_size)) / 2
            w = (size - o) / (size * o) + (reference_size - r) / (reference_size * r)
            genes.append((M, A, w))
    if not genes or max(abs(M) for M, _, _ in genes) < 1e-6:
        return 1.0

    def kept(k, trim):
        values = [g[k] for g in genes]
        ranks = [
            sum(v < own for v in values) + (sum(v == own for v in values) + 1) / 2 for own in values
        ]
        low = math.floor(len(genes) * trim) + 1
        return [low <= rank <= len(genes) + 1 - low for rank in ranks]

    both = zip(genes, kept(0, 0.3), kept(1, 0.05), strict=True)
    left = [g for g, a, b in both if a and b and g[2] > 0]
    if not left:
        return 1.0
    return 2 ** (sum(M / w for M, _, w in left) / sum(1 / w for _, _, w in left))


def slow_log_cpm(X, new, method, prior):
    """Frozen at X, value by value."""
    n, p = X.shape
    profile = [sum(X[i, j] / X[i].sum() for i in range(n)) / n for j in range(p)]
    total = float(X.sum())

    def factor(row):
        if method == "none":
            return 1.0
        if method == "upper_quartile":
            seen = [v for v, r in zip(row, profile, strict=True) if r > 0]
            return np.quantile(seen, 0.75) / sum(row)
        return slow_tmm(row, sum(row), [r * total for r in profile], total)

    middle = np.mean([math.log(f) for row in X if (f := factor(row)) > 0] or [0.0])

    def effective(row):
        f = factor(row)
        return sum(row) * (f / math.exp(middle) if f > 0 else 1.0)

    mean = np.mean([effective(row) for row in X])
    out = np.zeros(new.shape)
    for i, row in enumerate(new):
        L = effective(row)
        for j, v in enumerate(row):
            own = prior * L / mean
            out[i, j] = math.log2((v + own) / (L + 2 * own) * 1e6)
    return out


@pytest.mark.parametrize("method", NORMALIZATIONS)
@given(st.integers(0, 10_000))
def test_frozen_as_counted_and_a_sample_alone_is_what_it_is_among_others(method, seed):
    rng = np.random.default_rng(seed)
    X = made_counts(seed, n=int(rng.integers(2, 8)), p=12, depth=float(rng.choice([3, 50])))
    X[:, 11] += 1  # nobody has nothing
    new = np.vstack([made_counts(seed + 1, n=3, p=12) + 1, X])
    step = LogCPM(method, 0.5).fit(X)
    whole = step.transform(new)
    np.testing.assert_allclose(whole, slow_log_cpm(X, new, method, 0.5), rtol=0, atol=1e-8)
    alone = np.vstack([step.transform(row[None]) for row in new])
    np.testing.assert_allclose(alone, whole, rtol=0, atol=1e-12)
    np.testing.assert_allclose(step.transform(X), whole[3:], rtol=0, atol=1e-12)


@given(st.integers(0, 10_000), st.integers(2, 50))
def test_depth_does_not_matter_beside_the_prior(seed, times):
    """A sample sequenced deeper has the same shares, and so nearly the same values."""
    X = made_counts(seed, p=30) + 1
    for method in ("upper_quartile", "none"):
        step = LogCPM(method).fit(X)
        np.testing.assert_allclose(step.transform(times * X), step.transform(X), atol=1e-9)


def test_genes_that_take_up_reads_do_not_lower_the_others():
    """What effective library sizes are for: half of the second sample is one gene."""
    rng = np.random.default_rng(0)
    X = rng.poisson(200, size=(6, 50)).astype(float)
    odd = X[:1].copy()
    odd[0, 0] += X[0].sum()
    plain, tmm = (
        LogCPM(m).fit(X).transform(odd) - LogCPM(m).fit(X).transform(X[:1]) for m in ("none", "tmm")
    )
    assert np.allclose(plain[0, 1:], -1, atol=0.05)
    assert np.allclose(tmm[0, 1:], 0, atol=0.05)


def test_missing_counts_stay_missing_and_an_empty_sample_has_numbers():
    X = made_counts(5)
    X[0, 3] = np.nan
    empty = np.zeros((1, 40))
    for method in NORMALIZATIONS:
        step = LogCPM(method).fit(np.vstack([X, empty]))
        np.testing.assert_array_equal(np.isnan(step.transform(X)), np.isnan(X))
        assert np.isfinite(step.transform(empty)).all()


def test_some_columns_need_all_and_survive_their_file():
    X = made_counts(6)
    step = LogCPM()
    fitted = step.learn(X, np.zeros(6))
    few, inputs = fitted.only(np.array([7, 9]))
    assert inputs.tolist() == list(range(40))
    again = step.from_arrays(few.to_arrays(), 40)
    np.testing.assert_array_equal(again.transform(X), fitted.transform(X)[:, [7, 9]])


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("profile", 3, -0.1),
        ("profile", 3, 1.5),
        ("profile", 3, np.nan),
        ("numbers", 0, 0.0),
        ("numbers", 1, 200.0),
        ("numbers", 2, -1.0),
        ("outputs", 0, 40.0),
        ("outputs", 1, 0.0),
    ],
)
def test_a_spoiled_model_is_refused(name, at, value):
    step = LogCPM()
    arrays = step.learn(made_counts(7), np.zeros(6)).to_arrays()
    arrays[name] = arrays[name].copy()
    arrays[name][at] = value
    with pytest.raises(ModelError, match=f"'{name}'"):
        step.from_arrays(arrays, 40)


def test_faults_are_one_line():
    X = made_counts(7)
    with pytest.raises(DataError, match="counts of 1 column are below 0, such as -2;"):
        LogCPM().fit(np.where(np.arange(40) == 3, -2.0, X))
    step = LogCPM().fit(X)
    with pytest.raises(DataError, match="counts of 40 columns are below 0"):
        step.transform(-X - 1)
    with pytest.raises(PlanError, match="'rle' is unknown: give 'tmm', 'upper_quartile', 'none'"):
        normalization_factors(X, "rle")
    with pytest.raises(PlanError, match="prior_count = 0: give a number above 0"):
        log_cpm(X, prior_count=0)
    with pytest.raises(DataError, match="no counts in samples '1'"):
        log_cpm(np.where(np.arange(6)[:, None] == 1, 0.0, X))
    with pytest.raises(DataError, match="missing or infinite"):
        normalization_factors(np.where(np.eye(6, 40) > 0, np.nan, X))
    with pytest.raises(DataError, match=r"upper quartile of sample 0 is 0"):
        normalization_factors(np.eye(6), "upper_quartile")


@pytest.mark.parametrize("steps", [["log_cpm"], ["log2", "log_cpm"]])
def test_a_study_of_no_counts_is_refused_before_it_runs(tmp_path, steps):
    X = made_counts(8, n=24) + 1
    if steps == ["log_cpm"]:
        X[2, 5] = 0.37
    data = Dataset(X, np.array(["a", "b"] * 12), tuple(f"g{j}" for j in range(40)))
    plan = {"prepare": steps, "method": [{"select": "pearson", "sizes": [2]}]}
    with pytest.raises(DataError, match="'log_cpm' needs raw counts") as error:
        run_study(data, plan, tmp_path / "s")
    assert "\n" not in str(error.value)
    assert not list((tmp_path / "s").rglob("*.arrow"))
