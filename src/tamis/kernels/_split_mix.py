"""Streams of random numbers inside kernels: SplitMix64 (Steele, Lea & Flood 2014)."""

from __future__ import annotations

import numpy as np

from ._jit import jit

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)


@jit
def mix_bits(z):
    """A 64-bit number that depends on every bit of z."""
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return z ^ (z >> S31)


@jit
def draw_bits(state):
    """The next 64 random bits of a stream; its state is (1,) uint64."""
    state[0] = state[0] + GAMMA
    return mix_bits(state[0])


@jit
def draw_below(state, bound):
    """A whole number in 0..bound - 1, all equally probable (Lemire 2019); bound < 2^32."""
    bound = np.uint64(bound)
    product = (draw_bits(state) >> S32) * bound
    if (product & LOW) < bound:
        least = ((LOW - bound) + np.uint64(1)) % bound
        while (product & LOW) < least:
            product = (draw_bits(state) >> S32) * bound
    return np.int64(product >> S32)
