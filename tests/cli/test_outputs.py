"""Every command's --out over every kind of thing that can stand there."""

from __future__ import annotations

import importlib
import os
import shutil
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis import data as tamis_data
from tamis.cli import genome
from tamis.genome import simulate_cohort

pytestmark = [
    pytest.mark.longer,
    pytest.mark.skipif(os.name != "posix", reason="devices, pipes, modes"),
]

# command -> its arguments without --out; whether it writes a file or a folder
COMMANDS = {
    "predict": ("predict study/model.npz table.csv --id id", "file"),
    "evaluate": ("evaluate study/model.npz table.csv --id id --target class", "file"),
    "report": ("report study", "file"),
    "report of a search": ("report found", "file"),
    "compare": ("compare study other", "file"),
    "genome project": ("genome project gc --n-components 3", "file"),
    "ontology index": ("ontology index x.obo", "file"),
    "ontology review": ("ontology review y.obo z.obo", "file"),
    "genome mtd": ("genome mtd gc --pheno sheet.tsv", "folder"),
    "genome qc": ("genome qc gc --pheno sheet.tsv", "folder"),
    "genome pairs": ("genome pairs gc --pheno sheet.tsv", "folder"),
    "genome clump": ("genome clump p.tsv gc --p1 0.5", "folder"),
    "genome kin": ("genome kin gc", "folder"),
    "genome linear": ("genome linear gc --pheno ages.tsv", "folder"),
    "genome mixed": ("genome mixed gc --pheno sheet.tsv", "folder"),
    "genome pca": ("genome pca gc --pheno sheet.tsv --n-components 2", "folder"),
    "look": ("look table.csv --target class --id id", "folder"),
    "look at genotypes": ("look gc.bed --samples sheet.tsv", "folder"),
    "study": ("study table.csv --target class --id id --plan plan.toml --n-jobs 1", "folder"),
    "genome study": ("genome study gc --pheno sheet.tsv --plan plan.toml --n-jobs 1", "folder"),
    "interact": (
        "interact table.csv --target class --id id --method pairs --permutations 0",
        "folder",
    ),
    "studies": ("study tables --target class --id id --plan plan.toml --n-jobs 1", "folder"),
    "demo": ("demo --n-jobs 1", "folder"),
}
FILES = [name for name, (_, kind) in COMMANDS.items() if kind == "file"]
FOLDERS = [name for name, (_, kind) in COMMANDS.items() if kind == "folder"]
FORCED = [
    name
    for name in FOLDERS
    if name == "look" or (name.startswith("genome ") and name != "genome study")
]
PLAN = """
permutations = 0
outer = {kind = "holdout"}
inner = {folds = 2, repeats = 1}
method = [
    {select = "moderated_t", sizes = [2], classify = "lda"},
    {select = "welch_t", sizes = [2], classify = "lda"},
]
"""


