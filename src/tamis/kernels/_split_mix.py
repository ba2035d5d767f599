"""Streams of random numbers inside kernels: SplitMix64 (Steele, Lea & Flood 2014)."""

from __future__ import annotations

import numpy as np

from ._jit import jit

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_MULTIPLIER, SECOND_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_27, SHIFT_30, SHIFT_31, SHIFT_32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOW_32_BITS = np.uint64(0xFFFFFFFF)


@jit
def mix_bits(z):
    """A 64-bit number that depends on every bit of z."""
    z = (z ^ (z >> SHIFT_30)) * FIRST_MULTIPLIER
    z = (z ^ (z >> SHIFT_27)) * SECOND_MULTIPLIER
    return z ^ (z >> SHIFT_31)


@jit
def draw_bits(state):
    """The next 64 random bits of a stream; its state is (1,) uint64."""
    state[0] = state[0] + GOLDEN_GAMMA
    return mix_bits(state[0])


@jit
def draw_below(state, bound):
    """A whole number in 0..bound - 1, all equally probable (Lemire 2019); bound < 2^32."""
    bound = np.uint64(bound)
    product = (draw_bits(state) >> SHIFT_32) * bound
    if (product & LOW_32_BITS) < bound:
        least = ((LOW_32_BITS - bound) + np.uint64(1)) % bound
        while (product & LOW_32_BITS) < least:
            product = (draw_bits(state) >> SHIFT_32) * bound
    return np.int64(product >> SHIFT_32)
