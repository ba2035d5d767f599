"""Scores of every variant under many permutations of the labels, by AND and counts of ones.

The calls of a variant become planes of one bit a sample: one copy, none, and called. Eight variants
stand side by side, a word of each after the other, so that one vector holds a word of all, the sums
need no adding across, and every word of a mask is read once for the eight. A mask is the samples of
one class in one stratum of a permutation; the first class is what is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from .._bits import one_instruction
from .._jit import jit
from .distance import distance_of
from .words import last_word, load_word

LANES = 8  # variants side by side
ONE, NONE, CALLED = 0, 1, 2  # planes


def permuted_scores(
    packed: np.ndarray, chosen: np.ndarray, masks: np.ndarray, strata: np.ndarray,
    sizes: np.ndarray, observed: np.ndarray, by_mean: bool,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """How often permuted labels reach the score of each variant, and their largest scores.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
    chosen : ndarray of shape (words,) of uint64
        Bits of the samples that have a class, 64 a word.
    masks : ndarray of shape (B, H, C - 1, words) of uint64
        Of each permutation, stratum and class but the first.
    strata : ndarray of shape (H, words) of uint64
        Of the samples chosen in each stratum.
    sizes : ndarray of shape (H, C) of int64
        Samples of each.
    observed : ndarray of shape (m,)
        Scores with the true labels.
    by_mean : bool

    Returns
    -------
    reached : ndarray of shape (m,) of int64
        Permutations with a score at least as large.
    largest : ndarray of shape (B,)
        Over these variants; -1 where none has a score.
    """
    reached = np.zeros(len(packed), dtype=np.int64)
    largest = np.full(len(masks), -1.0)
    run = _two_classes if sizes.shape == (1, 2) else _any_classes
    run(
        packed.reshape(-1), packed.shape[1], chosen, np.ascontiguousarray(masks),
        np.ascontiguousarray(strata), sizes, observed, by_mean, reached, largest,
    )  # fmt: skip
    return reached, largest


@one_instruction
def count_lanes(
    context: Any, planes: Any, first: Any, masks: Any, at: Any, words: Any, counts: Any, place: Any
) -> Any:
    """Ones that planes[first + 8 v + t] has in common with masks[at + v], summed over v, to
    counts[place + t] for the eight t.

    Arrays are flat; nobody looks whether what is asked for is inside. The sums stay in a register,
    which loops over arrays do not achieve.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, index = ir.IntType(64), ir.IntType(64)
        vector = ir.VectorType(word, LANES)
        kinds = signature.args
        ones = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(vector, [vector]), f"llvm.ctpop.v{LANES}i64"
        )

        def start(k: int, at: Any) -> Any:
            data = context.make_array(kinds[k])(context, builder, args[k]).data
            return builder.gep(data, [at])

        plane, mask, out = start(0, args[1]), start(2, args[3]), start(5, args[6])
        before = builder.block
        loop = builder.append_basic_block("words")
        after = builder.append_basic_block("counted")
        zero = ir.Constant(vector, [0] * LANES)
        builder.cbranch(builder.icmp_signed(">", args[4], ir.Constant(index, 0)), loop, after)
        builder.position_at_end(loop)
        v, total = builder.phi(index), builder.phi(vector)
        lanes = builder.bitcast(
            builder.gep(plane, [builder.mul(v, ir.Constant(index, LANES))]), vector.as_pointer()
        )
        one = builder.load(builder.gep(mask, [v]))
        spread = builder.insert_element(ir.Constant(vector, ir.Undefined), one,
                                        ir.Constant(ir.IntType(32), 0))  # fmt: skip
        turned = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        spread = builder.shuffle_vector(spread, ir.Constant(vector, ir.Undefined), turned)
        common = builder.and_(builder.load(lanes, align=8), spread)
        more = builder.add(total, builder.call(ones, [common]))
        following = builder.add(v, ir.Constant(index, 1))
        v.add_incoming(ir.Constant(index, 0), before)
        v.add_incoming(following, loop)
        total.add_incoming(zero, before)
        total.add_incoming(more, loop)
        builder.cbranch(builder.icmp_signed("<", following, args[4]), loop, after)
        builder.position_at_end(after)
        found = builder.phi(vector)
        found.add_incoming(zero, before)
        found.add_incoming(more, loop)
        builder.store(found, builder.bitcast(out, vector.as_pointer()), align=8)
        return context.get_dummy_value()

    integer = types.intp
    return types.void(planes, integer, masks, integer, integer, counts, integer), codegen


