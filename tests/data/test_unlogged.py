"""Raw intensities are told from logarithms, ratios, measurements, pictures and shares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tamis.data import Dataset, load_golub, read_table
from tamis.data.count_evidence import _sums_go_with_detection
from tamis.data.unlogged import (
    Scale,
    looks_unlogged,
    scale_cautions,
    scale_of_values,
    scales_of,
    some_values,
)
from tamis.data.walks import SomeColumns
from tamis.preparation.count_tables import require_counts
from tamis.study import Plan

RNG = np.random.default_rng(5)
LOGS = RNG.normal(8, 2.5, (60, 400))
SIZES = np.exp(RNG.normal(0, 0.5, (60, 1)))
MADE = {
    "intensities": (2**LOGS, True),
    "with gaps": (np.where(RNG.random(LOGS.shape) < 0.1, np.nan, 2**LOGS), True),
    "with background taken off": (2**LOGS - 150, True),
    "counts": (RNG.poisson(SIZES * RNG.lognormal(3, 2, 400)).astype(float), True),
    "log2": (LOGS, False),
    "log2 of counts": (np.log2(1 + RNG.poisson(RNG.lognormal(3, 2, (60, 400)))), False),
    "log ratios": (RNG.standard_t(3, (60, 400)), False),
    "beta values": (RNG.beta(0.4, 0.4, (60, 400)), False),
    "per cent": (100 * RNG.beta(0.4, 0.4, (60, 400)), False),
    "ratios": (2 ** RNG.normal(0, 1, (60, 400)), False),
    "genotypes": (RNG.binomial(2, 0.3, (60, 400)).astype(float), False),
    "pictures": (RNG.choice([0.0, 0.0, 0.0, 120.0, 255.0], (60, 400)), False),
    "centred intensities": (RNG.normal(0, 300, (60, 400)), False),
    "few columns": (2 ** LOGS[:, :49], False),
    "constant": (np.ones((60, 400)), False),
    "a few large columns": (np.c_[LOGS, 1e4 * 2 ** LOGS[:, :60]], False),
}
MADE["descriptors"] = (np.c_[2 ** LOGS[:, :200], RNG.random((60, 100))], False)


def counts_of(expected, dispersion=0.3, seed=1):
    rng = np.random.default_rng(seed)
    return rng.poisson(rng.gamma(1 / dispersion, expected * dispersion)).astype(float)


def reads(n=40, p=1500, mean=0.0, spread=2.0, deep=14.0, seed=1):
    """Negative binomial counts of libraries whose sizes differ so many times."""
    rng = np.random.default_rng(seed)
    sizes = np.exp(rng.uniform(0, np.log(deep), (n, 1)))
    return counts_of(sizes * rng.lognormal(mean, spread, p), seed=seed)


def rarefied(X, depth=2000):
    rng = np.random.default_rng(0)
    drawn = [rng.choice(X.shape[1], depth, p=row / row.sum()) for row in X]
    return np.array([np.bincount(one, minlength=X.shape[1]) for one in drawn], dtype=float)


def peaks(seed=2, decimals=0):
    """Areas of peaks of which a fifth was not found."""
    rng = np.random.default_rng(seed)
    areas = np.round(2 ** (rng.normal(18, 2, 300) + rng.normal(0, 1, (40, 300))), decimals)
    return np.where(rng.random(areas.shape) < 0.2, 0, areas / (1 if decimals == 0 else 7.3))


WHOLE = np.round(2 ** RNG.normal(8, 2, (60, 400)))
EXPECTED = reads() * RNG.choice([1, 1.25], (40, 1500))
KINDS = {  # of tables that look raw: what the numbers are, and whether zeros are asked about
    "libraries that differ 14-fold": (reads(), "counts", False),
    "libraries of like sizes": (reads(deep=1.5), "counts", False),
    "a low library": (np.vstack([reads(deep=1.5), reads(1, deep=1.5) // 50]), "counts", False),
    "as of single cells": (reads(200, 1000, -2.5, 1.5, 3.0), "counts", False),
    "1 added": (reads() + 1, "counts", False),
    "rarefied": (rarefied(reads(30, 800)), "counts", False),
    "gaps": (np.where(RNG.random((40, 1500)) < 0.1, np.nan, reads()), "counts", False),
    "estimated": (EXPECTED, "unsure", False),
    "filtered": (reads(mean=7.0, spread=0.8, deep=2.0), "unsure", False),
    "whole intensities": (WHOLE, "unsure", False),
    "a floor at 0": (np.maximum(WHOLE - 200, 0), "unsure", False),
    "a floor at 20": (np.maximum(WHOLE, 20), "intensities", False),
    "a floor and a ceiling": (np.clip(WHOLE, 20, 16000), "intensities", False),
    "below 0": (WHOLE - 150, "intensities", False),
    "absent calls as 0": (np.where(WHOLE < 60, 0, WHOLE), "intensities", True),
    "peaks": (peaks(), "intensities", True),
    "peaks with decimals": (peaks(decimals=2), "intensities", True),
    "peaks, zeros read as missing": (np.where(peaks() == 0, np.nan, peaks()), "intensities", False),
    "logarithms of peaks": (np.log2(np.maximum(peaks(), 1)), None, True),
    "logarithms of base 10": (np.log10(np.maximum(peaks(), 1)), None, True),
    "cycles": (np.where(RNG.random((60, 90)) < 0.2, 0, RNG.normal(28, 3, (60, 90))), None, True),
    "copies of an allele": (RNG.binomial(2, 0.2, (60, 400)), None, False),
    "answers": (RNG.integers(1, 6, (60, 80)), None, False),
    "answers from 0": (np.minimum(RNG.poisson(1.2, (60, 80)), 4), None, False),
    "answers and an income": (
        np.c_[np.minimum(RNG.poisson(1.2, (60, 80)), 4), RNG.lognormal(9, 1, 60).round()],
        None,
        False,
    ),
    "copies and an age": (
        np.c_[RNG.binomial(2, 0.2, (60, 80)), RNG.integers(18, 90, (60, 2))],
        None,
        False,
    ),
    "days of a month": (RNG.binomial(30, RNG.beta(0.5, 0.5, (60, 80))), None, False),
    "scales from 0 to 100": (np.clip(RNG.normal(30, 25, (60, 80)).round(), 0, 100), None, False),
    "ages": (RNG.integers(0, 90, (60, 60)), None, False),
    "doses": (RNG.choice([0, 50, 100, 200, 500], (60, 80)), None, False),
    "pictures": (
        np.where(RNG.random((60, 784)) < 0.8, 0, RNG.integers(1, 256, (60, 784))),
        None,
        0,
    ),
    "logarithms of counts": (np.log2(reads() + 1), None, False),
    "spike-ins among intensities": (
        np.c_[WHOLE + 40, RNG.choice([0, 64, 128, 256], (60, 20))],
        "unsure",
        False,
    ),
    "spike-ins among counts": (
        np.c_[reads(), counts_of(np.geomspace(0.1, 1e4, 40) * np.ones((40, 1)))],
        "counts",
        False,
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_what_numbers_are(name):
    X, kind, asked = KINDS[name]
    found = scale_of_values(np.ascontiguousarray(X, dtype=float))
    assert (found.raw and found.raw.kind) == kind
    assert (found.zeros is not None) == asked
    assert found.step == {"counts": "log_cpm", "intensities": "log2"}.get(kind, "")
    assert found.unclear == (asked or kind == "unsure")


def test_a_table_that_is_no_matrix_is_judged_alike():
    for name in ("libraries that differ 14-fold", "peaks", "gaps", "estimated"):
        X = np.ascontiguousarray(KINDS[name][0], dtype=float)
        table = SomeColumns(X, np.arange(X.shape[1]))
        found, dense = scale_of_values(table), scale_of_values(X)
        assert (found.raw.kind, found.zeros is None) == (dense.raw.kind, dense.zeros is None)


def test_zeros_are_asked_about_in_one_line():
    """How many, of columns that are not 0 throughout; where the others begin; what to do."""
    X = np.c_[peaks(), np.zeros((40, 100))]
    (zeros, logs) = scale_cautions(table(X))
    share = (peaks() == 0).mean()
    assert zeros[0] == "zeros"
    assert zeros[1].startswith(
        f"{share:.0%} of the values are 0, and the others lie far off (99 % "
    )
    assert "read it as missing with missing=['0']" in zeros[1]
    assert "log_cpm" not in logs[1]
    assert "prepare=['log2']" in logs[1]
    few = peaks()
    few[few == 0] = np.where(RNG.random((few == 0).sum()) < 0.2, 0, 1e5)  # 4 % are left
    assert [code for code, _ in scale_cautions(table(few))] == ["unlogged"]


def unlogged_warning(data, logged=None):
    """The text of the caution, or None."""
    found = dict(scale_cautions(data, logged, shown=True))
    return found.get("unlogged")


RAW = {  # of the public sets, by where they come from or by their ranges
    "alon",
    "arcene",
    "armstrong2194",
    "bhattacharjee",
    "borovecki",
    "brain_pomeroy",
    "chowdary",
    "dyrskjot",
    "golub",
    "gordon",
    "gse2191",
    "hmp_body_site",
    "laiho",
    "nakayama",
    "ramaswamy",
    "shipp",
    "su2001",
    "tox171",
    "yeoh",
}


@pytest.mark.parametrize("kind", MADE)
def test_made_tables(kind):
    X, raw = MADE[kind]
    assert looks_unlogged(X) == raw


@pytest.mark.parametrize("folder", [pytest.param("expression", marks=pytest.mark.slow), "uci"])
def test_public_tables(shared_data, folder):
    """No UCI table of ages, lab values, spectra or pixels; of the arrays those of raw values."""
    found = set()
    for path in sorted((shared_data / folder).glob("*.parquet")):
        if path.stem not in ("adult", "abalone"):  # of few columns, and slow
            data = read_table(path, target="class")
            found |= {path.stem} if unlogged_warning(data) else set()
    assert found == (RAW if folder == "expression" else set())


def table(X, levels=None):
    y = np.array(["a", "b"] * (len(X) // 2))
    return Dataset(X, y, tuple(f"g{j}" for j in range(X.shape[1])), levels=levels or {})


def every_block(block):
    return True


def sums_and_features(sums):
    """Row i has i + 1 values above 0, and the i-th of these ranks is its sum's."""
    n = len(sums)
    X = np.tril(np.ones((n, n)))
    X[:, 0] += 2 * n * np.array(sums, dtype=float)
    return X


