"""Distances of counted genotypes, beside fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.genotypes.distance import score_parts


def plain_distance(table, by_mean):
    """Of counts (H, C, 3), by the definition, in fractions."""
    found = []
    for a, b in combinations(range(table.shape[1]), 2):
        shifts, weights = [Fraction(0)] * 3, Fraction(0)
        for stratum in table:
            n_a, n_b = int(stratum[a].sum()), int(stratum[b].sum())
            if n_a and n_b:
                weight = Fraction(n_a * n_b, n_a + n_b)
                weights += weight
                for w in range(3):
                    gap = Fraction(int(stratum[a, w]), n_a) - Fraction(int(stratum[b, w]), n_b)
                    shifts[w] += weight * gap
        if weights:
            found.append(sum(map(abs, shifts)) / weights)
    if not found:
        return np.nan
    return float(sum(found) / len(found) if by_mean else max(found))


@settings(max_examples=80)
@given(
    st.integers(0, 2**32),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(2, 4),
    st.booleans(),
    st.sampled_from([1, 3, 400]),
)
def test_scores_of_all_and_without_each_fold(seed, folds, strata, classes, by_mean, most):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, most + 1, (5, folds, strata, classes, 4)).astype(np.int32)
    counts[rng.random(counts.shape) < 0.3] = 0
    found = score_parts(counts, by_mean)
    assert found.shape == (1 + folds if folds > 1 else 1, 5)
    for j, own in enumerate(counts[..., :3]):
        whole = own.sum(axis=0)
        parts = [whole, *(whole - own[f] for f in range(folds))][: len(found)]
        expected = [plain_distance(part, by_mean) for part in parts]
        np.testing.assert_allclose(found[:, j], expected, rtol=1e-12, atol=1e-15)


def test_one_stratum_is_one_division_of_whole_numbers():
    counts = np.array([[[[[3, 0, 4, 9], [1, 1, 1, 2]]]]], dtype=np.int32)
    assert score_parts(counts, False)[0, 0] == 14 / 21  # (|9 - 7| + |0 - 7| + |12 - 7|) / (7 * 3)


@pytest.mark.parametrize("by_mean", [False, True])
def test_a_class_without_calls_is_left_out(by_mean):
    counts = np.zeros((2, 1, 1, 3, 4), dtype=np.int32)
    counts[0, 0, 0, 0, 0], counts[0, 0, 0, 1, 2] = 4, 5
    counts[1, 0, 0, 2, 1] = 3
    assert score_parts(counts, by_mean)[0].tolist()[0] == 2.0
    assert np.isnan(score_parts(counts, by_mean)[0, 1])
