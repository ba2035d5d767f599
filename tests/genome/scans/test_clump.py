"""Clumps against plain loops, and every column of PLINK's."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.bed_files import NONE, ONE, TWO, write_cohort
from genome.clumped import (
    COLUMNS,
    assert_same,
    count_pair,
    draw_linked,
    draw_p_values,
    em_r2,
    log_likelihood,
    plink_clumps,
    slow_clumps,
    write_linked,
)
from genome.plink import run_plink
from tamis._core.errors import DataError, PlanError
from tamis.genome import Genes, clump_variants, open_genotypes, read_p_values
from tamis.genome.scans import clump as clump_module
from tamis.genome.scans import clump_result
from tamis.genome.scans.clump_files import write_clumps
from tamis.genome.scans.clump_schema import ClumpContent, ClumpRows
from tamis.kernels.genotypes.haplotypes import clump_rows, double_heterozygotes
from tamis.kernels.genotypes.words import masks_of, pack_calls, unpack_calls

ALL = ("0", "1", "2", "22", "23", "24", "25", "26")
SETTINGS = [
    {"p1": 1e-4, "p2": 0.01, "r2": 0.5, "kb": 250},
    {"p1": 0.01, "p2": 0.05, "r2": 0.1, "kb": 900},
    {"p1": 0.5, "p2": 0.6, "r2": 0.0, "kb": 60.5},
    {"p1": 1e-3, "p2": 0.5, "r2": 0.9, "kb": 5000},
]


def correlations(codes, i, diploid, haploid):
    """Of variant i with all others."""
    masks = [masks_of(np.where(who, 0, -1), 1)[0] for who in (diploid, haploid)]
    top, low, high = (np.array([k], dtype=np.int64) for k in (i, 0, len(codes)))
    leader, found = clump_rows(pack_calls(codes), *masks, top, low, high, -1.0)
    assert (leader == np.where(np.isnan(found), -1, i)).all()
    return found


@pytest.mark.parametrize("seed", range(6))
def test_correlations_are_those_of_em_iterations(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 300))
    codes = draw_linked(seed, 40, n)
    kind = rng.integers(0, 3 if seed % 2 else 1, n)
    diploid, haploid = kind == 0, kind == 1
    for i in (0, 7, 21):
        found = correlations(codes, i, diploid, haploid)
        wanted = [em_r2(*count_pair(codes, i, j, diploid, haploid)) for j in range(len(codes))]
        wanted[i] = 1.0
        np.testing.assert_allclose(found, wanted, atol=2e-4, equal_nan=True)


@given(known=st.tuples(*[st.integers(0, 60)] * 4), c=st.integers(1, 60))
def test_the_likelihood_is_largest(known, c):
    x = double_heterozygotes(*map(float, known), float(c))
    assert 0 <= x <= c
    best = max(log_likelihood(known, c, one) for one in np.linspace(0, c, 301))
    assert log_likelihood(known, c, x) >= best - 1e-9 * (1 + abs(best))


@pytest.mark.parametrize(
    ("known", "c", "x"),
    [((3, 6, 3, 10), 43, 42.61650695937711), ((6, 1, 4, 3), 6, 5.680769308770819)],
)
def test_newtons_method_ends_at_a_step_of_one_unit_in_the_last_place(known, c, x):
    """Here at the double nearest to the root; one step further is beside it."""
    assert double_heterozygotes(*map(float, known), float(c)) == x
    m12, m21 = known[1] + c, known[2] + c

    def derivative(at):
        return -(c - at) * (known[0] + at) * (known[3] + at) + at * (m12 - at) * (m21 - at)

    below, here, above = Fraction(math.nextafter(x, 0)), Fraction(x), Fraction(math.nextafter(x, c))
    assert derivative((below + here) / 2) * derivative((here + above) / 2) < 0


@given(seed=st.integers(0, 10**6), n=st.integers(1, 90))
def test_alleles_and_order_of_a_pair_do_not_matter(seed, n):
    codes = np.random.default_rng(seed).integers(0, 4, (2, n))
    rng = np.random.default_rng(seed + 1)
    diploid = rng.random(n) < 0.7
    one, other = (correlations(codes, i, diploid, ~diploid)[1 - i] for i in (0, 1))
    turned = codes.copy()
    turned[0] = np.array([NONE, 1, ONE, TWO])[codes[0]]
    again = correlations(turned, 0, diploid, ~diploid)[1]
    np.testing.assert_allclose([other, again], [one, one], rtol=1e-7, atol=1e-12)
    assert np.isnan(one) or 0 <= one <= 1 + 1e-12


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", range(3))
def test_equals_plain_loops(tmp_path, seed, settings):
    genotypes = open_genotypes(write_linked(tmp_path, seed, ("1", "23", "24"), p=90))
    table = draw_p_values(seed, genotypes.variants.id.to_pylist())
    settings = {**settings, "r2": max(settings["r2"], 0.02)}  # EM iterations do not end at 0
    found = clump_variants(genotypes, table["SNP"], table["P"], **settings)
    codes = unpack_calls(genotypes.sources[0].packed(0, 90), 61)
    assert_same(found.frame(), slow_clumps(genotypes, codes, table, **settings))
    known = table["P"].notna()
    strange = table["SNP"].isin(["unknown", "elsewhere"])
    assert found.rows == {
        "read": len(table),
        "missing": (~known).sum(),
        "unknown": (known & strange).sum(),
        "unknown_top": (known & strange & (table["P"] <= settings["p1"])).sum(),
        "ambiguous": 0,
        "used": (known & ~strange).sum(),
    }


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", range(4))
def test_equals_plink_where_there_is_everything(tmp_path, seed, settings):
    path = write_linked(tmp_path, seed, ALL, p=900, apart=20_000)
    genotypes = open_genotypes(path)
    table = draw_p_values(seed, genotypes.variants.id.to_pylist())
    table.to_csv(tmp_path / "p.txt", sep=" ", index=False, na_rep="NA")
    wanted = plink_clumps(tmp_path, path, "p.txt", **settings)
    read = read_p_values(tmp_path / "p.txt")
    assert_same(clump_variants(genotypes, read.ids, read.values, **settings).frame(), wanted)


@pytest.fixture(scope="module")
def real(shared_data, tmp_path_factory):
    """Real sets with tables of PLINK's tests: path, table and settings by name."""
    home, from_here = tmp_path_factory.mktemp("real"), shared_data / "genotypes"

    def assoc(name, path, *more):
        folder = home / name
        folder.mkdir()
        out = run_plink("plink1.9", folder, "--bfile", path, "--allow-no-sex", "--assoc", *more)
        return path, next(out.parent.glob("out.*assoc"))

    labels = pd.read_csv(from_here / "hapmap3_957.labels.tsv", sep="\t")
    labels["case"] = labels["population"].map({"CEU": 1, "YRI": 2}).fillna(-9).astype(int)
    columns = ["FID", "IID", "case"]
    labels[columns].to_csv(home / "hapmap.txt", sep=" ", index=False, header=False)
    vcf = from_here / "kg_eur_chr22_358.vcf.gz"
    chr22 = run_plink("plink1.9", home, "--vcf", vcf, "--make-bed")
    fam = pd.read_csv(f"{chr22}.fam", sep=r"\s+", header=None)
    fam["trait"] = np.random.default_rng(0).normal(size=len(fam))
    fam[[0, 1, "trait"]].to_csv(home / "trait.txt", sep=" ", index=False, header=False)
    hapmap = from_here / "hapmap3_957"
    return {
        "hapmap": assoc("hapmap", hapmap, "--pheno", home / "hapmap.txt"),
        "liver": assoc("liver", from_here / "hlc_427"),
        "chr22": assoc("chr22", chr22, "--pheno", home / "trait.txt"),
    }


