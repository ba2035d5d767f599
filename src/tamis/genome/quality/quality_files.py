"""Quality control as files: tables, PLINK's lists of what is kept, and the numbers as JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ... import __version__
from ..._core.files import write_json, write_text
from ..._core.inside import Inside
from ..._core.outputs import OutputFolder
from ...plotting._axes import nice_step
from ..blocks.tables import write_ids, write_table
from .inflation import quantiles_of
from .inflation_schema import Quantiles
from .quality_result import QualityControl
from .quality_schema import Histogram, QualityContent, QualityPicture

SCHEMA = 1
KIND = "quality-control"
FOLDER = OutputFolder(
    "result of `tamis genome qc`",
    "quality.json",
    KIND,
    ("variants.tsv", "samples.tsv", "variants.keep", "samples.keep"),
)
N_BINS = 50
MAX_LISTED_VARIANTS = 20  # variants listed


def write_quality(
    found: QualityControl,
    folder: str | os.PathLike[str],
    settings: dict[str, object],
    remarks: Sequence[str] = (),
) -> tuple[QualityContent, int]:
    """Write ``variants.tsv``, ``samples.tsv``, ``variants.keep``, ``samples.keep`` and
    ``quality.json``.

    Parameters
    ----------
    found : QualityControl
    folder : path
        That is there.
    settings : dict
        The requested options, for the JSON.
    remarks : sequence of str
        Messages shown before, for the page.

    Returns
    -------
    content : dict
        What the JSON holds.
    unlisted : int
        Variants kept that ``variants.keep`` cannot name.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """
    folder = Path(folder)
    write_table(found.table(), Inside(folder, "variants.tsv"))
    write_table(found.samples_table(), Inside(folder, "samples.tsv"))
    unlisted = write_ids(found.genotypes.variants, found.kept, Inside(folder, "variants.keep"))
    kept = found.genotypes.samples.take(np.flatnonzero(found.kept_samples))
    write_text(Inside(folder, "samples.keep"), kept.keep_lines())
    content: QualityContent = {
        "schema": SCHEMA,
        "kind": KIND,
        "versions": {"tamis": __version__},
        **found.to_dict(),
        "settings": settings,
        "remarks": list(remarks),
        "unlike": _most_unlike_variants(found),
        "picture": picture_of(found),
    }
    write_json(Inside(folder, "quality.json"), content)
    return content, unlisted


def picture_of(found: QualityControl) -> QualityPicture:
    """Histograms of all that could be looked at and of what is kept, and quantiles of p."""
    of, limits, sample_missing = found.variants, found.limits, found.sample_missing
    there = found.genotypes.variants.left_out == 0
    rare = there & ~np.isnan(of.frequency)
    everyone = np.ones(len(sample_missing), dtype=bool)
    return {
        "missing": _quality_histogram(of.missing, there, found.kept, limits.missing),
        "sample_missing": _quality_histogram(
            sample_missing, everyone, found.kept_samples, limits.sample_missing
        ),
        "frequency": _quality_histogram(of.frequency, rare, found.kept & rare, limits.frequency),
        "differential": {
            "all": _differential_quantiles(found, there),
            "kept": _differential_quantiles(found, found.kept),
        }
        if found.classes
        else None,
    }


def _quality_histogram(
    values: np.ndarray, before: np.ndarray, after: np.ndarray, limit: float | None
) -> Histogram:
    """Intervals hold their lower end; the last one both."""
    top = max(values[before].max(initial=0.0), 0.01)
    step = nice_step(top, N_BINS)
    n = int(np.ceil(top / step - 1e-9))
    places = np.floor(np.where(before, values, 0) / step + 1e-9).astype(np.int64).clip(0, n - 1)
    counts = (np.bincount(places[chosen], minlength=n).tolist() for chosen in (before, after))
    return {"step": step, "before": next(counts), "after": next(counts), "limit": limit}


def _differential_quantiles(found: QualityControl, chosen: np.ndarray) -> Quantiles:
    p = np.where(chosen, found.variants.differential, np.nan)
    return quantiles_of(p, found.genotypes.variants.id)


def _most_unlike_variants(found: QualityControl) -> list[dict[str, object]]:
    """The variants of the smallest p of equally many missing calls."""
    p = found.variants.differential
    order = np.argsort(p, kind="stable")[: min(MAX_LISTED_VARIANTS, int((~np.isnan(p)).sum()))]
    names = ["chromosome", "id", "position", "missing", "missing_share", "differential_p", "reason"]
    rows: list[dict[str, object]] = found.table(order).select(names).to_pylist()
    return rows
