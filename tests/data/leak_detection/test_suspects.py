"""Leaks that are told, refused, or none: as a user's table has them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.leaks import (
    LEAKS,
    TABLE_LEAKS,
    base_table,
    code_among_gamma,
    honest_table,
    leaky_table,
    lone_marker,
    near_copy,
    prepared_table,
)
from tamis.data import Dataset, load_golub, read_table
from tamis.data.event_names import as_words
from tamis.data.leak_detection import find_suspects
from tamis.data.leak_detection.circumstance import CIRCUMSTANCE_PATTERN, uneven_spread_p
from tamis.data.leak_detection.follow_up import FOLLOW_UP_PATTERN, SHORT_NAME_PATTERN

REFUSED = {
    "censored_time",
    "overall_months",
    "days_to_death",
    "coded_copy",
    "two_copies",
    "stand_in",
    "difference",
    "exclusive_or",
    "row_number",
    "last_contact",
    "vital_status",
}


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


def test_a_near_copy_is_told_and_mostly_refused():
    """Its classes lie 6.7 standard deviations apart on average, where 6 are refused."""
    found = [find_suspects(leaky_table(near_copy, "noise", seed)[0]) for seed in range(10)]
    assert all(len(one) == 1 for one in found)
    assert sum(one.grave for (one,) in found) >= 8


@pytest.mark.parametrize("kind", TABLE_LEAKS)
def test_a_table_made_with_the_classes_is_told(kind):
    for seed in range(3):
        (found,) = find_suspects(prepared_table(kind, "noise", seed))
        assert (found.kind, found.grave) == (kind, False)
        assert f"allow={kind!r}" in found.advice or found.columns
        assert not find_suspects(
            prepared_table(kind, "noise", seed), without=[kind, *found.columns]
        )


def test_a_strong_marker_alone_is_told_and_not_refused():
    for seed in range(5):
        (found,) = find_suspects(lone_marker(seed))
        assert (found.kind, found.columns, found.grave) == ("alone", ("x7",), False)


def test_a_code_that_one_class_alone_has_is_told_among_skewed_values():
    for seed in range(5):
        (found,) = find_suspects(code_among_gamma(seed))
        assert (found.kind, found.columns) == ("confined", ("x7",))
        assert "the value -9 in column 'x7'" in found.text


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
    [
        "OS_MONTHS",
        "os.time",
        "days_to_death",
        "days_to_last_followup",
        "survival_time",
        "PFS_STATUS",
        "relapse-free survival",
        "vital_status",
        "follow_up_days",
        "time_to_event",
        "DaysToDeath",
        "survtime",
        "hospital_death",
        "vitalStatus",
        "last_contact",
        "censored",
        "RFS.event",
        "DFS_MONTHS",
        "overall survival (months)",
    ],
)
def test_names_of_follow_up(name):
    assert FOLLOW_UP_PATTERN.fullmatch(as_words(name))


@pytest.mark.parametrize(
    "name",
    [
        "TIMP1",
        "EFS",
        "OS9",
        "DEDD",
        "survivin",
        "BIRC5",
        "age",
        "timepoint",
        "DAPK1",
        "cell death",
        "MONTH",
        "yearly_income",
        "days_to_birth",
        "years of education",
        "time of day",
        "deadlift",
        "event_id",
        "days",
        "time",
        "age_at_death",
        "creatinine_last_visit",
        "SIG_POOR_SURVIVAL_UP",
        "BCR",
        "CSS",
        "OSM",
        "Osm",
        "PFKM",
        "EFSE",
        "TNFRSF10B",
        "to_days",
    ],
)
def test_names_that_are_none(name):
    assert not FOLLOW_UP_PATTERN.fullmatch(as_words(name))


def test_short_names_count_beside_an_event_only():
    data, _ = leaky_table(LEAKS[0], "noise", seed=3)
    assert SHORT_NAME_PATTERN.fullmatch("time")
    (found,) = find_suspects(data)
    assert (found.kind, found.columns, found.grave) == ("time-to-event", ("time",), True)
    other = replace(data, y=np.where(data.y == "dead", "b", "a"), classes=(), target="arm")
    assert not find_suspects(other)


@pytest.mark.parametrize("levels", [{}, {0: ("alive",)}])
def test_a_column_that_is_the_same_everywhere_tells_nothing(levels):
    X, y = base_table("noise", np.random.default_rng(4))
    X[:, 0], X[:, 1] = 0.0, 3.0
    names = ("vital_status", "time", *(f"g{j}" for j in range(2, X.shape[1])))
    labels = np.where(y == 1, "dead", "alive")
    assert find_suspects(Dataset(X, labels, names, levels=levels, target="status")) == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("plate", True),
        ("run_no", True),
        ("scan date", True),
        ("array_batch", True),
        ("site", True),
        ("PLAU", False),
        ("brunt", False),
        ("chip1", False),
        ("laboratory", True),
        ("RUNX1", False),
        ("patient_id", True),
        ("body_mass_index", False),
        ("primary_site", False),
        ("KIT", False),
        ("birth_order", False),
        ("SampleNo", True),
    ],
)
def test_names_of_circumstances(name, told):
    assert bool(CIRCUMSTANCE_PATTERN.fullmatch(as_words(name))) is told


def test_orders_and_plates_are_uneven_as_often_as_they_say():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 60)
    orders = [uneven_spread_p(rng.permutation(60).astype(float), y, True) for _ in range(800)]
    plates = [uneven_spread_p(rng.integers(0, 5, 60).astype(float), y, False) for _ in range(1500)]
    assert 0.025 < np.mean(np.array(orders) < 0.05) < 0.08
    assert np.mean(np.array(plates) < 0.05) <= 0.05
    turns = np.argsort(np.argsort(y + rng.random(60)))
    assert uneven_spread_p(turns.astype(float), y, True) < 1e-4
    rare = np.r_[np.ones(5, dtype=int), np.zeros(200, dtype=int)]
    found = [uneven_spread_p(rng.permutation(205).astype(float), rare, True) for _ in range(800)]
    assert np.mean(np.array(found) < 0.002) <= 0.005


def test_equal_values_are_in_no_order():
    rng = np.random.default_rng(7)
    y = np.repeat([0, 1], 50)
    found = []
    for _ in range(200):
        depth = rng.normal(size=100)
        depth[rng.random(100) < 0.6] = 0.0  # in a table sorted by class
        found.append(uneven_spread_p(depth, y, True))
    assert np.mean(np.array(found) < 0.05) < 0.12


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


def table_of(X: np.ndarray, y: np.ndarray, **more) -> Dataset:
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    return Dataset(X, np.array([f"c{c}" for c in y]), names, **more)


def test_tables_without_any_pair_are_looked_at():
    y = np.repeat([0, 1], 15)
    a = np.random.default_rng(8).normal(size=30)
    assert find_suspects(table_of(np.column_stack([a, a / 100]), y)) == []
    assert find_suspects(table_of(np.ones((30, 3)), y)) == []
    assert find_suspects(table_of(np.full((30, 2), np.nan), y)) == []
    assert find_suspects(table_of(np.array([[1.0, 2], [3, 4]]), np.array([0, 1]))) == []
    assert find_suspects(Dataset(a[:, None], np.full(30, "a"), ("x",), classes=("a", "b"))) == []


def test_a_copy_is_told_among_strong_markers_and_other_copies():
    golub = load_golub()
    y = golub.codes
    copies = np.column_stack([y, 1 - y, y * 5.0, y + 2, 3 - y, 10 * y, -y])
    X = np.column_stack([golub.X, copies])
    names = (*golub.feature_names, *(f"dx{k}" for k in range(7)))
    found = find_suspects(replace(golub, X=X, feature_names=names))
    assert [one.columns for one in found] == [(f"dx{k}",) for k in range(7)]
    assert all(one.grave and one.kind == "copy" for one in found)
    levels = {golub.X.shape[1]: ("no", "yes")}
    text = replace(golub, X=X[:, :-6], feature_names=names[:-6], levels=levels)
    (one,) = find_suspects(text)
    assert one.text == "column 'dx0' has one value for each class"


def test_what_is_measured_in_one_class_alone_is_told():
    rng = np.random.default_rng(18)
    y = np.repeat([0, 1], 30)
    X = rng.normal(size=(60, 10))
    X[:, 4] = np.nan
    X[31:, 4] = rng.normal(size=29)  # in all but one of one class
    (found,) = find_suspects(table_of(X, y))
    assert found.text == "only samples of c1 have a value in column 'x4' (29 of 30, no other class)"


def test_frames_are_looked_at_as_they_are():
    import pandas as pd

    data, _ = leaky_table(LEAKS[4], "clinic", seed=1)
    frame = pd.DataFrame(data.X, columns=data.feature_names).assign(status=data.y)
    assert find_suspects(frame, "status") == find_suspects(data)


def test_with_many_samples_a_perfect_marker_is_not_far_beyond_a_nearly_perfect_one():
    rng = np.random.default_rng(9)
    y = np.repeat([0, 1], 400)
    X = rng.normal(size=(800, 30))
    X[:, 0] += 9 * y
    X[:, 1] += 3 * y  # AUC .983
    found = find_suspects(table_of(X, y))
    assert not any(one.grave for one in found)


def test_a_marker_beside_a_copy_does_not_hide_it():
    rng = np.random.default_rng(10)
    y = np.repeat([0, 1], 100)
    X = rng.normal(size=(200, 40))
    X[:, 0] = y + rng.normal(0, 0.1, 200)
    X[:, 1] += 1.9 * y
    assert find_suspects(table_of(X, y))[0].columns == ("x0",)


def test_an_allowed_column_hides_no_other():
    data, _ = leaky_table(LEAKS[3], "noise", seed=2)
    rng = np.random.default_rng(11)
    y = (data.y == "patient").astype(int)
    arm = rng.integers(0, 2, len(y))
    X = np.column_stack([data.X, arm, arm ^ y])
    names = (*data.feature_names, "arm", "arm_given")
    both = replace(data, X=X.astype(float), feature_names=names)
    assert [one.columns for one in find_suspects(both, without=["sc*"])] == [("arm", "arm_given")]


def test_a_cap_is_no_stand_in():
    rng = np.random.default_rng(12)
    y = np.repeat([0, 1], 60)
    saturation = np.minimum(np.round(rng.normal(94, 3, 120) + 3 * (y == 0)), 99.0)
    saturation[(y == 1) & (saturation == 99)] = 98.0
    X = np.column_stack([rng.normal(size=(120, 8)), saturation])
    assert not [one for one in find_suspects(table_of(X, y)) if one.kind == "confined"]


def test_zeros_for_missing_are_found_beside_flags():
    rng = np.random.default_rng(13)
    y = np.repeat([0, 1], 60)
    X = np.column_stack([rng.integers(0, 2, (120, 6)), rng.normal(120, 8, 120)]).astype(float)
    X[:25, 6] = 0.0
    (found,) = find_suspects(table_of(X, y))
    assert "the value 0 in column 'x6' (25 of 60" in found.text


def test_what_is_not_measured_in_one_class_is_told_and_not_refused():
    rng = np.random.default_rng(14)
    y = np.repeat([0, 1], 40)
    X = rng.normal(size=(80, 10))
    X[y == 1, 3] = np.nan
    (found,) = find_suspects(table_of(X, y))
    assert (found.kind, found.grave) == ("confined", False)


def test_a_flag_of_one_class_of_several_is_told():
    rng = np.random.default_rng(15)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 12))
    X[:, 5] = y == 2
    (found,) = find_suspects(table_of(X, y))
    assert found.columns == ("x5",)
    assert "alone separates c2 from the others: balanced accuracy 1.000" in found.text


def test_categories_of_many_levels_take_no_long():
    from tamis.data.leak_detection.separation import by_values

    rng = np.random.default_rng(16)
    y = rng.integers(0, 2, 4000)
    many = np.column_stack([np.arange(4000.0), rng.integers(0, 2, (4000, 3))])
    assert by_values(many, y, 2)[0] == 0.0
    assert (by_values(many, y, 2)[1:] < 0.1).all()


def test_a_p_value_of_follow_up_is_of_the_values_that_are_there():
    from tamis.data.leak_detection.follow_up import class_p_value

    rng = np.random.default_rng(17)
    y = rng.integers(0, 2, 80)
    found = []
    for _ in range(800):
        values = rng.normal(size=80)
        values[rng.random(80) < 0.4] = np.nan
        found.append(class_p_value(values, y, False))
    assert np.mean(np.array(found) < 0.02) < 0.035