@pytest.mark.parametrize(
    ("name", "settings", "least"),
    [
        ("hapmap", {"p1": 1e-4, "p2": 0.01, "r2": 0.5, "kb": 250}, 3000),
        ("hapmap", {"p1": 0.01, "p2": 0.05, "r2": 0.05, "kb": 2000}, 6000),
        ("liver", {"p1": 1e-4, "p2": 0.01, "r2": 0.5, "kb": 250}, 200),
        ("liver", {"p1": 0.05, "p2": 0.2, "r2": 0.2, "kb": 1000}, 2000),
        ("chr22", {"p1": 0.01, "p2": 0.01, "r2": 0.5, "kb": 250}, 150),
        ("chr22", {"p1": 0.1, "p2": 0.2, "r2": 0.1, "kb": 250}, 800),
        ("chr22", {"p1": 1e-3, "p2": 0.01, "r2": 0.9, "kb": 50}, 20),
    ],
)
def test_equals_plink_on_real_sets(real, tmp_path, name, settings, least):
    path, assoc = real[name]
    wanted = plink_clumps(tmp_path, path, assoc, **settings)
    table = read_p_values(assoc)
    found = clump_variants(open_genotypes(path), table.ids, table.values, **settings, n_jobs=2)
    assert_same(found.frame(), wanted)
    assert len(found) >= least


