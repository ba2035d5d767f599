"""CEL and CDF files read as affyio, affxparser and affy read them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from expression.reading.array_files import golden_files
from tamis.expression.reading import read_cdf, read_cel

FOLDER = Path(__file__).resolve().parents[2] / "goldens" / "arrays"
GOLDEN = json.loads((FOLDER / "arrays.json").read_text())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the peers read: ours, and those that affxparser wrote."""
    folder = tmp_path_factory.mktemp("arrays")
    for name, data in golden_files().items():
        (folder / name).write_bytes(data)
    for path in FOLDER.glob("*.C??"):
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.mark.parametrize("name", GOLDEN["sha256"])
def test_the_files_are_those_that_the_peers_read(folder, name):
    assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == GOLDEN["sha256"][name]


@pytest.mark.parametrize("name", GOLDEN["affyio"])
def test_affyio_reads_the_same(folder, name):
    cel, golden = read_cel(folder / name), GOLDEN["affyio"][name]
    means = np.array(golden["means"], dtype=cel.intensities.dtype)
    np.testing.assert_array_equal(cel.intensities.ravel(), means)
    assert cel.intensities.dtype == (np.float64 if "text" in name else np.float32)
    assert [cel.n_columns, cel.n_rows] == golden["columns_rows"]
    assert (cel.chip_type, cel.algorithm) == (golden["chip"], golden["algorithm"])
    usual, iso = f"{cel.scan_date:%m/%d/%y %H:%M:%S}", f"{cel.scan_date:%Y-%m-%dT%H:%M:%SZ}"
    assert golden["date"] in (usual, iso)


@pytest.mark.parametrize("name", GOLDEN["affxparser"])
def test_affxparser_reads_the_same(folder, name):
    cel, golden = read_cel(folder / name, flags=True), GOLDEN["affxparser"][name]
    means = np.float32(golden["means"])  # which is how affxparser holds text, too
    np.testing.assert_array_equal(np.float32(cel.intensities.ravel()), means)
    assert cel.intensities.size == golden["rows"] * golden["columns"]
    assert np.flatnonzero(cel.masked).tolist() == [cell - 1 for cell in golden["masked"]]
    assert np.flatnonzero(cel.outliers).tolist() == [cell - 1 for cell in golden["outliers"]]


@pytest.mark.parametrize("name", GOLDEN["cdfs"])
def test_probe_sets_are_those_of_affxparser(folder, name):
    cdf, golden = read_cdf(folder / name), GOLDEN["cdfs"][name]
    assert cdf.names == list(golden)
    for k, sets in enumerate(golden.values()):
        own = slice(cdf.offsets[k], cdf.offsets[k + 1])
        assert (cdf.pm[own] + 1).tolist() == sets["pm"]
        assert (cdf.mm[own] + 1).tolist() == sets["mm"]


@pytest.mark.parametrize("cdf", ["square_text.CDF", "square_binary.CDF", "affxparser_square.CDF"])
def test_affy_takes_the_same_cells_in_the_same_order(folder, cdf):
    golden, cdf = GOLDEN["affy"], read_cdf(folder / cdf)
    # affy's sets are sorted by name
    order = np.argsort(cdf.probe_sets.astype(str), kind="stable")
    assert cdf.probe_sets[order].tolist() == golden["probe_sets"]
    for k, kind in enumerate(["text", "version_4", "console"]):
        pm, mm = cdf.intensities(read_cel(folder / f"square_{kind}.CEL"))
        np.testing.assert_array_equal(pm[order], np.array(golden["pm"][k], dtype=pm.dtype))
        np.testing.assert_array_equal(mm[order], np.array(golden["mm"][k], dtype=mm.dtype))


@pytest.mark.parametrize("cdf", ["square_text.CDF", "square_binary.CDF", "affxparser_square.CDF"])
def test_rma_of_files_is_that_of_affy(folder, cdf):
    rma = pytest.importorskip("tamis.expression.robust_multiarray").rma
    golden, cdf = GOLDEN["affy"], read_cdf(folder / cdf)
    cels = [read_cel(folder / f"square_{kind}.CEL") for kind in ("text", "version_4", "console")]
    found = rma(np.array([cdf.intensities(cel)[0] for cel in cels]), cdf.probe_sets)
    order = np.argsort(found.probe_sets)
    assert [found.probe_sets[k] for k in order] == sorted(set(golden["probe_sets"]))
    np.testing.assert_allclose(found.values[:, order], golden["rma"], rtol=0, atol=1e-12)
