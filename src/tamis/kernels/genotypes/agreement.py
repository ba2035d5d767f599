"""The inner loop of a projection: signs and calls of 64 variants a word, and the ones they leave.

A tile is four samples by sixteen outputs. Its sums stay in registers while the words go by, which
loops over arrays do not achieve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from .._bits import one_instruction

VECTOR_WORDS = 8  # words of a vector
TILE_VECTORS = 2  # of outputs
TILE_OUTPUTS = VECTOR_WORDS * TILE_VECTORS  # of a tile
TILE_SAMPLES = 4  # of a tile


def _tile_adder(kinds: int, left: Callable[..., Any]) -> Any:
    """A loop over words that adds the ones of `left` to a tile.

    Parameters
    ----------
    kinds : int
        Words of signs that an output has for a word of variants.
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
        """Words of planes (words, 2, SAMPLES) from `first` on, of panels (words, kinds, OUTPUTS)
        from `at` on, into tiles (SAMPLES, OUTPUTS) from `place` on.

        Arrays are flat; there is one word at least; nobody looks whether what is asked for is
        inside.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            index, lane = ir.IntType(64), ir.IntType(32)
            vector, narrow = ir.VectorType(index, VECTOR_WORDS), ir.VectorType(lane, VECTOR_WORDS)
            ones = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(vector, [vector]), f"llvm.ctpop.v{VECTOR_WORDS}i64"
            )
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
            before = builder.block
            loop = builder.append_basic_block("words")
            after = builder.append_basic_block("counted")
            builder.branch(loop)
            builder.position_at_end(loop)
            w = builder.phi(index)
            sums = [builder.phi(vector) for _ in range(TILE_SAMPLES * TILE_VECTORS)]
            calls = builder.gep(plane, [builder.mul(w, index_constant(2 * TILE_SAMPLES))])
            row = builder.gep(panel, [builder.mul(w, index_constant(kinds * TILE_OUTPUTS))])

            def spread_word(k: int) -> Any:
                word = builder.load(builder.gep(calls, [index_constant(k)]))
                lowest = builder.insert_element(unknown, word, ir.Constant(lane, 0))
                return builder.shuffle_vector(lowest, unknown, same)

            def load_signs(k: int) -> Any:
                words = builder.gep(row, [index_constant(VECTOR_WORDS * k)])
                return builder.load(builder.bitcast(words, vector.as_pointer()), align=8)

            own = [
                [load_signs(c * TILE_VECTORS + v) for c in range(kinds)]
                for v in range(TILE_VECTORS)
            ]
            more = []
            for i in range(TILE_SAMPLES):
                one, other = spread_word(i), spread_word(TILE_SAMPLES + i)
                for v in range(TILE_VECTORS):
                    found = builder.call(ones, [left(builder, own[v], one, other)])
                    more.append(builder.add(sums[i * TILE_VECTORS + v], found))
            following = builder.add(w, index_constant(1))
            w.add_incoming(index_constant(0), before)
            w.add_incoming(following, loop)
            for total, raised in zip(sums, more, strict=True):
                total.add_incoming(ir.Constant(vector, [0] * VECTOR_WORDS), before)
                total.add_incoming(raised, loop)
            builder.cbranch(builder.icmp_signed("<", following, args[4]), loop, after)
            builder.position_at_end(after)
            for k, raised in enumerate(more):
                place = builder.gep(out, [index_constant(VECTOR_WORDS * k)])
                place = builder.bitcast(place, narrow.as_pointer())
                total = builder.add(builder.load(place, align=4), builder.trunc(raised, narrow))
                builder.store(total, place, align=4)
            return context.get_dummy_value()

        whole = types.intp
        return types.void(planes, whole, panels, whole, whole, tiles, whole), codegen

    return one_instruction(add_tile)


def _agreeing_bits(builder: Any, signs: Any, differs: Any, negative: Any) -> Any:
    """Where a call is -1 or 1 and has the sign: one instruction of three operands."""
    return builder.and_(builder.xor(signs[0], negative), differs)


def _chosen_signs(builder: Any, signs: Any, differs: Any, negative: Any) -> Any:
    """The sign of the genotype that a sample has, of two copies, one and none."""
    two, one, none = signs
    ends = builder.xor(two, builder.and_(builder.xor(two, none), negative))
    return builder.xor(one, builder.and_(builder.xor(one, ends), differs))


add_agreeing = _tile_adder(1, _agreeing_bits)
add_chosen = _tile_adder(3, _chosen_signs)
