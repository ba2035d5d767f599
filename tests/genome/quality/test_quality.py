"""Quality control against plain loops over the calls, and what it says."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.bed_files import MISSING, ONE, codes_of, write_cohort
from tamis._core.errors import DataError, PlanError
from tamis.genome import mtd_scan, open_genotypes, quality_control
from tamis.genome.readers import genotypes as genotypes_module
from tamis.genome.readers.variants import LEFT_OUT
from tamis.kernels.genotypes.fisher import differential_missingness
from tamis.kernels.genotypes.hardy_weinberg import hardy_weinberg

CHROMOSOMES = ("1", "chr7", "X", "23", "Y", "XY", "MT", "0", "scaffold_3")


def draw_cohort(seed, n=57, p=40):
    """Codes, chromosomes, sexes and parents with everything in them that has a rule of its own."""
    rng = np.random.default_rng(seed)
    copies = rng.binomial(2, rng.choice([0.0, 0.02, 0.3, 0.5], (p, 1)), (p, n))
    codes = codes_of(copies, rng.choice([0.0, 0.03, 0.2], (p, 1)), seed)
    codes[rng.random(p) < 0.05] = MISSING
    codes[rng.random(p) < 0.1] = ONE
    codes[:, 3] = np.where(rng.random(p) < 0.4, MISSING, codes[:, 3])
    chromosomes = rng.choice(CHROMOSOMES, p)
    parents = {5: ("i6", "0"), 7: ("gone", "gone"), 9: ("i3", "i2"), 11: ("0", "i5")}
    return codes, chromosomes, rng.integers(0, 3, n), parents


def slow_quality(codes, chromosomes, sex, parents, label, n_classes):
    """Kept samples, and counts, frequency, both p of each variant, call by call."""
    p, n = codes.shape
    on_y = np.array([name == "Y" for name in chromosomes])
    kept = np.zeros(n, dtype=bool)
    for i in range(n):
        looked = [j for j in range(p) if any(codes[j] != MISSING) and (not on_y[j] or sex[i] == 1)]
        kept[i] = sum(codes[j, i] == MISSING for j in looked) / len(looked) < 0.1
    there = {f"i{i}" for i in np.flatnonzero(kept)}
    founder = [not there & set(parents.get(i, ())) for i in range(n)]
    rows = []
    for j, name in enumerate(chromosomes):
        is_x, is_y = name in ("X", "23"), name == "Y"
        counts, alleles, tested = [0, 0, 0, 0], [0, 0], [0, 0, 0]
        missing, every = [0] * n_classes, [0] * n_classes
        for i in np.flatnonzero(kept):
            if is_y and sex[i] != 1:
                continue
            single = sex[i] == 1 and (is_x or is_y)
            place = {0: 0, 2: 1, 3: 2, 1: 3}[codes[j, i]]
            counts[place] += 1
            every[label[i]] += 1
            missing[label[i]] += place == 3 or (place == 1 and single)
            if founder[i] and place != 3:
                if single:
                    alleles[0] += place == 0
                    alleles[1] += place == 2
                else:
                    alleles[0] += 2 - place
                    alleles[1] += place
                if label[i] == 0 and not (is_x and sex[i] != 2):
                    tested[place] += 1
        rows.append((counts, alleles, tested, missing, every))
    return kept, rows


@pytest.mark.parametrize("seed", range(12))
def test_equals_plain_loops(tmp_path, seed):
    codes, chromosomes, sex, parents = draw_cohort(seed)
    n = codes.shape[1]
    label = np.random.default_rng(seed).integers(0, 2, n)
    path = write_cohort(tmp_path / "made", codes, chromosomes, sex, parents=parents)
    found = quality_control(open_genotypes(path), label, differential=0.05)
    kept, rows = slow_quality(codes, chromosomes, sex, parents, label, 2)
    assert found.kept_samples.tolist() == kept.tolist()
    table = found.frame()
    for j, (counts, alleles, tested, missing, every) in enumerate(rows):
        row = table.iloc[j]
        assert row[["two", "one", "none", "missing"]].tolist() == counts
        assert row.missing_share == (counts[3] / sum(counts) if sum(counts) else 0)
        if sum(alleles):
            assert row.frequency == min(alleles) / sum(alleles)
        else:
            assert np.isnan(row.frequency)
        if sum(counts[:3]) == 0:
            assert row.reason == "no calls"
            assert np.isnan(row.hardy_p)
            assert np.isnan(row.differential_p)
            continue
        called = np.array([every]) - missing
        assert row.differential_p == differential_missingness(called, np.array([missing]))[0]
        if chromosomes[j] in ("Y", "MT") or sum(tested) == 0:
            assert np.isnan(row.hardy_p)
        else:
            assert row.hardy_p == hardy_weinberg(np.array([tested]))[0]
        why = [
            ("no variation", min(alleles) == 0),
            ("missing calls", row.missing_share >= 0.1),
            ("Hardy-Weinberg", row.hardy_p < 1e-6),
            ("rare allele", row.frequency < 0.01),
            ("differential missingness", row.differential_p < 0.05),
        ]
        assert row.reason == next((name for name, applies in why if applies), "")
    assert (table.reason == "").tolist() == found.kept.tolist()


@pytest.mark.longer
@given(seed=st.integers(0, 10**6))
def test_blocks_threads_and_subsets_change_nothing(tmp_path_factory, seed):
    codes, chromosomes, sex, parents = draw_cohort(seed)
    label = np.random.default_rng(seed).integers(0, 3, codes.shape[1])
    label[:3] = 0, 1, 2
    folder = tmp_path_factory.mktemp("made")
    whole = open_genotypes(write_cohort(folder / "whole", codes, chromosomes, sex, parents=parents))
    limits = {"sample_missing": 0.3, "controls": 1}
    wanted = quality_control(whole, label, **limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(genotypes_module, "BLOCK_BYTES", 60)
        assert len(whole.pieces()) > 5
        again = quality_control(whole, label, n_jobs=3, **limits)
    assert again.frame().equals(wanted.frame())
    assert again.samples_frame().equals(wanted.samples_frame())
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(57)[:50], np.flatnonzero(rng.random(40) < 0.7)
    part = whole.subset(samples=rows, variants=columns)
    some = codes[columns][:, rows]
    there = {f"i{i}": f"i{k}" for k, i in enumerate(rows)}
    renamed = {
        k: tuple(there.get(parent, "0") for parent in parents[i])
        for k, i in enumerate(rows)
        if i in parents
    }
    path = write_cohort(folder / "part", some, chromosomes[columns], sex[rows], parents=renamed)
    if len(set(label[rows])) < 3:
        return
    one = quality_control(part, label[rows], **limits)
    other = quality_control(open_genotypes(path), label[rows], **limits)
    names = ["two", "one", "none", "missing", "hardy_p", "differential_p", "frequency", "reason"]
    assert one.frame()[names].equals(other.frame()[names])
    assert one.kept_samples.tolist() == other.kept_samples.tolist()


@pytest.fixture
def cohort(tmp_path):
    """200 people, 60 variants of one chromosome, a few of which something is wrong with."""
    rng = np.random.default_rng(1)
    codes = codes_of(rng.binomial(2, 0.4, (60, 200)))
    codes[3] = 3  # one allele
    codes[4] = MISSING
    codes[5, :20] = MISSING  # a tenth of the samples
    codes[6, :19] = MISSING
    codes[7] = ONE
    codes[8] = np.where(np.arange(200) < 2, ONE, 3)
    codes[9, :100:7] = MISSING  # in the first class alone, less than a tenth of all
    codes[10:20, 150] = MISSING
    return write_cohort(tmp_path / "made", codes)


Y = np.repeat(["well", "ill"], 100)


def test_each_reason_is_named(cohort):
    found = quality_control(open_genotypes(cohort), Y)
    table = found.frame()
    reasons = {j: table.reason[j] for j in np.flatnonzero(~found.kept)}
    assert reasons == {
        3: "no variation",
        4: "no calls",
        5: "missing calls",
        7: "Hardy-Weinberg",
        8: "rare allele",
    }
    assert np.flatnonzero(~found.kept_samples).tolist() == [150]
    lost = found.samples_frame().query("reason != ''")[["id", "missing", "variants"]]
    assert lost.to_numpy().tolist() == [["i150", 10, 59]]
    assert found.apply().shape == (199, 55)
    told = found.dropped().set_index(["of", "reason"])
    assert told.dropped.sum() == 6
    assert told.failed["variants", "rare allele"] == 2
    assert told.failed["variants", "missing calls"] == 1


def test_a_limit_of_none_drops_none_but_what_cannot_be_used(cohort):
    limits = dict.fromkeys(["missing", "hardy", "frequency", "sample_missing"])
    found = quality_control(open_genotypes(cohort), Y, **limits)
    assert np.flatnonzero(~found.kept).tolist() == [3, 4]
    assert found.kept_samples.all()
    assert found.dropped().reason.tolist() == [
        "missing calls",
        "broken line",
        "negative position",
        "no calls",
        "no variation",
    ]


def test_a_limit_of_0_is_any_missing_call(cohort):
    found = quality_control(open_genotypes(cohort), missing=0.0, sample_missing=None)
    assert np.flatnonzero(found.frame().reason == "missing calls").tolist() == [
        5,
        6,
        9,
        *range(10, 20),
    ]


def test_differential_missingness_is_a_filter_only_if_asked_for(cohort):
    genotypes = open_genotypes(cohort)
    found = quality_control(genotypes, Y)
    assert found.kept[9]
    assert found.variants.differential[9] < 1e-4
    assert found.to_dict()["differential_missingness"]["kept"]["bonferroni"] >= 1
    assert "quality of calls" in found.summary()
    asked = quality_control(genotypes, Y, differential=1e-3)
    assert asked.frame().reason[9] == "differential missingness"
    assert quality_control(genotypes).to_dict()["differential_missingness"] is None


def test_who_is_a_control(cohort):
    genotypes = open_genotypes(cohort)
    table = genotypes.calls()[:, 30]
    for y, controls, whom in [
        (None, None, np.ones(200, bool)),
        (Y, None, Y == "ill"),  # sorts first
        (Y, "well", Y == "well"),
        (np.arange(200) % 3, None, np.ones(200, bool)),
        (np.arange(200) % 3, 2, np.arange(200) % 3 == 2),
    ]:
        counts = [[(table[whom] == k).sum() for k in (2, 1, 0)]]
        found = quality_control(genotypes, y, controls=controls, sample_missing=None)
        assert found.variants.hardy[30] == hardy_weinberg(np.array(counts))[0]
        assert f"{whom.sum():,} founders" in found.summary()


def test_a_broken_line_costs_its_variant(tmp_path, cohort):
    bim = cohort.with_suffix(".bim")
    lines = bim.read_text().splitlines()
    lines[30] = "1 v30"
    lines[31] = "1 v31 0 far A C"
    bim.write_text("\n".join(lines) + "\n")
    found = quality_control(open_genotypes(cohort), Y)
    assert (found.frame().reason == "broken line").sum() == 2
    assert np.isnan(found.variants.hardy[[30, 31]]).all()
    assert found.sample_counts[0].tolist() == [3, 57]  # without the one nobody has a call of
    assert found.apply().shape == (199, 53)


@pytest.mark.parametrize("nothing", [None, np.nan, ""])
def test_who_has_no_class_is_left_out_as_by_a_scan(cohort, nothing):
    genotypes, y = open_genotypes(cohort), np.array(Y, dtype=object)
    y[[0, 5, 9]] = nothing
    found = quality_control(genotypes, y)
    there = np.array([k not in (0, 5, 9) for k in range(len(y))])
    alone = quality_control(genotypes.subset(samples=there), Y[there])
    assert found.frame().equals(alone.frame())
    assert found.samples_frame().equals(alone.samples_frame())
    assert mtd_scan(genotypes, y).counts.sum(axis=(1, 2)).max() == there.sum()


def test_a_negative_position_is_left_out_by_all(cohort):
    """By quality control too: calls of such variants count for no sample, as PLINK has it."""
    bim = cohort.with_suffix(".bim")
    lines = [line.split() for line in bim.read_text().splitlines()]
    for k in (30, 31, 32):
        lines[k][3] = "-" + lines[k][3]
    bim.write_text("\n".join("\t".join(line) for line in lines) + "\n")
    genotypes = open_genotypes(cohort)
    found = quality_control(genotypes, Y)
    assert np.flatnonzero(found.frame().reason == "negative position").tolist() == [30, 31, 32]
    assert not found.kept[[30, 31, 32]].any()
    bare = quality_control(genotypes.subset(variants=genotypes.variants.left_out == 0), Y)
    np.testing.assert_array_equal(found.sample_counts, bare.sample_counts)
    assert found.kept.sum() == bare.kept.sum()
    why = mtd_scan(genotypes, Y).reasons[[30, 31, 32]]
    assert (why == LEFT_OUT.index("negative position")).all()


def test_what_it_says_is_json_and_adds_up(cohort):
    found = quality_control(open_genotypes(cohort), Y)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    dropped = sum(row["dropped"] for row in told["dropped"] if row["of"] == "variants")
    assert told["variants"]["all"] - told["variants"]["kept"] == dropped
    assert found.summary().startswith("199 of 200 samples and 55 of 60 variants are kept.\n")
    assert "10 % of the samples" in found.summary()


def test_no_variant_kept_is_a_result(cohort):
    found = quality_control(open_genotypes(cohort), frequency=0.5)
    assert found.kept.sum() < 5
    none = quality_control(open_genotypes(cohort).subset(variants=np.array([3, 4])))
    assert none.kept_samples.all()
    assert not none.kept.any()
    assert none.summary()
    with pytest.raises(DataError, match="no variant is left"):
        none.apply()


def test_an_x_without_known_females_is_not_tested(tmp_path):
    codes = codes_of(np.random.default_rng(0).binomial(2, 0.4, (10, 50)))
    codes[:, 25:] = np.where(codes[:, 25:] == ONE, 3, codes[:, 25:])
    genotypes = open_genotypes(write_cohort(tmp_path / "x", codes, "X"))
    found = quality_control(genotypes)
    assert np.isnan(found.variants.hardy).all()
    assert "not on X (no females)" in found.summary()


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"missing": 3}, PlanError, "missing=3"),
        ({"hardy": "low"}, PlanError, "hardy='low'"),
        ({"y": Y[:9]}, DataError, "200 samples"),
        ({"y": ["a"] * 200}, DataError, "two classes"),
        ({"y": np.where(Y == "ill", np.nan, 1.0)}, DataError, "y has"),
        (
            {"controls": "healthy"},
            DataError,
            "'healthy' is no class: the classes are 'ill', 'well'",
        ),
        ({"controls": "well", "y": None}, DataError, "there are no classes"),
    ],
)
def test_one_line_for_what_cannot_be(cohort, change, error, words):
    with pytest.raises(error, match=words) as caught:
        quality_control(open_genotypes(cohort), **{"y": Y, **change})
    assert "\n" not in str(caught.value)


def test_one_line_where_nobody_is_left(tmp_path):
    codes = codes_of(np.random.default_rng(0).binomial(2, 0.4, (10, 20)))
    codes[:3, :10] = MISSING
    path = write_cohort(tmp_path / "made", codes)
    with pytest.raises(DataError, match="no sample of class '0' is left"):
        quality_control(open_genotypes(path), np.arange(20) // 10)
    codes[::2, :10] = codes[1::2, 10:] = MISSING
    with pytest.raises(DataError, match="no sample is left"):
        quality_control(open_genotypes(write_cohort(tmp_path / "made", codes)))
