"""Permuted scores beside a count of each permutation by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels._bits import pack_rows
from tamis.kernels.genotypes.counts import count_groups
from tamis.kernels.genotypes.distance import score_parts
from tamis.kernels.genotypes.permuted import permuted_scores
from tamis.kernels.genotypes.words import masks_of, pack_calls


@settings(max_examples=40)
@given(
    st.integers(0, 2**32),
    st.integers(1, 19),
    st.integers(1, 3),
    st.integers(2, 3),
    st.booleans(),
    st.sampled_from([0.0, 0.02, 0.9]),
)
def test_each_permutation_scores_as_its_labels_do(seed, m, strata, classes, by_mean, missing):
    rng = np.random.default_rng(seed)
    n, B = int(rng.integers(4, 150)), 7
    codes = rng.choice([0, 2, 3], (m, n))
    codes[rng.random(codes.shape) < missing] = 1
    packed = pack_calls(codes)
    y, at = rng.integers(-1, classes, n), rng.integers(0, strata, n)
    known = np.flatnonzero(y >= 0)

    def scores(labels):
        groups = np.where(labels >= 0, at * classes + labels, -1)
        counts = count_groups(packed, masks_of(groups, strata * classes))
        return score_parts(counts.reshape(m, 1, strata, classes, 4), by_mean)[0]

    observed = scores(y)
    masks, expected = [], []
    for _ in range(B):
        labels = y.copy()
        for h in range(strata):
            mine = known[at[known] == h]
            labels[mine] = rng.permutation(labels[mine])
        flags = [[(labels == c) & (at == h) for c in range(1, classes)] for h in range(strata)]
        masks.append(pack_rows(np.array(flags).reshape(-1, n)).reshape(strata, classes - 1, -1))
        expected.append(scores(labels))
    sizes = np.array(
        [[((y == c) & (at == h)).sum() for c in range(classes)] for h in range(strata)]
    )
    of_strata = np.array([(y >= 0) & (at == h) for h in range(strata)])
    reached, largest = permuted_scores(
        packed,
        pack_rows((y >= 0)[None])[0],
        np.stack(masks),
        pack_rows(of_strata),
        sizes,
        observed,
        by_mean,
    )
    table = np.where(np.isnan(observed), np.nan, np.array(expected))
    np.testing.assert_array_equal(reached, (table >= observed).sum(axis=0))
    top = np.where(np.isnan(table), -1.0, table).max(axis=1)
    np.testing.assert_array_equal(largest, top)


def test_without_a_score_a_variant_is_not_looked_at():
    packed = pack_calls(np.array([[0, 0, 3, 3], [0, 2, 3, 3]]))
    y = np.array([0, 0, 1, 1])
    mask = pack_rows((y == 1)[None])
    observed = np.array([np.nan, 2.0])
    everyone = pack_rows(np.ones((1, 4), bool))
    rest = mask[None, None], everyone, np.array([[2, 2]])
    reached, largest = permuted_scores(packed, everyone[0], *rest, observed, False)
    assert reached.tolist() == [0, 1]
    assert largest.tolist() == [2.0]
    none, low = permuted_scores(packed[:1], everyone[0], *rest, observed[:1], False)
    assert (none.tolist(), low.tolist()) == ([0], [-1.0])


@pytest.mark.parametrize("n", [4, 63, 64, 65, 130])
def test_true_labels_reach_themselves(n):
    rng = np.random.default_rng(n)
    packed = pack_calls(rng.choice([0, 1, 2, 3], (11, n)))
    y = np.arange(n) % 2
    observed = score_parts(count_groups(packed, masks_of(y, 2)).reshape(11, 1, 1, 2, 4), False)[0]
    everyone = pack_rows(np.ones((1, n), bool))
    masks = np.repeat(pack_rows((y == 1)[None]), 3, axis=0)[:, None, None]
    reached, largest = permuted_scores(
        packed, everyone[0], masks, everyone, np.bincount(y)[None], observed, False
    )
    assert reached.tolist() == [0 if np.isnan(s) else 3 for s in observed]
    assert largest.tolist() == [np.nanmax(observed)] * 3
