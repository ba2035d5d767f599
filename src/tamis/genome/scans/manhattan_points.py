"""Scores along the genome, thinned to what a Manhattan plot shows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..._core.arrow import numbers_of
from ..readers.variants import Variants
from .scan_schema import ManhattanPoints

N_BINS = 500  # of the picture, along the genome
SPAN_QUANTILES = (0.05, 0.5, 0.95)  # of the scores of a bin
N_BEST_DOTS = 400  # best variants of all, drawn by themselves beside the best of each bin


def manhattan_points(variants: Variants, kept: np.ndarray, scores: np.ndarray) -> ManhattanPoints:
    """What a Manhattan plot needs and no more: spans of scores (p,) along the genome, the best
    variants of each and of all, among those `kept` (indices).

    Places are the variants' own order, chromosome by chromosome as they stand in the files.
    """
    of = variants.take(kept)
    scores = scores[kept]
    cuts = np.unique(np.linspace(0, len(kept), N_BINS + 1).astype(int))
    first, last = cuts[:-1], cuts[1:]
    quantiles = np.empty((len(first), len(SPAN_QUANTILES)))
    for size in np.unique(last - first):  # two sizes at most: all spans of one at once
        some = np.flatnonzero(last - first == size)
        values = scores[first[some, None] + np.arange(size)]
        quantiles[some] = np.quantile(values, SPAN_QUANTILES, axis=1).T
    spans = [
        [*ends, *levels]
        for ends, levels in zip(pairwise(cuts.tolist()), quantiles.tolist(), strict=True)
    ]
    tops = [int(a + np.argmax(scores[a:b])) for a, b in pairwise(cuts.tolist())]
    best = np.union1d(
        np.argsort(-scores, kind="stable")[:N_BEST_DOTS], np.array(tops, dtype=np.int64)
    )
    return {
        "n": len(kept),
        "chromosomes": chromosome_starts(of),
        "spans": spans,
        "dots": [[int(k), float(scores[k]), of.id[int(k)].as_py()] for k in best],
    }


def chromosome_starts(variants: Variants) -> list[list[Any]]:
    """Name and first place of each stretch of variants of one chromosome."""
    names = variants.chromosome.dictionary_encode()
    codes, dictionary = numbers_of(names.indices), names.dictionary.to_pylist()
    return [[dictionary[codes[k]], int(k)] for k in np.flatnonzero(np.diff(codes, prepend=-1))]
