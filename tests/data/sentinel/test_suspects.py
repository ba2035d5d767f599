"""Leaks that are told, refused, or none: as a user's table has them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.leaks import LEAKS, base_table, honest_table, leaky_table
from tamis.data import Dataset, load_golub, read_table
from tamis.data.sentinel import find_suspects
from tamis.data.sentinel.circumstance import NAMED, uneven
from tamis.data.sentinel.follow_up import ALWAYS, SHORT, as_words

REFUSED = {
    "censored_time", "overall_months", "days_to_death", "near_copy", "coded_copy", "two_copies",
    "stand_in", "difference", "exclusive_or", "row_number", "last_contact", "vital_status",
}  # fmt: skip


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_leak_is_told_and_nothing_else(leak):
    for kind in ("noise", "clinic"):
        data, columns = leaky_table(leak, kind, seed=1)
        found = find_suspects(data)
        assert found, kind
        assert set().union(*(one.columns for one in found)) <= columns
        if leak.__name__ in REFUSED:
            assert any(one.grave for one in found), kind
        assert all(name in one.text for one in found for name in one.columns[:1])


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_told_of_honest_tables(seed):
    data, what = honest_table(seed)
    assert not find_suspects(data), what


def test_nothing_is_told_of_real_genes():
    assert not find_suspects(load_golub())


@pytest.mark.slow
def test_of_the_shared_expression_sets_nothing_is_told():
    folder = Path(os.environ.get("TAMIS_DATA", "")) / "expression"
    paths = sorted(folder.glob("*.parquet"))
    if not paths:
        pytest.skip("the shared data sets are not here: TAMIS_DATA names their folder")
    told = {
        path.stem: [one.text for one in found]
        for path in paths
        if (found := find_suspects(read_table(path, target="class", categorical=("class",))))
    }
    assert not told


def test_a_marker_among_equals_is_none_and_alone_it_is_told():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    X = rng.normal(size=(100, 40))
    X[:, 0] += 6 * y
    names = tuple(f"g{j}" for j in range(40))
    labels = np.array(["a", "b"])[y]
    (alone,) = find_suspects(Dataset(X, labels, names))
    assert alone.columns == ("g0",)
    X[:, 1:12] += 4 * y[:, None]
    assert not find_suspects(Dataset(X, labels, names))


def test_copies_under_five_names_are_told_together():
    data, _ = leaky_table(LEAKS[3], "noise", seed=2)
    rng = np.random.default_rng(5)
    score = data.X[:, [-1]]
    X = np.column_stack([data.X, *(score + rng.normal(0, 0.01, score.shape) for _ in range(4))])
    names = (*data.feature_names, "s1", "s2", "s3", "s4")
    (found,) = find_suspects(replace(data, X=X, feature_names=names))
    assert set(found.columns) == {"score", "s1", "s2", "s3", "s4"}


def test_a_ceiling_of_the_table_is_no_code():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 30)
    X = rng.uniform(100, 300, (60, 20))
    X[30:45, 0] = 16000.0  # of one gene, in half a class
    names = tuple(f"g{j}" for j in range(20))
    labels = np.array(["a", "b"])[y]
    kinds = {one.kind for one in find_suspects(Dataset(X, labels, names))}
    assert "confined" in kinds
    X[:, 1] = np.minimum(rng.uniform(9000, 22000, 60), 16000.0)  # and of others, in both
    kinds = {one.kind for one in find_suspects(Dataset(X, labels, names))}
    assert "confined" not in kinds


def test_missing_values_of_one_class_in_few_samples_may_be_chance():
    rng = np.random.default_rng(2)
    X, y = base_table("clinic", rng)
    X[np.flatnonzero(y == 1)[:3], 2] = np.nan
    names = tuple(f"x{j}" for j in range(12))
    data = Dataset(X, np.array(["a", "b"])[y], names)
    assert not find_suspects(data)
    X[np.flatnonzero(y == 1)[:25], 2] = np.nan
    (found,) = find_suspects(data)
    assert found.kind == "confined"
    assert not found.grave
    assert "no value in column 'x2'" in found.text


@pytest.mark.parametrize(
    "name",
    ["OS_MONTHS", "os.time", "days_to_death", "days_to_last_followup", "survival_time",
     "PFS_STATUS", "relapse-free survival", "vital_status", "follow_up_days", "time_to_event",
     "age_at_death",
     "last_contact", "censored", "RFS.event", "DFS_MONTHS", "overall survival (months)"],
)  # fmt: skip
def test_names_of_follow_up(name):
    assert ALWAYS.fullmatch(as_words(name))


@pytest.mark.parametrize(
    "name",
    ["TIMP1", "EFS", "OS9", "DEDD", "survivin", "BIRC5", "age", "timepoint", "DAPK1", "cell death",
     "MONTH", "yearly_income", "days_to_birth", "years of education", "time of day", "deadlift",
     "event_id", "days", "time", "TNFRSF10B", "to_days"],
)  # fmt: skip
def test_names_that_are_none(name):
    assert not ALWAYS.fullmatch(as_words(name))


def test_short_names_count_beside_an_event_only():
    data, _ = leaky_table(LEAKS[0], "noise", seed=3)
    assert SHORT.fullmatch("time")
    (found,) = find_suspects(data)
    assert (found.kind, found.columns, found.grave) == ("follow-up", ("time",), True)
    other = replace(data, y=np.where(data.y == "dead", "b", "a"), classes=(), target="arm")
    assert not find_suspects(other)


@pytest.mark.parametrize(
    ("name", "told"),
    [("plate", True), ("run_no", True), ("scan date", True), ("array_batch", True), ("site", True),
     ("PLAU", False), ("brunt", False), ("chip1", False), ("laboratory", True), ("RUNX1", False)],
)  # fmt: skip
def test_names_of_circumstances(name, told):
    assert bool(NAMED.fullmatch(name)) is told


def test_orders_and_plates_are_uneven_as_often_as_they_say():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 60)
    orders = [uneven(rng.permutation(60).astype(float), y, True) for _ in range(1500)]
    plates = [uneven(rng.integers(0, 5, 60).astype(float), y, False) for _ in range(1500)]
    assert 0.03 < np.mean(np.array(orders) < 0.05) < 0.075  # two-sided in the tail of few changes
    assert np.mean(np.array(plates) < 0.05) <= 0.05
    turns = np.argsort(np.argsort(y + rng.random(60)))
    assert uneven(turns.astype(float), y, True) < 1e-8


def test_a_table_of_covariates_alone_and_one_of_none_are_looked_at():
    data, _ = leaky_table(LEAKS[3], "clinic", seed=1)
    assert find_suspects(replace(data, covariates=tuple(range(data.shape[1]))))
    empty = Dataset(np.empty((6, 0)), np.array(list("aaabbb")), ())
    assert find_suspects(empty) == []


def test_hostile_names_stay_on_one_line_and_short():
    data, _ = leaky_table(LEAKS[3], "clinic", seed=1)
    names = (*data.feature_names[:-1], "<script>\n" + "x" * 500)
    (found,) = find_suspects(replace(data, feature_names=names))
    assert "\n" not in found.text
    assert len(found.text) < 300


def test_measurements_of_one_patient_count_once():
    rng = np.random.default_rng(6)
    y = np.repeat([0, 1], 6)
    X = rng.normal(size=(12, 30))
    X[:, 0] += 8 * y  # of so few patients any of 30 columns may do so
    names = tuple(f"g{j}" for j in range(30))
    groups = np.repeat([f"p{i}" for i in range(12)], 10)
    many = np.repeat(X, 10, axis=0) + rng.normal(0, 0.01, (120, 30))
    data = Dataset(many, np.array(["a", "b"])[np.repeat(y, 10)], names)
    assert find_suspects(data)
    assert not find_suspects(replace(data, groups=groups))
