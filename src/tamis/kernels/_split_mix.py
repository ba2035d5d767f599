"""Streams of random numbers inside kernels: SplitMix64 (Steele, Lea & Flood 2014)."""

from __future__ import annotations

import numpy as np

from ._jit import jit

# All constants are uint64, as numba turns uint64 with int64 into float64.

# 2^64 / golden ratio, made odd: a state then takes all 2^64 values before it repeats
GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
# odd, so that multiplying modulo 2^64 can be undone, as a right shift with XOR can
FIRST_MULTIPLIER, SECOND_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_27, SHIFT_30, SHIFT_31, SHIFT_32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOW_32_BITS = np.uint64(0xFFFFFFFF)


@jit
def mix_bits(z):
    """A 64-bit hash of z, one to one, whose bits depend on every bit of z."""
    z = (z ^ (z >> SHIFT_30)) * FIRST_MULTIPLIER
    z = (z ^ (z >> SHIFT_27)) * SECOND_MULTIPLIER
    return z ^ (z >> SHIFT_31)


@jit
def draw_bits(state):
    """The next 64 random bits of a stream; its state is (1,) uint64."""
    state[0] = state[0] + GOLDEN_GAMMA  # modulo 2^64: uint64 wraps around
    return mix_bits(state[0])


@jit
def draw_below(state, bound):
    """A whole number in 0..bound - 1, all equally probable (Lemire 2019); bound < 2^32."""
    bound = np.uint64(bound)
    # x uniform in 0..2^32 - 1: the result is floor(x bound / 2^32), the upper half of x bound
    product = (draw_bits(state) >> SHIFT_32) * bound
    # for equal probabilities x is rejected where the lower half is below r = 2^32 mod bound; as
    # r < bound, the slow remainder is needed only if the lower half is below bound
    if (product & LOW_32_BITS) < bound:
        # r = (2^32 - bound) mod bound
        least = ((LOW_32_BITS - bound) + np.uint64(1)) % bound
        while (product & LOW_32_BITS) < least:
            product = (draw_bits(state) >> SHIFT_32) * bound
    return np.int64(product >> SHIFT_32)
