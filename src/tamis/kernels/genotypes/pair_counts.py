"""Counts of what a few variants and eight others have in common, kept in registers.

The words of the eight variants stand side by side, so that one vector holds a word of each. Every
vector read is used for several variants: as many sums are kept as fit into the registers.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from .._bits import one_instruction
from .._jit import jit

N_GENOTYPES = 3
BLOCK_VARIANTS = 8  # variants side by side: 64-bit words of a vector of 512 bits
TABLE_WIDTH = 16  # tables side by side: their int32 and float32 fill such a vector too
# planes counted of a variant: no copy of allele 1, and one; the cells of two copies follow from
# the margins
N_PLANES = 2
COUNTED_VARIANTS = 4  # variants counted at once: 4 x 2 x 2 sums of vectors


@one_instruction
def _count_in_common(
    context: Any, words: Any, at: Any, first: Any, n_words: Any, cells: Any, place: Any
) -> Any:
    """Numbers of ones that planes of `COUNTED_VARIANTS` variants, from words[at] on, and of eight
    others, from words[first] on, have in common over `n_words` words; written to cells[place] on.

    There are no bounds checks.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, narrow = ir.IntType(64), ir.IntType(32)
        vector, small = ir.VectorType(word, BLOCK_VARIANTS), ir.VectorType(narrow, BLOCK_VARIANTS)
        # ones of each of the eight words: one instruction where the machine has it
        ones = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(vector, [vector]), f"llvm.ctpop.v{BLOCK_VARIANTS}i64"
        )
        nothing, zero = ir.Constant(vector, ir.Undefined), ir.Constant(vector, [0] * BLOCK_VARIANTS)
        # a shuffle by zeros copies the first element to all eight
        turned = ir.Constant(ir.VectorType(narrow, BLOCK_VARIANTS), [0] * BLOCK_VARIANTS)

        def array_start(k: int, at: Any) -> Any:
            data = context.make_array(signature.args[k])(context, builder, args[k]).data
            return builder.gep(data, [at])

        def index_constant(k: int) -> Any:
            return ir.Constant(word, k)

        mine, theirs, out = (
            array_start(0, args[1]),
            array_start(0, args[2]),
            array_start(4, args[5]),
        )
        # for w in range(n_words), tested before the first turn as a class may have no words; the
        # sums are phi nodes, values that need no memory
        before = builder.block
        loop, after = (builder.append_basic_block(name) for name in ("words", "counted"))
        builder.cbranch(builder.icmp_signed(">", args[3], index_constant(0)), loop, after)
        builder.position_at_end(loop)
        w = builder.phi(word)
        size = COUNTED_VARIANTS * N_PLANES * N_PLANES
        # in the order of (variant a, its plane u, plane v of the others)
        totals = [builder.phi(vector) for _ in range(size)]
        # a word of all planes of eight variants: 2 x 8 numbers
        ahead = builder.mul(w, index_constant(N_PLANES * BLOCK_VARIANTS))
        across, row = builder.gep(theirs, [ahead]), builder.gep(mine, [ahead])
        seen = [
            builder.load(
                builder.bitcast(
                    builder.gep(across, [index_constant(BLOCK_VARIANTS * v)]), vector.as_pointer()
                ),
                align=8,  # of uint64, all that is certain
            )
            for v in range(N_PLANES)
        ]
        more: list[Any] = []
        for a in range(COUNTED_VARIANTS):
            for u in range(N_PLANES):
                # one word of one variant, in all eight places
                one = builder.load(builder.gep(row, [index_constant(BLOCK_VARIANTS * u + a)]))
                spread = builder.insert_element(nothing, one, ir.Constant(narrow, 0))
                spread = builder.shuffle_vector(spread, nothing, turned)
                for v in range(N_PLANES):
                    found = builder.call(ones, [builder.and_(seen[v], spread)])
                    more.append(builder.add(totals[len(more)], found))
        following = builder.add(w, index_constant(1))
        w.add_incoming(index_constant(0), before)
        w.add_incoming(following, loop)
        for total, new in zip(totals, more, strict=True):
            total.add_incoming(zero, before)
            total.add_incoming(new, loop)
        builder.cbranch(builder.icmp_signed("<", following, args[3]), loop, after)
        builder.position_at_end(after)
        # zeros if there was no turn
        results = [builder.phi(vector) for _ in range(size)]
        for result, new in zip(results, more, strict=True):
            result.add_incoming(zero, before)
            result.add_incoming(new, loop)
        for k, result in enumerate(results):
            a, u, v = k // N_PLANES**2, k // N_PLANES % N_PLANES, k % N_PLANES
            # cells (variant 4, class 2, level 2, level 2, 16); `place` adds class and side
            to = builder.gep(
                out, [index_constant(((2 * a * N_PLANES + u) * N_PLANES + v) * TABLE_WIDTH)]
            )
            builder.store(
                builder.trunc(result, small), builder.bitcast(to, small.as_pointer()), align=4
            )
        return context.get_dummy_value()

    integer = types.intp
    return types.void(words, integer, integer, integer, cells, integer), codegen


@jit
def count_group(words, i, group, starts, cells, side):
    """Samples that a few variants and eight others have in common, by class and level.

    Arrays are flat, so that no views of them are made; there are no bounds checks.

    Parameters
    ----------
    words : (groups W 2 8,) uint64
        Planes of all variants, eight variants side by side; flat, as `cells` is.
    i : int
        The first of `COUNTED_VARIANTS` variants; a multiple of that, so that all are in one
        group of eight.
    group : int
        Group of eight that the others are.
    starts : (3,) int64
        Where the words of each class begin, then the end W.
    cells : (4 2 2 2 16,) int32
        The result: variant, class, level of the variant, level of the others, other variant.
    side : int
        Place among the 16 of the first of the eight: 0 or 8.
    """
    for c in range(2):
        begin, size = starts[c], starts[c + 1] - starts[c]
        # element (i // 8, begin, plane 0, i % 8) of (groups, W, 2, 8)
        at = (
            i // BLOCK_VARIANTS * starts[2] + begin
        ) * N_PLANES * BLOCK_VARIANTS + i % BLOCK_VARIANTS
        first = (group * starts[2] + begin) * N_PLANES * BLOCK_VARIANTS
        _count_in_common(
            words, at, first, size, cells, c * N_PLANES * N_PLANES * TABLE_WIDTH + side
        )
