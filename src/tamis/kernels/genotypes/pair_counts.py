"""Counts of every combination of levels of a few variants with eight others, in registers.

A word of each of the eight stands side by side, so that one vector holds a word of all. Each vector
read is used for several variants: there are as many sums as fit into the registers.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from .._bits import one_instruction
from .._jit import jit

SIDE = 8  # variants side by side
WIDTH = 16  # of tables, so that bounds fill a vector too
PLANES = 3  # of a variant: no copy of allele 1, one, and called
FOUR, TWO = 4, 2  # variants counted at once with two planes of each, and with three


def _counter(features: int, planes: int) -> Any:
    """An intrinsic that counts `features` variants by eight, `planes` of the planes of each."""

    @one_instruction
    def count(
        context: Any, own: Any, at: Any, stride: Any, lanes: Any, first: Any, words: Any,
        cells: Any, place: Any,
    ) -> Any:  # fmt: skip
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word, index, narrow = ir.IntType(64), ir.IntType(64), ir.IntType(32)
            vector, small = ir.VectorType(word, SIDE), ir.VectorType(narrow, SIDE)
            ones = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(vector, [vector]), f"llvm.ctpop.v{SIDE}i64"
            )
            kinds, nothing = signature.args, ir.Constant(vector, ir.Undefined)
            turned = ir.Constant(ir.VectorType(narrow, SIDE), [0] * SIDE)

            def start(k: int, at: Any) -> Any:
                data = context.make_array(kinds[k])(context, builder, args[k]).data
                return builder.gep(data, [at])

            def number(k: int) -> Any:
                return ir.Constant(index, k)

            mine = [
                start(0, builder.add(args[1], builder.mul(args[2], number(a))))
                for a in range(features)
            ]
            theirs, out = start(3, args[4]), start(6, args[7])
            before = builder.block
            loop = builder.append_basic_block("words")
            after = builder.append_basic_block("counted")
            zero = ir.Constant(vector, [0] * SIDE)
            builder.cbranch(builder.icmp_signed(">", args[5], number(0)), loop, after)
            builder.position_at_end(loop)
            w = builder.phi(index)
            size = features * planes * planes
            totals = [builder.phi(vector) for _ in range(size)]
            across = builder.gep(theirs, [builder.mul(w, number(PLANES * SIDE))])
            seen = [
                builder.load(
                    builder.bitcast(builder.gep(across, [number(SIDE * v)]), vector.as_pointer()),
                    align=8,
                )
                for v in range(planes)
            ]
            more: list[Any] = []
            for a in range(features):
                row = builder.gep(mine[a], [builder.mul(w, number(PLANES))])
                for u in range(planes):
                    one = builder.load(builder.gep(row, [number(u)]))
                    spread = builder.insert_element(nothing, one, ir.Constant(narrow, 0))
                    spread = builder.shuffle_vector(spread, nothing, turned)
                    for v in range(planes):
                        found = builder.call(ones, [builder.and_(seen[v], spread)])
                        more.append(builder.add(totals[len(more)], found))
            following = builder.add(w, number(1))
            w.add_incoming(number(0), before)
            w.add_incoming(following, loop)
            for total, new in zip(totals, more, strict=True):
                total.add_incoming(zero, before)
                total.add_incoming(new, loop)
            builder.cbranch(builder.icmp_signed("<", following, args[5]), loop, after)
            builder.position_at_end(after)
            results = [builder.phi(vector) for _ in range(size)]
            for result, new in zip(results, more, strict=True):
                result.add_incoming(zero, before)
                result.add_incoming(new, loop)
            for k, result in enumerate(results):
                a, u, v = k // planes**2, k // planes % planes, k % planes
                to = builder.gep(out, [number(((2 * a * PLANES + u) * PLANES + v) * WIDTH)])
                builder.store(
                    builder.trunc(result, small), builder.bitcast(to, small.as_pointer()), align=4
                )
            return context.get_dummy_value()

        integer = types.intp
        return types.void(own, integer, integer, lanes, integer, integer, cells, integer), codegen

    return count


_four_by_two, _two_by_three = _counter(FOUR, 2), _counter(TWO, 3)


@jit
def count_group(own, i, words, group, starts, known, cells, side):
    """Samples that a few variants from `i` on and eight others have in common, by class and level.

    Nobody looks whether what is asked for is inside.

    Parameters
    ----------
    own : (64, W, 3) uint64
        Planes of the variants of a block.
    i : int
        The first of `FOUR` of them if all margins are `known`, otherwise of `TWO`.
    words : (groups, W, 3, 8) uint64
        Planes of all variants, eight side by side.
    group : int
    starts : (3,) int64
        Where the words of each class begin, and the end.
    known : bool
        Whether the planes of calls need not be counted.
    cells : (4, 2, 3, 3, 16) int32
        Variant, class, level of it, level of the others; called stands for the last level.
    side : int
        Which of the 16 the first of the eight is.
    """
    n_words = words.shape[1]
    mine, theirs, into = own.reshape(-1), words.reshape(-1), cells.reshape(-1)
    for c in range(2):
        begin, size = starts[c], starts[c + 1] - starts[c]
        at, first = (i * n_words + begin) * PLANES, (group * n_words + begin) * PLANES * SIDE
        place = c * PLANES * PLANES * WIDTH + side
        if known:
            _four_by_two(mine, at, n_words * PLANES, theirs, first, size, into, place)
        else:
            _two_by_three(mine, at, n_words * PLANES, theirs, first, size, into, place)
