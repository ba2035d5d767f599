"""Tables joined to samples that they name in another way."""

from __future__ import annotations

import numpy as np
import pytest

from genome.plink import run_plink
from genome.sets import random_codes, write_bed
from tamis._core.errors import DataError
from tamis.genome import genotype_dataset, open_genotypes
from tamis.genome.readers.joined_ids import join_ids
from tamis.genome.readers.samples import Samples


def named(*pairs):
    found = Samples.of_ids([name for _, name in pairs])
    family = np.array([family for family, _ in pairs], dtype=object)
    return Samples(family, found.id, found.father, found.mother, found.sex, found.phenotype)


FAM = named(("f", "a"), ("f", "b"), ("g", "c"))
WORDS = Samples.of_ids(["f_a", "f_b", "g_c"])  # of a VCF or BGEN
NONE = named(("0", "a"), ("0", "b"), ("0", "c"))


@pytest.mark.parametrize(
    ("samples", "ids", "families", "found", "how"),
    [
        # PLINK's own ways, of which nothing is said
        (FAM, ["c", "a", "x"], ["g", "f", "f"], [2, 0, None], None),
        (FAM, ["c", "a"], None, [2, 0], None),
        (FAM, ["c", "a"], ["0", "0"], [2, 0], None),
        (WORDS, ["g_c", "f_a"], ["q", "r"], [2, 0], None),
        # a table of one word, and genotypes with FID and IID
        (FAM, ["g_c", "f_b", "f_a"], None, [2, 1, 0], "FID_IID (its ids"),
        (FAM, ["g_c", "f_b"], None, [2, 1], "FID_IID (its ids"),
        (FAM, ["x_y", "f_a", "f_b", "g_c"], None, [None, 0, 1, 2], "FID_IID (its ids"),
        (FAM, ["g_c", "f_b"], ["g_c", "f_b"], [2, 1], "FID_IID (its ids"),
        # a table with FID and IID, and genotypes of one word
        (WORDS, ["c", "a"], ["g", "f"], [2, 0], "FID_IID (the genotypes' ids"),
        (
            WORDS,
            ["c", "a", "b", "b"],
            ["g", "f", "f", "h"],
            [2, 0, 1, None],
            "FID_IID (the genotypes' ids",
        ),
        # families on one side alone
        (NONE, ["c", "a"], ["g", "f"], [2, 0], "IID alone"),
        (FAM, ["c", "a"], ["c", "a"], [2, 0], "IID alone"),
    ],
)
def test_rows_find_their_samples(samples, ids, families, found, how):
    places, told = join_ids(samples, ids, families, "p.txt")
    assert places == found
    if how is None:
        assert told == ""
    else:
        assert told.startswith(f"p.txt: joined by {how}")


@pytest.mark.parametrize(
    ("samples", "ids", "families", "says"),
    [
        # some rows and some samples are left
        (FAM, ["g_c", "f_b", "x_y"], None, "joined by FID_IID .*, 2 of 3 rows would be samples"),
        (WORDS, ["c", "x"], ["g", "f"], "joined by FID_IID .*, 1 of 2 rows would be samples"),
        # a word that two people share: a_b_c
        (named(("a_b", "c"), ("a", "b_c")), ["a_b_c"], None, "joined by FID_IID"),
        # a row twice
        (WORDS, ["c", "c"], ["g", "g"], "joined by FID_IID"),
        # two families, none of which is none
        (FAM, ["a", "b"], ["h", "h"], "families are others"),
        (FAM, ["x", "y"], None, "none of the samples 'f_a'|none of the samples 'a', 'b', 'c'"),
        (named(("f", "a"), ("g", "a")), ["a"], None, "several samples have the id 'a'"),
    ],
)
def test_what_is_not_certain_is_refused(samples, ids, families, says):
    with pytest.raises(DataError, match=says) as caught:
        join_ids(samples, ids, families, "p.txt")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("program", ["plink2", "plink1.9"])
def test_a_vcf_of_plink_joins_its_own_fam(tmp_path, program):
    families = [f"f{i // 2}" for i in range(20)]
    write_bed(tmp_path / "made", random_codes(1, 12, 20), families=families)
    how = ["--export", "vcf"] if program == "plink2" else ["--recode", "vcf"]
    run_plink(program, tmp_path, "--bfile", "made", *how)
    own = open_genotypes(tmp_path / "made").samples
    people = enumerate(zip(own.family, own.id, own.phenotype, strict=True))
    rows = [f"{f} {i} {'ill' if p == '2' else 'well'} {k}" for k, (f, i, p) in people]
    (tmp_path / "p.txt").write_text("\n".join(["FID IID state age", *reversed(rows)]) + "\n")
    by_vcf, by_bed = (
        genotype_dataset(
            open_genotypes(tmp_path / name), "state", samples=tmp_path / "p.txt", covariates=["age"]
        )
        for name in ("out.vcf", "made.bed")
    )
    assert by_vcf.sample_names[3] == "f1_s3"
    assert by_vcf.y.tolist() == by_bed.y.tolist()
    rows = np.arange(20)
    np.testing.assert_array_equal(by_vcf.X.take(rows, [12]), by_bed.X.take(rows, [12]))
    told = [note for note in by_vcf.notes if "joined by" in note]
    assert told == ["p.txt: joined by FID_IID (the genotypes' ids are its FID and IID in one word)"]
    assert not any("joined by" in note for note in by_bed.notes)