@pytest.mark.parametrize("seed", range(3))
def test_threads_stretches_and_subsets_change_nothing(tmp_path, seed, monkeypatch):
    path = write_linked(tmp_path, seed, ("1", "2", "22"), p=400)
    genotypes = open_genotypes(path)
    ids = genotypes.variants.id.to_pylist()
    table = draw_p_values(seed, ids)
    settings = SETTINGS[1]
    wanted = clump_variants(genotypes, table["SNP"], table["P"], **settings).frame()
    for size, share in ((0, 1), (200, 3)):
        monkeypatch.setattr(clump_module, "STRETCH_BYTES", size)
        monkeypatch.setattr(clump_module, "TASK_VARIANTS", share)
        again = clump_variants(genotypes, table["SNP"], table["P"], **settings, n_jobs=3)
        pd.testing.assert_frame_equal(again.frame(), wanted)
    rows = np.random.default_rng(seed).permutation(61)[:45]
    part = genotypes.subset(samples=rows, variants=np.arange(400) % 5 > 0)
    few = table[table["SNP"].isin([name for k, name in enumerate(ids) if k % 5])]
    found = clump_variants(part, table["SNP"], table["P"], **settings)
    run_plink(
        "plink2",
        tmp_path,
        "--bfile",
        path,
        "--exclude",
        listed(tmp_path, ids[::5]),
        "--keep",
        people(tmp_path, genotypes, rows),
        "--make-bed",
    )
    cut = clump_variants(open_genotypes(tmp_path / "out"), few["SNP"], few["P"], **settings)
    pd.testing.assert_frame_equal(found.frame(), cut.frame())
    assert found.rows["unknown"] > cut.rows["unknown"]


def listed(folder, ids):
    (folder / "ids.txt").write_text("\n".join(ids))
    return "ids.txt"


def people(folder, genotypes, rows):
    names = [f"{genotypes.samples.family[i]} {genotypes.samples.id[i]}" for i in rows]
    (folder / "keep.txt").write_text("\n".join(names))
    return "keep.txt"


def small(folder, ids="abcd", positions=(100, 200, 300, 400)):
    """Four variants of 40 people, of which the first three are the same."""
    codes = np.array([TWO, ONE, NONE])[np.random.default_rng(0).binomial(2, 0.5, (4, 40))]
    codes[1] = codes[2] = codes[0]
    path = write_cohort(folder / "small", codes)
    lines = [f"1 {v} 0 {b} A C\n" for v, b in zip(ids, positions, strict=True)]
    (folder / "small.bim").write_text("".join(lines))
    return open_genotypes(path)


def test_positions_in_any_order(tmp_path):
    genotypes = small(tmp_path, positions=(300, 100, 200, 150))
    found = clump_variants(genotypes, list("abcd"), [1e-6, 1e-5, 1e-3, 1e-7])
    assert found.frame()[["SNP", "SP2"]].values.tolist() == [["d", "NONE"], ["a", "b(1),c(1)"]]


