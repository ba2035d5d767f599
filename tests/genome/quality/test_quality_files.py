"""What quality control leaves in a folder, and its page."""

from __future__ import annotations

import json

import numpy as np
import pytest

from genome.sets import random_codes, write_bed
from tamis.genome import open_genotypes, quality_control
from tamis.genome.quality.inflation import N_QUANTILES, N_SMALLEST
from tamis.genome.quality.quality_files import MAX_LISTED_VARIANTS, picture_of, write_quality
from tamis.genome.quality.quality_schema import QualityContent
from tamis.report import write_quality_page

HOSTILE = '<script>window.__pwned=1</script>"'
Y = np.arange(120) % 2


@pytest.fixture
def genotypes(tmp_path):
    codes = random_codes(2, 900, 120, missing=0.02)
    codes[7, Y == 1] = np.where(np.arange(60) % 2, 1, codes[7, Y == 1])  # missing in one class
    codes[8, :30] = 1
    path = write_bed(tmp_path / "made", codes)
    bim = path.with_suffix(".bim")
    bim.write_text(bim.read_text().replace("\tv7\t", f"\t{HOSTILE}\t"))
    return open_genotypes(path)


def test_files_hold_what_was_found(genotypes, tmp_path):
    found = quality_control(genotypes, Y)
    content, unlisted = write_quality(found, tmp_path, {"seed": 1})
    assert {p.name for p in tmp_path.iterdir()} >= {
        "variants.tsv",
        "samples.tsv",
        "variants.keep",
        "samples.keep",
        "quality.json",
    }
    written = json.loads((tmp_path / "quality.json").read_text(encoding="utf-8"))
    assert written == content
    assert set(content) == QualityContent.__required_keys__
    assert {k: content[k] for k in found.to_dict()} == found.to_dict()
    assert len(content["unlike"]) == MAX_LISTED_VARIANTS
    assert content["unlike"][0]["id"] == HOSTILE
    assert content["unlike"][0]["reason"] == "missing calls"
    assert unlisted == 0


def test_histograms_count_everything_once(genotypes):
    found = quality_control(genotypes, Y, frequency=0.3)
    picture = picture_of(found)
    of = found.variants
    for name, values, kept in (
        ("missing", of.missing, found.kept),
        ("frequency", of.frequency, found.kept),
        ("sample_missing", found.samples_frame()["missing_share"], found.kept_samples),
    ):
        histogram = picture[name]
        assert sum(histogram["before"]) == len(values)
        assert sum(histogram["after"]) == kept.sum()
        edges = histogram["step"] * np.arange(len(histogram["before"]) + 1)
        edges[-1] += 1e-9
        wanted = np.histogram(np.asarray(values) + 1e-12, edges)[0]
        np.testing.assert_array_equal(histogram["before"], wanted)
        assert all(a <= b for a, b in zip(histogram["after"], histogram["before"], strict=True))
    assert picture["frequency"]["limit"] == 0.3


def test_quantiles_are_of_sorted_p_values(genotypes):
    found = quality_control(genotypes, Y)
    picture = picture_of(found)
    drawn = picture["differential"]["all"]
    p = np.sort(found.variants.differential)
    assert drawn["tested"] == 900
    assert N_SMALLEST < len(drawn["points"]) <= N_SMALLEST + N_QUANTILES
    x, y = np.array([point[:2] for point in drawn["points"]]).T
    np.testing.assert_allclose(y[:N_SMALLEST], -np.log10(p[:N_SMALLEST]), atol=1e-4)
    np.testing.assert_allclose(x[:2], -np.log10([0.5 / 900, 1.5 / 900]), atol=1e-4)
    assert y[-1] == pytest.approx(-np.log10(p[-1]), abs=1e-4)
    assert drawn["points"][0][2] == HOSTILE
    assert (np.diff(y) <= 0).all()
    assert HOSTILE not in [point[2] for point in picture["differential"]["kept"]["points"]]


@pytest.mark.parametrize("y", [None, Y])
def test_the_page_says_what_was_dropped(genotypes, tmp_path, y):
    content, _ = write_quality(quality_control(genotypes, y, hardy=None), tmp_path, {})
    page = write_quality_page(content, HOSTILE, tmp_path / "report.html")
    text = page.read_text(encoding="utf-8")
    assert "<script>window" not in text
    assert "&lt;script&gt;window.__pwned" in text
    assert "120 of 120 samples and 898 of 900 variants are kept." in text
    assert text.count("<svg") == (3 if y is None else 4)
    assert ("There are no classes to compare." in text) == (y is None)
