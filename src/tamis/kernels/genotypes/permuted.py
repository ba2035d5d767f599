"""Scores of every variant under many permutations of the labels, by AND and counts of ones.

The calls of a variant become planes of one bit per sample: one copy, none, and called. The words of
eight variants stand side by side, so that one vector holds a word of each, the sums need no adding
across a vector, and every word of a mask is read once for the eight. A mask has the samples of one
class in one stratum of a permutation; counts of the first class are what the others leave.
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

LANE_VARIANTS = 8  # variants side by side
# planes of a row, in this order: one copy, no copy, called; two copies: called less both


def permuted_scores(
    packed: np.ndarray,
    chosen: np.ndarray,
    masks: np.ndarray,
    strata: np.ndarray,
    sizes: np.ndarray,
    observed: np.ndarray,
    by_mean: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """How often permuted labels reach the score of each variant, and the largest score of each
    permutation.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
        Calls of each variant, two bits per sample, as `genotypes.words` describes them.
    chosen : ndarray of shape (words,) of uint64
        Bits of the samples that have a class, 64 per word.
    masks : ndarray of shape (B, H, C - 1, words) of uint64
        Samples of each permutation, stratum and class but the first.
    strata : ndarray of shape (H, words) of uint64
        The samples chosen, by stratum.
    sizes : ndarray of shape (H, C) of int64
        Number of samples of each stratum and class, the same in all permutations.
    observed : ndarray of shape (m,)
        Scores with the true labels; NaN for variants to be ignored.
    by_mean : bool
        Mean over pairs of classes; else the largest.

    Returns
    -------
    reached : ndarray of shape (m,) of int64
        Number of permutations with a score at least as large.
    largest : ndarray of shape (B,)
        Largest score over these variants; -1 where none has a score.
    """
    reached = np.zeros(len(packed), dtype=np.int64)
    largest = np.full(len(masks), -1.0)
    run = _two_classes if sizes.shape == (1, 2) else _any_classes
    run(
        packed.reshape(-1),
        packed.shape[1],
        chosen,
        np.ascontiguousarray(masks),
        np.ascontiguousarray(strata),
        sizes,
        observed,
        by_mean,
        reached,
        largest,
    )
    return reached, largest


def _lane_counter(n_planes: int) -> Any:
    """A function that counts the ones that planes have in common with a mask: for k below
    `n_planes` and the eight lanes t,

        counts[place + 8 k + t] = sum_v popcount(planes[k stride + 8 v + t] & masks[at + v])

    Arrays are flat, and there are no bounds checks. The sums stay in registers, which loops over
    arrays do not achieve, and a word of the mask is read once for all planes.
    """

    def count_lanes(
        context: Any,
        planes: Any,
        stride: Any,
        masks: Any,
        at: Any,
        words: Any,
        counts: Any,
        place: Any,
    ) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word, index = ir.IntType(64), ir.IntType(64)
            vector = ir.VectorType(word, LANE_VARIANTS)
            ones = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(vector, [vector]), f"llvm.ctpop.v{LANE_VARIANTS}i64"
            )

            def array_start(k: int, at: Any) -> Any:
                data = context.make_array(signature.args[k])(context, builder, args[k]).data
                return builder.gep(data, [at])

            mask, out = array_start(2, args[3]), array_start(5, args[6])
            bases = [
                array_start(0, builder.mul(args[1], ir.Constant(index, k))) for k in range(n_planes)
            ]
            # a loop over v < words with the sums as phi nodes, which need no memory
            before = builder.block
            loop, after = (builder.append_basic_block(name) for name in ("words", "counted"))
            builder.branch(loop)  # there is one word at least
            builder.position_at_end(loop)
            v = builder.phi(index)
            totals = [builder.phi(vector) for _ in range(n_planes)]
            one = builder.load(builder.gep(mask, [v]))
            spread = builder.insert_element(
                ir.Constant(vector, ir.Undefined), one, ir.Constant(ir.IntType(32), 0)
            )
            # the word of the mask in all eight lanes: a shuffle by zeros
            every = ir.Constant(ir.VectorType(ir.IntType(32), LANE_VARIANTS), [0] * LANE_VARIANTS)
            spread = builder.shuffle_vector(spread, ir.Constant(vector, ir.Undefined), every)
            offset = builder.mul(v, ir.Constant(index, LANE_VARIANTS))
            more = []
            for base, total in zip(bases, totals, strict=True):
                lanes = builder.bitcast(builder.gep(base, [offset]), vector.as_pointer())
                # align=8, that of uint64, is all that is certain
                common = builder.and_(builder.load(lanes, align=8), spread)
                more.append(builder.add(total, builder.call(ones, [common])))
            following = builder.add(v, ir.Constant(index, 1))
            v.add_incoming(ir.Constant(index, 0), before)
            v.add_incoming(following, loop)
            for total, found in zip(totals, more, strict=True):
                total.add_incoming(ir.Constant(vector, [0] * LANE_VARIANTS), before)
                total.add_incoming(found, loop)
            builder.cbranch(builder.icmp_signed("<", following, args[4]), loop, after)
            builder.position_at_end(after)
            for k, found in enumerate(more):
                target = builder.gep(out, [ir.Constant(index, LANE_VARIANTS * k)])
                builder.store(found, builder.bitcast(target, vector.as_pointer()), align=8)
            return context.get_dummy_value()

        integer = types.intp
        return types.void(planes, integer, masks, integer, integer, counts, integer), codegen

    return one_instruction(count_lanes)


count_two, count_three = _lane_counter(2), _lane_counter(3)


@jit
def lower_half(word):
    """The 32 even bits of a word, gathered in its lower half, zeros above them.

    Warren, Hacker's Delight, section 7-4: each step closes the gaps between groups of 1, 2, 4, 8
    and 16 bits.
    """
    word &= np.uint64(0x5555555555555555)
    word = (word | (word >> np.uint64(1))) & np.uint64(0x3333333333333333)
    word = (word | (word >> np.uint64(2))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    word = (word | (word >> np.uint64(4))) & np.uint64(0x00FF00FF00FF00FF)
    word = (word | (word >> np.uint64(8))) & np.uint64(0x0000FFFF0000FFFF)
    return (word | (word >> np.uint64(16))) & np.uint64(0x00000000FFFFFFFF)


@jit
def make_planes(flat, first, n_bytes, chosen, planes, t):
    """Fill lane t of the planes (3, words, 8) with one variant among the samples chosen.

    Returns whether one of their calls is missing.
    """
    for v in range(planes.shape[1]):
        for kind in range(3):
            planes[kind, v, t] = np.uint64(0)
    missing = np.uint64(0)
    for w in range(-(-n_bytes // 8)):
        at = first + 8 * w
        full_word = 8 * w + 8 <= n_bytes
        word = load_word(flat, at) if full_word else last_word(flat, at, n_bytes - 8 * w)
        # a call is high low: 10 one copy, 11 none, 00 two, 01 missing
        low, high = lower_half(word), lower_half(word >> np.uint64(1))
        # 32 calls: half a word of a plane
        v, shift = w >> 1, np.uint64(32 * (w & 1))
        mine = (chosen[v] >> shift) & np.uint64(0xFFFFFFFF)
        planes[0, v, t] |= (high & ~low & mine) << shift
        planes[1, v, t] |= (high & low & mine) << shift
        # called is all but 01
        planes[2, v, t] |= ((high | ~low) & mine) << shift
        missing |= low & ~high & mine
    return missing != 0


@jit
def _two_classes(flat, n_bytes, chosen, masks, strata, sizes, observed, by_mean, reached, largest):
    """`permuted_scores` of two classes in one stratum; fills `reached` and `largest`.

    With x samples of a genotype and n called, x_1 and n_1 of them in the second class, the score
    is sum |x_1 n - x n_1| / (n_1 (n - n_1)) over the three genotypes: only x_1 and n_1 change with
    the labels. `largest` is collected by lane in `tops`, so that no maximum is taken across lanes
    within a permutation.
    """
    words, size = len(chosen), len(chosen) * LANE_VARIANTS
    planes = np.zeros((3, words, LANE_VARIANTS), dtype=np.uint64)
    lanes, flat_masks = planes.reshape(-1), masks.reshape(-1)
    counts, totals = (
        np.zeros((3, LANE_VARIANTS), dtype=np.uint64),
        np.zeros((3, LANE_VARIANTS), dtype=np.uint64),
    )
    into, sums = counts.reshape(-1), totals.reshape(-1)
    # rows of `fixed`, the same in all permutations: x of one copy, none and two; n; observed score
    fixed, found = np.empty((5, LANE_VARIANTS)), np.empty(LANE_VARIANTS)
    hits, tops = np.empty(LANE_VARIANTS, dtype=np.int64), np.full((len(masks), LANE_VARIANTS), -1.0)
    for start in range(0, len(observed), LANE_VARIANTS):
        n = min(LANE_VARIANTS, len(observed) - start)
        gaps = False  # whether one of the eight variants lacks a call
        for t in range(n):
            if make_planes(flat, (start + t) * n_bytes, n_bytes, chosen, planes, t):
                gaps = True
        count_three(lanes, size, chosen, 0, words, sums, 0)
        # without gaps n_1 is the size of the class in every permutation, and two planes do
        counts[2, :] = np.uint64(sizes[0, 1])
        for t in range(LANE_VARIANTS):
            # lanes without a variant, whose planes may be those of the last group, and variants
            # without a score: n = 0 makes n_1 (n - n_1) at most 0, the score -1
            known = t < n and not np.isnan(observed[start + t])
            goal = observed[start + t] if known else np.inf
            all_one, all_none = float(totals[0, t]), float(totals[1, t])
            n_all = float(totals[2, t]) if known else 0.0
            fixed[0, t], fixed[1, t], fixed[2, t] = all_one, all_none, n_all - all_one - all_none
            fixed[3, t], fixed[4, t] = n_all, goal
            hits[t] = 0
        for b in range(len(masks)):
            at = b * words
            if gaps:
                count_three(lanes, size, flat_masks, at, words, into, 0)
            else:
                count_two(lanes, size, flat_masks, at, words, into, 0)
            for t in range(LANE_VARIANTS):
                # x_1 n_0 - x_0 n_1 = x_1 n - x n_1 of each genotype: integers, exact in float64
                one, none, called = (
                    float(into[t]),
                    float(into[LANE_VARIANTS + t]),
                    float(into[2 * LANE_VARIANTS + t]),
                )
                gap = abs(one * fixed[3, t] - fixed[0, t] * called)
                gap += abs(none * fixed[3, t] - fixed[1, t] * called)
                gap += abs((called - one - none) * fixed[3, t] - fixed[2, t] * called)
                product = called * (fixed[3, t] - called)
                # -1 if a class has no call
                found[t] = gap / product if product > 0.0 else -1.0
            # a loop of its own, with selections instead of branches
            for t in range(LANE_VARIANTS):
                hits[t] += np.int64(found[t] >= fixed[4, t])
                tops[b, t] = found[t] if found[t] > tops[b, t] else tops[b, t]
        for t in range(n):
            reached[start + t] = hits[t]
    for b in range(len(masks)):
        largest[b] = tops[b].max()


@jit
def _any_classes(flat, n_bytes, chosen, masks, strata, sizes, observed, by_mean, reached, largest):
    """`permuted_scores` of any classes and strata; fills `reached` and `largest`."""
    words, size = len(chosen), len(chosen) * LANE_VARIANTS
    n_strata, classes = sizes.shape
    planes = np.zeros((3, words, LANE_VARIANTS), dtype=np.uint64)
    lanes, flat_masks, of_strata = planes.reshape(-1), masks.reshape(-1), strata.reshape(-1)
    totals = np.zeros((n_strata, 3, LANE_VARIANTS), dtype=np.uint64)
    counts = np.zeros((n_strata, classes, 3, LANE_VARIANTS), dtype=np.uint64)
    into, sums = counts.reshape(-1), totals.reshape(-1)
    table = np.empty((n_strata, classes, 3), dtype=np.int64)
    for start in range(0, len(observed), LANE_VARIANTS):
        n = min(LANE_VARIANTS, len(observed) - start)
        for t in range(n):
            make_planes(flat, (start + t) * n_bytes, n_bytes, chosen, planes, t)
        # of all classes: the same in every permutation
        for h in range(n_strata):
            count_three(lanes, size, of_strata, h * words, words, sums, h * 3 * LANE_VARIANTS)
        for b in range(len(masks)):
            for h in range(n_strata):
                for c in range(1, classes):
                    at = ((b * n_strata + h) * (classes - 1) + c - 1) * words
                    place = (h * classes + c) * 3 * LANE_VARIANTS
                    count_three(lanes, size, flat_masks, at, words, into, place)
            for t in range(n):
                if np.isnan(observed[start + t]):
                    continue
                for h in range(n_strata):
                    for kind in range(3):
                        at = (kind + 1) % 3  # in the order of `count_groups`: two, one, none
                        # the first class has no mask: it has what the others leave
                        left = np.int64(totals[h, kind, t])
                        for c in range(1, classes):
                            table[h, c, at] = np.int64(counts[h, c, kind, t])
                            left -= table[h, c, at]
                        table[h, 0, at] = left
                    for c in range(classes):  # two copies: called, which stands there, less both
                        table[h, c, 0] -= table[h, c, 1] + table[h, c, 2]
                # NaN if no stratum holds two classes: both comparisons are false
                found = distance_of(table, by_mean)
                reached[start + t] += found >= observed[start + t]
                if found > largest[b]:
                    largest[b] = found
