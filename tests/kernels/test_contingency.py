"""Table scores against plain dictionaries and scikit-learn."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from common.examples import settings
from tamis.kernels.contingency import MAX_SCANNED_VALUES, value_counts
from tamis.kernels.counted import counted_distances, counted_informations


def plain_information(x, y):
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if a == a]
    if not pairs:
        return float("nan")
    n = len(pairs)
    both, left, right = Counter(pairs), Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    return sum(k / n * log((k / n) / (left[a] / n * right[b] / n)) for (a, b), k in both.items())


def plain_distances(x, y, n_classes):
    shares = []
    for c in range(n_classes):
        own = [a for a, b in zip(x, y, strict=True) if b == c and a == a]
        if own:
            shares.append({w: k / len(own) for w, k in Counter(own).items()})
    return [
        sum(abs(p.get(w, 0) - q.get(w, 0)) for w in {*p, *q}) for p, q in combinations(shares, 2)
    ]


def informations(X, y, n_classes):
    return np.concatenate([counted_informations(c) for c in value_counts(X, y, n_classes)])


@st.composite
def tables(draw):
    n, n_classes = draw(st.integers(2, 30)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.integers(-2, draw(st.integers(0, 4)), size=(n, 6)).astype(float)
    X[rng.random(X.shape) < draw(st.sampled_from([0.0, 0.3, 0.95]))] = np.nan
    return X, rng.integers(0, n_classes, n), n_classes


@settings(max_examples=30, deadline=None)
@given(tables(), st.sampled_from([0, 1, 5]), st.sampled_from([1, 70, 520]))
def test_counts_are_those_of_a_dictionary(table, digits, p):
    X, y, n_classes = table
    rng = np.random.default_rng(p)
    X = X[:, rng.integers(0, 6, p)] + np.round(rng.normal(size=(len(X), p)), digits)
    X[np.abs(X) > 2.5] *= np.inf
    start = 0
    for counts in value_counts(X, y, n_classes):
        assert counts.shape[2] - 1 == max(
            len(set(x[x == x])) for x in X[:, start : start + len(counts)].T
        )
        for j in range(0, len(counts), max(1, p // 9)):
            table, x = counts[j], X[:, start + j]
            values = sorted(set(x[x == x].tolist()))
            plain = Counter(zip(y.tolist(), x.tolist(), strict=True))
            assert table[:, : len(values)].tolist() == [
                [plain[c, value] for value in values] for c in range(n_classes)
            ]
            assert (table[:, len(values) : -1] == 0).all()
            assert table.sum(axis=1).tolist() == np.bincount(y, minlength=n_classes).tolist()
        start += len(counts)
    assert start == p


def test_as_many_values_as_are_found_one_by_one_and_one_more():
    for n in (MAX_SCANNED_VALUES, MAX_SCANNED_VALUES + 1):
        x, y = np.arange(n)[::-1, None].astype(float), np.arange(n) % 2
        (counts,) = value_counts(x, y, 2)
        assert counts.shape == (1, 2, n + 1)
        assert (counts[0, 0, :-1] == (y[::-1] == 0)).all()


@settings(max_examples=60, deadline=None)
@given(tables())
def test_information_equals_reference(table):
    X, y, n_classes = table
    scores = informations(X, y, n_classes)
    expected = [plain_information(column.tolist(), y.tolist()) for column in X.T]
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-13)
    assert (scores[~np.isnan(scores)] >= 0).all()


@settings(max_examples=60, deadline=None)
@given(tables())
def test_distance_equals_reference(table):
    X, y, n_classes = table
    blocks = list(value_counts(X, y, n_classes))
    largest, average = (
        np.concatenate([counted_distances(counts, mean) for counts in blocks])
        for mean in (False, True)
    )
    for j, column in enumerate(X.T):
        pairs = plain_distances(column.tolist(), y.tolist(), n_classes)
        if pairs:
            np.testing.assert_allclose(largest[j], max(pairs), rtol=1e-12, atol=1e-15)
            np.testing.assert_allclose(average[j], np.mean(pairs), rtol=1e-12, atol=1e-15)
            assert 0 <= largest[j] <= 2
        else:
            assert np.isnan(largest[j])
            assert np.isnan(average[j])


def test_information_equals_scikit_learn():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, size=(200, 20)).astype(float), rng.integers(0, 3, 200)
    expected = [mutual_info_score(column, y) for column in X.T]
    scores = informations(X, y, 3)
    np.testing.assert_allclose(scores, expected, rtol=1e-10)


def test_independent_values_have_exactly_no_information():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [0.0], [1.0]])
    y = np.array([0, 1, 0, 1, 2, 2])
    assert informations(X, y, 3)[0] == 0
