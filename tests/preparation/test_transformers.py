"""Each step by itself: scikit-learn's manners, a plain reference, what must hold."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.utils.estimator_checks import check_estimator

import tamis.preparation
from common.steps import count_steps, every_matrix_step
from tamis._core.errors import ModelError
from tamis._core.registry import find_row
from tamis._core.rows import StepRow
from tamis.data import (
    AmevaDiscretizer,
    CAIMDiscretizer,
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
)
from tamis.preparation import (
    LevelPresence,
    Log2,
    MedianImputer,
    ModeImputer,
    NeighbourImputer,
    PresenceFilter,
    QuantileNormalizer,
    Standardizer,
    VarianceFilter,
)

EVERY = [find_row(name, StepRow).load() for name in every_matrix_step()]
COUNTED = [find_row(name, StepRow).load() for name in count_steps()]
tables = arrays(
    np.float64,
    st.tuples(st.integers(2, 9), st.integers(1, 6)),
    elements=st.one_of(st.floats(-1e3, 1e3), st.integers(-2, 2).map(float), st.just(np.nan)),
)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("step", EVERY)
def test_check_estimator(step):
    results = check_estimator(step(), on_fail=None)
    failed = [r["check_name"] for r in results if r["status"] == "failed"]
    assert failed == []
    assert len(results) > 20


def test_every_row_is_a_public_transformer():
    public = [getattr(tamis.preparation, name) for name in tamis.preparation.__all__]
    own = {one for one in EVERY if one.__module__.startswith(tamis.preparation.__name__)}
    assert set(public) == own


@given(tables)
def test_imputers_touch_nothing_but_gaps(X):
    for step in (MedianImputer(), ModeImputer(), NeighbourImputer(n_neighbors=2)):
        found = step.fit_transform(X)
        assert not np.isnan(found).any()
        known = ~np.isnan(X)
        np.testing.assert_array_equal(found[known], X[known])


@given(tables)
def test_medians_and_modes_as_counted(X):
    medians, modes = (s.fit_transform(X) for s in (MedianImputer(), ModeImputer()))
    for j, column in enumerate(X.T):
        known = sorted(column[~np.isnan(column)].tolist())
        gap = np.isnan(column)
        if not gap.any():
            continue
        if not known:
            assert (medians[gap, j] == 0).all()
            assert (modes[gap, j] == 0).all()
            continue
        half = len(known) // 2
        middle = known[half] if len(known) % 2 else (known[half - 1] + known[half]) / 2
        np.testing.assert_allclose(medians[gap, j], middle)
        most = max(known.count(v) for v in known)
        assert (modes[gap, j] == min(v for v in known if known.count(v) == most)).all()


def test_neighbours_as_scikit_learn():
    from sklearn.impute import KNNImputer

    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 6))
    X[rng.random(X.shape) < 0.2] = np.nan
    new = rng.normal(size=(8, 6))
    new[rng.random(new.shape) < 0.3] = np.nan
    expected = KNNImputer(n_neighbors=3).fit(X).transform(new)
    np.testing.assert_array_equal(NeighbourImputer(3).fit(X).transform(new), expected)


@given(tables, st.integers(0, 100), st.floats(-5, 5))
def test_presence_as_counted(X, percent, above):
    kept = PresenceFilter(above=above, share=percent / 100).fit(X).fitted_.columns
    counts = [sum(v > above for v in column) for column in X.T]
    assert kept.tolist() == [j for j, k in enumerate(counts) if 100 * k >= percent * len(X)]


@given(tables, st.integers(1, 100))
def test_variance_keeps_the_largest(X, percent):
    kept = VarianceFilter(share=percent / 100).fit(X).fitted_.columns.tolist()
    known = [column[~np.isnan(column)] for column in X.T]
    variances = [float(np.var(k)) if len(k) else 0.0 for k in known]
    assert len(kept) == -(-percent * X.shape[1] // 100)
    for j in kept:
        for other in set(range(X.shape[1])) - set(kept):
            slack = 1e-9 * max(variances)
            assert variances[j] >= variances[other] - slack


@given(
    arrays(np.float64, (12, 4), elements=st.sampled_from([0.0, 1.0, np.nan])), st.integers(0, 50)
)
def test_levels_that_are_there_and_not_there(X, percent):
    kept = LevelPresence(share=percent / 100).fit(X).fitted_.columns.tolist()
    for j, column in enumerate(X.T.tolist()):
        least = max(-(-percent * 12 // 100), 1)
        assert (j in kept) == (min(column.count(1.0), column.count(0.0)) >= least)


def test_variance_above_a_bound():
    X = np.array([[0.0, 0.0, 1.0], [2.0, 4.0, 1.0]])  # variances 1, 4 and 0
    assert VarianceFilter(above=1.0).fit(X).fitted_.columns.tolist() == [1]
    assert VarianceFilter(above=0.0).fit(X).fitted_.columns.tolist() == [0, 1]


def test_equal_variances_go_to_the_left():
    X = np.array([[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]])
    assert VarianceFilter(share=0.5).fit(X).fitted_.columns.tolist() == [0, 1]


@given(tables)
@example(np.array([[0.0], [5e-324]]))
def test_standardised_columns_have_mean_0_and_deviation_1(X):
    found = Standardizer().fit_transform(X)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(X))
    for column, old in zip(found.T, X.T, strict=True):
        known, was = column[~np.isnan(column)], old[~np.isnan(old)]
        if len(known) and was.std() > 1e-9 * (np.abs(was).max() + 1):
            assert abs(known.mean()) < 1e-6
            assert known.std() == pytest.approx(1, abs=1e-6)


def test_logarithms():
    X = np.array([[8.0, 0.25, -7.0, np.nan]])
    np.testing.assert_array_equal(Log2().fit_transform(X), [[3, 0, 0, np.nan]])
    np.testing.assert_array_equal(Log2(least=0.125).fit_transform(X), [[3, -2, -3, np.nan]])


@pytest.mark.parametrize(
    "step",
    [
        MDLDiscretizer(),
        AmevaDiscretizer(),
        CAIMDiscretizer(),
        ChiMergeDiscretizer(0.1),
        EqualWidthDiscretizer(4),
        EqualFrequencyDiscretizer(4),
    ],
)
def test_a_discretiser_is_the_step(step):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 5)), np.arange(40) % 2
    X[:, 0] += 3 * y
    X[rng.random(X.shape) < 0.1] = np.nan
    new = 3 * rng.normal(size=(20, 5))
    found = step.learn(X, y).transform(new)
    assert not hasattr(step, "cuts_")
    np.testing.assert_array_equal(found, step.fit(X, y).transform(new))
    assert np.nanmax(found) >= 1


def test_a_frozen_reference_sees_no_other_sample():
    rng = np.random.default_rng(2)
    X, new = rng.normal(size=(10, 20)), rng.normal(5, 3, size=(6, 20))
    step = QuantileNormalizer().fit(X)
    whole = step.transform(new)
    np.testing.assert_array_equal(whole, np.vstack([step.transform(row[None]) for row in new]))
    for row in whole:
        np.testing.assert_array_equal(np.sort(row), step.fitted_.reference)


@pytest.mark.parametrize("step", EVERY)
def test_arrays_that_do_not_fit_are_refused(step):
    """From a file nothing is believed: other lengths, other types, numbers that are none."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(20, 4)), np.arange(20) % 2
    X += 4 * y[:, None]
    if step in COUNTED:
        X = np.abs(X)
    fitted = step().learn(X, y)
    arrays_ = {k: np.asarray(v, dtype=np.float64) for k, v in fitted.to_arrays().items()}
    again = step().from_arrays(arrays_, 4)
    np.testing.assert_array_equal(again.transform(X), fitted.transform(X))
    for name, array in arrays_.items():
        bad = [
            np.append(array.ravel(), 1e9),
            array.astype(np.float32),
            np.full(array.shape, np.nan),
            array.reshape(1, *array.shape),
            array.tolist(),
        ]
        for one in bad:
            with pytest.raises(ModelError):
                step().from_arrays({**arrays_, name: one}, 4)
        with suppress(ModelError):  # or any number will do, and rows are transformed by it
            other = step().from_arrays({**arrays_, name: np.full(array.shape, -5.5)}, 4)
            assert np.isfinite(other.transform(X)).all()


