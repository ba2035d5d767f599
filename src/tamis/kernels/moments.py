"""Class means and sums of squares of every training set, in one pass over X.

The training sets of a nested protocol overlap: with 5 inner folds each row belongs to 5
of the 6 parts. The rows are therefore split into *atoms*, the groups of rows that are in the same
parts. Each atom's sums are computed once, by a pass over a block of columns that stays in cache,
and a part's moments are merged from those of its atoms (as by Chan, Golub & LeVeque 1983,
"Algorithms for computing the sample variance"), which reads no row outside the part. Each repeat
of inner folds has atoms of its own: those of ten repeats together would nearly all be single rows.

Values are differences to one row of their atom and class, the anchor. Without that shift a column
with a large offset would lose digits, and a constant column (0.1, say) would get means that differ
between classes in the last bit, and be ranked by them. With it one pass is enough for the squares:
the anchor a is one of the n values, so that

    sum (x - a)^2 = S + n (mean - a)^2 <= (n + 1) S,  S = sum (x - mean)^2

and the subtraction that gives S loses no more digits than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._jit import jit

MOST_BITS = 62  # bits of a row that are written as one int64
BLOCK_COLUMNS = 512  # columns in flight: 4 KB a row, so that the rows and an atom's sums stay in L2


@jit
def merge_moments(X, order, ends, counts, member, of, means, squares, totals, groups):
    """Means and within-class sums of squares of each part, into `means` and `squares`.

    Parameters
    ----------
    X : (n, p) float64, C order
    order : (n_sets, n) int64
        The rows of each group in turn, for each set of parts. A group is an atom and a class,
        ``atom * C + class``; its first row is the anchor.
    ends : (n_sets, n_atoms * C + 1) int64
        Where groups begin and end in `order`.
    counts : (n_sets, n_atoms, C) int64
        Rows of each atom and class.
    member : (n_parts, n_atoms) bool
        Which atoms of its set make up a part.
    of : (n_parts,) int64
        The set of each part, rising.
    means, squares : (n_parts, C, p)
        Become 0 where a part has no row of the class.
    totals : (2, n_atoms * C + 1, BLOCK)
        Scratch for sums and squares of each group; those of the last, without rows, are 0.
    groups : (n_atoms,) int64
        Scratch.
    """
    p = X.shape[1]
    n_sets, n_atoms, n_classes = counts.shape
    for start in range(0, p, BLOCK_COLUMNS):
        width = min(BLOCK_COLUMNS, p - start)
        part = 0  # parts are in the order of their sets: one pass over them for all sets
        for k in range(n_sets):
            atom_moments(X, start, width, order[k], ends[k], totals[0], totals[1])
            while part < len(of) and of[part] == k:
                for c in range(n_classes):
                    # the part's atoms with rows of this class
                    found = 0
                    for a in range(n_atoms):
                        if member[part, a] and counts[k, a, c] > 0:
                            groups[found] = a * n_classes + c
                            found += 1
                    merge_atoms(
                        X,
                        start,
                        groups[:found],
                        order[k],
                        ends[k],
                        totals[0],
                        totals[1],
                        means[part, c, start : start + width],
                        squares[part, c, start : start + width],
                    )
                part += 1


@jit
def atom_moments(X, start, width, order, ends, totals, squares):
    """Sums of the differences to the anchor and of their squares, for each group and the `width`
    columns from `start` on, into `totals` and `squares`.

    Four rows at a time, which reads and writes the sums once for the four; the anchor stands in for
    rows that are missing, since its differences are 0.
    """
    for g in range(len(ends) - 1):
        first, last = ends[g], ends[g + 1]
        if first == last:  # what stands there is never read
            continue
        total, square = totals[g, :width], squares[g, :width]
        anchor = order[first]
        base = X[anchor, start : start + width]
        for j in range(width):
            total[j] = square[j] = 0.0
        for i in range(first + 1, last, 4):  # the anchor's own difference is 0
            row0 = X[order[i], start : start + width]
            row1 = X[order[i + 1] if i + 1 < last else anchor, start : start + width]
            row2 = X[order[i + 2] if i + 2 < last else anchor, start : start + width]
            row3 = X[order[i + 3] if i + 3 < last else anchor, start : start + width]
            for j in range(width):
                zero = base[j]
                d0, d1, d2, d3 = row0[j] - zero, row1[j] - zero, row2[j] - zero, row3[j] - zero
                total[j] += (d0 + d1) + (d2 + d3)
                square[j] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)


@jit
def merge_atoms(X, start, groups, order, ends, totals, squares, mean, square):
    """Mean and sum of squares of a class in a part, from its groups, for a block of columns.

    The anchor of the first group is that of the part. A group of n rows with the sums t and q,
    whose anchor is b above it, adds to T = sum (t + n b) and Q = sum (q + b (2 t + n b)); whole
    numbers give the same T and Q in any order. With N rows in all the mean is anchor + T / N, the
    sum of squares Q - T^2 / N. Three groups at a time, at the end with some that have no rows.
    """
    width, nothing = len(mean), len(squares) - 1
    for j in range(width):
        mean[j] = square[j] = 0.0
    if len(groups) == 0:
        return
    first, own, n = group_at(groups, 0, ends, nothing)  # b = 0 for it: t and q are added last
    zero, t_first, q_first = X[order[ends[first]], start : start + width], totals[own], squares[own]
    # a group beyond the last has n = t = q = 0, and as its anchor a row of the part, whose numbers
    # are finite: it adds exactly 0
    for k in range(1, len(groups), 3):
        a, own_a, n_a = group_at(groups, k, ends, nothing)
        b, own_b, n_b = group_at(groups, k + 1, ends, nothing)
        c, own_c, n_c = group_at(groups, k + 2, ends, nothing)
        n += n_a + n_b + n_c
        base_a, t_a, q_a = X[order[ends[a]], start : start + width], totals[own_a], squares[own_a]
        base_b, t_b, q_b = X[order[ends[b]], start : start + width], totals[own_b], squares[own_b]
        base_c, t_c, q_c = X[order[ends[c]], start : start + width], totals[own_c], squares[own_c]
        w_a, w_b, w_c = float(n_a), float(n_b), float(n_c)
        for j in range(width):
            d_a, d_b, d_c = base_a[j] - zero[j], base_b[j] - zero[j], base_c[j] - zero[j]
            by_a, by_b, by_c = w_a * d_a, w_b * d_b, w_c * d_c
            mean[j] += (t_a[j] + by_a) + (t_b[j] + by_b) + (t_c[j] + by_c)
            square[j] += (q_a[j] + d_a * (2 * t_a[j] + by_a)) + (
                (q_b[j] + d_b * (2 * t_b[j] + by_b)) + (q_c[j] + d_c * (2 * t_c[j] + by_c))
            )
    # `mean` and `square` have held T and Q so far
    for j in range(width):
        total = mean[j] + t_first[j]
        mean[j] = total / n
        square[j] += q_first[j] - total * mean[j]
        mean[j] += zero[j]


@jit
def group_at(groups, k, ends, nothing):
    """The k-th group, the row of its sums, its number of rows; beyond the last one without rows."""
    if k < len(groups):
        return groups[k], groups[k], ends[groups[k] + 1] - ends[groups[k]]
    return groups[0], nothing, 0


@dataclass(frozen=True)
class GroupedRows:
    """The rows of training sets by atom and class, as `merge_moments` takes them.

    Attributes
    ----------
    order, ends, counts, member, of : ndarray
        As there.
    """

    order: np.ndarray
    ends: np.ndarray
    counts: np.ndarray
    member: np.ndarray
    of: np.ndarray

    @property
    def part_counts(self) -> np.ndarray:
        """Rows of each class in each part, (n_parts, C)."""
        found: np.ndarray = (self.member[:, :, None] * self.counts[self.of]).sum(axis=1)
        return found

    def moments(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What `part_moments` gives."""
        _, most, n_classes = self.counts.shape
        means = np.empty((len(self.of), n_classes, X.shape[1]))
        squares = np.empty(means.shape)
        totals = np.zeros((2, most * n_classes + 1, BLOCK_COLUMNS))
        groups = np.empty(most, dtype=np.int64)
        merge_moments(
            X,
            self.order,
            self.ends,
            self.counts,
            self.member,
            self.of,
            means,
            squares,
            totals,
            groups,
        )
        return self.part_counts, means, squares


