"""What a scan leaves in its folder."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from genome.sets import random_codes, write_bed
from tamis.genome import mtd_scan, open_genotypes
from tamis.genome.scans.manhattan_points import N_BEST_DOTS, N_BINS, manhattan_points
from tamis.genome.scans.scan_files import write_scan
from tamis.report import write_scan_page

HOSTILE = '<script>window.__pwned=1</script>"'


def test_the_tables_hold_every_variant(tmp_path):
    codes = random_codes(3, 60, 40)
    codes[5] = 3
    path = write_bed(tmp_path / "made", codes, chromosomes=[1] * 30 + [2] * 30)
    bim = path.with_suffix(".bim")
    bim.write_text(bim.read_text().replace("v9\t", HOSTILE + "\t"))
    scan = mtd_scan(open_genotypes(path), permutations=19)
    content = write_scan(scan, tmp_path / "out", {"seed": 0})
    table = pd.read_csv(
        tmp_path / "out" / "mtd.tsv", sep="\t", quoting=3, float_precision="round_trip"
    )
    assert len(table) == 59
    frame = scan.frame()
    np.testing.assert_array_equal(table["MTD"], frame["MTD"])  # to the last digit
    np.testing.assert_array_equal(table["P_MAXT"], frame["P_MAXT"])
    assert table["SNP"][8] == HOSTILE.replace('"', "'")
    gone = pd.read_csv(tmp_path / "out" / "left_out.tsv", sep="\t")
    assert gone["SNP"].tolist() == ["v5"]
    written = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert written == content
    assert written["top"][0]["SNP"] == frame.loc[frame["MTD"].idxmax(), "SNP"]
    page = write_scan_page(written, HOSTILE, tmp_path / "out" / "report.html")
    text = page.read_text(encoding="utf-8")
    assert "<script>window" not in text
    assert "&lt;script&gt;window.__pwned" in text
    (chart,) = scan.plot().charts
    assert chart in text
    assert "<script" not in scan._repr_html_()


def test_the_picture_holds_the_best_and_stays_small(tmp_path):
    path = write_bed(
        tmp_path / "made", random_codes(8, 3000, 30), chromosomes=[1] * 999 + ["X"] * 2001
    )
    scan = mtd_scan(open_genotypes(path))
    kept = np.flatnonzero(scan.reasons == 0)
    picture = manhattan_points(scan.genotypes.variants, kept, scan.scores)
    assert picture["chromosomes"] == [["1", 0], ["X", 999]]
    assert len(picture["spans"]) == N_BINS
    assert N_BEST_DOTS <= len(picture["dots"]) <= N_BEST_DOTS + N_BINS
    drawn = {place: score for place, score, _ in picture["dots"]}
    kept = np.flatnonzero(scan.reasons == 0)
    assert max(drawn.values()) == scan.scores[kept].max()
    assert picture["spans"][0][0] == 0
    assert picture["spans"][-1][1] == picture["n"] == len(kept)
    first, last, low, middle, high = picture["spans"][7]
    own = scan.scores[kept][first:last]
    np.testing.assert_allclose([low, middle, high], np.quantile(own, [0.05, 0.5, 0.95]))
    assert drawn[first + int(np.argmax(own))] == own.max()


def test_nothing_to_show_is_a_page_too(tmp_path):
    codes = np.full((3, 20), 3)
    scan = mtd_scan(open_genotypes(write_bed(tmp_path / "flat", codes)), permutations=19)
    content = write_scan(scan, tmp_path / "out", {})
    page = write_scan_page(content, "flat", tmp_path / "out" / "report.html")
    assert "No variant has a score" in page.read_text(encoding="utf-8")
