"""Complementary halves of the samples, and random streams for each."""

from __future__ import annotations

import numpy as np

from .._core.errors import DataError, counted_noun

MAX_DRAWS = 1000  # of halves that are not stratified, until every class is in both


def complementary_halves(
    y: np.ndarray, stream: np.random.SeedSequence, stratified: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Two disjoint halves of floor(n/2) rows, rising, each with every class.

    Stratified: each class gives both halves equally many; the odd rows left over, one of
    each class with an odd number, go to the halves in turn in random order.
    """
    sizes = np.bincount(y)
    if sizes.min() < 2:
        raise DataError(
            f"class number {int(sizes.argmin()) + 1} (in sorted order) has "
            f"{counted_noun(int(sizes.min()), 'sample')}: each half needs one of every class, so "
            "give classes of at least 2"
        )
    rng = np.random.default_rng(stream)
    half = len(y) // 2
    if stratified:
        shuffled = [rng.permutation(np.flatnonzero(y == c)) for c in range(len(sizes))]
        over = rng.permutation([r[-1] for r in shuffled if len(r) % 2]).astype(np.int64)
        over = over[: len(over) // 2 * 2]
        first = np.concatenate([*[r[: len(r) // 2] for r in shuffled], over[0::2]])
        second = np.concatenate([*[r[len(r) // 2 : len(r) // 2 * 2] for r in shuffled], over[1::2]])
        return np.sort(first), np.sort(second)
    for _ in range(MAX_DRAWS):
        order = rng.permutation(len(y))
        first, second = np.sort(order[:half]), np.sort(order[half : 2 * half])
        if all((np.bincount(y[rows], minlength=len(sizes)) > 0).all() for rows in (first, second)):
            return first, second
    raise DataError(
        f"no halves with all {len(sizes)} classes in {MAX_DRAWS:,} draws: use stratified=True, or "
        "give "
        "larger classes"
    )


def child_seed(stream: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    """A stream below `stream`, by its key alone; `stream` itself is left as it was."""
    return np.random.SeedSequence(stream.entropy, spawn_key=(*stream.spawn_key, *key))
