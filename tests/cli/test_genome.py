"""`tamis genome mtd` as a user meets it."""

from __future__ import annotations

import json
import os
import sys

import numpy as np
import pandas as pd
import pytest

from common.cluster import cluster
from genome.plink import run_plink
from tamis._core.journal import Journal
from tamis.cli.main import can_resume
from tamis.genome import (
    RandomSignProjection,
    mtd_scan,
    open_genotypes,
    pair_scan,
    quality_control,
    simulate_cohort,
)


@pytest.fixture
def cohort(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulate_cohort("made", [60, 30], [30, 60], 220, singles=[(44, 5.0)], missing=0.02, seed=3)
    rows = [
        f"{i},{'north' if f == 'stratum1' else 'south'},{'ill' if p == '2' else 'well'}"
        for i, f, p in zip(
            *(getattr(open_genotypes("made").samples, k) for k in ("id", "family", "phenotype")),
            strict=True,
        )
    ]
    (tmp_path / "people.csv").write_text("\n".join(["IID,centre,status", *rows[:-4]]) + "\n")
    return tmp_path


@pytest.mark.quick
def test_it_prints_what_it_found_and_leaves_its_files(cohort, tamis):
    code, out, err = tamis("genome", "mtd", "made.bed", "--permutations", "39")
    assert code == 0, err
    assert "made: 220 variants of 180 samples (90 1, 90 2)" in out
    folder = cohort / "tamis-mtd-made"
    assert {p.name for p in folder.iterdir()} == {
        "mtd.tsv",
        "left_out.tsv",
        "results.json",
        "report.html",
    }
    table = pd.read_csv(folder / "mtd.tsv", sep="\t", float_precision="round_trip")
    np.testing.assert_array_equal(table["MTD"], mtd_scan(open_genotypes("made")).scores)


def test_classes_and_strata_of_a_table(cohort, tamis):
    asked = ("--pheno", "people.csv", "--pheno-name", "status", "--strata", "centre")
    code, out, err = tamis("genome", "mtd", "made", *asked, "--permutations", "39", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert [c["name"] for c in found["classes"]] == ["ill", "well"]
    assert found["strata"] == ["north", "south"]
    assert found["samples"] == 176
    assert found["top"][0]["SNP"] == "v45"
    assert found["top"][0]["P_MAXT"] == 1 / 40
    assert "4 samples have none" in err


def test_parts_and_several_files(cohort, tamis):
    code, out, err = tamis("genome", "mtd", "made", "--chr", "chr3", "--out", "x", "--quiet")
    assert code == 0, err
    assert "made: 10 variants" in out
    simulate_cohort("more", [60, 30], [30, 60], 30, missing=0.02, seed=3)
    code, out, err = tamis("genome", "mtd", "made.bed", "more.bed", "--out", "y")
    assert code == 0, err
    assert "made-and-1-more: 250 variants" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing.bed",), "'nothing.bed' is missing"),
        (("made", "--chr", "40"), "no variant on '40'"),
        (("made", "--region", "3"), "chromosome:first-last"),
        (("made", "--region", "1:,-,"), "chromosome:first-last"),
        (("made", "--region", "1:5-9", "--chr", "2"), "is on another chromosome than --chr"),
        (("made.bed", "./made.bed", "made.bed"), "named twice"),
        (("made", "--pheno", "people.csv"), "several columns"),
        (("made", "--permutations", "99999999999"), "give fewer"),
        (("made", "--out", "made.fam"), "is a file"),
        (("made", "--pheno", "no.txt"), "'no.txt' is not there"),
        (("made", "--pheno-name", "status"), "--pheno FILE"),
        (("made", "--strata", "centre"), "--pheno FILE"),
        (("made", "--permutations", "-2"), "permutations"),
        ((), "FILES"),
    ],
)
def test_faults_are_one_line(cohort, tamis, arguments, says):
    code, out, err = tamis("genome", "mtd", *arguments)
    assert code == 2
    assert says in err
    assert len(err.strip().splitlines()) == 1
    assert out == ""


def test_the_three_files_of_a_glob_are_one(cohort, tamis):
    code, out, err = tamis("genome", "mtd", "made.bed", "made.bim", "made.fam")
    assert code == 0, err
    assert "220 variants" in out


def test_the_same_bytes_for_any_number_of_threads(cohort, tamis):
    for jobs in ("1", "100000"):
        code, _, err = tamis(
            "genome",
            "mtd",
            "made",
            "--permutations",
            "19",
            "--strata",
            "FID",
            "--n-jobs",
            jobs,
            "--out",
            jobs,
        )
        assert code == 0, err
    for name in ("mtd.tsv", "left_out.tsv", "results.json", "report.html"):
        assert (cohort / "1" / name).read_bytes() == (cohort / "100000" / name).read_bytes()


