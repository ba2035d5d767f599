"""Class means and sums of squares of every training part, in one pass over X.

The training parts of a nested protocol overlap: with 5 inner folds each row belongs to 5
of the 6 parts. The rows are therefore split into *atoms*, the groups of rows that no part
tells apart. Each atom's moments are computed once, by two passes over a block of columns
that stays in cache, and a part's moments are merged from its atoms (Chan, Golub & LeVeque
1983, "Algorithms for computing the sample variance", eq. 1.5), which reads no row outside
the part.

Values count from one row of their atom and class, the anchor. Without that shift a column
with a large offset would lose digits where atoms merge, and a constant column (0.1, say)
would get means that differ between classes in the last bit, and be ranked by them.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

BLOCK = 256  # columns in flight: 2 KB a row, so that an atom's sums stay in L1/L2


@jit
def merge_moments(X, group, anchor, counts, member):
    """Means and within-class sums of squares of each part.

    Parameters
    ----------
    X : (n, p) float64, C order
    group : (n,) int64
        ``atom * C + class`` of each row; -1 for rows in no part.
    anchor : (n_atoms * C,) int64
        A row of each group, from which its values count; not read for an empty group.
    counts : (n_atoms, C) int64
        Rows of each atom and class.
    member : (n_parts, n_atoms) bool
        Which atoms make up a part.

    Returns
    -------
    means, squares : (n_parts, C, p)
        Zero where a part has no row of the class.
    """
    n, p = X.shape
    n_parts, n_atoms = member.shape
    n_classes = counts.shape[1]
    means = np.zeros((n_parts, n_classes, p))
    squares = np.zeros((n_parts, n_classes, p))
    atom_mean = np.empty((n_atoms * n_classes, BLOCK))  # less the anchor
    atom_square = np.empty((n_atoms * n_classes, BLOCK))
    flat = counts.reshape(-1)
    for start in range(0, p, BLOCK):
        width = min(BLOCK, p - start)
        atom_mean[:] = 0.0
        atom_square[:] = 0.0
        for i in range(n):
            g = group[i]
            if g >= 0:
                row = X[i, start : start + width]
                base = X[anchor[g], start : start + width]
                into = atom_mean[g, :width]
                for j in range(width):
                    into[j] += row[j] - base[j]
        for g in range(n_atoms * n_classes):
            if flat[g] > 0:
                into = atom_mean[g, :width]
                for j in range(width):
                    into[j] /= flat[g]
        for i in range(n):
            g = group[i]
            if g >= 0:
                row = X[i, start : start + width]
                base = X[anchor[g], start : start + width]
                centre = atom_mean[g, :width]
                into = atom_square[g, :width]
                for j in range(width):
                    d = (row[j] - base[j]) - centre[j]
                    into[j] += d * d
        for part in range(n_parts):
            for c in range(n_classes):
                seen = 0
                origin = 0  # the row from which the part's mean counts
                mean = means[part, c, start : start + width]
                square = squares[part, c, start : start + width]
                for a in range(n_atoms):
                    more = counts[a, c]
                    if not member[part, a] or more == 0:
                        continue
                    g = a * n_classes + c
                    if seen == 0:
                        origin = anchor[g]
                    zero = X[origin, start : start + width]
                    base = X[anchor[g], start : start + width]
                    other = atom_mean[g, :width]
                    extra = atom_square[g, :width]
                    share = more / (seen + more)
                    weight = seen * share
                    for j in range(width):
                        d = (base[j] - zero[j]) + (other[j] - mean[j])
                        mean[j] += d * share
                        square[j] += extra[j] + d * d * weight
                    seen += more
                if seen > 0:
                    zero = X[origin, start : start + width]
                    for j in range(width):
                        mean[j] += zero[j]
    return means, squares


def part_moments(
    X: np.ndarray, y: np.ndarray, parts: list[np.ndarray], n_classes: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts (n_parts, C), means and within-class sums of squares (n_parts, C, p).

    Parameters
    ----------
    X : (n, p) float64, C order, finite
    y : (n,) int64 class codes
    parts : list of row-index arrays
    """
    group, member = atoms_of(len(X), y, parts, n_classes)
    used = group >= 0
    counts = np.bincount(group[used], minlength=member.shape[1] * n_classes)
    anchor = np.zeros(len(counts), dtype=np.int64)
    anchor[group[used]] = np.flatnonzero(used)
    counts = counts.reshape(-1, n_classes)
    means, squares = merge_moments(X, group, anchor, counts, member)
    return member.astype(np.int64) @ counts, means, squares


def atoms_of(
    n: int, y: np.ndarray, parts: list[np.ndarray], n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """``atom * C + class`` of each row (n,), -1 for rows in no part, and which atoms make up each
    part (n_parts, n_atoms)."""
    inside = np.zeros((n, len(parts)), dtype=bool)
    for k, rows in enumerate(parts):
        inside[rows, k] = True
    patterns, atom = np.unique(inside, axis=0, return_inverse=True)
    group = np.where(inside.any(axis=1), atom.reshape(-1) * n_classes + y, -1)
    return group.astype(np.int64), np.ascontiguousarray(patterns.T)