def joined_groups(found: Sequence[GroupedRows]) -> GroupedRows:
    """Those of several tables of the same rows and classes, whose labels may differ, as one."""
    most = max(one.counts.shape[1] for one in found)

    def padded(array: np.ndarray, axis: int, length: int, mode: Any = "constant") -> np.ndarray:
        width = [(0, length - n if k == axis else 0) for k, n in enumerate(array.shape)]
        return np.pad(array, width, mode)

    n_ends = max(one.ends.shape[1] for one in found)
    first = np.cumsum([0, *(len(one.order) for one in found)])
    return GroupedRows(
        np.concatenate([one.order for one in found]),
        np.concatenate([padded(one.ends, 1, n_ends, "edge") for one in found]),
        np.concatenate([padded(one.counts, 1, most) for one in found]),
        np.concatenate([padded(one.member, 1, most) for one in found]),
        np.concatenate([at + one.of for at, one in zip(first, found, strict=False)]),
    )


def part_moments(
    X: np.ndarray, y: np.ndarray, parts: Sequence[np.ndarray], n_classes: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts (n_parts, C), means and within-class sums of squares (n_parts, C, p).

    Parameters
    ----------
    X : (n, p) float64, C order, finite
    y : (n,) int64 class codes
    parts : list of row-index arrays
    """
    return grouped_rows(len(X), y, parts, n_classes).moments(X)


def grouped_rows(n: int, y: np.ndarray, parts: Sequence[np.ndarray], n_classes: int) -> GroupedRows:
    """Rows of the parts of a table of n rows, with class codes y (n,)."""
    sets = nested_sets(n, parts)
    # sets have different numbers of atoms: arrays have room for the most, where others have no rows
    found = [atoms_of(n, y, some, n_classes) for some in sets]
    most = max(member.shape[1] for _, member in found)
    counts = np.zeros((len(sets), most * n_classes), dtype=np.int64)
    order = np.zeros((len(sets), n), dtype=np.int64)
    ends = np.zeros((len(sets), most * n_classes + 1), dtype=np.int64)
    for k, (group, _) in enumerate(found):
        used = np.flatnonzero(group >= 0)
        # stable, so the anchor is the first row of a group in X, in whatever order parts list them
        order[k, : len(used)] = used[np.argsort(group[used], kind="stable")]
        counts[k] = np.bincount(group[used], minlength=most * n_classes)
        np.cumsum(counts[k], out=ends[k, 1:])
    member = np.zeros((len(parts), most), dtype=bool)
    of = np.repeat(np.arange(len(sets)), [len(some) for some in sets])
    for part, row in enumerate(row for _, own in found for row in own):
        member[part, : len(row)] = row
    return GroupedRows(order, ends, counts.reshape(len(sets), most, n_classes), member, of)


def nested_sets(n: int, parts: Sequence[np.ndarray]) -> list[list[np.ndarray]]:
    """Split the parts, in their order, into sets with few atoms each.

    A new set begins with a part that leaves out a row which another part of the set leaves out too,
    as the first part of the next repeat of inner folds does.
    """
    inside = np.zeros((len(parts), n), dtype=bool)
    for own, rows in zip(inside, parts, strict=True):
        own[rows] = True
    # rows in no part, as those of an outer test set, do not count
    left_out = inside.any(axis=0) & ~inside
    sets: list[list[np.ndarray]] = []
    so_far = np.zeros(n, dtype=bool)
    # so_far: rows left out by the parts of the last set, by one part each
    for rows, own in zip(parts, left_out, strict=True):
        if not sets or (so_far & own).any():
            sets.append([])
            so_far[:] = False
        so_far |= own
        sets[-1].append(rows)
    return sets


def atoms_of(
    n: int, y: np.ndarray, parts: Sequence[np.ndarray], n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """The group ``atom * C + class`` of each row (n,), -1 for rows in no part, and which atoms make
    up each part, (n_parts, n_atoms) bool."""
    # an atom is a pattern: in which parts a row is
    inside = np.zeros((n, len(parts)), dtype=bool)
    for k, rows in enumerate(parts):
        inside[rows, k] = True
    patterns, atom = distinct_rows(inside)
    group = np.where(inside.any(axis=1), atom * n_classes + y, -1)
    return group.astype(np.int64), np.ascontiguousarray(patterns.T)


def distinct_rows(inside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct rows of a table of bits, sorted, and the number of each row among them (n,).

    Rows of few bits are compared as whole numbers, which takes a tenth of the time.
    """
    if inside.shape[1] > MOST_BITS:
        patterns, atom = np.unique(inside, axis=0, return_inverse=True)
        return patterns, atom.reshape(-1)  # NumPy 2.0 returns two axes
    # the first column is the highest bit: the order of the numbers is that of the rows
    numbers = inside @ (1 << np.arange(inside.shape[1])[::-1])
    _, first, atom = np.unique(numbers, return_index=True, return_inverse=True)
    return inside[first], atom