def test_quality_control_leaves_lists_that_plink_takes(cohort, tamis):
    asked = ("--frequency", "0.3", "--hardy", "0", "--missing", "0.9")
    code, out, err = tamis("genome", "qc", "made", *asked, "--out", "q")
    assert code == 0, err
    table = pd.read_csv("q/variants.tsv", sep="\t", keep_default_na=False)
    kept = (cohort / "q" / "variants.keep").read_text().split()
    assert kept == table.loc[table["reason"] == "", "id"].tolist()
    assert 0 < len(kept) < 220
    assert set(table["reason"]) == {"", "rare allele"}
    people = [line.split("\t") for line in (cohort / "q" / "samples.keep").read_text().splitlines()]
    assert len(people) == 180
    assert f"{len(kept)} of 220 variants" in out
    run_plink(
        "plink1.9",
        cohort,
        "--bfile",
        "made",
        "--extract",
        "q/variants.keep",
        "--keep",
        "q/samples.keep",
        "--make-bed",
    )
    assert open_genotypes("out").shape == (180, len(kept))


def test_a_scan_after_quality_control_is_of_what_is_kept(cohort, tamis):
    simulate_cohort("rare", 90, 90, 220, frequencies=(0.0, 0.2), seed=5)
    code, out, err = tamis("genome", "mtd", "rare", "--qc", "--json")
    assert code == 0, err
    found = json.loads(out)
    kept = quality_control(open_genotypes("rare"), open_genotypes("rare").samples.phenotype)
    assert found["variants"] == kept.kept.sum() < 220
    assert found["settings"]["quality"]["variants"] == {"all": 220, "kept": int(kept.kept.sum())}
    scores = mtd_scan(kept.apply()).scores
    assert found["top"][0]["MTD"] == np.nanmax(scores)


def test_a_projection_is_a_table_to_study(cohort, tamis):
    code, out, err = tamis("genome", "project", "made", "--n-components", "7", "--out", "p.parquet")
    assert code == 0, err
    table = pd.read_parquet("p.parquet")
    assert list(table.columns) == ["family", "id", *(f"P{k}" for k in range(1, 8))]
    expected = RandomSignProjection(n_components=7).fit_transform(open_genotypes("made"))
    np.testing.assert_array_equal(table.iloc[:, 2:].to_numpy(), expected)
    assert "180 samples x 220 variants -> 7 columns" in out
    code, _, err = tamis("genome", "project", "made")
    assert code == 2
    assert "--eps 0.1 takes" in err
    assert "or --n-components NUMBER" in err


@pytest.mark.longer
def test_all_pairs_of_a_chromosome(cohort, tamis):
    simulate_cohort("two", 400, 400, 220, pairs=[(3, 7, 6.0)], seed=2)
    code, out, err = tamis(
        "genome", "pairs", "two", "--chr", "1", "--permutations", "19", "--keep", "4", "--out", "x"
    )
    assert code == 0, err
    table = pd.read_csv("x/pairs.tsv", sep="\t", float_precision="round_trip")
    assert len(table) == 4
    assert table.loc[0, ["SNP_1", "SNP_2", "P_MAXT"]].tolist() == ["v4", "v8", 0.05]
    assert "v4 (1:4,000) x v8 (1:8,000)" in out
    part = open_genotypes("two").subset(chromosome=1)
    expected = pair_scan(part, keep=4, permutations=19).frame()
    np.testing.assert_array_equal(table["INTERACTION"], expected["INTERACTION"])
    code, _, err = tamis("genome", "pairs", "two", "--most", "10")
    assert code == 2
    assert len(err.strip().splitlines()) == 1


def test_quality_without_classes_and_with_names_that_repeat(cohort, tamis):
    fam = (cohort / "made.fam").read_text().splitlines()
    measured = [f"{line.rsplit(' ', 1)[0]} {i}.5" for i, line in enumerate(fam)]
    (cohort / "made.fam").write_text("\n".join(measured) + "\n")
    bim = (cohort / "made.bim").read_text()
    (cohort / "made.bim").write_text(bim.replace("\tv2\t", "\tv1\t"))
    code, _, err = tamis("genome", "qc", "made", "--frequency", "0.3", "--out", "q")
    assert code == 0, err
    assert "180 different values" in err
    assert "there are no classes then" in err
    table = pd.read_csv("q/variants.tsv", sep="\t", keep_default_na=False)
    twins = table["reason"][:2].tolist()
    assert twins.count("") == 1, "one of the two is kept"
    assert "v1" not in (cohort / "q" / "variants.keep").read_text().split()


