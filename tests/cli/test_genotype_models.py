"""`tamis predict` and `tamis evaluate` on files of genotypes."""

from __future__ import annotations

import json

import pytest

from common.studies import make_data
from genome.plink import run_plink
from tamis.genome import genotype_dataset, open_genotypes, simulate_cohort
from tamis.study import run_study

PLAN = {"permutations": 0, "outer": {"folds": 2}, "inner": {"folds": 2, "repeats": 1}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A cohort, a sheet of some of its samples, a model with a covariate, and one of a table."""
    folder = tmp_path_factory.mktemp("cohort")
    simulate_cohort(folder / "made", 30, 40, 60, singles=[(17, 30.0), (30, 30.0)])
    genotypes = open_genotypes(folder / "made")
    rows = [
        f"{name},{'ill' if phenotype == '2' else 'well'},{20 + i},{i // 2}"
        for i, (name, phenotype) in enumerate(
            zip(genotypes.samples.id, genotypes.samples.phenotype, strict=True)
        )
    ]
    (folder / "sheet.csv").write_text("\n".join(["IID,state,age,house", *rows[:60]]) + "\n")
    few = {**PLAN, "method": [{"select": "moderated_t", "sizes": [4], "classify": ["lda"]}]}
    data = genotype_dataset(
        genotypes, "state", samples=folder / "sheet.csv", positive="ill", covariates=["age"]
    )
    run_study(data, few, folder / "study", n_jobs=1)
    run_study(make_data(seed=1, n=30, p=6), few, folder / "table", n_jobs=1)
    return folder


@pytest.fixture
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)


@pytest.mark.usefixtures("here")
def test_samples_are_predicted_whether_they_have_a_class_or_not(tamis):
    any_of_three = "made.bim"
    code, out, err = tamis("predict", "study/model.npz", any_of_three, "--samples", "sheet.csv")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "sample\tpredicted\taccepted\tp(well)\tp(ill)"
    assert len(lines) == 71
    assert "4 variants of the model found: 4 as written" in err
    assert "! imputed" in err  # ages that the sheet does not have


@pytest.mark.usefixtures("here")
def test_a_cohort_is_judged_by_a_column_of_the_sheet(tamis):
    arguments = ("study/model.npz", "made.bed", "--samples", "sheet.csv", "--target", "state")
    code, out, err = tamis("evaluate", *arguments, "--group", "house", "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["n_samples"], found["n_groups"]) == (60, 30)
    assert found["notes"] == [
        "sheet.csv, state: 10 samples without a class, left out",
        "4 variants of the model found: 4 as written",
    ]
    assert all(note in err for note in found["notes"])
    code, out, _ = tamis("evaluate", *arguments)
    assert code == 0
    assert out.startswith("made: 60 samples (")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("predict", "table/model.npz", "made.bed"), "knows its columns by their names alone"),
        (("predict", "study/model.npz", "made.bed"), "'age' is a column of a table of samples"),
        (("predict", "study/model.npz", "no.vcf.gz"), "no.vcf.gz"),
        (("predict", "study/model.npz", "made.bed", "sheet.csv"), "several files are one cohort"),
        (("predict", "study/model.npz", "made.bed", "--transpose"), "--transpose says nothing"),
        (("predict", "study/model.npz", "made.bed", "--id", "IID"), "--id says nothing"),
        (
            ("predict", "study/model.npz", "made.bed", "--block", "a=sheet.csv"),
            "--block says nothing",
        ),
        (
            ("evaluate", "study/model.npz", "made.bed", "--target", "state"),
            "'state' is a column of a table of samples",
        ),
        (
            (
                "evaluate",
                "study/model.npz",
                "made.bed",
                "--samples",
                "sheet.csv",
                "--target",
                "house",
            ),
            "classes the model does not know",
        ),
        (
            (
                "evaluate",
                "study/model.npz",
                "made.bed",
                "--samples",
                "sheet.csv",
                "--target",
                "state",
                "--group",
                "street",
            ),
            "no column 'street'",
        ),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_is_told_in_one_line(tamis, arguments, says):
    code, out, err = tamis(*arguments)
    assert code == 2
    assert not out
    assert says in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("tamis: ")


@pytest.mark.longer
def test_a_pgen_is_studied_and_predicted_as_its_bed_is(folder, tmp_path, monkeypatch, tamis):
    pytest.importorskip("pgenlib")
    monkeypatch.chdir(tmp_path)
    run_plink("plink2", tmp_path, "--bfile", folder / "made", "--make-pgen", "vzs")
    for file in tmp_path.glob("out.p*"):
        file.rename(file.name.replace("out", "made"))
    model = str(folder / "study/model.npz")
    sheet = ("--samples", str(folder / "sheet.csv"))
    judged = ("evaluate", model, "--target", "state", "--json", *sheet)
    for command in (("predict", model, *sheet), judged):
        told = [tamis(*command, file) for file in ("made.pgen", str(folder / "made.bed"))]
        assert told[0][0] == 0, told[0]
        assert told[0] == told[1]
    few = ("--permutations", "0", "--folds", "2", "--n-jobs", "1", "--quiet", "--json")
    (tmp_path / "plan.toml").write_text(
        '[inner]\nfolds = 2\nrepeats = 1\n[[method]]\nselect = "mtd"\nsizes = [2]\n'
        'classify = ["naive_bayes"]\n'
    )
    found = []
    for k, file in enumerate(("made.pvar.zst", str(folder / "made.bed"))):
        code, out, err = tamis(
            "genome", "study", file, "--plan", "plan.toml", "--out", f"s{k}", *few
        )
        assert code == 0, err
        found.append(json.loads(out)["headline"])
    assert found[0] == found[1]
