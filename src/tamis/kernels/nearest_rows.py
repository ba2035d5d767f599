"""The most similar rows of two sparse matrices, by inner product, for the rows of both at once.

For a row of the first its products with all rows of the second are added up in a dense array,
column by column, and the best for either side are read off it. Rows of the second are taken in
tiles whose sums stay in the processor's cache; 128 sums are skipped at once unless one of them is
better than the worst that its row, or the row of the first, holds. Nothing of the product is kept,
so memory does not grow with it. Of equal products the first counts: ties, which are frequent among
names, cost nothing, and the answer is the same however the rows are divided among tasks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._jit import jit

TILE_ROWS = 1 << 15  # rows whose sums, 128 kB, fit the cache
SKIPPED_SUMS = 128  # sums that are skipped at once


class Rows(NamedTuple):
    """A sparse matrix by rows, columns rising in each row."""

    starts: np.ndarray  # (n + 1,) int64
    columns: np.ndarray  # (nnz,) uint32: a signed index would be checked for counting from the end
    values: np.ndarray  # (nnz,) float32


class Lists(NamedTuple):
    """A sparse matrix by columns, one tile of rows after the other; made by `tiled_lists`."""

    starts: np.ndarray  # (tiles, columns + 1) int64
    rows: np.ndarray  # (nnz,) uint32, within the tile
    values: np.ndarray  # (nnz,) float32
    n_rows: int


class Groups(NamedTuple):
    """Which groups each row belongs to."""

    starts: np.ndarray  # (n + 1,) int64
    groups: np.ndarray  # int32


def tiled_lists(
    starts: np.ndarray, columns: np.ndarray, values: np.ndarray, n_columns: int
) -> Lists:
    """Lists of the rows that have each column, from a sparse matrix by rows."""
    n = len(starts) - 1
    tiles = max(1, -(-n // TILE_ROWS))
    rows = np.repeat(np.arange(n), np.diff(starts))
    # sorted by tile, then column; stable, so that the rows of a list rise
    keys = (rows // TILE_ROWS) * n_columns + columns
    order = np.argsort(keys, kind="stable")
    begins = np.zeros(tiles * n_columns + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys, minlength=tiles * n_columns), out=begins[1:])
    # each tile has one more start than columns, which is the first of the next tile
    place = np.arange(tiles)[:, None] * n_columns + np.arange(n_columns + 1)
    return Lists(begins[place], (rows[order] % TILE_ROWS).astype(np.uint32), values[order], n)


class Best(NamedTuple):
    """For each row the groups that hold the most similar rows of the other matrix."""

    groups: (
        np.ndarray
    )  # (n, top) int32, the most similar first, of equal ones the one met first; -1 = none
    scores: np.ndarray  # (n, top) float32


def nearest_groups(
    queries: Rows,
    query_groups: Groups,
    lists: Lists,
    row_groups: Groups,
    top: int,
    least: float,
    begin: int,
    end: int,
) -> tuple[Best, Best]:
    """The most similar groups of rows for some queries, and of these queries for all rows.

    Parameters
    ----------
    queries : Rows
    lists : Lists
        The other matrix; the same columns.
    query_groups, row_groups : Groups
        The groups of each query and each row. A group is as similar as its most similar member.
    top : int
        Groups that are found for each query and row.
    least : float
        At least 0; only groups more similar than this are found.
    begin, end : int
        Queries begin, ..., end - 1.

    Returns
    -------
    for_queries : Best, of (end - begin) rows
    for_rows : Best
    """
    found = _nearest_groups(
        *queries, *query_groups, *lists, *row_groups, top, np.float32(least), begin, end
    )
    return Best(*found[:2]), Best(*found[2:])


@jit
def _nearest_groups(
    q_starts,
    q_columns,
    q_values,
    qg_starts,
    q_groups,
    l_starts,
    l_rows,
    l_values,
    n_rows,
    rg_starts,
    r_groups,
    top,
    least,
    begin,
    end,
):
    tiles = len(l_starts)
    table = np.zeros((TILE_ROWS // SKIPPED_SUMS, SKIPPED_SUMS), dtype=np.float32)
    sums = table.reshape(-1)  # the same memory; all 0 whenever a query begins
    # the score that a query must exceed to enter a row's list
    worst = np.full((tiles, TILE_ROWS // SKIPPED_SUMS, SKIPPED_SUMS), least, dtype=np.float32)
    q_best = np.full((end - begin, top), -1, dtype=np.int32)
    q_scores = np.zeros((end - begin, top), dtype=np.float32)
    q_held = np.zeros(end - begin, dtype=np.int64)
    r_best = np.full((n_rows, top), -1, dtype=np.int32)
    r_scores = np.zeros((n_rows, top), dtype=np.float32)
    r_held = np.zeros(n_rows, dtype=np.int64)
    for tile in range(tiles):
        steps = (min(TILE_ROWS, n_rows - tile * TILE_ROWS) + SKIPPED_SUMS - 1) // SKIPPED_SUMS
        for query in range(begin, end):
            if q_starts[query] == q_starts[query + 1]:
                continue
            for j in range(q_starts[query], q_starts[query + 1]):
                column, value = q_columns[j], q_values[j]
                for k in range(l_starts[tile, column], l_starts[tile, column + 1]):
                    sums[l_rows[k]] += value * l_values[k]
            q = query - begin
            best, score, held = q_best[q], q_scores[q], q_held[q]
            enough = score[top - 1] if held == top else least  # the same for the query's list
            for s in range(steps):
                if none_better(table, worst[tile], s, enough):
                    continue
                for k in range(SKIPPED_SUMS):
                    value = table[s, k]
                    table[s, k] = 0
                    # beyond the last row sums stay 0, which is above neither limit
                    row = tile * TILE_ROWS + s * SKIPPED_SUMS + k
                    if value > enough:
                        for j in range(rg_starts[row], rg_starts[row + 1]):
                            held = enter_group(r_groups[j], value, best, score, held)
                        if held == top:
                            enough = score[top - 1]
                    if value > worst[tile, s, k]:
                        for j in range(qg_starts[query], qg_starts[query + 1]):
                            r_held[row] = enter_group(
                                q_groups[j], value, r_best[row], r_scores[row], r_held[row]
                            )
                        if r_held[row] == top:
                            worst[tile, s, k] = r_scores[row, top - 1]
            q_held[q] = held
    return q_best, q_scores, r_best, r_scores


@jit
def none_better(table, worst, s, enough):
    """Whether none of 128 sums is better than what is held; they are then set to 0."""
    good = np.uint8(0)  # no early exit, which would keep the loop from becoming vector code
    for k in range(SKIPPED_SUMS):
        good |= np.uint8(table[s, k] > min(enough, worst[s, k]))
    if good == 0:
        for k in range(SKIPPED_SUMS):
            table[s, k] = 0
    return good == 0


@jit
def enter_group(group, value, found, score, held):
    """Put a group, which may be listed already, in its place; returns how many are held."""
    # scores fall along the list, and a group is listed once
    place = held
    for k in range(held):
        if found[k] == group:
            place = k
            break
    if place == held and held < len(found):
        held += 1
    # it must exceed its own score, or the worst of a full list
    elif value <= score[min(place, held - 1)]:
        return held
    place = min(place, held - 1)
    while place > 0 and value > score[place - 1]:  # after equal ones, which were met before
        found[place] = found[place - 1]
        score[place] = score[place - 1]
        place -= 1
    found[place] = group
    score[place] = value
    return held


def merged_best(starts: np.ndarray, members: np.ndarray, found: Best) -> Best:
    """Merge the lists of rows that go together into one list for each set of rows.

    Parameters
    ----------
    starts : (n + 1,) int64
    members : int64
        Rows members[starts[i]], ..., members[starts[i + 1] - 1] go together.
    found : Best
    """
    return Best(*_merge_lists(starts, members, *found))


@jit
def _merge_lists(starts, members, groups, scores):
    n, top = len(starts) - 1, groups.shape[1]
    best = np.full((n, top), -1, dtype=np.int32)
    score = np.zeros((n, top), dtype=np.float32)
    for i in range(n):
        held = 0
        for k in range(starts[i], starts[i + 1]):
            row = members[k]
            for j in range(top):
                if groups[row, j] < 0:
                    break
                held = enter_group(groups[row, j], scores[row, j], best[i], score[i], held)
    return best, score
