"""Words of 64 bits: counting ones."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

WORD = 64


def _count_ones(context, word):
    """Ones of a uint64, by the machine's own instruction; loops of it become vectors."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


count_ones: Any = intrinsic(_count_ones)


def words_for(n: int) -> int:
    """Words that hold n bits."""
    return -(-n // WORD)
