"""Sums of random signs over packed calls, in whole numbers, by counts of ones.

Calls are transposed: a word holds 64 variants of a sample, in two planes, "other than one copy" and
"none" (of copies less one, t = -1, 0 or 1, these are |t| and t < 0). With the bits s of 64 signs of
an output

    sum s t = 2 ones((s xor none) and other) - ones(other)

is one count of ones where planes of x = 0, 1, 2 would take two, and sum s x = sum s t + sum s. With
three indicators a variant one is 1, and the planes choose its sign: sum = 2 ones(chosen) - p.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from .._bits import WORD_BITS, count_ones, words_for
from .._jit import jit
from .agreement import TILE_OUTPUTS, TILE_SAMPLES, add_agreeing, add_chosen
from .signs import LANE_WORDS, fill_panels
from .turned import CHUNK_SAMPLES, turn_calls
from .words import CALLS_PER_WORD

# variants of a block: a panel of signs fills a third of the innermost cache
BLOCK_VARIANTS = 128 * WORD_BITS
# tiles of samples in a task: their planes, half a megabyte of a full block, stay in the cache while
# all panels pass
TASK_TILES = 64

Share = Callable[[Iterable[Callable[[], Any]]], Any]  # runs tasks in any order


class PackedProjection:
    """Sums over blocks of variants, which may come in any order and width.

    Parameters
    ----------
    place : ndarray of shape (n_file,) of int64
        Row of each sample of the file, -1 of those not taken.
    n_outputs : int
    key : uint64
        From which the signs follow.
    by_genotype : bool
        Three indicators a variant, of two copies, one and none; else the copies.
    """

    def __init__(self, place: np.ndarray, n_outputs: int, key: np.uint64, by_genotype: bool):
        self.place, self.key, self.by_genotype = place, key, by_genotype
        self.shape = int((place >= 0).sum()), n_outputs
        # samples by tiles of four, outputs by panels of sixteen; the last of each may be part empty
        self.groups, self.panels = -(-self.shape[0] // TILE_SAMPLES), -(-n_outputs // TILE_OUTPUTS)
        self.tiles = np.zeros(
            (self.panels, self.groups, TILE_SAMPLES, TILE_OUTPUTS), dtype=np.int32
        )
        self.other = np.zeros(self.shape[0], dtype=np.int64)  # calls other than one copy
        self.ones = np.zeros(self.panels * TILE_OUTPUTS, dtype=np.int64)  # signs that are +1
        self.n_variants = 0

    def add(self, packed: np.ndarray, first: int, fill: np.ndarray, share: Share) -> None:
        """Add a block of variants.

        Parameters
        ----------
        packed : ndarray of shape (m, n_bytes) of uint8
        first : int
            Number of its first variant, from which the signs follow.
        fill : ndarray of shape (m,) of int8
            Copies that stand for a missing call.
        share : callable
            Runs all tasks that it is given.
        """
        m, kinds = len(packed), 3 if self.by_genotype else 1
        words = words_for(m)
        panels = np.empty((self.panels, words, kinds, TILE_OUTPUTS), dtype=np.uint64)
        # not filled where the last tile has no sample: sums there are never read
        planes = np.empty((self.groups, words, 2, TILE_SAMPLES), dtype=np.uint64)
        # a bit a variant: what is filled in is other than one copy; is none; the variant exists
        gaps = np.stack([_bits_of(fill != 1), _bits_of(fill == 0), _bits_of(fill >= 0)])
        n_outputs, n_bytes = len(self.ones), packed.shape[1]
        flat = packed.reshape(-1)
        # tasks write apart: each has outputs, or samples, of its own
        share(
            [
                *(
                    partial(fill_panels, self.key, first, m, group, panels, self.ones)
                    for group in range(-(-n_outputs // (LANE_WORDS * WORD_BITS)))
                ),
                *(
                    partial(
                        _turn_tile_calls, flat, n_bytes, m, at, self.place, gaps, planes, self.other
                    )
                    for at in range(0, len(self.place), CHUNK_SAMPLES)
                ),
            ]
        )
        product = _add_chosen if self.by_genotype else _add_agreeing
        share(
            partial(
                product,
                planes.reshape(-1),
                panels.reshape(-1),
                words,
                at,
                min(at + TASK_TILES, self.groups),
                self.groups,
                self.panels,
                self.tiles.reshape(-1),
            )
            for at in range(0, self.groups, TASK_TILES)
        )
        self.n_variants += m

    def sums(self, divisor: float | None = None) -> np.ndarray:
        """Sums over all blocks (n, n_outputs): int32, or float64 divided by `divisor`."""
        out = np.empty(self.shape, dtype=np.int32 if divisor is None else np.float64)
        # to be added to 2 ones: -p; or -ones(other) of the sample, and of the output
        # sum s = 2 ones(s) - p
        if self.by_genotype:
            rows, columns = np.zeros_like(self.other), np.full_like(self.ones, -self.n_variants)
        else:
            rows, columns = -self.other, 2 * self.ones - self.n_variants
        _gather_sums(self.tiles, rows, columns, 1 if divisor is None else divisor, out)
        return out


def _bits_of(flags: np.ndarray) -> np.ndarray:
    """Flags (m,) as words (words_for(m),) uint64, the first flag the lowest bit of a word."""
    wide = np.zeros(words_for(len(flags)) * WORD_BITS, dtype=np.uint8)
    wide[: len(flags)] = flags
    return np.packbits(wide, bitorder="little").view("<u8").astype(np.uint64)


@jit
def _turn_tile_calls(flat, n_bytes, m, at, place, gaps, planes, other):
    """Fill the planes of the 256 samples from `at` on, and add their ones to `other` (n,).

    A row of the transposed words has one of the two bits of a sample's calls at 64 variants.
    """
    block = np.empty((64, LANE_WORDS), dtype=np.uint64)
    n = len(place)
    for w in range(planes.shape[1]):
        there = min(m - 64 * w, 64)
        turn_calls(flat, n_bytes, 64 * w, there, at, block)
        filled_other, filled_none, valid = gaps[0, w], gaps[1, w], gaps[2, w]
        for sample in range(at, min(at + CHUNK_SAMPLES, n)):
            to = place[sample]
            if to < 0:
                continue
            t, i = (sample - at) // CALLS_PER_WORD, 2 * ((sample - at) % CALLS_PER_WORD)
            # (high, low) is 00 of two copies, 10 of one, 11 of none, 01 if missing
            low, high = block[i, t], block[i + 1, t]
            missing = low & ~high
            differs = (~(low ^ high) | (missing & filled_other)) & valid
            planes[to // TILE_SAMPLES, w, 0, to % TILE_SAMPLES] = differs
            # also 1 of one copy: there `differs` is 0, and this bit counts for nothing
            planes[to // TILE_SAMPLES, w, 1, to % TILE_SAMPLES] = high | (missing & filled_none)
            other[to] += np.int64(count_ones(differs))


@jit
def _add_agreeing(planes, panels, words, first, last, groups, n_panels, tiles):
    """Add agreeing signs of tiles first to last - 1: one word of signs per 64 variants."""
    # panels outside: one stays in the innermost cache while the tiles of the task pass
    for q in range(n_panels):
        for g in range(first, last):
            add_agreeing(
                planes,
                g * words * 2 * TILE_SAMPLES,
                panels,
                q * words * TILE_OUTPUTS,
                words,
                tiles,
                (q * groups + g) * TILE_SAMPLES * TILE_OUTPUTS,
            )


@jit
def _add_chosen(planes, panels, words, first, last, groups, n_panels, tiles):
    """Add chosen signs of tiles first to last - 1: three words of signs per 64 variants."""
    for q in range(n_panels):
        for g in range(first, last):
            add_chosen(
                planes,
                g * words * 2 * TILE_SAMPLES,
                panels,
                q * words * 3 * TILE_OUTPUTS,
                words,
                tiles,
                (q * groups + g) * TILE_SAMPLES * TILE_OUTPUTS,
            )


@jit
def _gather_sums(tiles, rows, columns, divisor, out):
    n, n_outputs = out.shape
    for i in range(n):
        for k in range(n_outputs):
            # int64, since twice a count may exceed int32; a quotient by 1 is exact below 2^53
            ones = np.int64(
                tiles[k // TILE_OUTPUTS, i // TILE_SAMPLES, i % TILE_SAMPLES, k % TILE_OUTPUTS]
            )
            out[i, k] = (2 * ones + rows[i] + columns[k]) / divisor