def test_distance_is_below_kb(tmp_path):
    genotypes = small(tmp_path, positions=(1, 1000, 1001, 9000))
    found = clump_variants(genotypes, list("abc"), [1e-9, 1e-5, 1e-5], kb=1)
    assert found.frame()["SNP"].tolist() == ["a", "c"]
    assert found.frame()["SP2"].tolist() == ["b(1)", "NONE"]


def test_stretches_share_no_variant_and_count_from_their_first(monkeypatch):
    """The second chromosome has variants at 100, 150 and 200, and far from these four more. Those
    of p1 or less may be index variants, the most significant and then the first column first; what
    is near lies from `low` to `high`, the limits themselves among it."""
    p1, radius = 1e-4, 50
    table = clump_module._Table(
        column=np.array([9, 8, 0, 1, 2, 6, 5, 4, 3]),
        least=np.array([0.5, 0.2, 0.5, 1e-6, p1, 1e-9, 0.3, 1e-9, 2e-4]),
        counts=np.zeros((9, 5), dtype=np.int64),
        listed=np.zeros(9, dtype=np.int64),
        position=np.array([100, 120, 100, 150, 200, 1000, 1050, 1100, 1150]),
        chromosomes=[("1", slice(0, 2)), ("2", slice(2, 9))],
    )
    for share, sizes in ((1, [2, 2]), (2, [2, 2]), (3, [4])):
        monkeypatch.setattr(clump_module, "TASK_VARIANTS", share)
        tasks = list(table.tasks(p1, radius))
        assert [size for size, _ in tasks] == sizes
        one, two = (stretch for _, stretches in tasks for stretch in stretches)
        assert (one.chromosome, one.first, one.columns.tolist()) == ("2", 2, [0, 1, 2])
        assert [one.tops.tolist(), one.low.tolist(), one.high.tolist()] == [[1, 2], [0, 1], [3, 3]]
        assert (two.chromosome, two.first, two.columns.tolist()) == ("2", 5, [6, 5, 4, 3])
        assert [two.tops.tolist(), two.low.tolist(), two.high.tolist()] == [[2, 0], [1, 0], [4, 2]]
    assert list(table.tasks(1e-10, radius)) == []


def test_ids_of_several_variants_are_left_out_and_told(tmp_path):
    genotypes = small(tmp_path, ids="aabc")
    found = clump_variants(genotypes, ["a", "b", "c", "x", "x"], [1e-9, 1e-5, np.nan, 1e-9, 0.5])
    assert found.frame()["SNP"].tolist() == ["b"]
    assert found.rows["ambiguous"] == 1
    told = found.summary()
    assert "1 of 5 rows: several variants have the id" in told
    assert (
        "2 of 5 rows: no variant of the genotypes has the id (1 of them with p <= 0.0001)" in told
    )
    assert "1 of 5 rows: no p-value" in told


def test_broken_lines_and_negative_positions_are_unknown(tmp_path):
    genotypes = small(tmp_path, positions=("x", -5, 300, 400))
    found = clump_variants(genotypes, list("abcd"), [1e-9] * 4)
    assert found.rows["unknown"] == 2
    assert found.frame()["SNP"].tolist() == ["c", "d"]


@pytest.mark.parametrize(("ids", "p"), [([], []), (["a", "b"], [0.3, 0.2]), (["a"], [np.nan])])
def test_nothing_significant_is_an_empty_result(tmp_path, ids, p):
    found = clump_variants(small(tmp_path), ids, p)
    assert len(found) == found.n_significant == 0
    assert list(found.frame().columns) == COLUMNS
    assert "no variant with p <= 0.0001: there are no clumps" in found.summary()
    with_genes = found.with_genes(Genes.of([("1", 5, 9, "G")]))
    assert list(with_genes.frame().columns) == [*COLUMNS, "GENES", "DISTANCE"]
    write_clumps(with_genes, small(tmp_path), tmp_path, {})
    assert (tmp_path / "clumps.tsv").read_text() == "\t".join(
        [*COLUMNS, "GENES", "DISTANCE"]
    ) + "\n"


