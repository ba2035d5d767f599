"""What `tamis expression geo` makes of a series: genes of its platforms, or probe sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from .._core.errors import listing, plural

if TYPE_CHECKING:
    import pandas as pd

    from ..expression.reading.geo_series import GeoSeries


def annotations_by(given: Sequence[str], platforms: Sequence[str]) -> dict[str, Path]:
    """Files of --genes by platform; the name may be left out of a single one.

    Raises
    ------
    click.UsageError
        There is no name where there are several platforms, one twice, or one of another.
    """
    found: dict[str, Path] = {}
    for one in given:
        name, sign, path = one.partition("=")
        if not sign or Path(one).exists():
            name, path = platforms[0] if len(platforms) == 1 else "", one
        if name not in platforms or name in found:
            raise click.UsageError(
                f"--genes {one}: name the platform of each table once, as {platforms[0]}=FILE, "
                f"of {', '.join(platforms)}"
            )
        found[name] = Path(path)
    return found


@dataclass(frozen=True)
class GeoTable:
    """A table of a series.

    Attributes
    ----------
    frame : DataFrame
        Samples in rows; with several platforms first the column `platform`.
    said : list of str
        How many genes or probe sets it has, and lines that say how they came about.
    content : dict
        The same in numbers.
    remarks : list of str
        What makes it doubtful.
    """

    frame: pd.DataFrame
    said: list[str]
    content: dict[str, Any]
    remarks: list[str]


def geo_table(
    series: GeoSeries, platforms: Sequence[str], annotations: Mapping[str, Path], probes: bool,
    log2: bool,
) -> GeoTable:  # fmt: skip
    """Genes of the platforms of a series, or the probe sets of one; those with values."""
    made = _with_all(series, platforms, annotations, probes, log2)
    frame = made.frame.dropna(axis=1, how="all")
    if empty := made.frame.shape[1] - frame.shape[1]:
        made.said.append(f"left out, as no sample has a value: {empty:,}")
    return replace(made, frame=frame, content={**made.content, "n_empty": empty})


def _with_all(
    series: GeoSeries, platforms: Sequence[str], annotations: Mapping[str, Path], probes: bool,
    log2: bool,
) -> GeoTable:  # fmt: skip
    from ..expression.platform_merge import merge_platforms, unlogged_warnings
    from ..expression.reading.geo_series import logged

    tables = {name: series.values(name) for name in platforms}
    unlogged = [name for name in series.unlogged() if name in platforms]
    took = unlogged if log2 else []
    said = [f"log2 of max(x, 1) was taken of {listing(took)}"] if took else []
    remarks = [] if took else [f"{text} Say --log2." for text in unlogged_warnings(tables)]
    content: dict[str, Any] = {"log2": took}
    if len(platforms) > 1:
        if probes:
            raise click.UsageError(
                "--probes: platforms have other probe sets; name one of "
                f"{', '.join(platforms)} by --platform"
            )
        genes_of = {p: series.genes(p, annotations.get(p), log2=p in took) for p in platforms}
        for name, found in genes_of.items():
            remarks += [f"{name}: {text}" for text in found.probe_genes.warnings()]
        merged = merge_platforms(genes_of)
        *counts, _ = merged.summary().splitlines()[: len(platforms) + 1]
        head = f"{plural(len(merged.genes), 'gene')} that all have"
        return GeoTable(
            merged.frame("platform"),
            [head, *counts, *said],
            {**content, **merged.to_dict()},
            remarks,
        )
    (name,) = platforms
    known = name in annotations or (name in series.platforms and series.platforms[name].columns)
    if known and not probes:
        genes = series.genes(name, annotations.get(name), log2=bool(took))
        remarks += genes.probe_genes.warnings()
        lines = [plural(len(genes.genes), "gene"), *genes.summary().splitlines()[1:], *said]
        return GeoTable(genes.frame(), lines, {**content, **genes.to_dict()}, remarks)
    if not probes:
        remarks.append(
            f"the file has no table of {name}, so that probe sets are kept: give its table "
            "(GPL..., .annot, .csv) by --genes, or say --probes"
        )
    values = logged(tables[name]) if took else tables[name]
    return GeoTable(values, [plural(values.shape[1], "probe set"), *said], content, remarks)
