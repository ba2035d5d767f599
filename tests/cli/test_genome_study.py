"""`tamis genome study`, and `tamis study` of genotypes, as a user meets them."""

from __future__ import annotations

import json

import pytest

from tamis.genome import open_genotypes, simulate_cohort

PLAN = """
permutations = 0
inner = { folds = 2, repeats = 1 }

[[method]]
select = "mtd"
sizes = [2, 5]
classify = ["naive_bayes"]
"""


@pytest.fixture
def cohort(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulate_cohort("made", 60, 60, 220, singles=[(44, 6.0)], missing=0.02, seed=3)
    (tmp_path / "plan.toml").write_text(PLAN)
    samples = open_genotypes("made").samples
    labels = ["ill" if p == "2" else "well" for p in samples.phenotype]
    rows = [f"{i},{labels[k]},{20 + k},{k % 40}" for k, i in enumerate(samples.id)]
    (tmp_path / "people.csv").write_text("\n".join(["IID,status,age,family", *rows[:-4]]) + "\n")
    return tmp_path


def results(folder):
    return json.loads((folder / "results.json").read_text())


def test_one_command_studies_genotypes(cohort, tamis):
    asked = ("--plan", "plan.toml", "--folds", "3", "--n-jobs", "1")
    code, out, err = tamis("genome", "study", "made.bed", *asked)
    assert code == 0, err
    assert "v45" in out
    assert "made: 120 samples (60 phenotype = 1, 60 phenotype = 2), 220 features" in err
    assert (cohort / "tamis-study-made" / "report.html").is_file()
    code, _, err = tamis("study", "made.bed", *asked, "--out", "other")
    assert code == 2
    assert err.strip() == (
        "tamis: 'made.bed' is a genotype file: use `tamis genome study` (--pheno is its table of "
        "samples, --pheno-name the column of the class)"
    )


@pytest.mark.quick
def test_a_table_of_samples_has_classes_covariates_and_families(cohort, tamis):
    code, out, err = tamis(
        "genome",
        "study",
        "made",
        "--pheno",
        "people.csv",
        "--pheno-name",
        "status",
        "--covariate",
        "age",
        "--group",
        "family",
        "--positive",
        "ill",
        "--plan",
        "plan.toml",
        "--holdout",
        "--json",
        "--n-jobs",
        "1",
    )
    assert code == 0, err
    found = json.loads(out)
    assert found["data"]["classes"] == ["well", "ill"]
    assert found["data"]["covariates"] == ["age"]
    assert found["data"]["n_groups"] == 40
    assert found["plan"]["outer"]["kind"] == "holdout"
    assert any("4 samples without a class" in note for note in found["data"]["notes"])


@pytest.mark.slow
def test_a_ready_plan_is_the_default_and_has_a_name(cohort, tamis):
    code, out, err = tamis("genome", "study", "made.bed", "--dry-run", "--n-jobs", "1", "--json")
    assert code == 0, err
    names = [m["name"] for m in json.loads(out)["plan"]["method"]]
    assert names == ["MTD, forest", "QC, MTD, forest"]
    code, _, err = tamis("genome", "study", "made.bed", "--plan", "projection_nn")
    assert code == 2
    assert err.count("\n") == 1
    assert "did you mean 'projection_knn'" in err


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            ("genome", "study", "made.bed", "--covariate", "age"),
            "is a column of a table of samples",
        ),
        (("genome", "study", "made.bed", "--chr", "30"), "no variant on '30'"),
        (("genome", "study", "made.bed", "--holdout", "--folds", "3"), "give one"),
        (("genome", "study", "made.bed", "--positive", "9"), "'9' is not in column 'phenotype'"),
        (("genome", "study", "lost.bed"), "lost.bed"),
    ],
)
def test_what_cannot_be_done_is_one_line(cohort, tamis, asked, message):
    code, out, err = tamis(*asked, "--plan", "plan.toml")
    assert code == 2
    assert not out
    assert message in err.replace("\n", " ")


def test_a_folder_of_cohorts_is_studied_one_after_the_other(cohort, tamis):
    simulate_cohort("more", 40, 40, 100, seed=4)
    code, _, err = tamis(
        "study", ".", "--plan", "plan.toml", "--folds", "3", "--n-jobs", "1", "--out", "all"
    )
    assert "made (1 of 3)" in err
    assert "more (2 of 3)" in err
    assert results(cohort / "all" / "made")["data"]["n_features"] == 220
    assert code == 2  # people.csv is no table with a class


def test_covariates_are_no_features_and_negative_positions_are_told(cohort, tamis):
    lines = (cohort / "made.bim").read_text().splitlines()
    fields = lines[0].split("\t")
    lines[0] = "\t".join([*fields[:3], "-5", *fields[4:]])
    (cohort / "made.bim").write_text("\n".join(lines) + "\n")
    code, _, err = tamis(
        "genome",
        "study",
        "made.bed",
        "--covariate",
        "sex",
        "--plan",
        "plan.toml",
        "--folds",
        "3",
        "--dry-run",
        "--n-jobs",
        "1",
    )
    assert code == 0, err
    assert "219 features and 1 covariate\n" in err
    assert "left out (negative position): 1 variant\n" in err


def test_ids_cannot_steer_the_terminal(cohort, tamis):
    text = (cohort / "made.bim").read_text().replace("\tv", "\t\x1b[31mv")
    (cohort / "made.bim").write_text(text)
    code, out, err = tamis(
        "genome", "study", "made.bed", "--plan", "plan.toml", "--folds", "3", "--n-jobs", "1"
    )
    assert code == 0, err
    assert "?[31mv45" in out
    assert "\x1b[31m" not in out + err


def test_a_bim_of_other_fields_says_how_many(cohort, tamis):
    text = (cohort / "made.bim").read_text().replace("\tv", "\tmy v")
    (cohort / "made.bim").write_text(text)
    code, _, err = tamis("genome", "study", "made.bed", "--dry-run")
    assert code == 2
    assert "its first has 7 fields" in err
