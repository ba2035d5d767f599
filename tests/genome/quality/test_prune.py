"""Pruning by linkage disequilibrium against plain loops, and what PLINK keeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.bed_files import MISSING, NONE, ONE, TWO, codes_of, write_cohort
from genome.plink import run_plink
from tamis._core.errors import DataError, PlanError
from tamis.genome import open_genotypes, prune_variants
from tamis.genome.quality import prune as prune_module
from tamis.genome.readers import genotypes as genotypes_module
from tamis.kernels.genotypes.linkage import count_own_sums, count_pair_sums, count_product

COPIES = np.array([2.0, np.nan, 1.0, 0.0])


def draw_linked(seed, p=120, n=61):
    """Codes of variants of which five at a time have much in common, some of them odd."""
    rng = np.random.default_rng(seed)
    frequency = np.repeat(rng.uniform(0.02, 0.5, -(-p // 5)), 5)[:p]
    copies = np.zeros((p, n), dtype=int)
    for _ in range(2):
        shared = np.repeat(rng.random((-(-p // 5), n)), 5, axis=0)[:p]
        own = np.where(rng.random((p, n)) < 0.25, rng.random((p, n)), shared)
        copies += own < frequency[:, None]
    copies[rng.random(p) < 0.1] = 0
    codes = codes_of(copies, rng.choice([0, 0.05, 0.3], (p, 1)), seed)
    codes[rng.random(p) < 0.02] = MISSING
    codes[rng.random(p) < 0.02] = ONE
    turned = rng.random(p) < 0.5
    codes[turned] = np.array([NONE, MISSING, ONE, TWO])[codes[turned]]
    return codes


def slow_prune(codes, window, step, r2):
    """Of one chromosome, pair by pair."""
    copies = COPIES[codes]
    p = len(codes)
    alive, rarer = np.zeros(p, dtype=bool), np.zeros(p)
    for j in range(p):
        known = copies[j][~np.isnan(copies[j])]
        alive[j] = len(set(known)) > 1
        if len(known):
            rarer[j] = min(known.sum(), (2 - known).sum()) / (2 * len(known))

    def linked(i, j):
        both = ~np.isnan(copies[i]) & ~np.isnan(copies[j])
        x, y = copies[i][both], copies[j][both]
        if len(set(x)) < 2 or len(set(y)) < 2:
            return False
        return np.corrcoef(x, y)[0, 1] ** 2 > r2

    start = 0
    while True:
        end = min(start + window, p)
        again = True
        seen = set()
        while again:
            again = False
            for i in range(start, end):
                for j in range(i + 1, end):
                    if not alive[i]:
                        break
                    if not alive[j] or (i, j) in seen:
                        continue
                    seen.add((i, j))
                    if linked(i, j):
                        alive[i if rarer[i] < rarer[j] else j] = False
                        again = True
                        break
        if end == p:
            return alive
        start += step


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("window", "step", "r2"), [(50, 5, 0.2), (20, 7, 0.1), (2, 1, 0.05), (300, 9, 0.01)]
)
def test_equals_plain_loops(tmp_path, seed, window, step, r2):
    codes = draw_linked(seed)
    kept = prune_variants(
        open_genotypes(write_cohort(tmp_path / "made", codes)), window=window, step=step, r2=r2
    )
    assert kept.tolist() == slow_prune(codes, window, step, r2).tolist()


@given(seed=st.integers(0, 10**6))
def test_sums_of_a_pair(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, (2, rng.integers(1, 200)))
    if seed % 3:
        codes[rng.integers(2)] = 0 if seed % 2 else rng.choice([0, 2, 3], codes.shape[1])
    planes = np.stack([planes_of(row) for row in codes])
    x, y = COPIES[codes] - 1
    both = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[both], y[both]
    wanted = (both.sum(), x.sum(), y.sum(), x @ x, y @ y, x @ y)
    assert count_pair_sums(planes, 0, 1) == tuple(map(int, wanted))
    own = COPIES[codes[0]][codes[0] != MISSING] - 1
    assert count_own_sums(planes, 0) == (len(own), own.sum(), own @ own)
    assert count_product(planes, 0, 1) == x @ y


def planes_of(codes):
    """Homozygous, homozygous without allele 1, called, as words."""
    from tamis.kernels._bits import pack_rows

    flags = np.stack([(codes == TWO) | (codes == NONE), codes == NONE, codes != MISSING])
    return pack_rows(flags)


@pytest.mark.parametrize("seed", range(4))
def test_blocks_threads_and_subsets_change_nothing(tmp_path, seed, monkeypatch):
    codes = draw_linked(seed, p=300)
    rng = np.random.default_rng(seed)
    chromosomes = np.sort(rng.choice(["1", "2", "chr3", "X", "Y", "MT", "0", "25"], 300))
    whole = open_genotypes(write_cohort(tmp_path / "whole", codes, chromosomes))
    rows = rng.permutation(61)[:40]
    wanted = prune_variants(whole, window=20, samples=rows)
    for name in ("X", "Y", "MT", "0", "25"):
        assert not wanted[chromosomes == name].any()
    for name in ("1", "2", "chr3"):
        own = codes[chromosomes == name][:, rows]
        assert wanted[chromosomes == name].tolist() == slow_prune(own, 20, 5, 0.2).tolist()
    monkeypatch.setattr(genotypes_module, "BLOCK_BYTES", 60)
    monkeypatch.setattr(prune_module, "CHUNK_BYTES", 16 * 30)
    assert prune_variants(whole, window=20, samples=rows, n_jobs=3).tolist() == wanted.tolist()
    some = rng.random(300) < 0.7
    part = write_cohort(tmp_path / "part", codes[some][:, rows], chromosomes[some])
    assert (
        prune_variants(whole.subset(samples=rows, variants=some), window=20).tolist()
        == prune_variants(open_genotypes(part), window=20).tolist()
    )


def test_broken_lines_and_negative_positions_are_out(tmp_path):
    codes = np.tile(draw_linked(0, p=1), (4, 1))
    path = write_cohort(tmp_path / "made", codes)
    (tmp_path / "made.bim").write_text("1 a 0 -5 A C\n1 b 0 x A C\n1 c 0 3 A C\n1 d 0 4 A C\n")
    assert prune_variants(open_genotypes(path)).tolist() == [False, False, True, False]


def test_a_window_of_everything(tmp_path):
    codes = draw_linked(1)
    genotypes = open_genotypes(write_cohort(tmp_path / "made", codes, ["1"] * 119 + ["2"]))
    kept = prune_variants(genotypes, window=10**12, step=10**12)
    assert kept[:119].tolist() == slow_prune(codes[:119], 119, 1, 0.2).tolist()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"window": 1}, "window=1"),
        ({"step": 0}, "step=0"),
        ({"step": 51}, "step = 51"),
        ({"r2": 1.5}, "r2=1.5"),
    ],
)
def test_settings_that_cannot_be(tmp_path, wrong, words):
    genotypes = open_genotypes(write_cohort(tmp_path / "made", draw_linked(0)))
    with pytest.raises(PlanError, match=words):
        prune_variants(genotypes, **wrong)
    with pytest.raises(DataError, match="no sample"):
        prune_variants(genotypes, samples=np.zeros(61, dtype=bool))


def plink_keeps(path, folder, *settings):
    out = run_plink(
        "plink1.9",
        folder,
        "--bfile",
        path,
        "--autosome",
        "--allow-no-sex",
        "--indep-pairwise",
        *settings,
    )
    return out.with_suffix(".prune.in").read_text().split()


SETTINGS = [(50, 5, 0.2), (20, 7, 0.1), (100, 1, 0.5), (30, 30, 0.3)]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("name", ["hapmap3_957", "hlc_427"])
def test_what_plink_keeps_of_real_sets(shared_data, tmp_path, name, settings):
    path = shared_data / "genotypes" / name
    kept = plink_keeps(path, tmp_path, *settings)
    genotypes = open_genotypes(path)
    found = prune_variants(genotypes, window=settings[0], step=settings[1], r2=settings[2])
    assert genotypes.subset(variants=found).variants.id.to_pylist() == kept


@pytest.mark.parametrize("settings", [*SETTINGS, (2, 1, 0.05)])
def test_what_plink_keeps_of_a_set_with_everything(tmp_path, settings):
    chromosomes = np.sort(np.random.default_rng(0).choice(["1", "2", "22", "23", "26"], 1500))
    path = write_cohort(tmp_path / "made", draw_linked(3, p=1500), chromosomes)
    genotypes = open_genotypes(path)
    found = prune_variants(genotypes, window=settings[0], step=settings[1], r2=settings[2])
    kept = plink_keeps(path, tmp_path, *settings)
    assert genotypes.subset(variants=found).variants.id.to_pylist() == kept
