"""Genotypes at 64 variants of the samples that lack a call at another variant.

A pair's table has the samples called in both variants: the margins of one are lowered by what it
has where the other is missing. Such samples are few, so each is looked up by itself, in words that
hold one sample's calls of 64 variants.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from .._bits import WORD_BITS, one_instruction
from .._jit import jit
from .pair_counts import N_GENOTYPES, TABLE_WIDTH

MAX_BYTE_COUNT = 255  # largest count that fits into a byte
WORD_PARTS = WORD_BITS // TABLE_WIDTH  # tables of 16 variants that a word of 64 covers


@one_instruction
def _add_up(
    context: Any,
    rows: Any,
    at: Any,
    missing: Any,
    begin: Any,
    end: Any,
    sums: Any,
    place: Any,
    stride: Any,
) -> Any:
    """Add up the 3 planes over the samples missing[begin:end], at least one and at most 255.

    The sums of 64 variants are added to 4 tables (3, 16) of `sums`, the first at `place`, the
    others each `stride` further on. The word of a sample's plane u is rows[at + 3 sample + u].
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, byte, narrow = ir.IntType(64), ir.IntType(8), ir.IntType(32)
        bits, vector = ir.VectorType(ir.IntType(1), WORD_BITS), ir.VectorType(byte, WORD_BITS)
        wide = ir.VectorType(narrow, TABLE_WIDTH)
        zero = ir.Constant(vector, [0] * WORD_BITS)
        # pointers to rows, missing and sums
        table, samples, out = (
            context.make_array(signature.args[k])(context, builder, args[k]).data for k in (0, 2, 5)
        )
        before, loop = builder.block, builder.append_basic_block("samples")
        after = builder.append_basic_block("counted")
        builder.branch(loop)
        builder.position_at_end(loop)
        k = builder.phi(word)
        # one byte a variant, 64 in a vector for each plane: hence at most 255 samples at a time
        totals = [builder.phi(vector) for _ in range(N_GENOTYPES)]
        sample = builder.sext(builder.load(builder.gep(samples, [k])), word)
        first = builder.add(args[1], builder.mul(sample, ir.Constant(word, N_GENOTYPES)))
        row = builder.gep(table, [first])
        more = []
        for u in range(N_GENOTYPES):
            plane = builder.load(builder.gep(row, [ir.Constant(word, u)]))
            # bit v of the word becomes byte v, 0 or 1: no loop over bits
            more.append(builder.add(totals[u], builder.zext(builder.bitcast(plane, bits), vector)))
        following = builder.add(k, ir.Constant(word, 1))
        k.add_incoming(args[3], before)
        k.add_incoming(following, loop)
        for total, new in zip(totals, more, strict=True):
            total.add_incoming(zero, before)
            total.add_incoming(new, loop)
        builder.cbranch(builder.icmp_signed("<", following, args[4]), loop, after)
        builder.position_at_end(after)
        # there was at least one sample, so that the sums of the last turn can be used as they are
        for part in range(WORD_PARTS):
            lanes = ir.Constant(
                ir.VectorType(narrow, TABLE_WIDTH),
                [part * TABLE_WIDTH + j for j in range(TABLE_WIDTH)],
            )
            base = builder.add(args[6], builder.mul(args[7], ir.Constant(word, part)))
            for u in range(N_GENOTYPES):
                to = builder.gep(out, [builder.add(base, ir.Constant(word, u * TABLE_WIDTH))])
                to = builder.bitcast(to, wide.as_pointer())
                # 16 of the 64 bytes, widened to the int32 of the tables
                new = builder.zext(builder.shuffle_vector(more[u], zero, lanes), wide)
                builder.store(builder.add(builder.load(to, align=4), new), to, align=4)
        return context.get_dummy_value()

    integer = types.intp
    return types.void(rows, integer, missing, integer, integer, sums, integer, integer), codegen


