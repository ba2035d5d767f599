"""Random numbers of a node from its place in the tree."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .._split_mix import GOLDEN_GAMMA, mix_bits

OTHER_MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)


@jit
def child_key(key, nth):
    """The key of the nth child."""
    return mix_bits(key + np.uint64(nth + 1) * GOLDEN_GAMMA)


@jit
def draw_below(key, n):
    """A number from 0 to n - 1, n below 2**32."""
    return np.int64(((key >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@jit
def children_of(key, branch):
    """How many children a node has: a random whole number next to `branch`, which is its mean."""
    whole = np.int64(branch)
    if whole == branch:
        return whole
    share = np.float64(mix_bits(key ^ OTHER_MULTIPLIER) >> np.uint64(11)) * 2.0**-53
    return whole + (share < branch - whole)


def nodes_below(branch: float, depth: int) -> np.ndarray:
    """Nodes that a tree has below one at each level, at most (depth + 1,)."""
    nodes = np.zeros(depth + 1)
    for level in range(depth - 1, -1, -1):
        nodes[level] = np.ceil(branch) * (1.0 + nodes[level + 1])
    return nodes


@jit
def children_within(key, branch, room, cost):
    """As many, but no more than there is room for a line of descent of each, and at least one.

    Where a tree may not be all it would, all its branches get thinner alike.
    """
    return min(children_of(key, branch), max(room // cost, 1))
