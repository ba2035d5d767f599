"""A scan as files: tables that PLINK's users can join, and the numbers as JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from .._core.arrow import numbers_of
from .._core.files import write_json
from .._core.outputs import OutputFolder
from .inflation import quantiles_of
from .scan_result import KEPT, MTDScan
from .scan_schema import Picture, ScanContent
from .tables import write_table
from .variants import Variants

BINS = 500  # of the picture, along the genome
DOTS = 400  # best variants of all, drawn by themselves beside the best of each bin
SCHEMA = 1
KIND = "mtd-scan"
FOLDER = OutputFolder(
    "result of `tamis genome mtd`", "results.json", KIND, ("mtd.tsv", "left_out.tsv")
)


def write_scan(
    scan: MTDScan, folder: str | os.PathLike[str], settings: dict[str, Any],
    remarks: Sequence[str] = (),
) -> ScanContent:  # fmt: skip
    """Write ``mtd.tsv``, ``left_out.tsv`` and ``results.json``.

    Parameters
    ----------
    scan : MTDScan
    folder : path
        Made if it is not there.
    settings : dict
        What was asked for, for the JSON.
    remarks : sequence of str
        What was told before, for the page.

    Returns
    -------
    dict
        What the JSON holds.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """
    folder = Path(folder)
    write_table(scan.table(), folder / "mtd.tsv")
    write_table(scan.dropped_table(), folder / "left_out.tsv")
    p = scan.single_p_values
    content: ScanContent = {
        "schema": SCHEMA, "kind": KIND, "versions": {"tamis": __version__}, **scan.to_dict(),
        "settings": settings, "remarks": list(remarks),
        "quantiles": None if p is None else quantiles_of(p, scan.genotypes.variants.id),
        "picture": drawn_scan(scan),
    }  # fmt: skip
    write_json(folder / "results.json", content)
    return content


def drawn_scan(scan: MTDScan) -> Picture:
    """What a Manhattan plot of its scores needs."""
    kept = np.flatnonzero(scan.reasons == KEPT)
    return picture_of(scan.genotypes.variants, kept, scan.scores)


def picture_of(variants: Variants, kept: np.ndarray, scores: np.ndarray) -> Picture:
    """What a Manhattan plot needs and no more: spans of scores (p,) along the genome, the best
    variants of each and of all, among those `kept` (indices).

    Places are the variants' own order, chromosome by chromosome as they stand in the files.
    """
    of = variants.take(kept)
    scores = scores[kept]
    cuts = np.unique(np.linspace(0, len(kept), BINS + 1).astype(int))
    spans = []
    for first, last in pairwise(cuts.tolist()):
        low, middle, high = np.quantile(scores[first:last], [0.05, 0.5, 0.95]).tolist()
        spans.append([first, last, low, middle, high])
    tops = [first + int(np.argmax(scores[first:last])) for first, last, *_ in spans]
    best = np.union1d(np.argsort(-scores, kind="stable")[:DOTS], np.array(tops, dtype=np.int64))
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
