"""Family files of GEO: attributes, tables of several platforms, and what is refused."""

from __future__ import annotations

import gzip
import math
import tracemalloc

import numpy as np
import pytest

from expression.reading.soft_files import VALUES, family
from tamis._core.errors import DataError
from tamis.expression.reading import read_soft


@pytest.fixture
def reads(tmp_path):
    """A function that writes bytes and reads them."""

    def of(data):
        if isinstance(data, dict):
            data = b"".join(data.values())
        path = tmp_path / "GSE1_family.soft"
        path.write_bytes(data)
        return read_soft(path)

    return of


def number(text):
    return math.nan if text in ("", "null") else float(text)


def test_series_platforms_and_samples_are_read(reads):
    found = reads(family())
    assert found.series == "GSE1"
    assert found.attributes["title"] == ["Made, with = signs"]
    assert found.attributes["sample_id"] == list(found.samples) == list(VALUES)
    assert list(found.platforms) == ["GPL96", "GPL570"]
    table = found.platforms["GPL96"].frame()
    assert table["Gene Symbol"].tolist() == ["DDR1", "RFC2", ""]
    assert table["Title"].tolist() == ["discoidin", "", "of no gene"]
    assert found.samples["GSM2"].attributes["title"] == ["patient 2"]


def test_values_are_those_of_each_platform(reads):
    found = reads(family())
    for platform in ("GPL96", "GPL570"):
        table = found.values(platform)
        own = {name: v for name, (p, v) in VALUES.items() if p == platform and v}
        probes = list(dict.fromkeys(probe for v in own.values() for probe in v))
        assert table.index.tolist() == list(own)
        assert table.columns.tolist() == probes
        expected = [[number(v.get(probe, "")) for probe in probes] for v in own.values()]
        np.testing.assert_array_equal(table.to_numpy(), expected)


def test_the_only_platform_need_not_be_named(reads):
    assert reads(family(["GSM3"])).values().to_numpy().tolist() == [[0.5, 2.0]]
    found = reads(family())
    with pytest.raises(DataError, match="has 2 platforms: name one of 'GPL96', 'GPL570'"):
        found.values()
    with pytest.raises(DataError, match="no sample with values of platform 'GPL97'"):
        found.values("GPL97")
    with pytest.raises(DataError, match="no sample with a table"):
        reads(family(["GSM5"])).values()


def test_a_sheet_of_the_samples_has_their_characteristics(reads):
    sheet = reads(family()).sample_sheet()
    assert sheet.columns.tolist() == ["platform", "title", "tissue", "characteristics"]
    assert sheet.loc["GSM3"].tolist() == ["GPL570", "patient 3", "lung", "smoker"]


def test_the_source_of_samples_is_in_the_sheet_if_it_is_said(reads):
    parts = family()
    source = b"!Sample_source_name_ch1 = tumour\n!Sample_platform_id"
    parts["GSM2_text"] = parts["GSM2_text"].replace(b"!Sample_platform_id", source)
    sheet = reads(parts).sample_sheet()
    assert sheet.loc["GSM2", "source_name"] == "tumour"
    assert sheet["source_name"].notna().sum() == 1


def _with_characteristics(*lines):
    """The family, each of its samples with these characteristics alone."""
    parts = family()
    text = "".join(f"!Sample_characteristics_ch{line}\n" for line in lines).encode()
    for part in [p for p in parts if p.startswith("GSM") and p.endswith("_text")]:
        kept = [li for li in parts[part].splitlines(True) if b"_characteristics_" not in li]
        place = next(k for k, li in enumerate(kept) if li.startswith(b"!Sample_platform_id"))
        parts[part] = b"".join([*kept[:place], text, *kept[place:]])
    return parts


@pytest.mark.parametrize(
    ("lines", "values"),
    [
        (
            ("1 = treatment: none", "1 = treatment: ill"),
            {"treatment": "none", "treatment.2": "ill"},
        ),
        (("1 = sex: f", "2 = sex: m"), {"sex": "f", "sex.2": "m"}),
        (("1 = smoker", "1 = old"), {"characteristics": "smoker", "characteristics.2": "old"}),
        (
            ("1 = a: 1", "1 = a: 2", "1 = a.2: x", "1 = a: 3"),
            {"a": "1", "a.3": "2", "a.4": "3", "a.2": "x"},
        ),
        (("1 = title: Dr", "1 = platform: own"), {"title.2": "Dr", "platform.2": "own"}),
    ],
)
def test_each_value_of_a_characteristic_has_its_column(reads, lines, values):
    found = reads(_with_characteristics(*lines))
    sheet = found.sample_sheet()
    assert sheet.columns.tolist() == ["platform", "title", *values]
    assert sheet.loc["GSM3"].tolist()[2:] == list(values.values())
    assert sheet.loc["GSM3", "title"] == "patient 3"
    renamed = [name for own in found.repeated_characteristics().values() for name in own]
    assert set(renamed) == set(values) - {"a.2"}


