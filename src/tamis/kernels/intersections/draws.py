"""Random numbers of a node that follow from its place in the tree alone.

Cutting off one branch changes no draw of another, in whatever order nodes are visited.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .._split_mix import GOLDEN_GAMMA, mix_bits

# any constant with mixed bits: it keeps the draw of the number of children apart from the others
OTHER_MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)


@jit
def child_key(key, nth):
    """The key of the nth child: number n (from 0) of the SplitMix64 stream of its parent's key."""
    return mix_bits(key + np.uint64(nth + 1) * GOLDEN_GAMMA)


@jit
def draw_below(key, n):
    """A number from 0 to n - 1, n below 2**32."""
    # floor(n k / 2^32) of the upper half k: no division. Probabilities differ by 2^-32 at most,
    # and a rejection would need more than one number a node
    return np.int64(((key >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@jit
def children_of(key, branch):
    """How many children a node has: a random whole number next to `branch`, which is its mean."""
    lower = np.int64(branch)
    if lower == branch:
        return lower
    # uniform in [0, 1), from the upper 53 bits, as many as a double has
    share = np.float64(mix_bits(key ^ OTHER_MULTIPLIER) >> np.uint64(11)) * 2.0**-53
    return lower + (share < branch - lower)


def nodes_below(branch: float, depth: int) -> np.ndarray:
    """Upper bounds on the number of nodes below a node of each level, (depth + 1,)."""
    # N_level = ceil(branch) (1 + N_{level + 1}), 0 at the last level
    nodes = np.zeros(depth + 1)
    for level in range(depth - 1, -1, -1):
        nodes[level] = np.ceil(branch) * (1.0 + nodes[level + 1])
    return nodes


@jit
def children_within(key, branch, room, cost):
    """`children_of`, but no more than there is room for, and at least one.

    A child takes `cost`, the work of one line of descendants down to the leaves, out of `room`. A
    tree that would take too much work so gets thinner in all its branches alike.
    """
    return min(children_of(key, branch), max(room // cost, 1))
