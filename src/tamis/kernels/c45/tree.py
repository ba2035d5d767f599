"""What the C4.5 kernels share: the table, the tree and the space they work in.

A table is sorted once, however many trees are grown on it.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

MISSING_CODE = np.uint32(0xFFFFFFFF)
VALUE_TIE = 1e-5  # no cut is made between values of a column nearer than this
BLOCK_COLUMNS = 512  # columns sorted at a time, which bounds the 64-bit arrays of the sort
MAX_TABLED_ENTROPIES = 1 << 14  # entries of the table of entropies at most (128 kB)


class TreeTable(NamedTuple):
    """Columns and their orders; made by `prepare_table`, only read by the kernels.

    Each row is stored together with the rank of its value: whether two neighbours have equal values
    is seen without fetching them, which would be the most expensive part of a search.
    """

    columns: np.ndarray  # (p, n) float64; NaN is missing, a nominal column holds codes
    order: np.ndarray  # (p, n) uint16 or uint32, rows in increasing order of a column, NaN last
    mask: Any  # entry & mask is the row; the bits above hold the rank of its value
    levels: np.ndarray  # (p,) int64, 0 = numeric
    has_missing: np.ndarray  # (p,) bool
    near: np.ndarray  # (p,) bool: ranks do not decide: values within VALUE_TIE, or no room
    plain: np.ndarray  # (p,) bool: numeric, nothing missing, ranks decide


class Options(NamedTuple):
    """How to grow and prune; made by `make_options`."""

    prune: bool
    confidence: float
    raising: bool
    collapse: bool
    min_leaf: float
    max_depth: int  # 0 = no limit
    quantile: float  # of the normal distribution at 1 - confidence


class Tree(NamedTuple):
    """Nodes of a tree; a parent stands before its children, siblings side by side."""

    feature: np.ndarray  # (nodes,) int64, column of the table; -1 = leaf
    threshold: np.ndarray  # float64; values at most this go to the first child
    first_child: np.ndarray  # int64
    n_children: np.ndarray  # int64; 2, or the levels of a nominal column; 0 = leaf
    parent: np.ndarray  # int64, -1 = root
    depth: np.ndarray  # int64, 0 = root
    level: np.ndarray  # int64, which child of its parent
    counts: np.ndarray  # (nodes, C) float64, weight of each class
    weight: np.ndarray  # float64, their sum
    gain_ratio: np.ndarray  # float64, of the split; 0 = leaf


class BestSplits(NamedTuple):
    """The best split of each feature at the current node."""

    gain: np.ndarray  # (most_features,) float64; -1 = no valid split
    ratio: np.ndarray  # float64
    below: np.ndarray  # uint32, last row below the best cut
    above: np.ndarray  # uint32, first row above it


class Counting(NamedTuple):
    """Tables of logarithms, and room for class counts."""

    xlog: np.ndarray  # (n + 2,) float64, i log2 i
    log: np.ndarray  # (n + 2,) float64, log2 i
    half: np.ndarray  # float64, entropies of one side of a cut, at the place of its class counts
    both: np.ndarray  # float64, of both sides of a cut of the current node
    keys: np.ndarray  # int64, the same memory: doubles >= 0 compare as their bits do
    half_of: np.ndarray  # (C,) int64, the class counts `half` was made for
    stride: np.ndarray  # (C,) int64, by how much a row of a class moves the place in `half`
    step: np.ndarray  # (n,) uint64, the stride of the class of each row of the table
    values: np.ndarray  # (n + 2,) float64, entropies after each cut of a column
    bits: np.ndarray  # (n + 2,) int64, the same memory
    left: np.ndarray  # (C,) int64, rows of each class left of a cut
    right: np.ndarray  # (C,) int64
    left_weight: np.ndarray  # (C,) float64, the same in weights
    right_weight: np.ndarray  # (C,) float64
    levels: np.ndarray  # (most levels, C) float64, class weights by level of a nominal column
    rows: np.ndarray  # (n,) uint32, rows with a known value in the order of a column


class Routing(NamedTuple):
    """Which child each row of the current node goes to."""

    child: np.ndarray  # (n,) uint32, branch of each row; MISSING_CODE = none
    start: np.ndarray  # (most levels,) int64, a branch's stretch of entries
    stop: np.ndarray  # (most levels,) int64
    weight: np.ndarray  # (most levels,) float64, weight of the rows with a known value
    wanted: np.ndarray  # (most levels,) bool, whether the child will be searched
    rows: np.ndarray  # (n + 1,) same type as the table's order, a copy
    shares: np.ndarray  # (n,) float64, a copy of the weights of these rows


class Nodes(NamedTuple):
    """What growth and pruning keep about each node."""

    start: np.ndarray  # (nodes,) int64, its stretch of entries
    stop: np.ndarray  # (nodes,) int64
    top: np.ndarray  # (nodes,) int64, from where on entries are free
    state: np.ndarray  # (nodes,) int64, constants of `grow` and `prune`
    pending: np.ndarray  # (nodes,) int64, a stack of nodes to visit
    errors: np.ndarray  # (nodes,) float64, errors of the subtree, counted or estimated
    trial: np.ndarray  # (nodes, C) float64, class weights if a branch were raised


class Workspace(NamedTuple):
    """The tree and everything its growth needs, allocated once for each thread."""

    tree: Tree
    nodes: Nodes
    found: BestSplits
    counting: Counting
    routing: Routing
    order: np.ndarray  # (most_features, n + 1), entries as in the table; a node has a stretch
    entries: np.ndarray  # (n,) uint32, rows of the pending nodes, stretch by stretch
    shares: np.ndarray  # (n,) float64, their weights
    member: np.ndarray  # (n,) uint8, 1 for the rows of this tree
    weight: np.ndarray  # (n,) float64, of each row at the current node, else 0
    sorted: np.ndarray  # (n + 1,) same type as the table's order, its rows sorted by a feature


def make_options(
    prune: bool = True,
    confidence: float = 0.25,
    raising: bool = True,
    collapse: bool = True,
    min_leaf: float = 2,
    max_depth: int = 0,
) -> Options:
    """Options of J48 by default; ``prune=False, collapse=False`` is C4.4."""
    return Options(
        bool(prune),
        float(confidence),
        bool(raising),
        bool(collapse),
        float(min_leaf),
        int(max_depth),
        # once here: kernels have no inverse of the normal distribution
        NormalDist().inv_cdf(1 - float(confidence)),
    )


def prepare_table(X: np.ndarray, n_levels: np.ndarray) -> TreeTable:
    """Sort every column of X once.

    Parameters
    ----------
    X : (n, p) float64
        NaN is missing; a nominal column holds codes 0..L-1.
    n_levels : (p,) int64
        Declared levels L of each column, 0 = numeric.
    """
    columns = np.ascontiguousarray(np.asarray(X, dtype=np.float64).T)
    p, n = columns.shape
    bits = max(1, int(n - 1).bit_length())  # of a row; the rank, which is below n, needs no more
    # two bytes an entry up to 256 rows: the orders of a tree then fit in L1
    entry = np.dtype(np.uint16 if 2 * bits <= 16 else np.uint32)
    order = np.empty((p, n), dtype=entry)
    has_missing, near = np.empty(p, dtype=bool), np.empty(p, dtype=bool)
    for start in range(0, p, BLOCK_COLUMNS):
        stop = start + BLOCK_COLUMNS
        block = columns[start:stop]
        part = np.argsort(block, axis=1, kind="stable")  # NaN last
        values = np.take_along_axis(block, part, axis=1)
        # the rank of a value is the number of steps to a different one before it
        rank = np.zeros(part.shape, dtype=np.int64)
        np.cumsum(values[:, :-1] != values[:, 1:], axis=1, out=rank[:, 1:])
        within = values[:, :-1] + VALUE_TIE >= values[:, 1:]
        near[start:stop] = (within & (values[:, :-1] != values[:, 1:])).any(axis=1)
        near[start:stop] |= rank[:, -1] >= 1 << (8 * entry.itemsize - bits)  # no room for ranks
        has_missing[start:stop] = np.isnan(block).any(axis=1)
        order[start:stop] = np.where(near[start:stop, None], 0, rank << bits) | part
    levels = np.array(n_levels, dtype=np.int64)
    plain = (levels == 0) & ~has_missing & ~near
    mask = entry.type((1 << bits) - 1)
    return TreeTable(columns, order, mask, levels, has_missing, near, plain)


def make_workspace(
    table: TreeTable, n_classes: int, most_features: int, most_nodes: int | None = None
) -> Workspace:
    """Space for one tree at a time on `table`, with up to `most_features` features.

    The default of `most_nodes` is enough, except for trees on missing values with weights above 1:
    `build_tree` may then return -1, and has to be called again with more.
    """
    n, entry = table.columns.shape[1], table.order.dtype
    widest = max(2, int(table.levels.max(initial=0)))
    # every split has two branches of weight min_leaf >= 1, so there are fewer splits than rows
    nodes = 1 + n * widest if most_nodes is None else int(most_nodes)
    m, C = int(most_features), int(n_classes)

    def int_zeros(*shape):
        return np.zeros(shape, dtype=np.int64)

    def row_zeros(*shape):
        return np.zeros(shape, dtype=np.uint32)

    def real_zeros(*shape):
        return np.zeros(shape)

    count = np.arange(n + 2, dtype=np.float64)
    log = np.log2(np.maximum(count, 1.0))  # with 0 at 0, so that 0 log 0 = 0 below
    tree = Tree(
        int_zeros(nodes),
        real_zeros(nodes),
        int_zeros(nodes),
        int_zeros(nodes),
        int_zeros(nodes),
        int_zeros(nodes),
        int_zeros(nodes),
        real_zeros(nodes, C),
        real_zeros(nodes),
        real_zeros(nodes),
    )
    # one entropy for each choice of class counts: prod_c (N_c + 1) of them, which for sum_c N_c = n
    # is largest, (n / C + 1)^C, if all N_c are equal
    values, both = real_zeros(n + 2), real_zeros(min((n // C + 2) ** C, MAX_TABLED_ENTROPIES))
    counting = Counting(
        count * log,
        log,
        real_zeros(len(both)),
        both,
        both.view(np.int64),
        np.full(C, -1, dtype=np.int64),  # `half` is filled for no counts yet
        int_zeros(C),
        np.zeros(n, dtype=np.uint64),
        values,
        values.view(np.int64),
        int_zeros(C),
        int_zeros(C),
        real_zeros(C),
        real_zeros(C),
        real_zeros(widest, C),
        row_zeros(n),
    )
    routing = Routing(
        row_zeros(n),
        int_zeros(widest),
        int_zeros(widest),
        real_zeros(widest),
        np.zeros(widest, dtype=bool),
        np.zeros(n + 1, dtype=entry),
        real_zeros(n),
    )
    return Workspace(
        tree=tree,
        nodes=Nodes(
            int_zeros(nodes),
            int_zeros(nodes),
            int_zeros(nodes),
            int_zeros(nodes),
            int_zeros(nodes),
            real_zeros(nodes),
            real_zeros(nodes, C),
        ),
        found=BestSplits(real_zeros(m), real_zeros(m), row_zeros(m), row_zeros(m)),
        counting=counting,
        routing=routing,
        order=np.zeros((m, n + 1), dtype=entry),
        entries=row_zeros(n),
        shares=real_zeros(n),
        member=np.zeros(n, dtype=np.uint8),
        weight=real_zeros(n),
        sorted=np.zeros(n + 1, dtype=entry),
    )