FEW = list(range(5))
MANY = [*range(36)[::-1], *range(36, 50)]


@pytest.mark.parametrize(
    ("sums", "go"),
    [
        # of 5 rows beyond chance: 1.645 / sqrt(4) = 0.82
        ([1, 0, 2, 3, 4], True),  # 0.9
        ([1, 0, 3, 2, 4], False),  # 0.8
        (FEW[::-1], False),  # -1
        # of 50 beyond a quarter: chance is 1.645 / 7 = 0.235
        (MANY, True),  # 0.254
        ([*MANY[:36], 49, *range(37, 49), 36], False),  # 0.238
    ],
)
def test_sums_go_with_features_beyond_chance_and_a_quarter(sums, go):
    X = sums_and_features(sums)
    assert _sums_go_with_detection(X, 0.0) is go
    assert _sums_go_with_detection(X + 1, 1.0) is go
    assert _sums_go_with_detection(np.array(X[:, ::-1], order="F"), 0.0) is go


def test_equal_sums_go_with_anything_and_equal_numbers_of_features_with_nothing():
    assert _sums_go_with_detection(np.array([[4.0, 0.0], [1.0, 3.0]]), 0.0) is True
    assert _sums_go_with_detection(np.array([[4.0, 1.0], [1.0, 3.0]]), 0.0) is False


