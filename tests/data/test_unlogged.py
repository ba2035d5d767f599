"""Raw intensities are told from logarithms, ratios, measurements, pictures and shares."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace

import numpy as np
import pytest

from tamis.data import Dataset, load_golub, read_table
from tamis.data.unlogged import looks_unlogged, some_values, unlogged_warning
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


def test_the_warning_says_what_was_seen_and_what_to_do():
    X = np.tile(np.r_[np.full(80, 120.0), 3000.0], (10, 100)) * np.linspace(0.5, 2, 10)[:, None]
    assert unlogged_warning(table(X)) == (
        "Values look like raw intensities or counts (median about 160, largest 6,000): differences "
        "of means are not log fold changes; take log2 first (the step log2 of a plan, which is "
        "log2 of max(x, 1))."
    )
    assert "methods take logarithms, but what is shown" in unlogged_warning(table(X), every_block)
    assert unlogged_warning(load_golub()) is None


def test_counts_are_offered_the_step_of_counts():
    """A line that a plan takes; whole numbers that end at a floor, or below 0, are no counts."""
    X = MADE["counts"][0]
    told = unlogged_warning(table(X))
    assert told.startswith("Values look like raw counts (whole numbers, median ")
    line = re.search(r"with the line (prepare = \[.*?\]),", told)[1]
    assert Plan.model_validate(tomllib.loads(line)).takes_logs()
    assert require_counts("log_cpm", X) is None
    gaps = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
    assert unlogged_warning(table(gaps)).startswith("Values look like raw counts")
    floor = np.floor(MADE["intensities"][0])
    for other in (X + 0.5, np.maximum(floor, 20), floor - 150):
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


def test_a_large_table_is_judged_by_some_of_its_values(monkeypatch):
    monkeypatch.setattr("tamis.data.unlogged.SAMPLE", 1000)
    assert looks_unlogged(2**LOGS)
    assert not looks_unlogged(LOGS)


@pytest.mark.parametrize("shape", [(40, 400), (4000, 64), (9, 7), (1, 5000), (5000, 1)])
@pytest.mark.parametrize("kind", ["C", "F", "every other", "no matrix"])
def test_these_are_of_many_rows_and_columns(kind, shape, monkeypatch):
    monkeypatch.setattr("tamis.data.unlogged.SAMPLE", 1000)
    monkeypatch.setattr("tamis.data.walks.VALUES", 1 << 14)  # several blocks
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
