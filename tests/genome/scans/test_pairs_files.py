"""What a scan of pairs leaves in a folder, and its page."""

from __future__ import annotations

import json

import numpy as np
import pytest

from genome.sets import random_codes, write_bed
from tamis.genome import open_genotypes, pair_scan
from tamis.genome.scans.pairs_files import MAX_GRIDS, grid_of, write_pairs
from tamis.genome.scans.pairs_schema import PairsContent
from tamis.report import write_pairs_page

HOSTILE = '<script>window.__pwned=1</script>"'


@pytest.fixture
def genotypes(tmp_path):
    codes = random_codes(4, 20, 150)
    path = write_bed(tmp_path / "made", codes)
    bim = path.with_suffix(".bim")
    bim.write_text(bim.read_text().replace("\tv", f"\t{HOSTILE}"))
    return open_genotypes(path).subset(samples=np.arange(150) != 3)


@pytest.mark.parametrize("labels", [np.arange(149) % 2, np.array(list("abc") * 50)[:149]])
def test_a_grid_counts_samples_called_in_both(genotypes, labels):
    scan = pair_scan(genotypes, labels, keep=3)
    calls = genotypes.calls()
    for k, (i, j) in enumerate(scan.pairs):
        grid = grid_of(scan, labels, k)
        for c, name in enumerate(scan.classes[k]):
            for a in range(3):
                for b in range(3):
                    wanted = (labels == name) & (calls[:, i] == 2 - a) & (calls[:, j] == 2 - b)
                    assert grid["counts"][c][a][b] == wanted.sum()
        if len(np.unique(labels)) == 2:
            assert np.sum(grid["counts"]) == scan.n[k]
    assert grid["genotypes"] == [["A/A", "A/G", "G/G"]] * 2


def test_files_and_page(genotypes, tmp_path):
    labels = np.arange(149) % 2
    scan = pair_scan(genotypes, labels, permutations=19, keep=80)
    content = write_pairs(scan, labels, tmp_path, {"seed": 0})
    assert json.loads((tmp_path / "pairs.json").read_text(encoding="utf-8")) == content
    assert set(content) == PairsContent.__required_keys__
    assert content["n_pairs"] == 190
    assert len(content["pairs"]) == 80
    assert len(content["grids"]) == MAX_GRIDS
    page = write_pairs_page(content, HOSTILE, tmp_path / "report.html")
    text = page.read_text(encoding="utf-8")
    assert "<script>window" not in text
    assert "&lt;script&gt;window.__pwned" in text
    assert "All 190 pairs of 20 variants were looked at" in text
    assert "50 of the 80 pairs" in text
    assert "19 scans with permuted labels" in text
    assert "50 are of variants within a million base pairs" in text
    assert text.count('class="confusion heat"') == MAX_GRIDS


def test_without_permutations_nothing_is_said_of_chance(genotypes, tmp_path):
    labels = np.arange(149) % 2
    content = write_pairs(pair_scan(genotypes, labels, keep=1), labels, tmp_path, {"seed": 0})
    assert content["threshold"] is None
    text = write_pairs_page(content, "x", tmp_path / "report.html").read_text(encoding="utf-8")
    assert "nothing is said of chance" in text
    assert "p among all" not in text
    assert text.count('class="confusion heat"') == 1
