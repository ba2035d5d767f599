"""Rows that are nearer to each other than their table allows: one patient measured several times.

Two rows are near or far only by comparison with the other rows of their table, so every step
compares. The columns are turned into ranks (whatever their scale and tails), the rows are centred
and turned into directions (a pale or a large array is like no other for that). A set of rows is a
candidate if each row of it has the others as its nearest, all of them nearer than anything outside.

Chance gives such sets too. Among points spread evenly over `d` dimensions the distance to the k-th
nearest, as a share of that to the next, is below q with probability q^(dk) (Levina & Bickel 2004,
Advances in Neural Information Processing Systems 17; Facco, d'Errico, Rodriguez & Laio 2017,
Scientific Reports 7:12140). So the shares of all rows give d, and d the number of sets as near
that chance gives in one table. For one set it may be `SET_LEVEL`. Many sets together are surer: of
those reported at most `SETS_LEVEL` may be chance's (Benjamini & Hochberg 1995), and chance gives
two within that in fewer than `SET_LEVEL` of tables. Points are not spread evenly in real tables,
so of sets that lie less clearly apart than `MAX_CLEAR_GAP_RATIO` the root of the number is taken.

Left out is a small class far from the others, whose rows are as far apart as rows elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from .._core.threads import one_thread

MIN_COLUMNS = 10  # columns of measurements; fewer cannot tell copies from likeness
MOST_ROWS = 5000
MOST_COLUMNS = 4000  # evenly spaced ones are looked at
MAX_NUMBERS = 1_000_000  # of them all
MAX_SET_ROWS = 12  # rows of one set
MAX_GAP_RATIO = 0.9  # of a candidate: the widest gap inside over the narrowest to the outside
MAX_CLEAR_GAP_RATIO = 0.65  # the same of a set that lies clearly apart
N_NEIGHBOURS = 3  # from which the dimensions are estimated
SET_LEVEL = 0.0005  # sets by chance where one is reported
SETS_LEVEL = 0.01  # of several sets that are reported
LEAST_DIMENSIONS = 6.0
MAX_NEAREST_RATIO = 0.85  # of what the nearest rows usually are apart
BLOCK_ROWS = 256


def near_identical_rows(
    X: np.ndarray, levels: Collection[int] = (), y: np.ndarray | None = None
) -> list[tuple[int, ...]]:
    """Sets of rows that are much nearer to each other than rows of this table are.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        NaN is missing.
    levels : collection of int
        Categorical columns, which are not looked at; nor are columns of few different values.
    y : ndarray of shape (n_samples,), optional
        Classes. A set that is all of a class is left out: its rows may be alike as a class is.

    Returns
    -------
    groups : list of tuple of int
        Row numbers in increasing order, sets without a row in common, the surest first.
        Rows that equal an earlier one exactly are left out (`checks.count_repeated_rows` counts
        them), and so are rows of which more than half is missing. Empty if the table has fewer
        than 10 columns of measurements, or more than 5,000 rows.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(40, 50))
    >>> near_identical_rows(X)
    []
    >>> near_identical_rows(np.vstack([X, X[7] + X[8] / 10]))
    [(7, 40)]
    """
    if not MIN_COLUMNS <= len(X) <= MOST_ROWS:
        return []
    with one_thread():
        found = _find_near(X, levels)
    return [own for own in found if y is None or (y == y[own[0]]).sum() > len(own)]


def _find_near(X: np.ndarray, levels: Collection[int]) -> list[tuple[int, ...]]:
    columns = np.delete(np.arange(X.shape[1]), list(levels))
    most = min(MOST_COLUMNS, max(MAX_NUMBERS // len(X), 10 * MIN_COLUMNS))
    if len(columns) > most:
        columns = columns[np.linspace(0, len(columns) - 1, most).astype(int)]
    some = X[:, columns]
    rows = _different_rows(some)
    V, Z = _standard_measurements(some[rows])
    if V.shape[1] < MIN_COLUMNS:
        return []
    full = np.count_nonzero(V, axis=1) >= V.shape[1] / 2
    rows, V, Z = rows[full], V[full], _unit_directions(Z[full])
    if len(rows) < MIN_COLUMNS:
        return []
    near, far = _nearest_rows(Z, min(MAX_SET_ROWS, max(2, len(rows) // 10)))
    sets = _set_share(near, far)
    if not sets:
        return []
    alone = np.ones(len(rows), bool)  # one row of each set, as if no copy had been made
    for _, members in sets:
        alone[members[1:]] = False
    if alone.sum() < MIN_COLUMNS:
        return []
    dimensions = _count_dimensions(_nearest_rows(Z[alone], N_NEIGHBOURS)[1])
    if dimensions < _least_dimensions(int(alone.sum())):
        return []
    usual = float(np.median(_nearest_rows(V[alone], 1)[1]))
    found, chances, taken = list[tuple[int, ...]](), list[float](), np.zeros(len(rows), bool)
    for log_chance, members in sorted(_log_chance(own, len(rows), dimensions) for own in sets):
        if taken[members].any():
            continue
        if _nearest_rows(V[members], len(members) - 1)[1].max() > MAX_NEAREST_RATIO * usual:
            continue
        taken[members] = True
        found.append(tuple(int(rows[i]) for i in members))
        chances.append(log_chance)
    return found[: _count_sure(chances)]


def _different_rows(X: np.ndarray) -> np.ndarray:
    """The rows that equal no earlier one."""
    first: dict[bytes, int] = {}
    return np.array([i for i, row in enumerate(X) if first.setdefault(row.tobytes(), i) == i])


def _standard_measurements(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns of measurements and their ranks, both with mean 0 and sd 1, float32; missing is 0.

    A measurement has more than ten different values, one for every ten rows, and none of them (nor
    no value) in more than half of the rows.
    """
    n, p = X.shape
    values, ranks = [], []
    for start in range(0, p, BLOCK_ROWS):
        block = np.ascontiguousarray(X[:, start : start + BLOCK_ROWS].T)
        order = np.argsort(block, axis=1)  # NaN last
        upward = np.take_along_axis(block, order, axis=1)
        run = np.zeros(block.shape, np.int64)
        np.cumsum(upward[:, 1:] > upward[:, :-1], axis=1, out=run[:, 1:])
        fine = run[:, -1] + 1 > max(10, n / 10)
        fine &= (run[:, n // 2 :] > run[:, : n - n // 2]).all(axis=1)  # none in more than half
        block, order, run = block[fine], order[fine], run[fine]
        run += np.arange(len(run))[:, None] * n  # runs of equal values, numbered through
        place = np.broadcast_to(np.arange(n, dtype=float), run.shape)
        count = np.bincount(run.ravel(), minlength=run.size)
        middle = np.bincount(run.ravel(), place.ravel(), run.size) / np.maximum(count, 1)
        rank = np.empty(run.shape)
        np.put_along_axis(rank, order, middle[run], axis=1)
        rank[np.isnan(block)] = np.nan
        values.append(_standard_block(block))
        ranks.append(_standard_block(rank))
    if not values:
        return np.empty((n, 0), np.float32), np.empty((n, 0), np.float32)
    return np.hstack(values), np.hstack(ranks)


def _standard_block(block: np.ndarray) -> np.ndarray:
    block = block - np.nanmean(block, axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):  # spread too small to be squared is none
        block /= np.nanstd(block, axis=1, keepdims=True)
    return np.nan_to_num(block, copy=False, nan=0.0, posinf=0.0, neginf=0.0).T.astype(np.float32)


def _unit_directions(Z: np.ndarray) -> np.ndarray:
    Z = Z - Z.mean(axis=1, keepdims=True)
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1e-6)


def _nearest_rows(Z: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k nearest rows of each row, and their distances, nearest first."""
    n, length = len(Z), np.einsum("ij,ij->i", Z, Z)
    near, far = np.empty((n, k), np.int64), np.empty((n, k))
    for start in range(0, n, BLOCK_ROWS):
        gap = (
            length[start : start + BLOCK_ROWS, None]
            + length
            - 2 * (Z[start : start + BLOCK_ROWS] @ Z.T)
        )
        mine = np.arange(len(gap))
        gap[mine, start + mine] = np.inf
        some = np.argpartition(gap, k - 1, axis=1)[:, :k]
        gap = np.take_along_axis(gap, some, axis=1)
        order = np.argsort(gap, axis=1)
        near[start : start + BLOCK_ROWS] = np.take_along_axis(some, order, axis=1)
        far[start : start + BLOCK_ROWS] = np.take_along_axis(gap, order, axis=1)
    return near, np.sqrt(np.maximum(far, 1e-6))  # float32 knows no smaller gap


def _set_share(near: np.ndarray, far: np.ndarray) -> list[tuple[float, list[int]]]:
    """(share, rows): the widest gap inside over the narrowest to the outside."""
    found = []
    for size in range(2, near.shape[1] + 1):
        for i in np.flatnonzero(far[:, size - 2] < MAX_GAP_RATIO * far[:, size - 1]):
            members = sorted([int(i), *near[i, : size - 1].tolist()])
            if members[0] != i:
                continue
            if all(sorted([j, *near[j, : size - 1].tolist()]) == members for j in members):
                share = float(far[members, size - 2].max() / far[members, size - 1].min())
                if share < MAX_GAP_RATIO:
                    found.append((share, members))
    return found


def _count_dimensions(far: np.ndarray) -> float:
    """How many dimensions the rows are spread over, by their nearest: the likeliest number."""
    steps = np.log(far[:, 1:] / far[:, :-1]) * np.arange(1, far.shape[1])
    return 1 / max(float(steps.mean()), 1e-9)


def _least_dimensions(n: int) -> float:
    """n rows tell how many dimensions there are the worse the fewer they are."""
    return LEAST_DIMENSIONS * float(1 + 2 / np.sqrt(n))


def _count_sure(log_chances: list[float]) -> int:
    """How many sets are reported, of logarithms of the numbers that chance gives, in order."""
    limits = np.log(
        [SETS_LEVEL * k if k > 1 else SET_LEVEL for k in range(1, len(log_chances) + 1)]
    )
    sure = np.flatnonzero(np.array(log_chances) <= limits)
    return int(sure[-1]) + 1 if len(sure) else 0


def _log_chance(own: tuple[float, list[int]], n: int, dimensions: float) -> tuple[float, list[int]]:
    """Logarithm of the number of sets as near as one that chance gives among n rows; its rows."""
    share, members = own
    number = np.log(n) + dimensions * (len(members) - 1) * np.log(share)
    return float(number if share < MAX_CLEAR_GAP_RATIO else number / 2), members