def test_values_in_some_samples_alone_share_a_cell(reads):
    parts = _with_characteristics("1 = drug: none")
    one = b"!Sample_characteristics_ch1 = drug: none\n"
    parts["GSM3_text"] = parts["GSM3_text"].replace(one, one + one.replace(b"none", b"x"))
    found = reads(parts)
    assert found.sample_sheet()["drug"].value_counts().to_dict() == {"none": 4, "none; x": 1}
    assert found.repeated_characteristics() == {}


def test_a_file_packed_by_gzip_and_with_other_line_ends(reads):
    plain = reads(family()).values("GPL96")
    data = b"".join(family().values())
    for other in (gzip.compress(data), data.replace(b"\n", b"\r\n")):
        assert reads(other).values("GPL96").equals(plain)


def test_probes_are_kept_once_for_samples_of_one_order(reads):
    found = reads(family())
    assert found.samples["GSM1"].probes == ["a_at", "b_at", "c_at"]
    assert found.samples["GSM2"].probes is None


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b"8.25", b"high", "its line 30 is of the VALUE 'high', which is no number"),
        (b"8.25", b"inf", "has the value 'inf' in its line 30, perhaps a logarithm of 0"),
        (b"8.25\tP", b"8.25\tP\tQ", "of 4 fields in a table of 3 columns"),
        (b"VALUE\tABS", b"SIGNAL\tABS", "a heading without ID_REF and VALUE"),
        (b"count = 3", b"count = 4", "a table of 3 rows, where 4 are said"),
        (b"b_at\t\tP", b"a_at\t\tP", "the end of a table that names a probe twice"),
        (b"ID\tGene", b"Title\tGene", "a heading that names a column twice"),
        (b"^SAMPLE = GSM2", b"^SAMPLE = GSM1", "it holds 'GSM1' twice"),
        (b"^SAMPLE = GSM2", b"^SAMPLE = GSM7", "of the samples of GSE1 it lacks 'GSM2'"),
        (b"^SAMPLE = GSM2", b"^SAMPLE =", "an entity without a name"),
        (b"^PLATFORM = GPL570", b"^SERIES = GSE2", "holds two series, 'GSE1', 'GSE2'"),
        (b"!Sample_platform_id = GPL570\n", b"", "whose platform_id does not stand before"),
        (b"count = 0", b"count = 9", "it has no table of 'GSM5', and does not say"),
        (b"^DATABASE", b"ID\tVALUE", "is no SOFT file: its first line is"),
        (b"^SERIES", b"^SERIAL", "is no family file of GEO: it has no series and 5 samples"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(reads, old, new, says):
    data = b"".join(family().values())
    assert old in data
    with pytest.raises(DataError, match=says) as error:
        reads(data.replace(old, new, 1))
    assert "GSE1" in str(error.value)
    assert "\n" not in str(error.value)


def test_no_beginning_of_a_file_is_read_as_the_whole(reads):
    data = b"".join(family(["GSM5", "GSM1"]).values())
    for length in [*range(0, len(data) - 200, 7), *range(len(data) - 200, len(data) - 1)]:
        if not data[:length].endswith(b"!sample_table_end"):
            with pytest.raises(DataError, match="GSE1_family"):
                reads(data[:length])


def test_memory_is_that_of_the_values(reads):
    n, samples = 2000, 10
    ids = "".join(f"!Series_sample_id = GSM{k}\n" for k in range(samples))
    rows = "".join(f"probe_{j}_at\t{j}.5\tP\t0.001\tmuch more text\n" for j in range(n))
    text = f"^SERIES = GSE1\n{ids}" + "".join(
        f"^SAMPLE = GSM{k}\n!Sample_platform_id = GPL1\n!sample_table_begin\n"
        f"ID_REF\tVALUE\tABS_CALL\tP\tMORE\n{rows}!sample_table_end\n"
        for k in range(samples)
    )
    data = text.encode()
    tracemalloc.start()
    found = reads(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < samples * n * 8 + n * 400  # the values, and the names of two samples
    assert found.values().shape == (samples, n)