@one_instruction
def _transpose_lanes(
    context: Any, given: Any, at: Any, step: Any, turned: Any, to: Any, leap: Any
) -> Any:
    """Transpose 16 rows of 16 int32, from given[at], `step` apart, to turned[to], `leap` apart."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, narrow = ir.IntType(64), ir.IntType(32)
        vector = ir.VectorType(narrow, TABLE_WIDTH)
        source, target = (
            context.make_array(signature.args[k])(context, builder, args[k]).data for k in (0, 3)
        )

        def vector_place(data: Any, first: Any, stride: Any, k: int) -> Any:
            index = builder.add(first, builder.mul(stride, ir.Constant(word, k)))
            return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())

        rows = [
            builder.load(vector_place(source, args[1], args[2], k), align=4)
            for k in range(TABLE_WIDTH)
        ]
        half = TABLE_WIDTH // 2
        # lanes of two rows, alternating: the first halves of both, and the second halves
        masks = [
            ir.Constant(vector, [q for k in range(half) for q in (z + k, z + k + TABLE_WIDTH)])
            for z in (0, half)
        ]
        # Interleaving row k with row k + 8 rotates the 8 bits of (row, column) by one place: after
        # log2(16) = 4 rounds row and column have changed places.
        for _ in range(TABLE_WIDTH.bit_length() - 1):
            rows = [
                builder.shuffle_vector(rows[k], rows[k + half], mask)
                for k in range(half)
                for mask in masks
            ]
        for k, row in enumerate(rows):
            builder.store(row, vector_place(target, args[4], args[5], k), align=4)
        return context.get_dummy_value()

    integer = types.intp
    return types.void(given, integer, integer, turned, integer, integer), codegen


@jit
def count_theirs(rows, block, missing, edges, first, members, sums):
    """Genotype counts of 64 variants among the samples where each of some others lacks a call.

    Parameters
    ----------
    rows : (blocks n 3,) uint64
        Calls by sample; flat, as all arrays here but `edges`.
    block : int
        Where in `rows` the words of the 64 variants begin.
    missing : (m,) int32
        Samples without a call, by variant and class.
    edges : (3, p) int64
        Where in `missing` the samples of each class begin, by variant, and where they end.
    first, members : int
        The first of the others, and how many there are.
    sums : (4 members 2 3 16,) int32
        The result, by four parts of the 64 variants, other variant, class, plane (no copy of
        allele 1, one copy, called), and variant of the part.
    """
    sums[:] = 0
    each = N_GENOTYPES * TABLE_WIDTH  # numbers of one other variant and class
    for j in range(members):
        for c in range(2):
            end = edges[c + 1, first + j]
            # no turn where every sample of the class has a call
            for begin in range(edges[c, first + j], end, MAX_BYTE_COUNT):
                _add_up(
                    rows,
                    block,
                    missing,
                    begin,
                    min(begin + MAX_BYTE_COUNT, end),
                    sums,
                    (2 * j + c) * each,
                    members * 2 * each,  # from one part of the 64 to the next
                )


@jit
def count_mine(rows, block, missing, edges, first, theirs, sums):
    """The counts of `count_theirs` for 16 others, with the others in the last axis.

    sums is (64, 2, 3, 16), flat: variant, class, plane, other. `theirs`, of the same size, is work
    space for `count_theirs`.
    """
    count_theirs(rows, block, missing, edges, first, TABLE_WIDTH, theirs)
    each = 2 * N_GENOTYPES * TABLE_WIDTH  # numbers of one other variant, then of one of the 64
    # for each part, class and plane: (16 others, 16 variants) to (16 variants, 16 others)
    for part in range(WORD_PARTS):
        for k in range(2 * N_GENOTYPES):
            _transpose_lanes(
                theirs,
                part * TABLE_WIDTH * each + k * TABLE_WIDTH,
                each,
                sums,
                part * TABLE_WIDTH * each + k * TABLE_WIDTH,
                each,
            )
