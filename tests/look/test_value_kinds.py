"""What numbers look like."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.data.dataset import Dataset
from tamis.look import look_at
from tamis.look.histograms import histogram_of, quantiles_of, share_histogram


def kind_of(X, **more):
    X = np.asarray(X, dtype=float)
    names = tuple(f"g{j}" for j in range(X.shape[1]))
    (one,) = look_at(Dataset(X, None, names, **more)).to_dict()["values"]
    return one["kind"]


rng = np.random.default_rng(0)
LOGS = rng.normal(0, 1, (40, 100)) + rng.normal(8, 2, 100)
COUNTS = np.random.default_rng(1).poisson(2 ** (LOGS - 6) * np.geomspace(0.5, 4, 40)[:, None])


@pytest.mark.parametrize(
    ("X", "kind"),
    [
        (LOGS, "logarithms"),
        (2**LOGS, "intensities"),
        (np.round(2 ** (LOGS - 3)), "intensities"),  # or counts: no sign of how deep samples are
        (COUNTS, "counts"),
        (LOGS - LOGS.mean(axis=0), "ratios"),
        ((LOGS - LOGS.mean(axis=0)) / LOGS.std(axis=0, ddof=1), "standardised"),
        (rng.beta(1, 3, (40, 100)), "shares"),
        (2.0 * rng.beta(8, 8, (40, 100)), "logarithms"),  # beyond 1: no shares
        (np.exp(rng.normal(0, 1, (40, 100))), "skewed"),
        (rng.integers(0, 2, (40, 100)), "binary"),
        (rng.integers(0, 3, (40, 100)), "copies"),
        (rng.integers(-2, 3, (40, 100)), "whole"),
        (LOGS * 10.0 ** rng.integers(-3, 4, 100), "mixed"),
        (LOGS[:, :8], "few"),
        (LOGS[:, :1], "single"),
        (np.ones((5, 3)), "constant"),
    ],
)
def test_kinds(X, kind):
    assert kind_of(X) == kind


def test_categories_and_covariates_do_not_count():
    X = np.hstack([LOGS, np.arange(40)[:, None] % 2, 1e9 * np.arange(40)[:, None]])
    assert kind_of(X, levels={100: ("a", "b")}, covariates=(101,)) == "logarithms"
    assert kind_of(np.arange(9)[:, None] % 3, levels={0: ("a", "b", "c")}) == "none"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("golub", "intensities"),
        ("hmp_body_site", "counts"),
        ("christensen", "shares"),
        ("vantveer", "ratios"),
        ("tissues", "logarithms"),
        ("lymphoma9", "whole"),
    ],
)
def test_kinds_of_real_sets(shared_data, name, kind):
    from tamis.data import read_table

    data = read_table(shared_data / f"expression/{name}.parquet", target="class")
    assert look_at(data).to_dict()["values"][0]["kind"] == kind


def test_histograms_count_every_value():
    values = rng.normal(size=5000)
    values[0] = 1e6
    found = histogram_of(values)
    assert sum(found["counts"]) == 5000
    assert found["start"] > -5
    assert found["start"] + found["step"] * len(found["counts"]) < 5
    assert histogram_of(np.ones(4)) is None
    shares = share_histogram(np.array([0.0, 0.0, 0.3]))
    assert (shares["counts"][0], shares["counts"][-1], sum(shares["counts"])) == (2, 1, 3)


@pytest.mark.parametrize(
    ("shares", "step", "counts"),
    [
        ([0.0, 0.5, 1.0], 0.05, [1, *[0] * 9, 1, *[0] * 8, 1]),  # 1 ends the last interval
        ([0.1, 0.2], 0.01, [*[0] * 10, 1, *[0] * 8, 1]),
        ([0.004, 0.01], 0.0005, [*[0] * 8, 1, *[0] * 10, 1]),
        ([0.0], 0.0005, [1]),
        ([0.11], 0.01, [*[0] * 10, 1]),
    ],
)
def test_the_largest_share_is_in_the_last_interval(shares, step, counts):
    found = share_histogram(np.array(shares))
    assert (found["start"], found["step"]) == (0.0, pytest.approx(step))
    assert found["counts"] == counts


def test_quantiles_leave_out_what_is_no_number():
    assert quantiles_of(np.array([np.nan, 1.0, 3.0]))["median"] == 2.0
    assert quantiles_of(np.array([np.nan])) is None
