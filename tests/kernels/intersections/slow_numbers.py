"""Trees over numbers by recursion over dictionaries, with the very same draws."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, isnan

from kernels.intersections.reference import child_key, children_of, draw_below


@dataclass
class SlowNumberTrees:
    """Trees of class c.

    A row is a list of numbers, NaN for missing; `members` are the rows of each class. An item is
    (low, high), a frozenset of categories, or the root's value, by feature. What trees come to is
    in `trees` and `leaves`, by set and in the order in which sets were met.
    """

    rows: list
    members: list
    c: int
    caps: list
    least: float
    categorical: list
    epsilon: float
    radius: float  # 0: intervals
    depth: int
    branch: float
    min_size: int
    most_work: int
    trees: dict = field(default_factory=dict)
    leaves: dict = field(default_factory=dict)
    thinned: set = field(default_factory=set)
    work: int = 0  # of the tree that looked at most

    def column(self, j, classes):
        """Known values of a feature in some classes."""
        values = [self.rows[i][j] for k in classes for i in self.members[k]]
        return [x for x in values if not isnan(x)]

    def grow(self, keys):
        everyone = range(len(self.members))
        p = len(self.rows[0])
        columns = [self.column(j, everyone) for j in range(p)]
        self.used = [j for j in range(p) if len(set(columns[j])) > 1]
        self.spans = [0.0] * p
        for j in self.used:
            self.spans[j] = max(columns[j]) - (0 if self.categorical[j] else min(columns[j]))
        self.mine = [self.rows[i] for i in self.members[self.c]]
        for self.tree, key in enumerate(keys):
            row = self.mine[draw_below(key, len(self.mine))]
            met = [row]
            items = self.items_of(met, self.used)
            if self.valid(items):
                self.work = max(self.work, self.descend(items, met, key, 0, 1, self.most_work))
        return self

    def items_of(self, met, features):
        """Of a path's rows, the root's first: all items that it has not lost."""
        found = {}
        for j in features:
            values = [row[j] for row in met]
            if any(map(isnan, values)):
                continue
            item = self.nearness_item(j, values) if self.radius else self.cover_item(j, values)
            if item is not None:
                found[j] = item
        return found

    def cover_item(self, j, values):
        if len(values) == 1:  # a root's item is a point
            return frozenset(values) if self.categorical[j] else (values[0], values[0])
        if self.categorical[j]:
            levels = frozenset(values)
            return levels if len(levels) <= self.epsilon * self.spans[j] + 1 else None
        low, high = min(values), max(values)
        return (low, high) if high - low <= self.epsilon * self.spans[j] else None

    def nearness_item(self, j, values):
        v, known = values[0], self.column(j, [self.c])
        apart = [self.squared(j, x, v) for x in values]
        most = self.epsilon * sum(self.squared(j, x, v) for x in known) / len(known)
        return v if sum(apart) <= most else None

    def squared(self, j, x, v):
        if isnan(x):
            return 1.0
        return float(x != v) if self.categorical[j] else (x - v) ** 2

    def holds(self, row, items):
        """How much a row holds a set."""
        if self.radius:
            return exp(-sum(self.squared(j, row[j], v) for j, v in items.items()) / self.radius)
        for j, item in items.items():
            inside = row[j] in item if self.categorical[j] else item[0] <= row[j] <= item[1]
            if not inside:
                return 0.0
        return 1.0

    def held(self, items):
        """By the rows of each class, summed."""
        return [sum(self.holds(self.rows[i], items) for i in rows) for rows in self.members]

    def valid(self, items):
        return len(items) >= self.min_size and all(
            held <= cap
            for k, (held, cap) in enumerate(zip(self.held(items), self.caps, strict=True))
            if k != self.c
        )

    def descend(self, items, met, key, level, n_children, room):
        """All below a node of which so many children are grown; the items looked at."""
        fruitful, work = False, 0
        for nth in range(n_children):
            child = child_key(key, nth)
            path = [*met, self.mine[draw_below(child, len(self.mine))]]
            below = self.items_of(path, items)
            work += len(items)
            if not self.valid(below):
                continue
            fruitful = True
            fixed = self.radius > 0 and len(below) == self.min_size
            if level + 1 == self.depth or fixed:
                self.keep(below)
                continue
            room_below = room // n_children - len(below)
            line = len(below) * (self.depth - level - 1)  # of descent, to a leaf
            wanted = children_of(child, self.branch)
            grown = min(wanted, max(room_below // line, 1))
            if grown < wanted:
                self.thinned.add(self.tree)
            work += self.descend(below, path, child, level + 1, grown, room_below)
        if not fruitful:
            self.keep(items)
        return work

    def keep(self, items):
        if self.held(items)[self.c] >= self.least - 1e-9:
            found = tuple(sorted(items.items()))
            self.trees.setdefault(found, set()).add(self.tree)
            self.leaves[found] = self.leaves.get(found, 0) + 1