@pytest.mark.parametrize("unit", [1e-200, 1e-12, 1e12, 1e200])
def test_units_do_not_matter(unit):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(20, 6)) * np.arange(1, 7)
    X[rng.random(X.shape) < 0.1] = np.nan
    found = Standardizer().fit_transform(X * unit)
    np.testing.assert_allclose(found, Standardizer().fit_transform(X), rtol=1e-9)
    kept = VarianceFilter(share=0.5).fit(X * unit).fitted_.columns
    assert kept.tolist() == VarianceFilter(share=0.5).fit(X).fitted_.columns.tolist() == [3, 4, 5]
    filled = NeighbourImputer(2).fit_transform(X * unit)
    np.testing.assert_allclose(filled / unit, NeighbourImputer(2).fit_transform(X), rtol=1e-9)


def test_a_constant_column_does_not_vary():
    """Though the sum of thirty tenths is not three."""
    X = np.column_stack([np.full(30, 0.1), np.arange(30.0)])
    assert VarianceFilter(above=0.0).fit(X).fitted_.columns.tolist() == [1]
    np.testing.assert_allclose(Standardizer().fit(X).transform([[0.2, 0.0]])[0, 0], 0.1)


def test_shares_are_not_off_by_rounding():
    X = np.zeros((100, 100))
    X[:7] = 1.0
    assert len(PresenceFilter(share=0.07).fit(X).fitted_.columns) == 100
    assert len(VarianceFilter(share=0.07).fit(X + np.eye(100)).fitted_.columns) == 7


