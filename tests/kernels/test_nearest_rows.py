"""The most similar rows, against the whole product."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from common.examples import settings
from tamis.kernels import nearest_rows
from tamis.kernels.nearest_rows import Best, Groups, Rows, merged_best, nearest_groups, tiled_lists


def as_rows(matrix):
    return Rows(
        matrix.indptr.astype(np.int64),
        matrix.indices.astype(np.uint32),
        matrix.data.astype(np.float32),
    )


def plain_best(product, groups, top, least):
    """For each row the best groups of columns, met one after the other; sums of whole numbers."""
    found = []
    for row in product:
        best = {}
        for column, value in enumerate(row):
            for group in groups[column]:
                if value > max(least, best.get(group, (-np.inf,))[0]):
                    best[group] = (value, -column, -groups[column].index(group))
        found.append(sorted(best, key=lambda group: best[group], reverse=True)[:top])
    return found


def as_groups(lists):
    starts = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return Groups(starts, np.array([g for one in lists for g in one], dtype=np.int32))


def listed(best):
    return [[int(g) for g in row if g >= 0] for row in best.groups]


def search(first, second, groups, top, least, blocks=1):
    lists = tiled_lists(
        second.indptr, second.indices, second.data.astype(np.float32), second.shape[1]
    )
    ends = np.linspace(0, first.shape[0], blocks + 1).astype(int)
    found = [
        nearest_groups(
            as_rows(first), as_groups(groups[0]), lists, as_groups(groups[1]), top, least, a, b
        )
        for a, b in pairwise(ends)
    ]
    queries, rows = (
        Best(*(np.concatenate(part) for part in zip(*side, strict=True)))
        for side in zip(*found, strict=True)
    )
    n = second.shape[0]
    order = np.argsort(np.tile(np.arange(n), blocks), kind="stable")
    return queries, merged_best(np.arange(n + 1) * blocks, order, rows)


def made_up(seed, n, m, columns, density=0.3):
    """Small whole numbers, so that sums are exact and there are many ties."""
    rng = np.random.default_rng(seed)
    tables = [
        rng.integers(1, 4, (rows, columns)) * (rng.random((rows, columns)) < density)
        for rows in (n, m)
    ]
    groups = [
        [sorted(rng.choice(9, rng.integers(0, 3), replace=False).tolist()) for _ in range(rows)]
        for rows in (n, m)
    ]
    return tables, groups


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 20),
    st.integers(1, 20),
    st.integers(1, 4),
    st.sampled_from([0.0, 2.0, 5.0]),
    st.integers(1, 3),
)
def test_best_for_either_side_are_those_of_the_whole_product(seed, n, m, top, least, blocks):
    (first, second), groups = made_up(seed, n, m, 12)
    queries, rows = search(csr_array(first), csr_array(second), groups, top, least, min(blocks, n))
    product = first @ second.T
    assert listed(queries) == plain_best(product, groups[1], top, least)
    assert listed(rows) == plain_best(product.T, groups[0], top, least)
    for q, found in enumerate(listed(queries)):
        best = [max(product[q, k] for k in range(m) if g in groups[1][k]) for g in found]
        assert queries.scores[q, : len(found)].tolist() == best


def test_tiles_do_not_show(monkeypatch):
    """More rows than a tile holds, the best of them in every tile."""
    m = 2 * nearest_rows.TILE_ROWS + 77
    second = csr_array((np.ones(m), (np.arange(m), np.arange(m) % 1000)), shape=(m, 1000))
    second.data[[5, m // 2, m - 1]] = 9
    first = csr_array(np.eye(1000)[[5, m // 2 % 1000, (m - 1) % 1000, 7]])
    groups = [[[q] for q in range(4)], [[k] for k in range(m)]]
    queries, rows = search(first, second, groups, 2, 0.5)
    assert queries.groups[:, 0].tolist() == [5, m // 2, m - 1, 7]
    assert queries.groups[3].tolist() == [7, 1007]
    assert rows.groups[1007].tolist() == [3, -1]


@pytest.mark.parametrize("n", [0, 3])
def test_empty_rows_find_nothing(n):
    empty = csr_array((n, 5))
    queries, rows = search(empty, csr_array(np.eye(5)), [[[0]] * n, [[0]] * 5], 2, 0.0)
    assert (queries.groups == -1).all()
    assert (rows.groups == -1).all()
    assert queries.groups.shape == (n, 2)