def test_the_warning_says_what_was_seen_and_what_to_do():
    X = np.tile(np.r_[np.full(78, 120.0), 90, 100, 3000.0], (30, 100))
    X *= np.linspace(0.5, 2, 30)[:, None]
    assert unlogged_warning(table(X)) == (
        "Values look like raw intensities or counts (median about 150, largest 6,000): differences "
        "of means are not log fold changes; take log2 first with prepare=['log2'], which is log2 "
        "of max(x, 1)."
    )
    assert "methods take logarithms, but what is shown" in unlogged_warning(table(X), every_block)
    assert unlogged_warning(load_golub()) is None


def test_counts_are_offered_the_step_of_counts():
    """A line that a plan takes; whole numbers that end at a floor, or below 0, are no counts."""
    X = MADE["counts"][0]
    told = unlogged_warning(table(X))
    assert told.startswith("Values look like raw counts (whole numbers, median ")
    assert "with prepare=['log_cpm']" in told
    assert Plan.model_validate({"prepare": ["log_cpm"]}).takes_logs()
    assert require_counts("log_cpm", X) is None
    gaps = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
    assert unlogged_warning(table(gaps)).startswith("Values look like raw counts")
    floor = np.floor(MADE["intensities"][0])
    for other in (2**LOGS + 0.5, np.maximum(floor, 20), floor - 150):
        assert "raw intensities or counts" in unlogged_warning(table(other))
        assert "log_cpm" not in unlogged_warning(table(other))
    assert "methods take logarithms" in unlogged_warning(table(X), every_block)


