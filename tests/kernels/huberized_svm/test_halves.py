"""Halves against plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.huberized_svm.halves import gather_centred


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_a_half_is_centred_over_its_own_rows(n, p, seed):
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(p, n))
    rows = np.sort(rng.choice(n, rng.integers(1, n + 1), replace=False))
    columns[0, rows] = 0.1
    half = gather_centred(columns, rows)
    assert (half[0] == 0).all()
    for j in range(p):
        mean = sum(columns[j, i] for i in rows) / len(rows)
        np.testing.assert_allclose(half[j], [columns[j, i] - mean for i in rows], atol=1e-12)
