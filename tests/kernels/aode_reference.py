"""AODE and AODEsr as they are written, with sums over rows and products of probabilities."""

from __future__ import annotations

import math


class Reference:
    """Of rows of levels (None for missing), class codes, weights and numbers of levels."""

    def __init__(self, rows, y, weights, levels, n_classes):
        self.rows, self.y, self.weights = rows, y, weights
        self.levels, self.n_classes = levels, n_classes

    def frequency(self, given, c=None, known=()):
        """Weight of the rows with these values by column, in class c if one is given, and with any
        value in the columns `known`."""
        return math.fsum(
            w
            for row, label, w in zip(self.rows, self.y, self.weights, strict=True)
            if c in (None, label)
            and all(row[j] == v for j, v in given.items())
            and all(row[j] is not None for j in known)
        )

    def share(self, f, n, k, m):
        return (f + 1) / (n + k) if m is None else (f + m / k) / (n + m)

    def kept(self, row, support):
        """Columns with a value, less those that another value implies."""
        own = [j for j, value in enumerate(row) if value is not None]
        if support is None:
            return own

        def implied(i, j):
            one, other = self.frequency({i: row[i]}), self.frequency({j: row[j]})
            both = self.frequency({i: row[i], j: row[j]})
            return i != j and other > support and both == other and not (one == other and i < j)

        return [i for i in own if not any(implied(i, j) for j in own)]

    def joint(self, row, min_support, m=None, support=None):
        """P(y, x) of each class."""
        kept = self.kept(row, support)
        parents = [i for i in kept if self.frequency({i: row[i]}) >= min_support]
        if not parents:
            return [self.naive_bayes(row, c, m) for c in range(self.n_classes)]
        return [
            math.fsum(self.one_parent(row, i, kept, c, m) for i in parents) / len(parents)
            for c in range(self.n_classes)
        ]

    def one_parent(self, row, i, kept, c, m):
        """P(y, x_i) prod_j P(x_j | y, x_i)."""
        parent = {i: row[i]}
        product = self.share(
            self.frequency(parent, c),
            self.frequency({}, known=[i]),
            self.n_classes * self.levels[i],
            m,
        )
        for j in kept:
            if j != i:
                both = self.frequency({**parent, j: row[j]}, c)
                product *= self.share(both, self.frequency(parent, c, [j]), self.levels[j], m)
        return product

    def naive_bayes(self, row, c, m):
        total = self.frequency({})
        product = self.share(self.frequency({}, c), total, self.n_classes, m)
        for j, value in enumerate(row):
            if value is not None:
                f, n = self.frequency({j: value}, c), self.frequency({}, c, [j])
                product *= self.share(f, n, self.levels[j], m)
        return product
