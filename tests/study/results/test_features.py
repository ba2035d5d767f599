"""What is told of the features that a study shows."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from common.studies import QUICK, make_data
from tamis.data.dataset import Dataset
from tamis.study import run_study
from tamis.study.results.features import (
    SEVERAL_BLOCKS,
    block_shares,
    class_distribution,
    level_shares,
    near_duplicates,
)
from tamis.study.results.filter_scores import filter_scores


def test_near_duplicates_are_those_correlated_over_all_samples():
    data = make_data(seed=2, n=30, p=20, informative=0)
    X = data.X.copy()
    X[:, 7] = -2 * X[:, 3] + 1
    X[:, 9] = X[:, 3] + 0.1 * X[:, 9]
    X[:, 5] = 4.0
    X[0, 9] = np.nan
    groups = near_duplicates(replace(data, X=X), np.array([3, 5]))
    assert [(j, r < 0) for r, j in groups[0]] == [(7, True), (9, False)]
    assert groups[1] == []


@pytest.mark.filterwarnings("error")
def test_near_duplicates_are_found_whatever_the_units():
    rng = np.random.default_rng(2)
    data = make_data(seed=2, n=30, p=600, informative=0)
    plain = rng.normal(size=(30, 1)) + 0.3 * rng.normal(size=(30, 600))
    far, near = plain.copy(), plain.copy()
    far[:, 0] += 1e11  # what rounding leaves of its mean meets the means of the others
    far[:, 1:] += 2e4 * rng.choice([-1, 1], 599)
    near[:, 1:] += 2e4 * rng.choice([-1, 1], 599)
    small = plain * np.r_[1, 1e-162 * 10 ** rng.random(599)]  # few digits of squares
    large = np.where(plain > 0, 1.7e308, -1.7e308)
    mixed = plain * 10.0 ** rng.integers(-300, 300, 600)
    for X in (far, near, small, large, mixed):
        own = X / np.ldexp(1.0, np.frexp(np.abs(X).max(axis=0))[1] - 1)
        own = own - own.mean(axis=0)
        own /= np.sqrt((own**2).sum(axis=0))
        r = own.T @ own[:, 0]
        expected = set(np.flatnonzero(np.abs(r) >= 0.9)) - {0}
        [group] = near_duplicates(replace(data, X=X), np.array([0]))
        assert len(expected) > 20
        assert {j for _, j in group} == expected


def test_scores_of_categories_missing_values_and_covariates():
    rng = np.random.default_rng(4)
    y = np.repeat(["a", "b"], 20)
    X = rng.normal(size=(40, 5))
    X[:, 1] = rng.integers(0, 3, 40)
    X[:, 3] = np.where(y == "a", 0, 1)  # two levels, perfect
    X[::7, 2] = np.nan
    data = Dataset(
        X, y, tuple("vwxyz"), levels={1: ("l", "m", "n"), 3: ("no", "yes")}, covariates=(0,)
    )
    before = X.copy()
    three, numeric, two = filter_scores(data, np.array([1, 2, 3]))
    np.testing.assert_array_equal(data.X, before)
    assert three["pearson"]["p_value"] is None
    codes = data.codes
    best = max(abs(np.corrcoef(X[:, 1] == k, codes)[0, 1]) for k in range(3))
    assert abs(three["pearson"]["score"]) == pytest.approx(best)
    filled = np.where(np.isnan(X[:, 2]), np.nanmedian(X[:, 2]), X[:, 2])
    assert numeric["pearson"]["score"] == pytest.approx(np.corrcoef(filled, codes)[0, 1])
    assert two["pearson"]["score"] == pytest.approx(1.0)
    assert two["pearson"]["rank"] == 1
    assert two["welch_t"]["score"] is None  # infinite
    assert two["welch_t"]["rank"] == 1
    ranks = [e["mtd"]["rank"] for e in filter_scores(data, data.ranked)]
    assert sorted(ranks) == [1, 2, 3, 4]


def test_blocks_of_columns_change_no_score(monkeypatch):
    from tamis.study.results import filter_scores as module

    data = make_data(seed=5, n=30, p=41)
    whole = filter_scores(data, np.arange(41))
    monkeypatch.setattr(module, "MAX_BLOCK_COLUMNS", 7)
    for a, b in zip(whole, filter_scores(data, np.arange(41)), strict=True):
        for name in a:
            assert a[name]["rank"] == b[name]["rank"]
            assert a[name]["score"] == pytest.approx(b[name]["score"], rel=1e-6)


def test_a_distribution_is_the_values_quartiles_and_some_of_them():
    rng = np.random.default_rng(6)
    y = np.repeat(["a", "b", "c"], [200, 30, 3])
    X = rng.normal(size=(233, 2))
    X[210:215, 0] = np.nan
    X[230:, 0] = np.nan
    X[:, 1] = rng.integers(0, 2, 233)
    X[0, 1] = np.nan
    data = Dataset(X, y, ("f", "g"), levels={1: ("no", "yes")})
    found = class_distribution(data, data.codes, 0)
    values = np.sort(X[:200, 0])
    a = found["a"]
    assert a["n"] == 200
    assert [a[k] for k in ("min", "q1", "median", "q3", "max")] == pytest.approx(
        np.percentile(values, [0, 25, 50, 75, 100])
    )
    assert len(a["points"]) == 60
    assert a["points"] == sorted(a["points"])
    assert (a["points"][0], a["points"][-1]) == pytest.approx((values[0], values[-1]), rel=1e-5)
    at = np.searchsorted(values, np.array(a["points"]) + 1e-5)
    assert np.diff(at).max() <= 5  # evenly by rank: every third or fourth
    assert found["b"]["n"] == len(found["b"]["points"]) == 25
    assert found["c"] == {
        "n": 0,
        "min": None,
        "q1": None,
        "median": None,
        "q3": None,
        "max": None,
        "points": [],
    }
    shares = level_shares(data, data.codes, 1)
    assert shares["a"]["yes"] == pytest.approx(np.nanmean(X[:200, 1]))
    assert sum(shares["a"].values()) == pytest.approx(1)


def test_missing_values_are_counted_by_class(tmp_path):
    data = make_data(seed=18, n=40, p=8, informative=2, shift=3.0)
    X = data.X.copy()
    X[np.flatnonzero(data.y == "b")[:3], :] = np.nan
    result = run_study(replace(data, X=X), QUICK, tmp_path / "s").to_dict()
    for feature in result["features"]:
        assert feature["missing_counts"] == {"a": 0, "b": 3}
        assert [one["n"] for one in feature["distribution"].values()] == [20, 17]


def test_features_do_not_depend_on_workers(tmp_path):
    data = make_data(seed=19, n=30, p=20)
    texts = []
    for n_jobs in (1, 2):
        run_study(data, QUICK, tmp_path / str(n_jobs), n_jobs=n_jobs)
        texts.append((tmp_path / str(n_jobs) / "results.json").read_bytes())
    assert texts[0] == texts[1]


def test_descriptions_of_features_can_be_left_out(tmp_path):
    from tamis.report import write_report

    data = make_data(seed=18, n=30, p=10)
    result = run_study(data, {**QUICK, "describe": False}, tmp_path / "s").to_dict()
    assert "scores" not in result["features"][0]
    assert write_report(result, tmp_path / "s").stat().st_size > 10_000


def test_features_of_no_block_are_counted_apart():
    """Columns 0 and 1 are of a block, 2 to 6 of none; 3 samples."""
    data = SimpleNamespace(shape=(3, 7), blocks={"one": np.array([0, 1])})
    chosen = [SimpleNamespace(features=np.array(f)) for f in ([0, 5], [0, 1, 6], [6])]
    found = block_shares(data, SimpleNamespace(headline=chosen[:2], final=chosen[2]))
    assert found == {
        "one": {"mean": 1.5, "least": 1, "most": 2, "final": 0},
        SEVERAL_BLOCKS: {"mean": 1.0, "least": 1, "most": 1, "final": 1},
    }
    inside = [SimpleNamespace(features=np.array([0]))]
    assert list(block_shares(data, SimpleNamespace(headline=inside, final=None))) == ["one"]
