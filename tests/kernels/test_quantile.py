"""Quantile normalisation against preprocessCore, a plain reference, and what must hold."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tamis.kernels.quantile import mean_quantiles, place_values, rank_places, to_quantiles

GOLDENS = sorted((Path(__file__).parents[1] / "goldens").glob("quantile_*.json"))
tables = arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 9)),
    elements=st.one_of(st.floats(-1e6, 1e6), st.integers(-3, 3).map(float), st.just(np.nan)),
)


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_as_preprocesscore(path):
    golden = json.loads(path.read_text())
    X = np.array([[np.nan if v is None else float.fromhex(v) for v in row] for row in golden["x"]])
    target = np.array(golden["target"])
    half = -(-len(X) // 2)
    np.testing.assert_allclose(mean_quantiles(X[:half]), target, rtol=1e-14)
    expected = np.array(golden["normalized"], dtype=float)
    np.testing.assert_allclose(to_quantiles(X, target), expected, rtol=1e-14)


def test_there_are_goldens():
    assert len(GOLDENS) == 5


def plain(row, reference):
    """One sample, value by value."""
    known = sorted(v for v in row if v == v)
    k, p = len(known), len(reference)
    out = []
    for v in row:
        if v != v:
            out.append(np.nan)
            continue
        below, same = sum(o < v for o in known), known.count(v)
        rank = below + (same + 1) / 2  # of equal values the mean
        if k == p:
            low, high = reference[int(np.floor(rank)) - 1], reference[int(np.ceil(rank)) - 1]
            out.append((low + high) / 2)
        else:
            place = (p - 1) * (rank - 1) / (k - 1) if k > 1 else 0.0
            out.append(float(np.interp(place, np.arange(p), reference)))
    return np.array(out)


@given(tables, st.integers(0, 2**32 - 1))
def test_as_a_plain_reference(X, seed):
    reference = np.sort(np.random.default_rng(seed).normal(size=X.shape[1]))
    expected = np.array([plain(row, reference) for row in X.tolist()])
    np.testing.assert_allclose(to_quantiles(X, reference), expected, rtol=1e-9, atol=1e-12)


@given(tables)
def test_what_must_hold(X):
    reference = mean_quantiles(X)
    if np.isnan(X).all():
        assert np.isnan(reference).all()
        return
    assert (np.diff(reference) >= -1e-9 * np.abs(reference).max()).all()
    found = to_quantiles(X, np.sort(reference))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(X))
    for row, new in zip(X, found, strict=True):
        known = ~np.isnan(row)
        order = np.argsort(row[known], kind="stable")
        slack = 1e-9 * max(np.abs(reference).max(), 1)
        assert (np.diff(new[known][order]) >= -slack).all()  # order stays
        for v in np.unique(row[known]):
            assert len(np.unique(new[row == v])) == 1  # and equal values stay equal
    complete = X[~np.isnan(X).any(axis=1)]
    distinct = [row for row in complete if len(np.unique(row)) == len(row)]
    for row in distinct:  # the distribution itself
        new = to_quantiles(row[None, :], np.sort(reference))[0]
        np.testing.assert_array_equal(np.sort(new), np.sort(reference))


@given(arrays(np.float64, st.integers(1, 30), elements=st.integers(-3, 3).map(float)), st.data())
def test_places_are_the_same_in_two_steps(row, data):
    """What RMA keeps of an array, and looks up."""
    reference = np.sort(np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=len(row)))
    order = np.random.default_rng(1).permutation(len(row))
    order = order[np.argsort(row[order])]  # ties in any order
    places = rank_places(row[order], order)
    assert places.dtype == np.int32
    expected = to_quantiles(row[None], reference)[0]
    np.testing.assert_array_equal(place_values(reference)[places], expected)