def test_one_sample(tmp_path):
    codes = np.array([[TWO], [ONE], [ONE]])
    genotypes = open_genotypes(write_cohort(tmp_path / "one", codes))
    found = clump_variants(genotypes, ["v0", "v1", "v2"], [1e-9, 1e-8, 1e-7])
    assert found.frame()["SP2"].tolist() == ["NONE", "v2(1)"]  # as PLINK has it


def test_files_hold_what_was_found(tmp_path, monkeypatch):
    genotypes = small(tmp_path)
    found = clump_variants(genotypes, list("abcd"), [1e-6, 1e-9, 0.5, 1e-5])
    genes = Genes.of([("chr1", 150, 260, "G1"), ("chr1", 180, 300, "G2")])
    content = write_clumps(found.with_genes(genes), genotypes, tmp_path, {"p1": 1e-4})
    table = pd.read_csv(
        tmp_path / "clumps.tsv", sep="\t", float_precision="round_trip", dtype={"CHR": str}
    )
    wanted = found.with_genes(genes).frame()
    pd.testing.assert_frame_equal(table, wanted, check_dtype=False)
    assert table["GENES"].tolist() == ["G1,G2", "G2"]
    assert table["DISTANCE"].tolist() == [0, 100]
    assert json.loads((tmp_path / "results.json").read_text(encoding="utf-8")) == content
    assert set(content) == ClumpContent.__required_keys__
    assert set(content["rows"]) == ClumpRows.__required_keys__
    assert content["clumps"][0]["SP2"] == ["a"]
    assert found.to_dict(1)["n_clumps"] == 2
    assert len(found.to_dict(1)["clumps"]) == 1
    elsewhere = found.with_genes(Genes.of([("2", 1, 2, "far")]))
    assert elsewhere.to_dict()["clumps"][0]["DISTANCE"] is None
    assert elsewhere.frame()["GENES"].tolist() == ["NONE", "NONE"]
    assert "no gene on this chromosome" in elsewhere.summary()
    told = found.with_genes(genes).summary()
    assert "more" not in told
    monkeypatch.setattr(clump_result, "MAX_SUMMARY_CLUMPS", 2)
    assert found.with_genes(genes).summary() == told
    monkeypatch.setattr(clump_result, "MAX_SUMMARY_CLUMPS", 1)
    assert found.summary().endswith("\n  and 1 more clump")
    assert "3 variants with p <= 0.0001 in 2 clumps (r2 > 0.5 within 250 kb, 40 founders)" in told
    assert "b (1:200)  p = 1e-09, 2 members, in G1, G2" in told
    assert "100 bp from G2" in told


@pytest.mark.parametrize(
    ("p", "words"),
    [
        ([0.5, 1.5], r"p_values\[1\] = 1.5"),
        ([-1e-9, 1.0], r"p_values\[0\] = -1e-09"),
        ([0.5], "2 ids, and 1 p-value"),
        ([[0.5], [0.1]], "2 dimensions"),
        (["x", "y"], "give numbers"),
        ([np.inf, 0.1], r"p_values\[0\] = inf"),
    ],
)
def test_p_values_that_cannot_be(tmp_path, p, words):
    with pytest.raises(DataError, match=words):
        clump_variants(small(tmp_path), ["a", "b"], p)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"p1": 2}, "p1=2"),
        ({"p2": -1}, "p2=-1"),
        ({"r2": "x"}, "r2='x'"),
        ({"kb": 0}, "kb=0"),
        ({"kb": np.inf}, "kb=inf"),
    ],
)
def test_settings_that_cannot_be(tmp_path, wrong, words):
    with pytest.raises(PlanError, match=words):
        clump_variants(small(tmp_path), ["a"], [0.1], **wrong)


def test_a_cohort_without_founders(tmp_path):
    codes = np.zeros((2, 3), dtype=int)
    path = write_cohort(tmp_path / "c", codes, parents=dict.fromkeys(range(3), ("f", "m")))
    with pytest.raises(DataError, match="none of 3 samples is a founder"):
        clump_variants(open_genotypes(path), ["v0"], [0.1])
    with pytest.raises(DataError, match="give a list"):
        clump_variants(small(tmp_path), "abc", [0.1])
