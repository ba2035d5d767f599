"""Median polish against a plain reference, and what must hold."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from common.examples import settings
from tamis.kernels.median_polish import frozen_medians, median, polish_sets

GOLDEN = Path(__file__).parents[1] / "goldens" / "median_polish.json"
numbers = st.one_of(st.floats(-20, 20), st.integers(-3, 3).map(float))


def plain(z):
    """Of one probe set without gaps, probes in rows: values of the samples, effects of probes."""
    z = z.copy()
    rows, columns, overall, before = np.zeros(z.shape[0]), np.zeros(z.shape[1]), 0.0, 0.0
    for _ in range(10):
        middle = np.median(z, axis=1)
        z -= middle[:, None]
        rows += middle
        overall += np.median(columns)
        columns -= np.median(columns)
        middle = np.median(z, axis=0)
        z -= middle
        columns += middle
        overall += np.median(rows)
        rows -= np.median(rows)
        after = sum(abs(v) for row in z for v in row)
        if after == 0 or abs(1 - before / after) < 0.01:
            break
        before = after
    return overall + columns, rows


def polished(X, starts):
    values, effects = np.empty((len(X), len(starts) - 1)), np.empty(X.shape[1])
    polish_sets(X, np.asarray(starts), values, effects)
    return values, effects


@given(arrays(np.float64, st.integers(1, 60), elements=numbers), st.integers(1, 60))
def test_median(values, n):
    n = min(n, len(values))
    assert median(values.copy(), n) == np.median(values[:n])


@pytest.mark.parametrize("n", [1, 2, 7, 40])
@pytest.mark.parametrize("rounded", [False, True])
def test_as_a_plain_reference(n, rounded):
    rng = np.random.default_rng(n)
    sizes = [1, 2, 3, 11, 16, 37]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    X = rng.normal(8, 1, (n, starts[-1])) + rng.normal(0, 2, starts[-1])
    X = np.round(X) if rounded else X
    values, effects = polished(X, starts)
    for s, (first, last) in enumerate(itertools.pairwise(starts)):
        samples, probes = plain(X[:, first:last].T)
        np.testing.assert_allclose(values[:, s], samples, rtol=0, atol=1e-12)
        np.testing.assert_allclose(effects[first:last], probes, rtol=0, atol=1e-12)


@given(arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 9)), elements=numbers))
@settings(deadline=None)
def test_what_must_hold(X):
    starts = np.array([0, X.shape[1]])
    values, effects = polished(X, starts)
    assert abs(np.median(effects)) < 1e-12
    more, same = polished(X + 16.0, starts)
    np.testing.assert_allclose(more, values + 16.0, atol=1e-11)
    np.testing.assert_allclose(same, effects, atol=1e-11)
    # rounds end with the samples: what frozen effects leave of them is the polished value
    frozen = np.empty_like(values)
    frozen_medians(X, starts, effects, frozen)
    np.testing.assert_allclose(frozen, values, rtol=0, atol=1e-12)


def test_sets_do_not_know_of_each_other():
    X = np.random.default_rng(0).normal(size=(5, 30))
    values, effects = polished(X, [0, 4, 5, 30])
    alone, some = polished(np.ascontiguousarray(X[:, 5:]), [0, 25])
    np.testing.assert_array_equal(values[:, 2:], alone)
    np.testing.assert_array_equal(effects[5:], some)


def with_gaps():
    """Name -> a set (probes, samples) with gaps; a probe and a sample have no value at all."""
    rng = np.random.default_rng(3)
    found = {}
    for name, (k, n) in {
        "a": (5, 6),
        "b": (11, 9),
        "c": (2, 3),
        "d": (30, 28),
        "e": (1, 5),
    }.items():
        z = rng.normal(8, 1, (k, n)) + rng.normal(0, 2, (k, 1))
        z[rng.random(z.shape) < 0.2] = np.nan
        z[1:2] = np.nan
        z[:, 2] = np.nan
        found[name] = z
    return found


def write_table(path):
    """Write these sets for `make_median_polish.R`."""
    with open(path, "w") as out:
        for name, z in with_gaps().items():
            for row in np.pad(z, ((0, 0), (0, 28 - z.shape[1])), constant_values=np.nan):
                print(name, *("NA" if v != v else repr(float(v)) for v in row), file=out)


def test_missing_values_as_r_leaves_them_out():
    """What no sample has says nothing of the other probes' effects, nor of the values."""
    expected = json.loads(GOLDEN.read_text())["sets"]
    for name, z in with_gaps().items():
        values, effects = polished(np.ascontiguousarray(z.T), [0, len(z)])
        samples = np.array(expected[name]["values"][: z.shape[1]], dtype=float)
        probes = np.array(expected[name]["effects"], dtype=float)
        np.testing.assert_allclose(values[:, 0], samples, rtol=0, atol=1e-12)
        np.testing.assert_allclose(effects, np.nan_to_num(probes), rtol=0, atol=1e-12)
        assert np.isnan(samples).any()
        assert np.isnan(probes).any() == (len(z) > 1)
