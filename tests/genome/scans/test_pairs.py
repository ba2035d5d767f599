"""All pairs of variants: the search of a table of the calls, single pairs, permutations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from genome.sets import random_codes, write_bed
from tamis._core.errors import DataError, PlanError
from tamis.genome import open_genotypes, pair_scan, simulate_cohort
from tamis.interactions import pair_mtd, search_pairs
from tamis.kernels.genotypes.pair_counts import COUNTED_VARIANTS, count_group
from tamis.kernels.genotypes.pair_missing import count_mine, count_theirs
from tamis.kernels.genotypes.pair_planes import pair_planes, turn_calls
from tamis.kernels.genotypes.pairs import scan_pairs
from tamis.kernels.pair_bits import make_planes, order_features
from tamis.kernels.pair_scan import scan_block

FIELDS = ("score", "interaction", "singles", "n", "maxima")


@pytest.fixture(scope="module")
def genotypes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    codes = random_codes(4, 150, 101, missing=0.04)
    codes[:70][codes[:70] == 1] = 2  # enough without gaps for a block of them
    codes[7], codes[108, ::2], codes[109] = 3, 1, 1  # no variation, one class uncalled, all
    codes[12] = codes[5]
    return open_genotypes(write_bed(folder / "made", codes))


def as_features(genotypes):
    X = genotypes.calls().astype(float)
    X[X < 0] = np.nan
    return X


def assert_same(found, expected):
    assert [tuple(pair) for pair in found.pairs.tolist()] == list(expected.terms)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert found.n_pairs == expected.n_pairs
    assert found.threshold == expected.threshold
    if expected.family_p is not None:
        np.testing.assert_array_equal(found.family_p, expected.family_p)


@pytest.mark.parametrize("by", ["interaction", "score"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("keep", [1, 200, 20_000])
def test_the_search_of_a_table_of_the_calls(genotypes, by, classes, keep):
    y = np.array(["a", "b", "c"])[np.arange(101) % classes]
    found = pair_scan(genotypes, y, by=by, keep=keep, permutations=19, seed=3)
    expected = search_pairs(
        as_features(genotypes), y, by=by, keep=keep, n_permutations=19, random_state=3
    )
    assert_same(found, expected)
    assert found.classes == expected.classes


def test_single_pairs(genotypes):
    y = np.arange(101) % 2
    found = pair_scan(genotypes, y, keep=60)
    X = as_features(genotypes)
    for k, (i, j) in enumerate(found.pairs):
        one = pair_mtd(X[:, i], X[:, j], y)
        assert (one.score, one.interaction, one.n) == (
            found.score[k],
            found.interaction[k],
            found.n[k],
        )
        assert one.singles == tuple(found.singles[k])


def test_samples_and_variants_taken(genotypes):
    rows, columns = np.arange(100, 9, -1), np.arange(3, 150, 4)
    y = np.array(["x", "y", ""], dtype=object)[np.random.default_rng(1).integers(0, 3, 91)]
    part = genotypes.subset(samples=rows.tolist(), variants=columns)
    chosen = np.flatnonzero(np.random.default_rng(2).random(91) < 0.8)
    found = pair_scan(part, y, chosen, keep=50, permutations=19)
    known = [k for k in chosen if y[k]]
    X = as_features(genotypes)[rows][:, columns][known]
    assert_same(found, search_pairs(X, y[known].astype(str), keep=50, n_permutations=19))


@pytest.mark.parametrize("by", ["interaction", "score"])
def test_threads_do_not_matter(genotypes, by):
    one, two = (pair_scan(genotypes, by=by, keep=30, permutations=19, n_jobs=k) for k in (1, 2))
    np.testing.assert_array_equal(one.pairs, two.pairs)
    for name in (*FIELDS, "family_p"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()


def test_blocks_do_not_matter(genotypes, monkeypatch):
    expected = pair_scan(genotypes, keep=30, permutations=19)
    monkeypatch.setattr("tamis.genome.scans.pair_runs.BLOCK_VARIANTS", 7)
    found = pair_scan(genotypes, keep=30, permutations=19)
    for name in ("pairs", *FIELDS, "family_p"):
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()


def test_frame(genotypes):
    found = pair_scan(genotypes, keep=3, permutations=19)
    table = found.frame()
    i, j = found.pairs[0]
    first = table.iloc[0]
    assert (first["SNP_1"], first["SNP_2"]) == (f"v{i}", f"v{j}") == found.terms[0]
    assert (first["BP_1"], first["BP_2"]) == (100 * i + 1, 100 * j + 1)
    assert (first["MTD"], first["P_MAXT"]) == (found.score[0], found.family_p[0])
    assert "11,175 pairs of 150 variants" in found.summary()
    assert found.to_dict()["pairs"][0]["features"] == list(found.terms[0])


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    p=st.integers(2, 140),
    n=st.integers(2, 200),
    missing=st.sampled_from([0.0, 0.02, 0.5, 1.0]),
    rare=st.booleans(),
    by_interaction=st.booleans(),
    keep=st.sampled_from([1, 2, 7, 100, 10_000]),
)
def test_what_is_passed_over_is_not_among_the_best(seed, p, n, missing, rare, by_interaction, keep):
    rng = np.random.default_rng(seed)
    copies = rng.binomial(2, 0.03 if rare else rng.random((p, 1)), (p, n)).astype(np.int8)
    lost = rng.random(p) < rng.random()  # some have gaps
    copies[(rng.random((p, n)) < missing) & lost[:, None]] = -1
    y = (rng.random(n) < rng.random()).astype(np.int64)
    planes = pair_planes(turn_calls(copies), y)
    features = order_features(copies.astype(np.int16), np.full(p, 3), np.arange(p))
    slow = make_planes(features, y, 2)

    def best(parts):
        values = np.concatenate([value for value, _ in parts])
        pairs = np.concatenate([pair for _, pair in parts])
        order = np.lexsort((pairs[:, 1], pairs[:, 0], -values))[:keep]
        return values[order], pairs[order]

    expected = best(
        [scan_block(features, slow, b, by_interaction, keep) for b in range(features.blocks)]
    )
    floor = expected[0][-1] if len(expected[0]) == keep else 0.0
    for at in (0.0, floor):
        found = best(
            [scan_pairs(planes, b, by_interaction, keep, at) for b in range(planes.blocks)]
        )
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1], expected[1])


def test_counts_beside_a_loop():
    rng = np.random.default_rng(6)
    copies = rng.integers(-1, 3, (70, 301)).astype(np.int8)
    y = rng.integers(0, 2, 301)
    planes = pair_planes(turn_calls(copies), y)
    inside = np.stack([copies == 0, copies == 1])
    cells = np.full((COUNTED_VARIANTS, 2, 2, 2, 16), -5, dtype=np.int32)
    count_group(planes.words.reshape(-1), 12, 3, planes.starts, cells.reshape(-1), 8)
    expected = np.full_like(cells, -5)
    for a, c, u, v, t in np.ndindex(COUNTED_VARIANTS, 2, 2, 2, 8):
        expected[a, c, u, v, 8 + t] = (inside[u, 12 + a] & inside[v, 24 + t] & (y == c)).sum()
    np.testing.assert_array_equal(cells, expected)


@pytest.mark.parametrize("n", [90, 2000])  # of which more and fewer are missing than a byte counts
def test_what_is_lost_with_missing_calls_beside_a_loop(n):
    rng = np.random.default_rng(7)
    copies = rng.integers(0, 3, (100, n)).astype(np.int8)
    copies[rng.random(copies.shape) < rng.random(100)[:, None]] = -1
    copies[3], copies[99, 1:] = 1, -1
    y = rng.integers(0, 2, n)
    planes = pair_planes(turn_calls(copies), y)
    inside = np.zeros((3, 128, n), dtype=bool)
    inside[:, :100] = copies == 0, copies == 1, copies >= 0
    gone = np.zeros((128, n), dtype=bool)
    gone[:100] = copies < 0
    expected = np.empty((128, 128, 2, 3), dtype=np.int64)  # of the first where the second is gone
    for c, u in np.ndindex(2, 3):
        expected[:, :, c, u] = (inside[u] & (y == c)).astype(np.int64) @ gone.T
    calls, size = planes.calls, n * 3
    given = calls.rows.reshape(-1), size, calls.missing, planes.edges
    theirs = np.empty((4, 64, 2, 3, 16), dtype=np.int32)
    count_theirs(*given, 0, 64, theirs.reshape(-1))
    for part, i, t in np.ndindex(4, 64, 16):
        np.testing.assert_array_equal(theirs[part, i, :, :, t], expected[64 + 16 * part + t, i])
    mine = np.empty((64, 2, 3, 16), dtype=np.int32)
    count_mine(*given, 32, np.empty(mine.size, dtype=np.int32), mine.reshape(-1))
    for i, t in np.ndindex(64, 16):
        np.testing.assert_array_equal(mine[i, :, :, t], expected[64 + i, 32 + t])
    counts = planes.counts.transpose(1, 2, 0, 3).reshape(2, 3, 128)[:, :, :100]
    for c in range(2):
        np.testing.assert_array_equal(counts[c], (inside[:, :100] & (y == c)).sum(axis=2))


@pytest.mark.quick
def test_a_planted_pair_is_first(tmp_path):
    simulate_cohort(
        tmp_path / "made",
        500,
        500,
        300,
        pairs=[(40, 222, 4.0)],
        frequencies=(0.2, 0.4),
        missing=0.01,
        seed=1,
    )
    found = pair_scan(open_genotypes(tmp_path / "made"), permutations=39)
    assert found.pairs[0].tolist() == [40, 222]
    assert found.family_p[0] == 1 / 40
    assert found.significant.tolist()[:2] == [True, False]


def test_chance_finds_as_often_as_it_may(tmp_path):
    simulate_cohort(tmp_path / "null", 60, 60, 40, singles=(), seed=2)
    genotypes = open_genotypes(tmp_path / "null")
    rng = np.random.default_rng(0)
    hits = sum(
        pair_scan(genotypes, rng.permutation(120) % 2, keep=1, permutations=19, seed=k).family_p[0]
        <= 0.05
        for k in range(200)
    )
    assert hits <= 19  # of 200 at 5 %: more in 0.4 % of trials


def test_too_many_pairs_are_refused(genotypes, monkeypatch):
    with pytest.raises(PlanError, match=r"11,175 pairs, 20 times over, .* most=223500"):
        pair_scan(genotypes, permutations=19, most=200_000)
    with pytest.raises(PlanError, match=r"11,175 pairs and take about 0 minutes"):
        pair_scan(genotypes, most=11_174)
    pair_scan(genotypes, most=11_175)
    monkeypatch.setattr("tamis.genome.scans.pairs.MOST_BYTES", 10_000)
    with pytest.raises(PlanError, match="of memory"):
        pair_scan(genotypes)


def test_biobanks_are_refused_before_they_are_read():
    from tamis.genome.scans.pairs import _refuse_too_many

    with pytest.raises(PlanError, match=r"374,\d+,\d+,\d+ pairs and take about \d\.\d hours"):
        _refuse_too_many(865_688, 3907, 0, 10**10)


def test_wrong_settings(genotypes):
    for wrong, match in (
        ({"by": "scores"}, "did you mean|'score'"),
        ({"keep": 0}, "keep"),
        ({"most": 0}, "most"),
        ({"permutations": 5}, "19"),
        ({"permutations": -1}, "permutations"),
        ({"seed": -1}, "seed"),
    ):
        with pytest.raises(PlanError, match=match):
            pair_scan(genotypes, **wrong)
    with pytest.raises(DataError, match="a pair takes two"):
        pair_scan(genotypes.subset(variants=[3]))
    with pytest.raises(DataError):
        pair_scan(genotypes, np.ones(101, dtype=int))


def test_variants_without_a_place_are_left_out(tmp_path):
    codes = random_codes(3, 12, 40)
    bed = write_bed(tmp_path / "made", codes)
    lines = bed.with_suffix(".bim").read_text().splitlines()
    lines[4] = lines[4].replace("\t401\t", "\t-401\t")
    bed.with_suffix(".bim").write_text("\n".join(lines) + "\n")
    with pytest.raises(DataError, match=r"^1 variant \(1 left out: broken line or negative pos"):
        pair_scan(open_genotypes(bed).subset(variants=[4, 5]))
    found = pair_scan(open_genotypes(bed), keep=1000)
    assert found.n_pairs == 55
    assert not (found.pairs == 4).any()
    assert found.pairs.max() == 11
    X, kept = as_features(open_genotypes(bed)), np.delete(np.arange(12), 4)
    expected = search_pairs(X[:, kept], np.arange(40) % 2, keep=1000, n_permutations=0)
    assert [tuple(pair) for pair in found.pairs] == [(kept[i], kept[j]) for i, j in expected.terms]
    np.testing.assert_array_equal(found.score, expected.score)


def test_real_genotypes(shared_data):
    genotypes = open_genotypes(shared_data / "genotypes" / "hlc_427").subset(chromosome=22)
    genotypes = genotypes.subset(variants=np.arange(0, genotypes.shape[1], 12))
    found = pair_scan(genotypes, keep=500, by="score", permutations=19)
    y = genotypes.samples.phenotype.astype(str)
    expected = search_pairs(as_features(genotypes), y, keep=500, by="score", n_permutations=19)
    assert_same(found, expected)
