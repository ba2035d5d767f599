"""Random intersection trees by recursion over Python's sets, with the very same draws."""

from __future__ import annotations

from dataclasses import dataclass, field

ALL = 2**64 - 1


def mix(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & ALL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & ALL
    return z ^ (z >> 31)


def child_key(key, nth):
    return mix((key + (nth + 1) * 0x9E3779B97F4A7C15) & ALL)


def draw_below(key, n):
    return (key >> 32) * n >> 32


def children_of(key, branch):
    share = (mix(key ^ 0x2545F4914F6CDD1D) >> 11) / 2**53
    return int(branch) + (share < branch - int(branch))


def words_of(items):
    return len({j // 64 for j in items})


@dataclass
class SlowTrees:
    """Trees of class c.

    `rows` are frozensets of items, `members` the rows of each class. What they come to is in
    `trees` and `leaves`, by set and in the order in which they were met.
    """

    rows: list
    members: list
    c: int
    caps: list
    floor: int
    depth: int
    branch: float
    min_size: int
    most_work: int
    trees: dict = field(default_factory=dict)
    leaves: dict = field(default_factory=dict)
    counts: dict = field(default_factory=dict)
    thinned: set = field(default_factory=set)
    work: int = 0  # of the tree that looked at most

    def count(self, items):
        """Rows of each class that hold all items."""
        items = frozenset(items)
        if items not in self.counts:
            self.counts[items] = [sum(items <= self.rows[i] for i in rows) for rows in self.members]
        return self.counts[items]

    def grow(self, keys):
        mine = [self.rows[i] for i in self.members[self.c]]
        everywhere = frozenset.intersection(*(self.rows[i] for one in self.members for i in one))
        common = {j for row in mine for j in row if self.count({j})[self.c] > self.floor}
        self.used, self.of_all = common - everywhere, frozenset.intersection(*mine)
        for self.tree, key in enumerate(keys):
            root = mine[draw_below(key, len(mine))] & self.used
            if self.valid(root):
                self.work = max(self.work, self.descend(root, key, 0, 1, self.most_work, mine))
        return self

    def valid(self, items):
        return len(items) >= self.min_size and all(
            held <= cap
            for k, (held, cap) in enumerate(zip(self.count(items), self.caps, strict=True))
            if k != self.c
        )

    def descend(self, items, key, level, n_children, room, mine):
        """All below a node of which so many children are grown; the words looked at."""
        fruitful, work = False, 0
        for nth in range(n_children):
            child = child_key(key, nth)
            below = items & mine[draw_below(child, len(mine))]
            work += words_of(items)
            if not self.valid(below):
                continue
            fruitful = True
            # what all rows of the class hold can only come again
            if level + 1 == self.depth or len(below) == self.min_size or below <= self.of_all:
                self.keep(below)
                continue
            room_below = room // n_children - words_of(below)
            line = words_of(below) * (self.depth - level - 1)  # of descent, to a leaf
            wanted = children_of(child, self.branch)
            grown = min(wanted, max(room_below // line, 1))
            if grown < wanted:
                self.thinned.add(self.tree)
            work += self.descend(below, child, level + 1, grown, room_below, mine)
        if not fruitful:
            self.keep(items)
        return work

    def keep(self, items):
        if self.count(items)[self.c] > self.floor:
            self.trees.setdefault(items, set()).add(self.tree)
            self.leaves[items] = self.leaves.get(items, 0) + 1


def slow_maximal(sets):
    """Which sets are part of no larger one."""
    return [not any(one < other for other in sets) for one in sets]