LOG = {"name": "log2"}


@pytest.mark.parametrize(
    ("methods", "said"),
    [
        ([{"select": "covariates"}], "take log2 first"),
        ([{"select": "covariates"}, {"select": "welch_t", "prepare": [LOG]}], "methods take log"),
        ([{"select": "pearson"}, {"select": "welch_t", "prepare": [LOG]}], "take log2 first"),
        ([{"select": "welch_t", "prepare": [{**LOG, "block": "raw"}]}], "methods take log"),
        ([{"select": "welch_t", "prepare": [{**LOG, "block": "other"}]}], "take log2 first"),
        ([{"select": "welch_t", "blocks": ["raw"], "prepare": [LOG]}], "methods take log"),
    ],
)
def test_logarithms_are_said_to_be_taken_where_every_method_takes_them(methods, said):
    plan = Plan.model_validate({"method": methods})
    data = table(np.hstack([2**LOGS, LOGS]))
    in_blocks = any("block" in str(m) for m in methods)
    blocks = {"raw": np.arange(400), "other": np.arange(400, 800)} if in_blocks else {}
    assert said in unlogged_warning(replace(data, blocks=blocks), plan.takes_logs)


def test_codes_of_categories_are_no_intensities():
    X = 2**LOGS
    levels = dict.fromkeys(range(351), ("u", "v"))
    assert unlogged_warning(table(X)) is not None
    assert unlogged_warning(table(X, levels)) is None  # 49 numbers are left


def test_covariates_and_blocks_are_no_features_of_one_scale():
    """Fifty raw intensities; without one of them there are too few to tell."""
    whole = table(2 ** LOGS[:, :50])
    (scale,) = scales_of(whole)
    assert (scale.block, scale.raw is None) == ("", False)
    assert scales_of(replace(whole, covariates=(7,))) == [Scale("")]
    assert scales_of(replace(whole, levels={7: ("u", "v")})) == [Scale("")]
    blocks = {"one": np.arange(20), "other": np.arange(20, 50)}
    assert scales_of(replace(whole, blocks=blocks)) == [Scale("one"), Scale("other")]
    (scale,) = scales_of(replace(table(2 ** LOGS[:, :51]), covariates=(7,)))
    assert (scale.block, scale.raw is None) == ("", False)


def test_a_large_table_is_judged_by_some_of_its_values(monkeypatch):
    monkeypatch.setattr("tamis.data.unlogged.QUANTILE_SAMPLE", 1000)
    assert looks_unlogged(2**LOGS)
    assert not looks_unlogged(LOGS)


@pytest.mark.parametrize("shape", [(40, 400), (4000, 64), (9, 7), (1, 5000), (5000, 1)])
@pytest.mark.parametrize("kind", ["C", "F", "every other", "no matrix"])
def test_these_are_of_many_rows_and_columns(kind, shape, monkeypatch):
    monkeypatch.setattr("tamis.data.unlogged.QUANTILE_SAMPLE", 1000)
    monkeypatch.setattr("tamis.data.walks.MAX_BLOCK_VALUES", 1 << 14)  # several blocks
    n, p = shape
    X = np.arange(n * p, dtype=np.float64).reshape(shape)
    given = {
        "C": X,
        "F": np.asfortranarray(X),
        "every other": np.repeat(X, 2, axis=1)[:, ::2],
        "no matrix": SomeColumns(X, np.arange(p)),
    }[kind]
    values = some_values(given).astype(np.int64)
    assert len(np.unique(values)) == len(values)
    assert min(n * p, 700) <= len(values) <= 1000
    rows, columns = np.divmod(values, p)
    assert len(np.unique(rows)) >= min(n, 0.9 * len(values))
    assert np.bincount(columns, minlength=p).min() >= 0.7 * (len(values) // p)
