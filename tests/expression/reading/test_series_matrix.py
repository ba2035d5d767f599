"""Series matrix files, and any file of a series of GEO by `read_geo`."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import pytest

from expression.reading.annotation_files import GENES, annot
from expression.reading.soft_files import VALUES, family, matrix
from tamis._core.errors import DataError, PlanError
from tamis.expression import read_geo


@pytest.fixture
def written(tmp_path):
    """A function that writes bytes, or parts of them: the path."""

    def to(data, name="GSE1_series_matrix.txt"):
        if isinstance(data, dict):
            data = b"".join(data.values())
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return to


def both(written):
    return [written(matrix(name), f"GSE1-{name}_series_matrix.txt") for name in ("GPL96", "GPL570")]


def test_matrix_files_hold_what_the_family_file_holds(written):
    whole = read_geo(written(family(), "GSE1_family.soft"))
    found = read_geo(both(written))
    assert found.series == whole.series
    assert found.measured() == whole.measured()
    for name, table in whole.tables().items():
        pd.testing.assert_frame_equal(found.values(name), table)
    assert repr(found) == "GeoSeries('GSE1', 4 samples, 2 platforms)"
    sheet = whole.sample_sheet().drop("GSM5").loc[list(found.samples)]
    pd.testing.assert_frame_equal(found.sample_sheet(), sheet)


def test_a_matrix_file_packed_by_gzip_and_with_other_line_ends(written):
    data = b"".join(matrix().values())
    plain = read_geo(written(data)).values()
    assert plain.shape == (3, 4)
    for other in (gzip.compress(data), data.replace(b"\n", b"\r\n")):
        assert read_geo(written(other)).values().equals(plain)


def test_values_as_pandas_reads_them(written):
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(7, 2, (40, 3000)), 6)
    X[rng.random(X.shape) < 0.05] = np.nan
    names = [f"GSM{k}" for k in range(40)]
    rows = "".join(
        f'"{j}_at"\t' + "\t".join("" if np.isnan(v) else repr(float(v)) for v in column) + "\n"
        for j, column in enumerate(X.T)
    )
    quoted = "\t".join(f'"{name}"' for name in names)
    path = written(
        f'!Series_geo_accession\t"GSE1"\n!Series_platform_id\t"GPL1"\n'
        f"!Sample_geo_accession\t{quoted}\n!series_matrix_table_begin\n"
        f'"ID_REF"\t{quoted}\n{rows}!series_matrix_table_end\n'.encode()
    )
    expected = pd.read_csv(path, sep="\t", skiprows=4, skipfooter=1, engine="python", index_col=0).T
    found = read_geo(path).values("GPL1")
    np.testing.assert_array_equal(found.to_numpy(), expected.to_numpy())
    np.testing.assert_array_equal(found.to_numpy(), X)
    assert found.index.tolist() == names


def test_genes_by_the_table_in_the_file_or_another(written):
    whole = read_geo(written(family(), "GSE1_family.soft"))
    found = whole.genes("GPL96")
    assert found.genes.tolist() == ["DDR1", "RFC2"]
    assert found.frame().loc["GSM1"].tolist()[:1] == [float(VALUES["GSM1"][1]["a_at"])]
    merged = whole.merged({"GPL570": {"x_at": "DDR1", "y_at": "PAX8"}})
    assert merged.genes.tolist() == ["DDR1"]
    assert merged.platforms == ("GPL96", "GPL96", "GPL96", "GPL570")
    assert merged.frame()["DDR1"].to_dict() == {"GSM1": 8.25, "GSM2": -1.5, "GSM4": 5, "GSM3": 0.5}
    with pytest.raises(DataError, match="has no table of GPL570: give an annotation, as read_anno"):
        whole.merged()
    with pytest.raises(DataError, match="no sample with values of platform 'GPL571'"):
        whole.merged({"GPL571": {}})


def test_a_matrix_file_needs_an_annotation(written):
    data = b"".join(matrix().values()).replace(b"a_at", b"1007_s_at").replace(b"b_at", b"117_at")
    series = read_geo(written(data))
    with pytest.raises(DataError, match=r"no table of GPL96: give .*read_annotation\('GPL96.annot"):
        series.genes()
    table = written(annot(), "GPL96.annot")
    found = series.genes(annotation=table)
    assert found.genes.tolist() == ["DDR1"]
    assert found.to_dict()["n_unknown"] == 2
    assert found.to_dict()["n_unmapped"] == (not GENES["117_at"])


def test_platforms_whose_values_are_not_logged_are_named():
    from tamis.expression.reading.geo_entities import Platform, Sample
    from tamis.expression.reading.geo_series import GeoSeries

    rng = np.random.default_rng(0)
    logs = rng.normal(8, 2, (6, 80))
    probes = [f"{j}_at" for j in range(80)]

    def samples(values, platform, first):
        return {
            f"GSM{first + k}": Sample(f"GSM{first + k}", {"platform_id": [platform]}, probes, row)
            for k, row in enumerate(values)
        }

    both = samples(2**logs, "GPL96", 0) | samples(logs, "GPL570", 6)
    series = GeoSeries("GSE1", {}, {n: Platform(n) for n in ("GPL96", "GPL570")}, both)
    (text,) = series.warnings()
    assert text.startswith("Values of GPL96 look like raw intensities (median ")
    assert text.endswith("Those of GPL570 do not, so they cannot be compared.")
    assert series.values("GPL96").to_numpy().tolist() == (2**logs).tolist()  # nothing is logged


def test_infinite_values_are_missing_where_that_is_said(written):
    data = b"".join(matrix().values())
    plain = read_geo(written(data)).values()
    for text in (b"-Inf", b"inf", b"-Infinity"):
        found = read_geo(written(data.replace(b"8.25", text, 1)), infinite="missing").values()
        assert np.isnan(found.to_numpy()).sum() == np.isnan(plain.to_numpy()).sum() + 1
        assert (plain.to_numpy()[np.isnan(found.to_numpy())] == 8.25).any()
    with pytest.raises(PlanError, match="infinite='keep': give 'refuse' or 'missing'"):
        read_geo(written(data), infinite="keep")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b"8.25", b"high", "of the VALUE 'high', which is no number"),
        (b"8.25", b"inf", "has the value 'inf' of the probe .* in the sample 'GSM.*infinite="),
        (b"8.25", b"1_0", "of the VALUE '1_0', which is no number"),
        (b"8.25", b"8.25\t8", "of 5 fields in a table of 4 columns"),
        (b'"ID_REF"', b'"ID"', "a heading without ID_REF"),
        (b'"b_at"', b'"a_at"', "a table that names a probe twice"),
        (b'"GSM1"\t', b'"GSM7"\t', "each sample of !Sample_geo_accession once, as 'GSM1', 'GSM7'"),
        (b'"patient 1"\t', b"", "of 3 samples, where the first has 2"),
        (b"!series_matrix_table_end", b"!end", "is cut short: a table has no !series_matrix_tab"),
        (b"!series_matrix_table_begin", b"!Series_x", "ID_REF.*where a series matrix file has"),
        (b"!Series_geo_accession", b"!Series_x", "has no line of !Series_geo_accession"),
        (b"!Sample_platform_id", b"!Sample_x", "does not say the platform of its samples"),
        (b'"GPL96"', b'""', "does not say the platform of 'GSM1'"),
        (b"!Series_title", b"Series_title", "is no file of a series of GEO: it begins with"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(written, old, new, says):
    data = b"".join(matrix().values())
    assert old in data
    with pytest.raises(DataError, match=says) as error:
        read_geo(written(data.replace(old, new, 1)))
    assert "GSE1" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.quick
def test_no_beginning_of_a_file_is_read_as_the_whole(written):
    data = b"".join(matrix().values())
    for length in range(0, len(data) - 1, 5):
        with pytest.raises(DataError, match="GSE1_series"):
            read_geo(written(data[:length]))


def test_probes_and_samples_beyond_the_bound(written, monkeypatch):
    path = written(matrix())
    monkeypatch.setenv("TAMIS_MOST_COLUMNS", "3")
    with pytest.raises(DataError, match="has 4 probes, and at most 3 are read"):
        read_geo(path)
    monkeypatch.setenv("TAMIS_MOST_COLUMNS", "2")
    with pytest.raises(DataError, match="has 3 samples, and at most 2 are read"):
        read_geo(path)


def test_files_that_do_not_go_together(written):
    one, two = both(written)
    with pytest.raises(DataError, match="there is no file"):
        read_geo([])
    with pytest.raises(DataError, match="holds 'GSM1', 'GSM2', 'GSM4' of another file again"):
        read_geo([two, one, one])
    other = written(b"".join(matrix().values()).replace(b"GSE1", b"GSE2"), "GSE2.txt")
    with pytest.raises(DataError, match="of 2 series, 'GSE1', 'GSE2': read each by itself"):
        read_geo([two, other])


def test_samples_of_a_platform_in_two_files(written):
    """As GEO splits large series; probes may differ in number and order."""
    old = written(matrix(), "GSE1-1.txt")
    parts = matrix()
    lines = parts["table_text"].split(b"\n")
    parts["table_text"] = b"\n".join([*lines[:2], *lines[4:1:-1], *lines[-2:]])
    data = b"".join(parts.values())
    for name in (b"GSM1", b"GSM2", b"GSM4"):
        data = data.replace(name, name + b"0")
    whole, other = read_geo(old).values(), read_geo(written(data, "GSE1-2.txt")).values()
    found = read_geo([old, written(data, "GSE1-2.txt")]).values()
    expected = pd.concat([whole, other])
    assert found.index.tolist() == ["GSM1", "GSM2", "GSM4", "GSM10", "GSM20", "GSM40"]
    pd.testing.assert_frame_equal(found, expected[found.columns], check_names=False)
    assert len(other.columns) < len(whole.columns)


def test_a_series_without_values_has_its_sheet(written):
    """As GEO has it of sequencing: a heading, and no row."""
    parts = matrix()
    table = parts["table_text"].split(b"\n")
    parts["table_text"] = b"\n".join([*table[:2], *table[-2:]])
    series = read_geo(written(parts))
    assert series.sample_sheet()["tissue"].tolist() == ["lung"] * 3
    with pytest.raises(DataError, match="has no sample with a table of values"):
        series.values()
    with pytest.raises(DataError, match="has no sample with a table of values"):
        series.merged()