def test_components_of_all_whatever_their_classes(cohort, tamis):
    told = ("--pheno", "people.csv", "--pheno-name", "status", "--qc", "--n-components", "3")
    code, out, err = tamis("genome", "pca", "made", *told, "--out", "told")
    assert code == 0, err
    assert "3 principal components of 180 samples" in out
    assert {p.name for p in (cohort / "told").iterdir()} == {
        "pca.eigenvec",
        "pca.eigenval",
        "pca.prune.in",
        "results.json",
        "report.html",
    }
    found = json.loads((cohort / "told" / "results.json").read_text())
    assert sum(c["size"] for c in found["classes"]) == 176
    assert found["settings"]["class_column"] == "status"
    swapped = (cohort / "people.csv").read_text().replace("ill", "x").replace("well", "ill")
    (cohort / "people.csv").write_text("\n".join(swapped.splitlines()[:50]) + "\n")
    assert tamis("genome", "pca", "made", *told, "--out", "swapped")[0] == 0
    fam = [
        line.rsplit(" ", 1)[0] + " -9" for line in (cohort / "made.fam").read_text().splitlines()
    ]
    (cohort / "made.fam").write_text("\n".join(fam) + "\n")
    assert tamis("genome", "pca", "made", *told[4:], "--out", "none")[0] == 0
    for name in ("pca.eigenvec", "pca.eigenval", "pca.prune.in"):
        same = {(cohort / one / name).read_bytes() for one in ("told", "swapped", "none")}
        assert len(same) == 1


def test_components_have_the_same_bytes_for_any_number_of_threads(cohort, tamis):
    for jobs in ("1", "3"):
        code, _, err = tamis("genome", "pca", "made", "--n-jobs", jobs, "--out", jobs)
        assert code == 0, err
    for path in (cohort / "1").iterdir():
        assert path.read_bytes() == (cohort / "3" / path.name).read_bytes()


def test_components_as_json_and_too_many_of_them(cohort, tamis):
    code, out, err = tamis("genome", "pca", "made", "--json", "--quiet")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["kind"] == "genotype-components"
    assert len(found["eigenvalues"]) == found["components"] == 10
    assert "picture" not in found
    code, out, err = tamis("genome", "pca", "made", "--n-components", "500")
    assert (code, out) == (2, "")
    assert err.startswith("tamis: --n-components 500: 180 samples and")
    assert len(err.splitlines()) == 1


def test_the_column_that_was_the_only_one_is_told(cohort, tamis):
    (cohort / "one.tsv").write_text(
        (cohort / "people.csv")
        .read_text()
        .replace("north,", "")
        .replace("south,", "")
        .replace("centre,", "")
    )
    for command, file in (("mtd", "results.json"), ("qc", "quality.json"), ("pairs", "pairs.json")):
        code, _, err = tamis(
            "genome", command, "made", "--chr", "1", "--pheno", "one.tsv", "--out", command
        )
        assert code == 0, err
        assert "classes are those of its column 'status'" in err
        settings = json.loads((cohort / command / file).read_text())["settings"]
        assert (settings["pheno_name"], settings["class_column"]) == (None, "status")


def test_components_are_covariates_of_a_study(cohort, tamis):
    assert tamis("genome", "pca", "made", "--n-components", "2", "--out", "pca")[0] == 0
    samples = open_genotypes("made").samples
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(180, 4)), columns=list("abcd"))
    table.insert(0, "IID", samples.id)
    table["status"] = np.where(samples.phenotype == "2", "ill", "well")
    table.to_csv("study.csv", index=False)
    code, out, err = tamis(
        "study",
        "study.csv",
        "--target",
        "status",
        "--id",
        "IID",
        "--samples",
        "pca/pca.eigenvec",
        "--covariate",
        "PC1",
        "--covariate",
        "PC2",
        "--dry-run",
    )
    assert code == 0, err
    assert "covariates" in out.lower()


def test_quality_and_pairs_leave_pages_and_the_same_bytes_for_any_threads(cohort, tamis):
    asked = {"qc": ("--frequency", "0.2"), "pairs": ("--permutations", "19", "--chr", "1")}
    for command, more in asked.items():
        for jobs in ("1", "3"):
            code, out, err = tamis(
                "genome", command, "made", *more, "--n-jobs", jobs, "--out", command + jobs
            )
            assert code == 0, err
            assert "report.html" in out
        names = {path.name for path in (cohort / f"{command}1").iterdir()}
        assert "report.html" in names
        for name in names:
            one, other = ((cohort / f"{command}{jobs}" / name).read_bytes() for jobs in (1, 3))
            assert one == other
    code, out, err = tamis("genome", "qc", "made", "--json", "--quiet")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["kind"] == "quality-control"
    assert found["settings"]["hardy"] == 1e-6
    assert "picture" not in found


