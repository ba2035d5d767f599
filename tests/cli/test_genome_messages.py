"""What `tamis genome` says of wrong input names the options of the command that was called."""

from __future__ import annotations

import re

import pytest
import rich_click as click

from tamis.cli.genome import command as group
from tamis.genome import open_genotypes, simulate_cohort

PARAMETERS = re.compile(r"\b(target|samples|column|covariates|names|region|chromosome|controls|k)=")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    simulate_cohort(folder / "made", 30, 30, 60, seed=3)
    ids = open_genotypes(folder / "made").samples.id
    tables = {
        "p.csv": ("IID,status,age,note", lambda k: f"{'ab'[k % 2]},{k},w{k}"),
        "none.csv": ("IID,status", lambda k: "NA"),
        "three.csv": ("IID,status", lambda k: "abc"[k % 3]),
        "same.csv": ("IID,age,centre", lambda k: f"{k},Rome"),
        "gaps.csv": ("IID,age,dose", lambda k: f"{k},NA"),
    }
    for name, (header, row) in tables.items():
        rows = [f"{name_of},{row(k)}" for k, name_of in enumerate(ids)]
        (folder / name).write_text("\n".join([header, *rows]) + "\n")
    (folder / "plain.txt").write_text("\n".join(f"0 {i} 1" for i in ids) + "\n")
    (folder / "p.tsv").write_text("CHR\tSNP\tBP\tP\n1\tv1\t1\t0.5\n")
    return folder


OF_CLASSES = [
    ("--pheno p.csv", "say which has the phenotype, --pheno-name"),
    ("--pheno none.csv", "name another column, --pheno-name"),
    ("--pheno plain.txt --pheno-name sick", "give it a first line of names, such as FID IID sick"),
    ("--region 2:5-9 --chr 1", "--region '2:5-9' is on another chromosome than --chr '1'"),
    ("--region 2:5", "--region '2:5': write chromosome:first-last"),
]
OF_SCANS = [*OF_CLASSES, ("--pheno-name x", "--pheno-name names a column of --pheno FILE")]
TOLD = {
    "mtd made.bed": [
        *OF_SCANS,
        ("--strata centre", "--strata names a column of --pheno FILE: give that too"),
        ("--pheno p.csv --pheno-name status --strata note", "none of the strata holds two classes"),
    ],
    "qc made.bed": [
        *OF_SCANS,
        ("--controls zz", "--controls 'zz' is no class: the classes are '1', '2'"),
    ],
    "pairs made.bed": [*OF_SCANS, ("--most 10", "or give --most 1770")],
    "pca made.bed": [*OF_SCANS[3:5], ("--n-components 500", "--n-components 500: 60 samples")],
    "project made.bed": [*OF_SCANS[3:5], ("--eps .001", "--eps 0.001 takes")],
    "kin made.bed": OF_SCANS[3:5],
    "mixed made.bed": [
        *OF_SCANS[:3],
        ("--pheno three.csv", "there are 3 classes ('a', 'b', 'c')"),
        ("--covar-name age", "--covar-name names columns of --covar FILE"),
        ("--covar p.csv", "or one of 20 words; name others, --covar-name"),
        ("--covar same.csv", "leave it out and name the others, --covar-name"),
        ("--covar gaps.csv", "no sample has a value of every covariate: name some, --covar-name"),
    ],
    "clump p.tsv made.bed": [
        *OF_SCANS[3:5],
        ("--p Q", "'p.tsv' has no column --p 'Q'"),
        ("--snp ID", "'p.tsv' has no column --snp 'ID'"),
    ],
    "clump made.bed p.tsv": [("", "'made.bed' holds genotypes: name the table of p-values first")],
    "study made.bed": [
        *OF_CLASSES,
        (
            "--pheno-name x",
            "--pheno-name 'x' is a column of a table of samples: give that with "
            "--pheno or name 'phenotype'",
        ),
        ("--covariate age", "'age' is a column of a table of samples: give that, --pheno"),
        ("--group age", "'age' is a column of a table of samples: give that, --pheno"),
        ("--pheno p.csv --pheno-name status --group status", "both as class and as group"),
    ],
}


@pytest.mark.parametrize("command", TOLD)
def test_messages_name_what_the_command_has(folder, monkeypatch, tamis, command):
    monkeypatch.chdir(folder)
    own = group.get_command(click.Context(group), command.split()[0])
    known = {option for parameter in own.params for option in parameter.opts}
    for asked, says in TOLD[command]:
        code, _, err = tamis("genome", *command.split(), *asked.split())
        told = next(line for line in err.splitlines() if line.startswith("tamis: "))
        assert code == 2
        assert says in told
        assert not PARAMETERS.search(told)
        assert {word.rstrip(",.:;") for word in re.findall(r"(?<!\S)--[\w-]+", told)} <= known


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("--drop x", "of which --drop says nothing"),
        ("--block a=p.csv", "of which --block says nothing"),
        ("--transpose", "of which --transpose says nothing"),
        ("--target x", "--target 'x' is a column of a table of samples: give that with --samples"),
        ("--samples p.csv", "say which has the phenotype, --target"),
    ],
)
def test_tamis_look_names_its_own(folder, monkeypatch, tamis, asked, says):
    monkeypatch.chdir(folder)
    code, _, err = tamis("look", "made.bed", *asked.split())
    assert code == 2
    assert says in err
