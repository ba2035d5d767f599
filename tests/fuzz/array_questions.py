"""What is asked of files of arrays, series and platforms, and what answers must agree in."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

from fuzz.spoiled_arrays import VALID, whole, write_file
from tamis._core.errors import DataError
from tamis.expression import collapse_probes
from tamis.expression.reading import (
    CdfFile,
    CelFile,
    GeoSeries,
    read_annotation,
    read_cdf,
    read_cel,
    read_geo,
    read_soft,
)


def warm() -> None:
    """A valid file of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        for ending, parts in VALID.values():
            ask(write_file(Path(folder), f"made.{ending}", whole(parts)))


def ask(path: Path) -> None:
    """Read it, and an array of the same shape by its probe sets.

    Raises
    ------
    DataError
        The file is wrong.
    """
    if path.suffix == ".CDF":
        cdf = read_cdf(path)
        if cdf.n_rows * cdf.n_columns < 1 << 20:
            _ask_cdf(cdf)
        return
    if path.suffix == ".soft":
        with suppress(DataError):  # platforms may be read where the whole may not, and not
            _ask_annotation(path, "GPL96")
        _ask_family(read_soft(path))
        return
    if path.suffix == ".txt":
        _ask_family(read_geo(path))
        return
    if path.suffix == ".annot":
        _ask_annotation(path)
        return
    without = read_cel(path)  # which may be read where the flags may not
    cel = read_cel(path, flags=True)
    np.testing.assert_array_equal(cel.intensities, without.intensities)
    assert cel.intensities.dtype == (np.float64 if cel.version == "3" else np.float32)
    assert cel.intensities.size == cel.n_rows * cel.n_columns > 0
    assert np.isfinite(cel.intensities).all()
    assert (cel.intensities >= 0).all()
    assert cel.masked is not None
    assert cel.outliers is not None
    assert cel.masked.shape == cel.outliers.shape == cel.intensities.shape
    assert cel.chip_type.isprintable()
    assert cel.algorithm.isprintable()
    assert cel.scan_date is None or cel.scan_date.tzinfo is None


def _ask_cdf(cdf: CdfFile) -> None:
    assert len(set(cdf.names)) == len(cdf.names) == len(cdf.offsets) - 1 > 0
    assert cdf.offsets[0] == 0
    assert cdf.offsets[-1] == len(cdf.pm) == len(cdf.mm) == len(cdf.probe_sets)
    assert (np.diff(cdf.offsets) > 0).all()
    cells = np.arange(cdf.n_rows * cdf.n_columns, dtype=np.float32)
    cel = CelFile(cells.reshape(cdf.n_rows, cdf.n_columns), "", "", None, "4")
    pm, mm = cdf.intensities(cel)
    np.testing.assert_array_equal(pm, cdf.pm)
    np.testing.assert_array_equal(np.nan_to_num(mm, nan=-1), cdf.mm)


def _ask_family(family: GeoSeries) -> None:
    assert family.samples
    assert len(family.sample_sheet()) == len(family.samples)
    for platform in family.platforms.values():
        assert platform.frame().columns.is_unique
    measured = {s.platform for s in family.samples.values() if s.values is not None}
    for name in measured:
        table = family.values(name)
        assert table.columns.is_unique
        assert not np.isinf(table.to_numpy()).any()
        for sample, row in table.iterrows():
            own = family.samples[sample]
            if own.probes is not None:
                np.testing.assert_array_equal(row[own.probes], own.values)


def _ask_annotation(path: Path, platform: str | None = None) -> None:
    found = read_annotation(path, platform=platform)
    assert len(set(found.probes)) == len(found.probes) == len(found.symbols)
    assert any(found.symbols)
    genes = found.genes()
    for probe, symbols in zip(found.probes, found.symbols, strict=True):
        assert probe.strip() == probe
        assert len(set(symbols)) == len(symbols)
        assert len(genes[probe]) == bool(symbols)
        assert set(genes[probe]) <= set(symbols)
    table = np.arange(2.0 * len(found.probes)).reshape(2, -1)
    values = collapse_probes(table, found, probe_sets=found.probes, controls=True)
    assert set(values.genes) == {gene for one in genes.values() for gene in one}
    assert np.isfinite(values.values).all()
    assert len(found.summary()) > 0