def test_stopped_it_does_not_speak_of_going_on(cohort, tamis, monkeypatch):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("tamis.genome.scans.scan.PreparedMTD.run", stop)
    code, out, err = tamis("genome", "mtd", "made", "--quiet")
    assert (code, out) == (130, "")
    assert err.strip() == "tamis: stopped; the result is not complete (run it again)"
    monkeypatch.setattr("tamis.data.read_table", stop)
    code, out, err = tamis("study", "people.csv", "--target", "status")
    assert code == 130
    assert err.strip() == "tamis: stopped; what is finished is kept (continue with --resume)"


@pytest.mark.parametrize(
    ("words", "can"),
    [
        (["study", "t.csv", "--target", "x"], True),
        (["interact", "t.csv"], True),
        (["genome", "pca", "made"], False),
        (["genome"], False),
        (["predict", "m", "t"], False),
        (["demo"], False),
        ([], False),
        (["nothing"], False),
        (["-h", "study"], True),
    ],
)
def test_which_commands_go_on_where_they_were_stopped(words, can):
    assert can_resume(words) is can


@pytest.mark.parametrize("stem", ["\x1b[31mred", "\u202edeb", os.fsdecode(b"no\xff\xfeutf")])
def test_names_cannot_steer_the_terminal(cohort, tamis, stem):
    for ending in (".bed", ".bim", ".fam"):
        (cohort / f"made{ending}").rename(cohort / f"{stem}{ending}")
    bim, table = cohort / f"{stem}.bim", cohort / f"{stem}.csv"
    bim.write_text(bim.read_text().replace("v45\t", "v45\x1b[31m\t"))
    (cohort / "people.csv").rename(table)
    for asked in (
        ["mtd", "--permutations", "19"],
        ["qc"],
        ["pairs", "--chr", "3"],
        ["mtd", "--chr", "99"],
        ["mtd", "--pheno", str(table), "--pheno-name", "status"],
        ["mtd", "--pheno", str(table), "--pheno-name", "\x1b[31m"],
    ):
        code, out, err = tamis("genome", asked[0], f"{stem}.bed", *asked[1:])
        assert code in (0, 2), err
        assert all(letter.isprintable() for letter in (out + err).replace("\n", "")), asked
    code, out, err = tamis("genome", "mtd", f"{stem}.bed", "--json")
    assert code == 0, err
    assert len(json.loads(out)["settings"]["files"]) == 1


@pytest.mark.longer
def test_scans_by_the_workers_of_a_scheduler(cohort, tamis, tmp_path):
    pytest.importorskip("distributed", reason="needs Dask: pip install '.[dask]'")
    asked = {
        "mtd": ("--permutations", "19", "--qc"),
        "qc": (),
        "pairs": ("--chr", "1", "--qc"),
    }
    with cluster(tmp_path) as running:
        for command, more in asked.items():
            assert tamis("genome", command, "made", *more, "--out", f"here/{command}")[0] == 0
            code, _, err = tamis(
                "genome",
                command,
                "made",
                *more,
                "--out",
                f"there/{command}",
                "--scheduler",
                running.address,
            )
            assert code == 0, err
            assert f"{running.address}: 2 workers, 2 threads" in err
            for path in (cohort / "here" / command).iterdir():
                there = cohort / "there" / command / path.name
                assert path.read_bytes() == there.read_bytes()
    code, out, err = tamis("genome", "mtd", "made", "--scheduler", running.address)
    assert (code, out) == (2, "")
    assert err.startswith(f"tamis: --scheduler {running.address!r}: nobody answers there")


def test_a_scheduler_takes_dask(cohort, tamis, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, out, err = tamis("genome", "mtd", "made", "--scheduler", "tcp://127.0.0.1:8786")
    assert (code, out) == (2, "")
    assert "pip install '.[dask]'" in err


@pytest.mark.parametrize("command", ["mtd", "qc", "pairs", "pca"])
def test_a_folder_in_use_is_left_alone(cohort, tamis, command):
    with Journal(cohort / "used"):
        code, out, err = tamis("genome", command, "made", "--out", "used", "--quiet")
    assert (code, out) == (2, "")
    assert err.startswith("tamis: 'used' is in use by process ")
    assert list((cohort / "used").iterdir()) == []
