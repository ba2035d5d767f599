"""Class means and sums of squares of every training part, in one pass over X.

The training parts of a nested protocol overlap: with 5 inner folds each row belongs to 5
of the 6 parts. The rows are therefore split into *atoms*, the groups of rows that no part
tells apart. Each atom's moments are computed once, by a pass over a block of columns
that stays in cache, and a part's moments are merged from its atoms (Chan, Golub & LeVeque
1983, "Algorithms for computing the sample variance", eq. 1.5), which reads no row outside
the part. Repeated inner folds have atoms of their own: with ten repeats of all of them at once
nearly every row would be one.

Values count from one row of their atom and class, the anchor. Without that shift a column
with a large offset would lose digits where atoms merge, and a constant column (0.1, say)
would get means that differ between classes in the last bit, and be ranked by them. With it one
pass is enough for the squares: the anchor is one of the n values, so that their squares about it
are at most n + 1 times those about their mean, and the difference loses no more digits than that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._jit import jit

BLOCK = 512  # columns in flight: 4 KB a row, so that the rows and an atom's sums stay in L2


@jit
def merge_moments(X, order, ends, counts, member, of, means, squares):
    """Means and within-class sums of squares of each part, into `means` and `squares`.

    Parameters
    ----------
    X : (n, p) float64, C order
    order : (n_sets, n) int64
        The rows of each group in turn, for each set of parts. A group is an atom and a class,
        ``atom * C + class``; values count from its first row, the anchor.
    ends : (n_sets, n_atoms * C + 1) int64
        Where groups begin and end there.
    counts : (n_sets, n_atoms, C) int64
        Rows of each atom and class.
    member : (n_parts, n_atoms) bool
        Which atoms of its set make up a part.
    of : (n_parts,) int64
        The set of each part, rising.
    means, squares : (n_parts, C, p)
        Become 0 where a part has no row of the class.
    """
    p = X.shape[1]
    n_sets, n_atoms, n_classes = counts.shape
    atom_mean = np.empty((n_atoms * n_classes, BLOCK))  # less the anchor
    atom_square = np.empty((n_atoms * n_classes, BLOCK))
    for start in range(0, p, BLOCK):
        width = min(BLOCK, p - start)
        part = 0
        for k in range(n_sets):
            atom_moments(X, start, width, order[k], ends[k], atom_mean, atom_square)
            while part < len(of) and of[part] == k:
                for c in range(n_classes):
                    merge_atoms(
                        X, start, width, c, order[k], ends[k], counts[k], member[part],
                        atom_mean, atom_square, means[part, c], squares[part, c],
                    )  # fmt: skip
                part += 1


@jit
def atom_moments(X, start, width, order, ends, means, squares):
    """Of a block of columns: means less the anchor, and sums of squares, of each group of rows."""
    for g in range(len(ends) - 1):
        n = ends[g + 1] - ends[g]
        if n == 0:
            continue
        mean, square = means[g, :width], squares[g, :width]
        base = X[order[ends[g]], start : start + width]
        mean[:] = 0.0
        square[:] = 0.0
        for i in range(ends[g] + 1, ends[g + 1]):
            row = X[order[i], start : start + width]
            for j in range(width):
                d = row[j] - base[j]
                mean[j] += d
                square[j] += d * d
        for j in range(width):
            total = mean[j]
            mean[j] = total / n
            square[j] -= total * mean[j]


@jit
def merge_atoms(
    X, start, width, c, order, ends, counts, member, atom_mean, atom_square, means, squares
):  # fmt: skip
    """Of a block of columns: what a class of a part has of its atoms."""
    mean, square = means[start : start + width], squares[start : start + width]
    seen, origin = 0, 0  # the row from which the part's mean counts
    for a in range(len(member)):
        more, g = counts[a, c], a * counts.shape[1] + c
        if not member[a] or more == 0:
            continue
        other, extra = atom_mean[g, :width], atom_square[g, :width]
        if seen == 0:
            origin = order[ends[g]]
            for j in range(width):
                mean[j] = other[j]
                square[j] = extra[j]
        else:
            zero = X[origin, start : start + width]
            base = X[order[ends[g]], start : start + width]
            share = more / (seen + more)
            weight = seen * share
            for j in range(width):
                d = (base[j] - zero[j]) + (other[j] - mean[j])
                mean[j] += d * share
                square[j] += extra[j] + d * d * weight
        seen += more
    if seen == 0:
        mean[:] = 0.0
        square[:] = 0.0
        return
    zero = X[origin, start : start + width]
    for j in range(width):
        mean[j] += zero[j]


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
    n, sets = len(X), nested_sets(len(X), parts)
    found = [atoms_of(n, y, some, n_classes) for some in sets]
    most = max(member.shape[1] for _, member in found)
    counts = np.zeros((len(sets), most * n_classes), dtype=np.int64)
    order = np.zeros((len(sets), n), dtype=np.int64)
    ends = np.zeros((len(sets), most * n_classes + 1), dtype=np.int64)
    for k, (group, _) in enumerate(found):
        used = np.flatnonzero(group >= 0)
        order[k, : len(used)] = used[np.argsort(group[used], kind="stable")]
        counts[k] = np.bincount(group[used], minlength=most * n_classes)
        np.cumsum(counts[k], out=ends[k, 1:])
    counts = counts.reshape(len(sets), most, n_classes)
    member = np.zeros((len(parts), most), dtype=bool)
    of = np.repeat(np.arange(len(sets)), [len(some) for some in sets])
    for part, row in enumerate(row for _, own in found for row in own):
        member[part, : len(row)] = row
    means = np.empty((len(parts), n_classes, X.shape[1]))
    squares = np.empty(means.shape)
    merge_moments(X, order, ends, counts, member, of, means, squares)
    return (member[:, :, None] * counts[of]).sum(axis=1), means, squares


def nested_sets(n: int, parts: Sequence[np.ndarray]) -> list[list[np.ndarray]]:
    """Parts in their order, in as few sets as have few atoms each: a set ends where a part leaves
    out a row that another of the set has left out, as the next repeat of inner folds does."""
    inside = np.zeros((len(parts), n), dtype=bool)
    for own, rows in zip(inside, parts, strict=True):
        own[rows] = True
    left_out = inside.any(axis=0) & ~inside
    sets: list[list[np.ndarray]] = []
    so_far = np.zeros(n, dtype=bool)
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
    """``atom * C + class`` of each row (n,), -1 for rows in no part, and which atoms make up each
    part (n_parts, n_atoms)."""
    inside = np.zeros((n, len(parts)), dtype=bool)
    for k, rows in enumerate(parts):
        inside[rows, k] = True
    patterns, atom = np.unique(inside, axis=0, return_inverse=True)
    group = np.where(inside.any(axis=1), atom.reshape(-1) * n_classes + y, -1)
    return group.astype(np.int64), np.ascontiguousarray(patterns.T)
