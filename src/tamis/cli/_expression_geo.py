"""What `tamis expression geo` makes of a series: genes of its platforms, or probe sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from .._core.errors import counted_noun, listed_names

if TYPE_CHECKING:
    import pandas as pd

    from ..expression.probe_collapsing import GeneValues
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
    content: Mapping[str, object]
    remarks: list[str]


def geo_table(
    series: GeoSeries,
    platforms: Sequence[str],
    annotations: Mapping[str, Path],
    probes: bool,
    log2: bool,
) -> GeoTable:
    """Genes of the platforms of a series, or the probe sets of one; those with values."""
    made = _with_all(series, platforms, annotations, probes, log2)
    frame = made.frame.dropna(axis=1, how="all")
    if empty := made.frame.shape[1] - frame.shape[1]:
        made.said.append(f"left out, as no sample has a value: {empty:,}")
    return replace(made, frame=frame, content={**made.content, "n_empty": empty})


def _with_all(
    series: GeoSeries,
    platforms: Sequence[str],
    annotations: Mapping[str, Path],
    probes: bool,
    log2: bool,
) -> GeoTable:
    import numpy as np

    from ..data.unlogged import looks_unlogged
    from ..expression.platform_merge import merge_platforms, unlogged_warnings
    from ..expression.probe_collapsing import collapse_probes

    tables = {name: series.values(name) for name in platforms}
    said, remarks, took = [], [], []
    if log2:
        took = [name for name, table in tables.items() if looks_unlogged(table.to_numpy())]
        tables |= {name: tables[name].clip(lower=1.0).apply(np.log2) for name in took}
        said = [f"log2 of max(x, 1) was taken of {listed_names(took)}"] if took else []
    else:
        remarks = [f"{text} Say --log2." for text in unlogged_warnings(tables)]
    content: dict[str, object] = {"log2": took}

    def genes_of(name: str) -> GeneValues:
        found = collapse_probes(tables[name], annotations.get(name) or series.annotation(name))
        head = f"{name}: " if len(platforms) > 1 else ""
        remarks.extend(f"{head}{text}" for text in found.probe_genes.warnings())
        return found

    if len(platforms) > 1:
        if probes:
            raise click.UsageError(
                "--probes: platforms have other probe sets; name one of "
                f"{', '.join(platforms)} by --platform"
            )
        merged = merge_platforms({name: genes_of(name) for name in platforms})
        *counts, _ = merged.summary().splitlines()[: len(platforms) + 1]
        lines = [f"{counted_noun(len(merged.genes), 'gene')} that all have", *counts, *said]
        return GeoTable(merged.frame("platform"), lines, {**content, **merged.to_dict()}, remarks)
    (name,) = platforms
    known = name in annotations or (name in series.platforms and series.platforms[name].columns)
    if known and not probes:
        genes = genes_of(name)
        lines = [counted_noun(len(genes.genes), "gene"), *genes.summary().splitlines()[1:], *said]
        return GeoTable(genes.frame(), lines, {**content, **genes.to_dict()}, remarks)
    if not probes:
        remarks.append(
            f"the file has no table of {name}, so that probe sets are kept: give its table "
            "(GPL..., .annot, .csv) by --genes, or say --probes"
        )
    head = counted_noun(tables[name].shape[1], "probe set")
    return GeoTable(tables[name], [head, *said], content, remarks)
