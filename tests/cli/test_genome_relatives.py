"""`tamis genome kin`, `tamis genome mixed`, and what other commands say of relatives."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from common.bed_files import MISSING, ONE, codes_of, write_cohort
from common.pedigrees import Founders, copies_of_people
from genome.plink import run_plink
from tamis.genome import open_genotypes, relationship_matrix, simulate_cohort


@pytest.fixture
def herd(tmp_path, monkeypatch):
    """120 people of 24 families and one of them twice, 2,400 variants of three chromosomes."""
    monkeypatch.chdir(tmp_path)
    make = Founders(3, np.random.default_rng(0).uniform(0.1, 0.5, 2400))
    people = [one for _ in range(24) for one in make.nuclear_family(3)]
    people.append(people[4])
    copies = copies_of_people(people)
    sick = np.random.default_rng(1).integers(1, 3, 121)
    chromosomes = [str(1 + j // 800) for j in range(2400)]
    write_cohort("herd", codes_of(copies, 0.01), chromosome=chromosomes, phenotype=sick)
    return tmp_path


def test_relatives_are_listed_and_families_are_groups(herd, tamis):
    code, out, err = tamis("genome", "kin", "herd", "--out", "k")
    assert code == 0, err
    assert "1 pair of duplicates or twins, 146 parent-child pairs and" in out
    pairs = pd.read_csv("k/kin.tsv", sep="\t")
    assert list(pairs.columns) == [
        "FID1",
        "IID1",
        "FID2",
        "IID2",
        "NSNP",
        "HETHET",
        "IBS0",
        "KINSHIP",
        "RELATION",
    ]
    families = pd.read_csv("k/families.tsv", sep="\t")
    assert families["FAMILY"].nunique() == 24
    assert families["MEMBERS"].tolist() == [6] * 5 + [5] * 115 + [6]
    kept = (herd / "k" / "unrelated.keep").read_text().splitlines()
    assert len(kept) == 48  # both parents of each family
    content = json.loads((herd / "k" / "results.json").read_text())
    assert content["kind"] == "genotype-kinship"
    run_plink("plink1.9", herd, "--bfile", "herd", "--keep", "k/unrelated.keep", "--make-bed")
    assert open_genotypes("out").shape[0] == 48
    code, out, err = tamis("genome", "kin", "herd", "--out", "all", "--all-pairs", "--quiet")
    assert len(pd.read_csv("all/kin.tsv", sep="\t")) == 121 * 120 // 2
    code, _, err = tamis("genome", "kin", "herd", "--degree", "4")
    assert code == 2
    assert "range 1<=x<=3" in err


@pytest.mark.quick
def test_gctas_files_hold_the_relationship_matrix(herd, tamis):
    code, _, err = tamis("genome", "kin", "herd", "--grm", "--out", "k")
    assert code == 0, err
    matrix, m = relationship_matrix(open_genotypes("herd"))
    lower = np.fromfile("k/kin.grm.bin", dtype="<f4")
    np.testing.assert_array_equal(lower, matrix[np.tril_indices(121)].astype(np.float32))
    assert set(np.fromfile("k/kin.grm.N.bin", dtype="<f4")) == {m}
    assert (herd / "k" / "kin.grm.id").read_text().splitlines()[:2] == ["f\ti0", "f\ti1"]
    stem = run_plink("plink1.9", herd, "--grm-bin", "k/kin", "--rel-cutoff", "0.8")
    assert len(stem.with_suffix(".grm.id").read_text().splitlines()) == 120  # one is twice there


def test_families_are_strata_and_groups(herd, tamis):
    assert tamis("genome", "kin", "herd", "--out", "k", "--quiet")[0] == 0
    table = pd.read_csv("k/families.tsv", sep="\t")
    table["sick"] = np.random.default_rng(1).integers(1, 3, 121)
    table.to_csv("people.tsv", sep="\t", index=False)
    asked = ("--pheno", "people.tsv", "--pheno-name", "sick", "--strata", "FAMILY")
    code, _, err = tamis("genome", "mtd", "herd", *asked, "--out", "m")
    assert code == 0, err


@pytest.mark.quick
def test_other_commands_tell_of_relatives(herd, tamis):
    advice = {
        "mtd": "`tamis genome mixed` takes them into account, --unrelated 3 leaves them out",
        "pairs": "leave them out (--unrelated 3)",
        "pca": "families may be the first components",
        "qc": "`tamis genome kin` lists them",
    }
    for command, words in advice.items():
        more = ("--chr", "1", "--keep", "5") if command == "pairs" else ()
        code, _, err = tamis("genome", command, "herd", *more, "--out", command)
        assert code == 0, err
        assert words in err
        assert "1 pair of samples is one person twice or identical twins" in err
        page = (herd / command / "report.html").read_text(encoding="utf-8")
        assert "one person twice or identical twins" in page
        name = {"qc": "quality.json", "pairs": "pairs.json"}.get(command, "results.json")
        assert len(json.loads((herd / command / name).read_text())["remarks"]) >= 2


def test_relatives_are_left_out_if_asked(herd, tamis):
    code, _, err = tamis("genome", "mtd", "herd", "--unrelated", "3", "--out", "m")
    assert code == 0, err
    assert "73 of 121 samples are left out (--unrelated 3)." in err
    assert "relatives among them" not in err
    content = json.loads((herd / "m" / "results.json").read_text())
    assert content["samples"] == 48
    code, _, err = tamis("genome", "pca", "herd", "--unrelated", "0", "--out", "p")
    assert "1 of 121 samples are left out (--unrelated 0)." in err
    assert "one person twice" not in err
    assert len(pd.read_csv("p/pca.eigenvec", sep="\t")) == 120


@pytest.mark.quick
def test_a_mixed_scan_leaves_a_table_and_a_page(herd, tamis):
    rng = np.random.default_rng(0)
    people = pd.read_csv("herd.fam", sep=" ", header=None)
    table = pd.DataFrame(
        {
            "FID": people[0],
            "IID": people[1],
            "age": rng.normal(50, 9, 121),
            "centre": rng.choice(["Rome", "Oslo", "Bonn"], 121),
        }
    )
    table.loc[3, "age"] = np.nan
    table.to_csv("covar.tsv", sep="\t", index=False, na_rep="NA")
    asked = ("--covar", "covar.tsv", "--draws", "19", "--chr", "2", "--unrelated", "0")
    code, out, err = tamis("genome", "mixed", "herd", *asked, "--out", "m")
    assert code == 0, err
    assert "lambda GC" in out
    found = pd.read_csv("m/mixed.tsv", sep="\t")
    assert list(found.columns) == [
        "CHR",
        "SNP",
        "BP",
        "A1",
        "A2",
        "FREQ",
        "BETA",
        "SE",
        "Z",
        "P",
        "P_MAXT",
    ]
    assert set(found["CHR"]) == {2}
    content = json.loads((herd / "m" / "results.json").read_text())
    assert content["settings"]["covariates"] == ["age", "centre=Oslo", "centre=Rome"]
    assert content["samples"] == 119
    assert "1 sample misses a covariate: left out." in content["remarks"]
    assert "1 sample misses a covariate" in err
    page = (herd / "m" / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    code, _, err = tamis("genome", "mixed", "herd", "--covar", "covar.tsv", "--covar-name", "aeg")
    assert code == 2
    assert "'age'" in err
    code, _, err = tamis("genome", "mixed", "herd", "--covar-name", "age")
    assert code == 2
    assert "--covar FILE" in err


@pytest.mark.quick
def test_a_mixed_scan_takes_a_number(herd, tamis):
    people = pd.read_csv("herd.fam", sep=" ", header=None)
    bmi = np.exp(np.random.default_rng(0).normal(3, 0.2, 121)).round(3)
    table = pd.DataFrame({"FID": people[0], "IID": people[1], "bmi": bmi, "size": bmi - 15})
    table.loc[3, "bmi"] = np.nan
    table.to_csv("p.tsv", sep="\t", index=False, na_rep="NA")
    asked = ("genome", "mixed", "herd", "--pheno", "p.tsv", "--pheno-name")
    options = ("--log-target", "--draws", "19", "--chr", "2", "--qc", "--unrelated", "0")
    code, out, err = tamis(*asked, "bmi", *options, "--out", "m")
    assert code == 0, err
    assert "samples (a number, " in out
    assert "p.tsv, bmi: 1 samples have none and are left out" in err
    assert "they are measured twice" not in err
    found = pd.read_csv("m/mixed.tsv", sep="\t")
    assert list(found.columns[6:]) == ["BETA", "SE", "T", "P", "P_MAXT"]
    content = json.loads((herd / "m" / "results.json").read_text())
    assert content["response"] == "number"
    assert content["classes"] == []
    assert content["number"]["largest"] == pytest.approx(np.log(np.delete(bmi, 3).max()))
    page = (herd / "m" / "report.html").read_text(encoding="utf-8")
    assert "logarithm of a number" in page
    assert "of A1, SE its standard error" in page
    code, out, err = tamis("genome", "clump", "m/mixed.tsv", "herd", "--p1", "0.05", "--out", "c")
    assert code == 0, err
    code, _, err = tamis(*asked, "size", "--log-target", "--out", "n")
    assert code == 2
    assert "which have no logarithm: leave out --log-target\n" in err
    code, _, err = tamis(*asked, "bmi", "--out", "n")
    assert code == 2
    assert "it is no class; give classes" in err
    assert "--regression" in err
    code, _, err = tamis("genome", "mixed", "herd", "--regression", "--out", "n")
    assert code == 2
    assert "these are classes, which `tamis genome mtd` and `mixed` (without --reg" in err


@pytest.mark.quick
def test_a_linear_scan_leaves_a_table_and_a_page(herd, tamis):
    people = pd.read_csv("herd.fam", sep=" ", header=None)
    rng = np.random.default_rng(0)
    bmi = np.exp(rng.normal(3, 0.2, 121)).round(3)
    table = pd.DataFrame({"FID": people[0], "IID": people[1], "bmi": bmi})
    table["age"] = rng.integers(20, 70, 121).astype(float)
    table.loc[3, "bmi"], table.loc[5, "age"] = np.nan, np.nan
    table.to_csv("p.tsv", sep="\t", index=False, na_rep="NA")
    asked = ("genome", "linear", "herd", "--pheno", "p.tsv", "--pheno-name", "bmi")
    options = ("--covar", "p.tsv", "--covar-name", "age", "--chr", "2", "--log-target")
    code, out, err = tamis(*asked, *options, "--out", "m")
    assert code == 0, err
    assert "119 samples (a number, " in out
    assert "linear model, 1 covariate" in out
    assert "least squares treats them as independent" in err
    assert "1 sample misses a covariate: left out." in err
    found = pd.read_csv("m/linear.tsv", sep="\t")
    assert list(found.columns[5:]) == ["FREQ", "NMISS", "BETA", "SE", "T", "P", "FDR_BH"]
    assert set(found["CHR"]) == {2}
    content = json.loads((herd / "m" / "results.json").read_text())
    assert content["kind"] == "linear-scan"
    assert content["settings"]["covariates"] == ["age"]
    page = (herd / "m" / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "logarithm of a number" in page
    assert "FDR_BH is the false discovery rate" in page
    code, _, err = tamis("genome", "clump", "m/linear.tsv", "herd", "--p1", "0.05", "--out", "c")
    assert code == 0, err
    code, _, err = tamis("genome", "linear", "herd", "--out", "n")
    assert code == 2
    assert "these are classes" in err
    assert "`mixed` (without --regression)" in err


def test_clumps_take_a_mixed_scan(herd, tamis):
    assert tamis("genome", "mixed", "herd", "--out", "m", "--quiet")[0] == 0
    code, _, err = tamis("genome", "clump", "m/mixed.tsv", "herd", "--p1", "0.05", "--out", "c")
    assert code == 0, err


def test_spoiled_and_tiny_cohorts_are_one_line(tmp_path, tamis, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    write_cohort("one", codes_of(np.ones((20, 1), dtype=int)))
    write_cohort(
        "sexes", codes_of(rng.binomial(2, 0.3, (20, 8))), chromosome="23", phenotype=[1, 2] * 4
    )
    write_cohort("constant", np.full((20, 8), ONE), phenotype=[1, 2] * 4)
    write_cohort("chromosome", codes_of(rng.binomial(2, 0.3, (90, 40))), phenotype=[1, 2] * 20)
    told = {
        ("kin", "one"): "there is one sample: kinship needs two",
        ("kin", "sexes"): "no variant is on an autosome",
        ("mixed", "one"): "no class",
        ("mixed", "sexes"): "no variant is left to test",
        ("mixed", "constant"): "no variant is left to test",
        ("mixed", "chromosome"): "lie on one chromosome",
    }
    for (command, name), words in told.items():
        code, out, err = tamis("genome", command, name, "--out", f"{command}-{name}")
        assert (code, out) == (2, ""), (command, name, err)
        assert words in err
        assert len(err.strip().splitlines()) <= 2
    code, out, err = tamis("genome", "qc", "constant", "--out", "q")  # which keeps no variant
    assert code == 0, err
    assert (tmp_path / "q" / "variants.tsv").exists()
    code, out, err = tamis("genome", "kin", "constant", "--out", "twins")
    assert code == 0, err
    assert "28 pairs of duplicates or twins" in out


def test_unrelated_people_of_two_populations_are_told_apart(tmp_path, tamis, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulate_cohort("two", [40, 40], [40, 40], 4000, divergence=0.1, seed=1)
    code, out, err = tamis("genome", "kin", "two", "--out", "k")
    assert code == 0, err
    assert "No relatives" in out
    assert "several populations, not relatives" in out
    code, _, err = tamis("genome", "mtd", "two", "--out", "m")
    assert "of the pairs have a kinship far below 0, as of different populations" in err
    assert "relatives among them" not in err


def test_samples_without_heterozygous_calls_are_told(tmp_path, tamis, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    chromosomes = ["1"] * 300 + ["2"] * 300
    inbred = codes_of(2 * rng.integers(0, 2, (600, 12)))
    write_cohort("inbred", inbred, chromosome=chromosomes, phenotype=[1, 2] * 6)
    code, out, err = tamis("genome", "kin", "inbred")
    assert (code, out) == (2, "")
    assert "no two samples have heterozygous calls" in err
    code, _, err = tamis("genome", "mtd", "inbred", "--unrelated", "3")
    assert code == 0, err
    assert "--unrelated 3: nobody is left out" in err
    codes = codes_of(rng.binomial(2, 0.4, (600, 5)))
    codes[:, 0] = MISSING
    write_cohort("uncalled", codes, chromosome=chromosomes)
    code, out, err = tamis("genome", "kin", "uncalled", "--all-pairs", "--out", "k")
    assert (code, err) == (0, "")
    assert pd.read_csv("k/kin.tsv", sep="\t")["KINSHIP"].isna().sum() == 4
    content = json.loads((tmp_path / "k" / "results.json").read_text())
    assert len(content["top"]) == 6


def test_leaving_out_relatives_tells_what_few_variants_miss(tmp_path, tamis, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulate_cohort("few", 20, 20, 300, seed=1)
    code, _, err = tamis("genome", "mtd", "few", "--unrelated", "2", "--out", "m")
    assert code == 0, err
    assert "0 of 40 samples are left out (--unrelated 2)." in err
    assert "degree 2 begins at 0.088. More distant relatives may be left in" in err


def test_a_few_people_are_of_one_population(tmp_path, tamis, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed in range(3):
        simulate_cohort(f"three{seed}", 2, 1, 2000, seed=seed)
        code, _, err = tamis("genome", "mtd", f"three{seed}")
        assert code == 0, err
        assert "different populations" not in err


def test_odd_covariates_are_named(tmp_path, tamis, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulate_cohort("few", 20, 20, 600, seed=1)
    ids = pd.read_csv("few.fam", sep=r"\s+", header=None)[1]
    age = np.random.default_rng(0).normal(50, 9, 40).round(1)
    told = {
        "IID centre": (["Rome"] * 40, "centre: all samples have 'Rome': leave it out"),
        "IID height": ([170] * 40, "'height' is constant"),
        "IID a b": ([f"{x} {2 * x}" for x in age], "'b' is constant, or a linear combination"),
        "IID age": (["<5", *age[1:]], "37 different values, of which '<5' is no number"),
    }
    for header, (values, words) in told.items():
        lines = [header, *(f"{name} {value}" for name, value in zip(ids, values, strict=True))]
        (tmp_path / "covar.txt").write_text("\n".join(lines) + "\n")
        code, out, err = tamis("genome", "mixed", "few", "--covar", "covar.txt")
        assert (code, out) == (2, ""), header
        assert words in err
    lines = ["IID age", *(f"{name} {x * 1e300}" for name, x in zip(ids, age, strict=True))]
    (tmp_path / "covar.txt").write_text("\n".join(lines) + "\n")
    asked = ("--covar", "covar.txt", "--covar-name", "age", "--covar-name", "age")
    code, out, err = tamis("genome", "mixed", "few", *asked)
    assert (code, err) == (0, "")
    (tmp_path / "covar.txt").write_text("\n".join(line.split()[0] for line in lines) + "\n")
    code, _, err = tamis("genome", "mixed", "few", "--covar", "covar.txt")
    assert code == 2
    assert "its first line is to be such as FID IID age" in err


def test_chromosomes_that_are_not_there_are_told_with_those_that_are(tmp_path, tamis, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    write_cohort(
        "made",
        codes_of(rng.binomial(2, 0.4, (600, 10))),
        chromosome=["01"] * 300 + ["02"] * 300,
        phenotype=[1, 2] * 5,
    )
    assert tamis("genome", "kin", "made", "--chr", "1", "--out", "k")[0] == 0
    for command in ("kin", "mixed"):
        code, _, err = tamis("genome", command, "made", "--chr", "7")
        assert code == 2
        assert "(chromosomes here: '01', '02')" in err
        code, _, err = tamis("genome", command, "made", "--region", "1:5")
        assert code == 2
        assert "--region '1:5'" in err


def test_one_class_without_its_relatives_is_told(tmp_path, tamis, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make = Founders(2, np.random.default_rng(0).uniform(0.1, 0.5, 2000))
    people = [one for _ in range(8) for one in make.nuclear_family(1)]
    write_cohort(
        "trios",
        codes_of(copies_of_people(people)),
        chromosome=["1"] * 1000 + ["2"] * 1000,
        phenotype=[1, 1, 2] * 8,
    )
    for command in ("mtd", "mixed"):
        code, _, err = tamis("genome", command, "trios", "--unrelated", "1")
        assert code == 2
        assert "--unrelated 1 leaves 16 samples of one class" in err
    asked = ("--unrelated", "1", "--n-components", "2")
    assert tamis("genome", "pca", "trios", *asked)[0] == 0
