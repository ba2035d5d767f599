"""The inner loop of a projection: signs and calls are combined, 64 variants a word, and the ones
of the result are counted (`projection` has the formulas).

A tile is four samples by sixteen outputs. Its sums stay in registers during the loop over the
words, which numba does not achieve with loops over arrays: the loop is written as LLVM
instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from .._bits import one_instruction

VECTOR_WORDS = 8  # 64-bit words of a vector: one register of AVX-512
TILE_VECTORS = 2  # vectors of outputs in a tile
TILE_OUTPUTS = VECTOR_WORDS * TILE_VECTORS
# samples of a tile: a word of calls serves 16 outputs, a vector of signs 4 samples, and the
# TILE_SAMPLES * TILE_VECTORS = 8 vectors of sums still fit in the registers
TILE_SAMPLES = 4


def _tile_adder(kinds: int, left: Callable[..., Any]) -> Any:
    """An intrinsic that loops over words and adds the number of ones of `left` to a tile.

    Parameters
    ----------
    kinds : int
        Words of signs that an output has for each word of variants.
    left : callable
        (builder, signs of each kind, first plane, second plane) -> vector of words.
    """

    def add_tile(
        context: Any,
        planes: Any,
        first: Any,
        panels: Any,
        at: Any,
        words: Any,
        tiles: Any,
        place: Any,
    ) -> Any:
        """Add to tiles (SAMPLES, OUTPUTS) from `place` on the counts of planes (words, 2, SAMPLES)
        from `first` on with panels (words, kinds, OUTPUTS) from `at` on.

        Arrays are flat; there is at least one word; bounds are not checked.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            index, lane = ir.IntType(64), ir.IntType(32)
            vector, narrow = ir.VectorType(index, VECTOR_WORDS), ir.VectorType(lane, VECTOR_WORDS)
            # counts the ones of each word of a vector: one instruction where the processor has it
            ones = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(vector, [vector]), f"llvm.ctpop.v{VECTOR_WORDS}i64"
            )
            # operands of a broadcast: anything in the other lanes, and lane 0 for every lane
            unknown, same = (
                ir.Constant(vector, ir.Undefined),
                ir.Constant(narrow, [0] * VECTOR_WORDS),
            )

            def array_start(k: int, at: Any) -> Any:
                data = context.make_array(signature.args[k])(context, builder, args[k]).data
                return builder.gep(data, [at])

            def index_constant(k: int) -> Any:
                return ir.Constant(index, k)

            plane, panel, out = (
                array_start(0, args[1]),
                array_start(2, args[3]),
                array_start(5, args[6]),
            )
            # the test stands at the end of the loop, since there is at least one word
            before = builder.block
            loop = builder.append_basic_block("words")
            after = builder.append_basic_block("counted")
            builder.branch(loop)
            builder.position_at_end(loop)
            # carried from pass to pass: the number of the word, and the sums of each sample (i) and
            # vector of outputs (v) as number i * TILE_VECTORS + v
            w = builder.phi(index)
            sums = [builder.phi(vector) for _ in range(TILE_SAMPLES * TILE_VECTORS)]
            # of word w: both planes of the samples, and the signs of the outputs, kind by kind
            calls = builder.gep(plane, [builder.mul(w, index_constant(2 * TILE_SAMPLES))])
            row = builder.gep(panel, [builder.mul(w, index_constant(kinds * TILE_OUTPUTS))])

            def spread_word(k: int) -> Any:
                """One word of calls in all lanes, to meet the signs of eight outputs."""
                word = builder.load(builder.gep(calls, [index_constant(k)]))
                lowest = builder.insert_element(unknown, word, ir.Constant(lane, 0))
                return builder.shuffle_vector(lowest, unknown, same)

            def load_signs(k: int) -> Any:
                """Vector k of signs of this word; arrays are aligned to their numbers only."""
                words = builder.gep(row, [index_constant(VECTOR_WORDS * k)])
                return builder.load(builder.bitcast(words, vector.as_pointer()), align=8)

            own = [
                [load_signs(c * TILE_VECTORS + v) for c in range(kinds)]
                for v in range(TILE_VECTORS)
            ]
            more = []  # the sums with this word's ones
            for i in range(TILE_SAMPLES):
                one, other = spread_word(i), spread_word(TILE_SAMPLES + i)  # first, second plane
                for v in range(TILE_VECTORS):
                    found = builder.call(ones, [left(builder, own[v], one, other)])
                    more.append(builder.add(sums[i * TILE_VECTORS + v], found))
            following = builder.add(w, index_constant(1))
            # all begin at 0 from outside the loop, and go on with the results of a pass
            w.add_incoming(index_constant(0), before)
            w.add_incoming(following, loop)
            for total, raised in zip(sums, more, strict=True):
                total.add_incoming(ir.Constant(vector, [0] * VECTOR_WORDS), before)
                total.add_incoming(raised, loop)
            builder.cbranch(builder.icmp_signed("<", following, args[4]), loop, after)
            builder.position_at_end(after)
            # counted in 64 bits a lane, kept in 32: a block adds at most 64 ones a word
            for k, raised in enumerate(more):
                place = builder.gep(out, [index_constant(VECTOR_WORDS * k)])
                place = builder.bitcast(place, narrow.as_pointer())
                total = builder.add(builder.load(place, align=4), builder.trunc(raised, narrow))
                builder.store(total, place, align=4)
            return context.get_dummy_value()  # of a function that returns nothing

        integer = types.intp
        return types.void(planes, integer, panels, integer, integer, tiles, integer), codegen

    return one_instruction(add_tile)


def _agreeing_bits(builder: Any, signs: Any, differs: Any, negative: Any) -> Any:
    """Bits of variants whose call (copies less one) is -1 or 1 and has the output's sign."""
    # three operands, which AVX-512 combines in one instruction (vpternlogq)
    return builder.and_(builder.xor(signs[0], negative), differs)


def _chosen_signs(builder: Any, signs: Any, differs: Any, negative: Any) -> Any:
    """Of the output's signs for two copies, one and none, that of the genotype a sample has."""
    # x ^ ((x ^ y) & mask) is y where the mask has a one, else x: a choice without branches; behind
    # the last variant of a block signs and `differs` are 0, so nothing is counted there
    two, one, none = signs
    ends = builder.xor(two, builder.and_(builder.xor(two, none), negative))
    return builder.xor(one, builder.and_(builder.xor(one, ends), differs))


add_agreeing = _tile_adder(1, _agreeing_bits)  # one sign a variant, times the copies
add_chosen = _tile_adder(3, _chosen_signs)  # three signs a variant, one for each genotype