@jit
def lower_half(word):
    """The even bits of a word side by side (Warren, Hacker's Delight, section 7-4)."""
    word &= np.uint64(0x5555555555555555)
    word = (word | (word >> np.uint64(1))) & np.uint64(0x3333333333333333)
    word = (word | (word >> np.uint64(2))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    word = (word | (word >> np.uint64(4))) & np.uint64(0x00FF00FF00FF00FF)
    word = (word | (word >> np.uint64(8))) & np.uint64(0x0000FFFF0000FFFF)
    return (word | (word >> np.uint64(16))) & np.uint64(0x00000000FFFFFFFF)


@jit
def make_planes(flat, first, n_bytes, chosen, planes, t):
    """Plane t of each kind, (3, words, 8), of one variant among the samples chosen; whether one
    of their calls is missing."""
    for v in range(planes.shape[1]):
        for kind in range(3):
            planes[kind, v, t] = np.uint64(0)
    missing = np.uint64(0)
    for w in range(-(-n_bytes // 8)):
        at = first + 8 * w
        whole = 8 * w + 8 <= n_bytes
        word = load_word(flat, at) if whole else last_word(flat, at, n_bytes - 8 * w)
        low, high = lower_half(word), lower_half(word >> np.uint64(1))
        v, shift = w >> 1, np.uint64(32 * (w & 1))
        mine = (chosen[v] >> shift) & np.uint64(0xFFFFFFFF)
        planes[0, v, t] |= (high & ~low & mine) << shift
        planes[1, v, t] |= (high & low & mine) << shift
        planes[2, v, t] |= ((high | ~low) & mine) << shift
        missing |= low & ~high & mine
    return missing != 0


@jit
def _two_classes(
    flat, n_bytes, chosen, masks, strata, sizes, observed, by_mean, reached, largest
):  # fmt: skip
    words, size = len(chosen), len(chosen) * LANES
    planes = np.zeros((3, words, LANES), dtype=np.uint64)
    lanes, flat_masks = planes.reshape(-1), masks.reshape(-1)
    counts, totals = np.zeros((3, LANES), dtype=np.uint64), np.zeros((3, LANES), dtype=np.uint64)
    into, sums = counts.reshape(-1), totals.reshape(-1)
    goal, found = np.empty(LANES), np.empty(LANES)
    for start in range(0, len(observed), LANES):
        n = min(LANES, len(observed) - start)
        gaps = False
        for t in range(n):
            if make_planes(flat, (start + t) * n_bytes, n_bytes, chosen, planes, t):
                gaps = True
        for t in range(LANES):
            known = t < n and not np.isnan(observed[start + t])
            goal[t] = observed[start + t] if known else np.inf
        for kind in range(3):
            count_lanes(lanes, kind * size, chosen, 0, words, sums, kind * LANES)
        counts[2, :] = np.uint64(sizes[0, 1])
        for b in range(len(masks)):
            at = b * words
            count_lanes(lanes, 0, flat_masks, at, words, into, 0)
            count_lanes(lanes, size, flat_masks, at, words, into, LANES)
            if gaps:
                count_lanes(lanes, 2 * size, flat_masks, at, words, into, 2 * LANES)
            for t in range(LANES):
                # x_1 n_0 - x_0 n_1 = x_1 n - x n_1 of each genotype, exact in float64
                one, none, called = float(counts[0, t]), float(counts[1, t]), float(counts[2, t])
                all_one, all_none = float(totals[0, t]), float(totals[1, t])
                n_all = float(totals[2, t])
                gap = abs(one * n_all - all_one * called)
                gap += abs(none * n_all - all_none * called)
                two, all_two = called - one - none, n_all - all_one - all_none
                gap += abs(two * n_all - all_two * called)
                product = called * (n_all - called)
                found[t] = gap / product if product > 0.0 and goal[t] < 3.0 else -1.0
            top = largest[b]
            for t in range(LANES):
                top = max(top, found[t])
            largest[b] = top
            for t in range(n):
                reached[start + t] += found[t] >= goal[t]


@jit
def _any_classes(
    flat, n_bytes, chosen, masks, strata, sizes, observed, by_mean, reached, largest
):  # fmt: skip
    words, size = len(chosen), len(chosen) * LANES
    n_strata, classes = sizes.shape
    planes = np.zeros((3, words, LANES), dtype=np.uint64)
    lanes, flat_masks, of_strata = planes.reshape(-1), masks.reshape(-1), strata.reshape(-1)
    totals = np.zeros((n_strata, 3, LANES), dtype=np.uint64)
    counts = np.zeros((n_strata, classes, 3, LANES), dtype=np.uint64)
    into, sums = counts.reshape(-1), totals.reshape(-1)
    table = np.empty((n_strata, classes, 3), dtype=np.int64)
    for start in range(0, len(observed), LANES):
        n = min(LANES, len(observed) - start)
        for t in range(n):
            make_planes(flat, (start + t) * n_bytes, n_bytes, chosen, planes, t)
        for h in range(n_strata):
            for kind in range(3):
                place = (h * 3 + kind) * LANES
                count_lanes(lanes, kind * size, of_strata, h * words, words, sums, place)
        for b in range(len(masks)):
            for h in range(n_strata):
                for c in range(1, classes):
                    at = ((b * n_strata + h) * (classes - 1) + c - 1) * words
                    for kind in range(3):
                        place = ((h * classes + c) * 3 + kind) * LANES
                        count_lanes(lanes, kind * size, flat_masks, at, words, into, place)
            for t in range(n):
                if np.isnan(observed[start + t]):
                    continue
                for h in range(n_strata):
                    for kind in range(3):
                        at = (kind + 1) % 3  # in the order of `count_groups`: two, one, none
                        left = np.int64(totals[h, kind, t])
                        for c in range(1, classes):
                            table[h, c, at] = np.int64(counts[h, c, kind, t])
                            left -= table[h, c, at]
                        table[h, 0, at] = left
                    for c in range(classes):  # called so far stand where two copies do
                        table[h, c, 0] -= table[h, c, 1] + table[h, c, 2]
                found = distance_of(table, by_mean)
                reached[start + t] += found >= observed[start + t]
                if found > largest[b]:
                    largest[b] = found
