"""Genotypes of each variant counted by groups of samples, straight from packed bytes.

Three counts of ones say all of a group: of the lower bits (missing or no copy of allele 1), of the
upper ones (one copy or none), and of both (none). Two groups are counted in one walk over a row, in
whole vectors: masks are padded with zeros, and what a vector holds of the next row counts nowhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from .._bits import one_instruction
from .._jit import jit

TWO_COPIES, ONE_COPY, NO_COPY, MISSING_CALL = 0, 1, 2, 3  # copies of allele 1, as counts stand
VECTOR_WORDS = 8  # words of a vector
VECTOR_BYTES = 8 * VECTOR_WORDS


def count_groups(
    packed: np.ndarray, masks: np.ndarray, counts: np.ndarray | None = None
) -> np.ndarray:
    """Counts (m, G, 4) int32: two copies of allele 1, one, none, missing.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
        Rows of calls; they may lie apart, their bytes side by side.
    masks : ndarray of shape (G, words) of uint64
        As `masks_of` makes them; of groups that share no sample, or do.
    counts : ndarray of shape (m, G, 4) of int32, or None
        To be filled.
    """
    m, n_bytes = packed.shape
    if counts is None:
        counts = np.empty((m, len(masks), 4), dtype=np.int32)
    vectors = -(-n_bytes // VECTOR_BYTES)
    wide = np.zeros((len(masks) + len(masks) % 2, VECTOR_WORDS * vectors), dtype=np.uint64)
    wide[: len(masks), : masks.shape[1]] = masks
    sizes = np.unpackbits(wide.view(np.uint8), axis=1).sum(axis=1, dtype=np.int32)
    # the last rows, behind which there may be nothing, are counted in a copy with room behind it
    last = min(m, -(-(vectors * VECTOR_BYTES) // n_bytes))
    room = np.zeros(last * n_bytes + vectors * VECTOR_BYTES, dtype=np.uint8)
    room[: last * n_bytes] = packed[m - last :].reshape(-1)
    flat = packed.reshape(-1)
    _count_rows(flat, n_bytes, wide.reshape(-1), vectors, sizes, counts[: m - last])
    room.flags.writeable = flat.flags.writeable
    _count_rows(room, n_bytes, wide.reshape(-1), vectors, sizes, counts[m - last :])
    return counts


@one_instruction
def count_pair(
    context: Any, packed: Any, at: Any, masks: Any, first: Any, vectors: Any, found: Any
) -> Any:
    """Ones of a row of bytes from `at` on under two masks: lower, upper and both of each to found.

    The masks stand behind each other from masks[first] on, `vectors` times eight words each. Arrays
    are flat; nobody looks whether what is asked for is inside. Sums stay in registers.
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

        def element_place(k: int, index: Any) -> Any:
            data = context.make_array(signature.args[k])(context, builder, args[k]).data
            return builder.gep(data, [index])

        row, mask, out = (
            element_place(0, args[1]),
            element_place(2, args[3]),
            element_place(5, ir.Constant(word, 0)),
        )
        step = builder.mul(args[4], ir.Constant(word, VECTOR_WORDS))
        before = builder.block
        loop, after = (builder.append_basic_block(name) for name in ("vectors", "counted"))
        builder.branch(loop)  # there is one vector at least
        builder.position_at_end(loop)
        v = builder.phi(word)
        sums = [builder.phi(vector) for _ in range(6)]

        def load_vector(base: Any, offset: Any, align: int) -> Any:
            return builder.load(
                builder.bitcast(builder.gep(base, [offset]), vector.as_pointer()), align=align
            )

        words = builder.mul(v, ir.Constant(word, VECTOR_WORDS))
        calls = load_vector(row, builder.mul(words, ir.Constant(word, 8)), 1)
        upper_calls = builder.lshr(calls, ir.Constant(vector, [1] * VECTOR_WORDS))
        more = []
        for own in (load_vector(mask, words, 8), load_vector(mask, builder.add(words, step), 8)):
            lower, upper = builder.and_(calls, own), builder.and_(upper_calls, own)
            more += [lower, upper, builder.and_(lower, upper_calls)]
        totals = [builder.add(a, builder.call(ones, [b])) for a, b in zip(sums, more, strict=True)]
        following = builder.add(v, ir.Constant(word, 1))
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
                counts[j, g + h, 0] = sizes[g + h] - (low + high - both)
                counts[j, g + h, 1] = high - both
                counts[j, g + h, 2] = both
                counts[j, g + h, 3] = low - both
