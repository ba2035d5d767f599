"""Genotypes of each variant counted by groups of samples, straight from packed bytes.

Three counts of ones give all counts of a group: ones of the lower bits (missing, or no copy of
allele 1), of the upper bits (one copy or none), and of both together (none). Two groups are counted
in one pass over a row, by full vectors: masks are padded with zeros, so that the bytes of the next
row that the last vector holds are not counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from .._bits import one_instruction
from .._jit import jit

# places in the last axis of counts; copies are of allele 1
TWO_COPIES, ONE_COPY, NO_COPY, MISSING_CALL = 0, 1, 2, 3
VECTOR_WORDS = 8  # 64-bit words in a vector: 512 bits, 256 calls
VECTOR_BYTES = 8 * VECTOR_WORDS


def count_groups(
    packed: np.ndarray, masks: np.ndarray, counts: np.ndarray | None = None
) -> np.ndarray:
    """Counts (m, G, 4) int32: two copies of allele 1, one, none, missing.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
        Rows of calls. There may be gaps between rows; the bytes of a row are adjacent.
    masks : ndarray of shape (G, words) of uint64
        As `masks_of` makes them. Groups may share samples.
    counts : ndarray of shape (m, G, 4) of int32, or None
        Filled and returned, if given.
    """
    m, n_bytes = packed.shape
    if counts is None:
        counts = np.empty((m, len(masks), 4), dtype=np.int32)
    vectors = -(-n_bytes // VECTOR_BYTES)
    # an even number of masks, as groups are counted in pairs: the last may have an empty partner
    wide = np.zeros((len(masks) + len(masks) % 2, VECTOR_WORDS * vectors), dtype=np.uint64)
    wide[: len(masks), : masks.shape[1]] = masks
    sizes = np.unpackbits(wide.view(np.uint8), axis=1).sum(axis=1, dtype=np.int32)
    # the last vector of a row is read beyond the row's end, which may be beyond the end of the
    # memory: the rows for which it is are counted in a copy with enough room after them
    last = min(m, -(-(vectors * VECTOR_BYTES) // n_bytes))
    room = np.zeros(last * n_bytes + vectors * VECTOR_BYTES, dtype=np.uint8)
    room[: last * n_bytes] = packed[m - last :].reshape(-1)
    flat = packed.reshape(-1)
    _count_rows(flat, n_bytes, wide.reshape(-1), vectors, sizes, counts[: m - last])
    room.flags.writeable = flat.flags.writeable  # read-only arrays are another type to numba
    _count_rows(room, n_bytes, wide.reshape(-1), vectors, sizes, counts[m - last :])
    return counts


@one_instruction
def count_pair(
    context: Any, packed: Any, at: Any, masks: Any, first: Any, vectors: Any, found: Any
) -> Any:
    """Count the ones of a row of bytes, from packed[at] on, under two masks.

    found[:3] gets the ones of the lower bits, the upper bits and both under the first mask,
    found[3:] those under the second. The masks follow each other from masks[first] on, `vectors`
    times eight words each. Arrays are flat, and bounds are not checked. Sums stay in registers.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        vector = ir.VectorType(word, VECTOR_WORDS)
        module = builder.module
        ones = cgutils.get_or_insert_function(
            module, ir.FunctionType(vector, [vector]), f"llvm.ctpop.v{VECTOR_WORDS}i64"
        )
        added = cgutils.get_or_insert_function(
            module, ir.FunctionType(word, [vector]), f"llvm.vector.reduce.add.v{VECTOR_WORDS}i64"
        )

        def element_place(k: int, index: Any) -> Any:  # address in the k-th argument, an array
            data = context.make_array(signature.args[k])(context, builder, args[k]).data
            return builder.gep(data, [index])

        row, mask, out = (
            element_place(0, args[1]),
            element_place(2, args[3]),
            element_place(5, ir.Constant(word, 0)),
        )
        step = builder.mul(args[4], ir.Constant(word, VECTOR_WORDS))  # from one mask to the other
        before = builder.block
        loop, after = (builder.append_basic_block(name) for name in ("vectors", "counted"))
        builder.branch(loop)  # there is one vector at least
        builder.position_at_end(loop)
        v = builder.phi(word)
        # lower, upper and both, for either mask; each of the eight words has sums of its own, which
        # are added up once, after the loop
        sums = [builder.phi(vector) for _ in range(6)]

        def load_vector(base: Any, offset: Any, align: int) -> Any:
            return builder.load(
                builder.bitcast(builder.gep(base, [offset]), vector.as_pointer()), align=align
            )

        words = builder.mul(v, ir.Constant(word, VECTOR_WORDS))
        # a row begins at any byte; masks are arrays of words, aligned to 8 bytes but not to 64
        calls = load_vector(row, builder.mul(words, ir.Constant(word, 8)), 1)
        # upper bits move to the places of the lower ones, the only ones that masks have; what moves
        # to the other places is masked out
        upper_calls = builder.lshr(calls, ir.Constant(vector, [1] * VECTOR_WORDS))
        more = []
        for own in (load_vector(mask, words, 8), load_vector(mask, builder.add(words, step), 8)):
            lower, upper = builder.and_(calls, own), builder.and_(upper_calls, own)
            more += [lower, upper, builder.and_(lower, upper_calls)]
        totals = [builder.add(a, builder.call(ones, [b])) for a, b in zip(sums, more, strict=True)]
        following = builder.add(v, ir.Constant(word, 1))
        # all phis begin at 0 (before the loop) and take the new values (from the loop)
        for phi, value in zip([v, *sums], [following, *totals], strict=True):
            phi.add_incoming(
                ir.Constant(phi.type, [0] * VECTOR_WORDS if phi is not v else 0), before
            )
            phi.add_incoming(value, loop)
        builder.cbranch(builder.icmp_signed("<", following, args[4]), loop, after)
        builder.position_at_end(after)
        for k, total in enumerate(totals):
            builder.store(builder.call(added, [total]), builder.gep(out, [ir.Constant(word, k)]))
        return context.get_dummy_value()

    integer = types.intp
    return types.void(packed, integer, masks, integer, integer, found), codegen


@jit
def _count_rows(flat, n_bytes, masks, vectors, sizes, counts):
    found = np.empty(6, dtype=np.uint64)
    groups = counts.shape[1]
    for j in range(len(counts)):
        for g in range(0, groups, 2):
            count_pair(flat, j * n_bytes, masks, g * vectors * VECTOR_WORDS, vectors, found)
            for h in range(min(2, groups - g)):
                low, high = np.int32(found[3 * h]), np.int32(found[3 * h + 1])
                both = np.int32(found[3 * h + 2])
                # bits, upper then lower: 00 two copies, 10 one, 11 none, 01 missing
                counts[j, g + h, 0] = sizes[g + h] - (low + high - both)
                counts[j, g + h, 1] = high - both
                counts[j, g + h, 2] = both
                counts[j, g + h, 3] = low - both
