"""`tamis look`: the command, its files and its page."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pandas as pd
import pytest

from tamis.cli._next_command import shell_word
from tamis.genome import simulate_cohort

NAMES = [
    "<script>x</script>",
    "a very long name " * 30,
    "\u202eevil \u05d0\u05d1\u05d2",
    "two\nlines",
    "\U0001f9ec gene",
    "=1+1",
]


def write_table(path, names=(), p=12, **more):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, p))
    table = pd.DataFrame(X, columns=[*names, *(f"g{j}" for j in range(len(names), p))])
    for name, values in more.items():
        table.insert(0, name, values)
    table.insert(0, "class", ["ill", "well"] * 20)
    table.insert(0, "id", [f"s{i}" for i in range(40)])
    table.to_parquet(path)
    return table


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_leaves_a_page_a_record_and_two_tables(tamis, here):
    write_table("t.parquet", run=["one", "two"] * 20)
    code, printed, said = tamis(
        "look", "t.parquet", "--target", "class", "--id", "id", "--batch", "run"
    )
    assert code == 0, said
    folder = here / "tamis-look-t"
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".jsonl") == [
        "columns.tsv",
        "look.json",
        "report.html",
        "samples.tsv",
    ]
    content = json.loads((folder / "look.json").read_text())
    assert content["command"] in printed
    assert "batch-confounded" in printed
    columns = pd.read_csv(folder / "columns.tsv", sep="\t")
    assert columns["column"].tolist() == [f"g{j}" for j in range(12)]
    samples = pd.read_csv(folder / "samples.tsv", sep="\t")
    assert samples["batch"].tolist() == ["one", "two"] * 20
    page = (folder / "report.html").read_text()
    assert "A look uses all samples and estimates no error." in page
    assert "that estimate is too good" in page
    assert tamis("look", "t.parquet", "--target", "class", "--id", "id")[0] == 0  # its own again


def test_json_is_the_record(tamis, here):
    write_table("t.parquet")
    code, printed, said = tamis(
        "look", "t.parquet", "--json", "--quiet", "--id", "id", "--drop", "class"
    )
    assert (code, said) == (0, "")
    assert json.loads(printed) == json.loads((here / "tamis-look-t" / "look.json").read_text())


def test_the_next_command_reads_alike(tamis, here):
    write_table("it's t.parquet", names=NAMES, site=["a", "b"] * 20)
    NEW = (
        "--covariate",
        "two\nlines",
        "--drop",
        "g7",
        "--drop",
        "g8",
        "--missing",
        "-9",
        "--categorical",
        "g9",
        "--group",
        "id",
    )
    code, printed, said = tamis(
        "look",
        "it's t.parquet",
        "--target",
        "class",
        "--id",
        "id",
        *NEW[:-2],
        "--positive",
        "ill",
        "--out",
        "x",
        "--quiet",
    )
    assert code == 0, said
    command = json.loads((here / "x" / "look.json").read_text())["command"]
    assert f"  next      {command}" in printed.splitlines()
    plain = command.replace("$'two\\x0alines'", "'two\nlines'")
    words = shlex.split(plain)
    assert words[:3] == ["tamis", "study", "it's t.parquet"]
    assert words[3:] == [
        "--target",
        "class",
        "--positive",
        "ill",
        "--id",
        "id",
        "--covariate",
        "two\nlines",
        "--categorical",
        "g9",
        "--drop",
        "g7",
        "--drop",
        "g8",
        "--missing=-9",
        "--drop",
        "site",  # which is the class: a study would refuse it
    ]
    assert tamis(*words[1:], "--dry-run", "--quiet")[0] == 0


def test_without_a_class_the_next_command_asks_for_one(tamis, here):
    write_table("-t.parquet")
    code, printed, said = tamis("look", "--quiet", "--id", "id", "--", "-t.parquet")
    assert code == 0, said
    assert printed.splitlines()[-1] == (
        "  next      tamis study ./-t.parquet --id id --target COLUMN"
    )
    assert "no classes" in printed


@pytest.mark.parametrize(
    "text", ["a b", "it's", "two\nlines", "\u202ex", "back\\slash", "", "\x1b[1m"]
)
def test_a_shell_reads_a_word_as_it_was(text):
    import subprocess

    word = shell_word(text)
    assert word.isprintable()
    read = subprocess.run(["bash", "-c", f"printf %s {word}"], capture_output=True, check=True)
    assert read.stdout.decode() == text


def test_hostile_names_stay_names(tamis, here):
    table = write_table("h.parquet", names=NAMES, run=[NAMES[2], NAMES[3]] * 20)
    table["class"] = [NAMES[0], NAMES[3]] * 20
    table["id"] = [f"{NAMES[k % 6]}{k}" for k in range(40)]
    table[NAMES[4]] = np.nan
    table.to_parquet("h.parquet")
    code, printed, said = tamis(
        "look",
        "h.parquet",
        "--target",
        "class",
        "--id",
        "id",
        "--batch",
        "run",
        "--drop",
        "<empty>",
    )
    assert code == 0, said
    for text in (printed, said):
        assert all(line.isprintable() for line in text.splitlines())
        assert not any(line.startswith("lines") for line in text.splitlines())
    page = (here / "tamis-look-h" / "report.html").read_text()
    assert page.count("<script") == 2  # its data and its own
    assert "\u202e" not in page
    lines = (here / "tamis-look-h" / "columns.tsv").read_text().splitlines()
    assert len(lines) == 1 + 11
    assert lines[5].startswith("'=1+1\t")


def test_what_keeps_a_table_from_being_read_is_one_line(tamis, here):
    table = write_table("t.parquet")
    table["g3"] = np.nan
    table.to_parquet("t.parquet")
    code, printed, said = tamis("look", "t.parquet", "--id", "id")
    assert (code, printed) == (2, "")
    assert said.splitlines()[-1].startswith("tamis: ")
    assert "<empty>" in said
    assert not (here / "tamis-look-t").exists()
    assert tamis("look", "t.parquet", "--id", "id", "--drop", "<empty>")[0] == 0


def test_a_foreign_folder_is_refused(tamis, here):
    write_table("t.parquet")
    (here / "out").mkdir()
    (here / "out" / "notes.txt").write_text("mine")
    code, _, said = tamis("look", "t.parquet", "--id", "id", "--out", "out")
    assert code == 2
    assert "--force" in said
    assert tamis("look", "t.parquet", "--id", "id", "--out", "out", "--force")[0] == 0
    assert (here / "out" / "notes.txt").read_text() == "mine"


def test_a_cohort(tamis, here):
    simulate_cohort("gc", 20, 20, 200, seed=1)
    people = [line.split()[1] for line in (here / "gc.fam").read_text().splitlines()]
    lines = [f"{name}\t{'ill' if k % 2 else 'well'}\t{k % 3}" for k, name in enumerate(people)]
    (here / "p.tsv").write_text("\n".join(["IID\tstatus\tplate", *lines]) + "\n")
    code, printed, said = tamis(
        "look",
        "gc.bed",
        "--samples",
        "p.tsv",
        "--target",
        "status",
        "--batch",
        "plate",
        "--positive",
        "ill",
        "--quiet",
    )
    assert (code, said) == (0, "")
    content = json.loads((here / "tamis-look-gc" / "look.json").read_text())
    assert content["positive"] == "ill"
    assert [one["n"] for one in content["batches"]] == [14, 13, 13]
    assert printed.splitlines()[-1].endswith(
        "tamis genome study gc.bed --pheno-name status --positive ill --pheno p.tsv --batch plate"
    )
    variants = pd.read_csv(here / "tamis-look-gc" / "variants.tsv", sep="\t")
    assert len(variants) == 200
    code, printed, said = tamis("look", "gc.bed", "--json", "--quiet", "--out", "other")
    assert code == 0, said
    assert json.loads(printed)["target"] == "phenotype"
    assert "picture" not in json.loads(printed)


def test_genotypes_refuse_what_is_said_of_tables(tamis, here):
    simulate_cohort("gc", 5, 5, 20, seed=1)
    code, _, said = tamis("look", "gc.bed", "--transpose")
    assert code == 2
    assert "--transpose" in said
    assert not (here / "tamis-look-gc").exists()
    write_table("gc.csv.parquet")
    assert tamis("look", "gc.bed", "--quiet")[0] == 0
    code, _, said = tamis("look", "gc.csv.parquet", "--id", "id", "--out", "tamis-look-gc")
    assert code == 2  # another kind of result
    assert "tamis-look-gc" in said


def test_many_classes_are_not_printed_as_screens_of_levels(tamis, here):
    """Numbers that somebody declared as classes: the first twenty, and how many more."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(60, 5)).round(2)).add_prefix("g")
    table.assign(weight=np.arange(60) + 0.5).to_csv("t.csv", index=False)
    for command in ("read", "look"):
        code, out, err = tamis(command, "t.csv", "--target", "weight", "--categorical", "weight")
        assert code == 0, err
        assert "and 40 more" in out
        assert max(map(len, (out + err).splitlines())) < 1000