def write_table(path, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 6))
    y = np.repeat(["a", "b"], 12)
    X[:12, 0] += 2
    table = pd.DataFrame(X, columns=[f"g{j}" for j in range(6)])
    table.insert(0, "class", y)
    table.insert(0, "id", [f"s{i}" for i in range(24)])
    table.to_csv(path, index=False)


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A folder with an input of each kind and a result of each kind."""
    home = tmp_path_factory.mktemp("parts")
    (home / "tables").mkdir()
    write_table(home / "table.csv", 0)
    write_table(home / "tables" / "one.csv", 0)
    write_table(home / "other.csv", 1)
    (home / "plan.toml").write_text(PLAN)
    (home / "x.obo").write_text("[Term]\nid: X:1\nname: heart\n")
    for name in "yz":
        organs = ("heart", "lung", "liver", "kidney", "spleen", "brain", "skin", "bone", "vein")
        terms = [f"[Term]\nid: {name}:{k}\nname: {organ}\n" for k, organ in enumerate(organs)]
        (home / f"{name}.obo").write_text("\n".join([f"ontology: {name}\n", *terms]))
    simulate_cohort(home / "gc", [20, 10], [10, 20], 60, seed=1)
    people = (home / "gc.fam").read_text().splitlines()
    lines = [f"{line.split()[1]}\t{'ill' if line.split()[5] == '2' else 'well'}" for line in people]
    (home / "sheet.tsv").write_text("\n".join(["IID\tstatus", *lines]) + "\n")
    ages = "".join(f"{line.split()[1]}\t{k}\n" for k, line in enumerate(people))
    (home / "ages.tsv").write_text(f"IID\tage\n{ages}")
    (home / "p.tsv").write_text("SNP\tP\n" + "".join(f"v{j}\t0.{j + 10}\n" for j in range(60)))
    search = COMMANDS["interact"][0]
    for command in (
        f"{COMMANDS['study'][0]} --out study",
        f"{COMMANDS['study'][0]} --out other".replace("table.csv", "other.csv"),
        f"{search} --out found",
    ):
        subprocess.run(
            [sys.executable, "-c", "from tamis.cli.main import run; run()", *command.split()],
            cwd=home,
            check=True,
            capture_output=True,
        )
    return home


@pytest.fixture
def here(parts, tmp_path, monkeypatch):
    """A copy of it, as the working directory."""
    home = tmp_path / "home"
    shutil.copytree(parts, home)
    monkeypatch.chdir(home)
    return home


def contents(folder):
    """Every file of a folder with its bytes and mode, links as links."""
    found = {}
    for path in sorted(folder.rglob("*")):
        told = path.lstat()
        kind = stat.S_IFMT(told.st_mode)
        plain = path.read_bytes() if stat.S_ISREG(kind) else None
        link = os.readlink(path) if stat.S_ISLNK(kind) else None
        found[str(path.relative_to(folder))] = (kind, stat.S_IMODE(told.st_mode), plain, link)
    return found


def run_to(tamis, name, out, *more):
    return tamis(*COMMANDS[name][0].split(), "--out", out, *more)


def refused(tamis, here, name, out, *more, words=""):
    before = contents(here)
    code, printed, said = run_to(tamis, name, out, *more)
    assert (code, printed) == (2, ""), said
    assert said.splitlines()[-1].startswith("tamis: ")
    assert words in said
    assert contents(here) == before


INPUTS = {
    "predict": ["table.csv", "study/model.npz"],
    "evaluate": ["table.csv", "study/model.npz"],
    "report": [],
    "compare": [],
    "genome project": ["gc.bed", "gc.bim", "gc.fam"],
}


@pytest.mark.parametrize(("name", "file"), [(n, f) for n, files in INPUTS.items() for f in files])
@pytest.mark.parametrize("way", ["itself", "forced", "link", "hard link", "dots"])
def test_an_input_is_refused_by_any_name(here, tamis, name, file, way):
    out = Path(file)
    if way == "link":
        out = Path("linked")
        out.symlink_to(file)
    if way == "hard link":
        out = Path("linked")
        out.hardlink_to(file)
    if way == "dots":
        out = Path("study", "..", file)
    more = ["--force"] if way == "forced" else []
    refused(tamis, here, name, out, *more, words="and this command reads it")


READS = {
    "predict": "study/model.npz",
    "evaluate": "study/model.npz",
    "report": "study/",
    "report of a search": "found/",
    "compare": ("study/", "other/"),
    "genome project": "gc.bed",
    "ontology index": "x.obo",
    "ontology review": ("y.obo", "z.obo"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "file",
    [
        "other.csv",
        "study/model.npz",
        "study/results.json",
        "study/plan.json",
        "gc.bed",
        "sheet.tsv",
        "found/interactions.json",
        "study/tables/predictions.tsv",
    ],
)
def test_a_file_that_is_not_its_own_is_refused_unless_forced(here, tamis, name, file):
    if file.startswith(READS[name]):
        refused(tamis, here, name, file, words="reads it")
        refused(tamis, here, name, file, "--force", words="reads it")
        return
    refused(tamis, here, name, file, words="--force")
    if file == "other.csv":
        before = contents(here)
        code, _, said = run_to(tamis, name, file, "--force")
        assert code == 0, said
        after = contents(here)
        assert {k for k in after if after[k] != before.get(k)} == {file}
        code, _, said = run_to(tamis, name, file)  # now it is its own
        assert code == 0, said


def test_a_page_in_a_folder_that_is_read_is_replaced(here, tamis):
    before = contents(here)
    for name, out in (("report", "study/report.html"), ("report of a search", "found/report.html")):
        assert run_to(tamis, name, out)[0] == 0
    assert contents(here) == before
    assert run_to(tamis, "report", "study/new.html")[0] == 0
    assert run_to(tamis, "compare", "study/new.html")[0] == 0  # a page of Tamis is its own


@pytest.mark.parametrize("name", FOLDERS)
def test_a_file_is_no_folder_of_results(here, tamis, name):
    """Told before anything is read."""
    refused(tamis, here, name, "other.csv", words="'--out': Directory 'other.csv' is a file")


@pytest.mark.parametrize("name", ["report", "report of a search", "compare"])
def test_a_new_page_has_a_name_that_browsers_open(here, tamis, name):
    refused(tamis, here, name, "page", words="give --out a name that ends in .html")
    assert run_to(tamis, name, "page.HTM")[0] == 0


def test_a_source_is_read(here, tamis):
    shutil.copy("sheet.tsv", "sources.tsv")
    out, source = here / "study" / "plan.json", ("--source", "west=one, study")
    refused(tamis, here, "compare", out, *source, "--force", words="reads it")
    _, _, said = tamis(
        "compare", "study", "--source", "west=study, ", "--out", "sheet.tsv", "--force"
    )
    assert "reads it" not in said  # no folder is named by nothing
    (here / "one").mkdir()
    shutil.copy("sheet.tsv", "one")
    refused(tamis, here, "compare", "one/sheet.tsv", *source, "--force", words="reads it in 'one'")
    refused(
        tamis,
        here,
        "compare",
        "sources.tsv",
        "--source",
        "sources.tsv",
        "--force",
        words="reads it",
    )


def test_own_code_is_read(here, tamis):
    (here / "lab").mkdir()
    (here / "lab" / "mine.py").write_text("x = 1\n")
    refused(tamis, here, "predict", "lab/mine.py", "--code", "lab", "--force", words="in 'lab'")


@pytest.mark.parametrize(
    "head",
    ["truth\tsample\tpredicted\taccepted\tmy notes", "sample\tpredicted\taccepted\tmy notes"],
)
def test_a_table_that_looks_like_predictions_is_not_replaced(here, tamis, head):
    (here / "notes.tsv").write_text(f"{head}\ns1\ta\tyes\tmine\n")
    refused(tamis, here, "predict", "notes.tsv", words="--force")


def test_a_table_that_looks_like_one_of_studies_is_not_replaced(here, tamis):
    (here / "out").mkdir()
    (here / "out" / "sets.tsv").write_text("dataset\tsamples\tfeatures\tacc\n")
    refused(tamis, here, "studies", "out", words="holds no table of studies")


def test_studies_beside_their_tables_are_resumed(here, tamis):
    assert run_to(tamis, "studies", "tables")[0] == 0
    overview = (here / "tables" / "sets.tsv").read_bytes()
    code, _, said = run_to(tamis, "studies", "tables", "--resume")
    assert code == 0, said
    assert (here / "tables" / "sets.tsv").read_bytes() == overview


@pytest.mark.parametrize("name", FILES)
def test_an_empty_file_is_filled_and_keeps_its_mode(here, tamis, name):
    out = here / "private"
    out.touch(mode=0o600)
    for _ in range(2):
        code, _, said = run_to(tamis, name, out)
        assert code == 0, said
        assert out.stat().st_size
        assert stat.S_IMODE(out.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", FILES)
def test_a_folder_a_socket_and_a_read_only_file_are_refused(here, tamis, name):
    (here / "full").mkdir()
    refused(tamis, here, name, "full", words="is a folder")
    refused(tamis, here, name, "full", "--force", words="is a folder")
    (here / "closed").touch(mode=0o444)
    refused(tamis, here, name, "closed", words="read-only")
    refused(tamis, here, name, "closed", "--force", words="read-only")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("plug")
        refused(tamis, here, name, "plug", "--force", words="a disk or a socket")


@pytest.mark.parametrize("name", FILES)
def test_a_link_stays_and_its_target_is_written(here, tamis, name):
    for target in ("there", "missing"):
        (here / "link.html").unlink(missing_ok=True)
        (here / "link.html").symlink_to(target)
        if target == "there":
            (here / target).touch(mode=0o640)
        code, _, said = run_to(tamis, name, "link.html")
        assert code == 0, said
        assert os.readlink("link.html") == target
        assert not (here / target).is_symlink()
        assert (here / target).stat().st_size


@pytest.mark.parametrize("name", FILES)
def test_devices_are_written_through(here, tamis, name):
    before = os.stat("/dev/null")
    code, _, said = run_to(tamis, name, "/dev/null")
    assert code == 0, said
    after = os.stat("/dev/null")
    assert stat.S_ISCHR(after.st_mode)
    assert after.st_ino == before.st_ino
    if os.path.exists("/dev/full"):
        code, _, said = run_to(tamis, name, "/dev/full")
        assert code == 2
        assert "No space left on device" in said
        assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.parametrize("name", FILES)
def test_a_pipe_gets_what_a_file_gets(here, tamis, name):
    os.mkfifo("pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((here / "pipe").read_bytes()))
    reader.start()
    code, _, said = run_to(tamis, name, "pipe")
    reader.join(timeout=20)
    assert code == 0, said
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)
    assert run_to(tamis, name, "file.html")[0] == 0
    assert got == [(here / "file.html").read_bytes()]


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("kind", ["file", "foreign", "result", "device", "pipe", "link", "inputs"])
def test_a_folder_that_is_not_its_own_is_refused(here, tamis, name, kind):
    if name == "studies" and kind in ("foreign", "link", "result"):
        pytest.skip("gets a folder for each table, and one table of all, beside what is there")
    out = here / "out"
    if kind == "file":
        out.write_text("mine")
    if kind in ("foreign", "link"):
        (here / "target").mkdir()
        (here / "target" / "thesis.tex").write_text("mine")
        out.symlink_to("target")
    if kind == "result":
        out = here / ("found" if name != "interact" else "study")
    if kind == "device":
        out = Path("/dev/null")
    if kind == "pipe":
        os.mkfifo(out)
    if kind == "inputs":
        out = here if name != "studies" else here / "tables"
        if name == "studies":
            write_table(out / "sets.tsv", 3)
    refused(tamis, here, name, out)


@pytest.mark.parametrize("name", FORCED)
def test_a_folder_is_filled_if_a_person_says_so_but_for_inputs(here, tamis, name):
    out = here / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("mine")
    refused(tamis, here, name, out, words="--force")
    code, _, said = run_to(tamis, name, out, "--force")
    assert code == 0, said
    assert (out / "thesis.tex").read_text() == "mine"
    code, _, said = run_to(tamis, name, out)  # now it holds such a result
    assert code == 0, said
    if name == "genome kin":
        return  # which takes no table
    planned = next(p for p in out.iterdir() if p.suffix == ".json")
    table = next(word for word in COMMANDS[name][0].split() if word.endswith((".tsv", ".csv")))
    shutil.copy(table, out / planned.name)
    command = COMMANDS[name][0].replace(table, str(out / planned.name))
    before = contents(here)
    code, _, said = tamis(*command.split(), "--out", out, "--force")
    assert code == 2
    assert "and this command reads it" in said
    assert contents(here) == before


@pytest.mark.parametrize("name", FORCED)
@pytest.mark.parametrize("out", ["study", "found"])
def test_a_study_or_search_gets_no_other_result_beside_it(here, tamis, name, out):
    refused(tamis, here, name, out, words="another result")
    refused(tamis, here, name, out, "--force", words="another result")


@pytest.mark.parametrize("name", FORCED)
def test_what_comes_while_the_input_is_read_is_kept(here, tamis, name, monkeypatch):
    def opened(*arguments, **options):
        (here / "out").mkdir()
        (here / "out" / "thesis.tex").write_text("mine")
        return real(*arguments, **options)

    word = name.removeprefix("genome ")
    module = tamis_data if name == "look" else genome
    if word in genome.LATE_COMMANDS:
        module = importlib.import_module(f"tamis.cli.genome_{word}")
    steps = {"genome clump": "open_part", "genome kin": "open_part", "look": "read_table"}
    step = steps.get(name, "open_cohort")
    real = getattr(module, step)
    monkeypatch.setattr(module, step, opened)
    code, _, said = run_to(tamis, name, "out")
    assert (code, os.listdir("out")) == (2, ["thesis.tex"]), said


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("genome project", "tamis.cli.genome.open_part"),
        ("predict", "tamis.cli.predict.new_samples"),
        ("compare", "tamis.study.results.compare.compare_studies"),
    ],
)
def test_what_comes_while_a_file_is_computed_is_kept(here, tamis, name, step, monkeypatch):
    module, _, function = step.rpartition(".")
    real = getattr(importlib.import_module(module), function)

    def slow(*arguments, **options):
        (here / "out.html").write_text("mine")
        return real(*arguments, **options)

    monkeypatch.setattr(step, slow)
    code, _, said = run_to(tamis, name, "out.html")
    assert code == 2, said
    assert "--force" in said
    assert (here / "out.html").read_text() == "mine"


@pytest.mark.parametrize("name", [name for name in FOLDERS if name not in ("demo", "studies")])
def test_a_link_to_a_folder_that_is_not_there_yet_makes_it(here, tamis, name):
    (here / "link").symlink_to("deep/folder")
    code, _, said = run_to(tamis, name, "link")
    assert code == 0, said
    assert os.readlink("link") == "deep/folder"
    assert (here / "deep" / "folder" / "report.html").is_file()


@pytest.mark.parametrize("name", ["genome mtd", "genome qc"])
def test_what_a_killed_command_left_is_its_own(here, tamis, name):
    code, _, said = run_to(tamis, name, "out")
    assert code == 0, said
    for record in Path("out").glob("*.json"):
        record.unlink()
    refused(tamis, here, name, "out", words="is not empty")
    (here / "out" / "journal.jsonl").write_text('{"time": 1.0, "event": "owner"}\n')
    code, _, said = run_to(tamis, name, "out")
    assert code == 0, said


def test_names_of_open_streams_are_written_through(here, tmp_path):
    """Behind a redirection there is a plain file, which must not be replaced."""
    start = [sys.executable, "-c", "from tamis.cli.main import run; run()"]
    command = [*start, *COMMANDS["predict"][0].split(), "--out"]
    plain = tmp_path / "plain"
    assert subprocess.run([*command, plain], capture_output=True).returncode == 0
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        if not os.path.exists(name):
            continue
        log = tmp_path / "log"
        with open(log, "wb") as file:
            file.write(b"before\n")
            file.flush()
            done = subprocess.run([*command, name], stdout=file, stderr=subprocess.PIPE)
            file.write(b"after\n")
        assert done.returncode == 0, done.stderr
        assert log.read_bytes() == b"before\n" + plain.read_bytes() + b"after\n"