@given(tables, st.integers(1, 3), st.sampled_from([0.0, 1e9]))
def test_neighbours_one_row_at_a_time_and_with_an_offset(X, k, offset):
    """Distances are sums of differences, so that ties and far-off columns are told apart."""
    step = NeighbourImputer(k).fit(X)
    whole = step.transform(X)
    np.testing.assert_array_equal(whole, np.vstack([step.transform(row[None]) for row in X]))
    whole_numbers = np.round(X)
    seen = ~np.isnan(X).all(axis=0)
    plain = NeighbourImputer(k).fit_transform(whole_numbers)[:, seen]
    moved = NeighbourImputer(k).fit_transform(whole_numbers + offset)[:, seen]
    np.testing.assert_allclose(moved - offset, plain, atol=1e-5)


def test_a_reference_never_falls():
    """Though interpolation between equal values may give their last digit otherwise."""
    rng = np.random.default_rng(0)
    for seed in range(20):
        X = np.maximum(np.random.default_rng(seed).normal(6, 2, (12, 60)), np.log2(70))
        X[rng.random(X.shape) < 0.05] = np.nan
        fitted = QuantileNormalizer().learn(X, np.zeros(12))
        assert (np.diff(fitted.reference) >= 0).all()
        assert QuantileNormalizer().from_arrays(fitted.to_arrays(), 60).reference is not None


@pytest.mark.parametrize("step", EVERY)
def test_columns_that_do_not_vary_stay_numbers(step):
    """Not even where a spread of 0 is divided by, among all rows or inside classes."""
    y = np.arange(12) % 2
    X = np.random.default_rng(3).integers(0, 3, (12, 6)).astype(float)
    X[:, 0], X[:, 1], X[:, 2] = 0.0, 1.0, 2.0 * y
    X[:, 3] = np.arange(12) == 5  # most are equal
    with np.errstate(all="raise", under="ignore"):
        found = step().learn(X, y).transform(X)
    assert np.isfinite(found).all()


@pytest.mark.parametrize("step", EVERY)
def test_no_column_is_no_fault(step):
    fitted = step().learn(np.zeros((6, 0)), np.arange(6) % 2)
    assert fitted.transform(np.zeros((3, 0))).shape == (3, 0)
