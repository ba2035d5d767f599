"""Leading eigenvectors from products alone, against those of the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.kernels.leading import leading_eigenvectors


@given(seed=st.integers(0, 10**6), n=st.integers(30, 120), k=st.integers(1, 4))
def test_equals_eigh(seed, n, k):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((n, rng.integers(k + 1, 2 * n))) * rng.choice([1e-3, 1, 1e3])
    matrix = root @ root.T
    values, vectors, residuals = leading_eigenvectors(
        lambda q: matrix @ q, rng.standard_normal((n, k + 6)), k, 1e-7
    )
    wanted = np.linalg.eigvalsh(matrix)[::-1][:k]
    assert np.allclose(values, wanted, rtol=1e-6)
    assert np.allclose(vectors.T @ vectors, np.eye(k), atol=1e-10)
    left = np.linalg.norm(matrix @ vectors - vectors * values, axis=0)
    assert np.allclose(left, residuals * values, atol=1e-6 * values[0])


def test_it_says_where_it_did_not_get_there():
    rng = np.random.default_rng(0)
    matrix = np.diag(1 + np.arange(2000) / 1e5)
    few = leading_eigenvectors(lambda q: matrix @ q, rng.standard_normal((2000, 6)), 3, 1e-9, 3, 4)
    assert (few[2] > 1e-9).all()
    assert np.allclose(
        np.linalg.norm(matrix @ few[1] - few[1] * few[0], axis=0) / few[0], few[2], rtol=1e-5
    )


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_matrices_of_small_rank(rank):
    rng = np.random.default_rng(rank)
    root = rng.standard_normal((60, rank))
    values, vectors, _ = leading_eigenvectors(
        lambda q: root @ (root.T @ q), rng.standard_normal((60, 12)), 5, 1e-6
    )
    wanted = np.zeros(5)
    wanted[:rank] = np.linalg.eigvalsh(root @ root.T)[::-1][:rank]
    assert np.allclose(values, wanted, atol=1e-9)
    assert np.allclose(vectors.T @ vectors, np.eye(5), atol=1e-10)
