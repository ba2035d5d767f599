"""Every kind of folder that a stranger may send, with links, pipes, devices and huge files in place
of its own: each command that reads or writes it says one line, and touches nothing else."""

from __future__ import annotations

import io
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from cli.test_outputs import PLAN, write_table
from expression.made_arrays import write_arrays
from tamis._core import seal
from tamis._core.inside import MAX_FILE_BYTES
from tamis.genome import simulate_cohort
from tamis.ontology import index

pytestmark = [
    pytest.mark.longer,
    pytest.mark.skipif(sys.platform != "linux", reason="devices, pipes, /proc"),
]

MEMORY = 512 << 20  # bytes that a command may take beyond what this process has
PATIENCE = 90  # seconds, on a machine that does other things
STUDY = "study table.csv --target class --id id --plan plan.toml --n-jobs 1"
SEARCH = (
    "interact table.csv --target class --id id --method mcfs --s 60 --permutations 20 --n-jobs 1"
)
COMMANDS = {
    "study": f"{STUDY} --out study",
    "resume": f"{STUDY} --out study --resume",
    "other": f"{STUDY} --out other".replace("table.csv", "other.csv"),
    "studies": f"{STUDY} --out many".replace("table.csv", "tables"),
    "studies again": f"{STUDY} --out many --resume".replace("table.csv", "tables"),
    "interact": f"{SEARCH} --out found",
    "interact again": f"{SEARCH} --out found --resume",
    "report": "report study",
    "report of a search": "report found",
    "compare": "compare study other",
    "predict": "predict study/model.npz table.csv --id id",
    "evaluate": "evaluate study/model.npz table.csv --id id --target class",
    "mtd": "genome mtd gc --pheno sheet.tsv --out scan",
    "qc": "genome qc gc --pheno sheet.tsv --out quality",
    "kin": "genome kin gc --out kin",
    "look": "look table.csv --target class --id id --out looked",
    "index": "ontology index x.obo --out x.index",
    "match": "ontology match x.index y.obo --out m.sssom.tsv",
    "rma": "expression rma cel --cdf Made_1.CDF --out r.parquet --save arrays.npz",
    "rma again": "expression rma cel/GSM1005_x.CEL --model arrays.npz --out one.parquet",
}
BEGIN = ("study", "other", "studies", "interact", "mtd", "qc", "kin", "look", "index", "rma")
READ = ("link", "link to itself", "pipe", "device", "link to a device", "oversized")
WRITTEN = READ[:-1]
FOLDER = ("link", "link to itself")
# command -> folder, and in it what is read, only written, or a folder
FILES = {
    "resume": ("study", "data.json plan.json", "journal.jsonl results.json report.html model.npz "
               "tables/methods.tsv tables/predictions.tsv", "cells cells/0 cells/0/0 tables"),
    "studies again": ("many", "one/plan.json", "sets.tsv one/results.json", "one one/cells"),
    "interact again": ("found", "settings.json interactions.json", "features.csv report.html "
                       "edges.csv journal.jsonl", "runs"),
    "report": ("study", "data.json plan.json results.json", "report.html", ""),
    "report of a search": ("found", "settings.json interactions.json", "report.html", ""),
    "compare": ("study", "results.json tables/predictions.tsv", "", "tables"),
    "predict": ("study", "model.npz", "", ""),
    "evaluate": ("study", "model.npz", "", ""),
    "mtd": ("scan", "", "results.json mtd.tsv report.html journal.jsonl", ""),
    "qc": ("quality", "", "quality.json variants.tsv samples.keep report.html", ""),
    "kin": ("kin", "", "results.json kin.tsv unrelated.keep", ""),
    "look": ("looked", "", "look.json columns.tsv report.html", ""),
}  # fmt: skip
CASES = [
    (command, f"{folder}/{name}", how)
    for command, (folder, *kinds) in FILES.items()
    for names, ways in zip(kinds, (READ, WRITTEN, FOLDER), strict=True)
    for name in names.split()
    for how in ways
    if not (name == "settings.json" and how == "oversized")  # there is a search, and no need to
]
TYPED = [  # files that a person names: his own links are followed
    (command, name, how)
    for command, name in (("match", "x.index"), ("rma again", "arrays.npz"))
    for how in READ[1:]
]


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """One result of each kind."""
    home = tmp_path_factory.mktemp("parts")
    (home / "tables").mkdir()
    write_table(home / "table.csv", 0)
    write_table(home / "tables" / "one.csv", 0)
    write_table(home / "tables" / "two.csv", 2)
    write_table(home / "other.csv", 1)
    (home / "plan.toml").write_text(PLAN)
    for name in "xy":
        terms = [f"[Term]\nid: {name}:{k}\nname: {n}\n" for k, n in enumerate(("heart", "lung"))]
        (home / f"{name}.obo").write_text("\n".join([f"ontology: {name}\n", *terms]))
    simulate_cohort(home / "gc", [20, 10], [10, 20], 60, seed=1)
    people = (home / "gc.fam").read_text().splitlines()
    lines = [f"{line.split()[1]}\t{'ill' if line.split()[5] == '2' else 'well'}" for line in people]
    (home / "sheet.tsv").write_text("\n".join(["IID\tstatus", *lines]) + "\n")
    write_arrays(home / "cel")
    script = (
        "import sys\nfrom tamis.cli.main import main\n"
        "for line in sys.stdin: main(line.split(), standalone_mode=False)"
    )
    lines = "\n".join(COMMANDS[name] for name in BEGIN)
    subprocess.run(
        [sys.executable, "-c", script], input=lines, text=True, cwd=home, check=True,
        capture_output=True,
    )  # fmt: skip
    return home


@pytest.fixture
def here(parts, tmp_path, monkeypatch):
    """A copy of them, as the working directory."""
    home = tmp_path / "home"
    shutil.copytree(parts, home, symlinks=True)
    monkeypatch.chdir(home)
    return home


@contextmanager
def bounded():
    """Neither time nor memory without end."""

    def late(*_):
        raise TimeoutError

    before = resource.getrlimit(resource.RLIMIT_AS)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    old = signal.signal(signal.SIGALRM, late)
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, before[1]))
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
        resource.setrlimit(resource.RLIMIT_AS, before)


def put(path: Path, how: str, outside: Path) -> None:
    """Something else in the place of a file or a folder."""
    path = path.absolute()
    if how == "link":  # to what was there, which is what it should be, but for whose it is
        shutil.move(path, outside) if path.exists() else outside.write_text("theirs")
        path.symlink_to(outside)
        return
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    if how == "link to itself":
        path.symlink_to(path.name)
    elif how == "pipe":
        os.mkfifo(path)
    elif how == "link to a device":
        path.symlink_to("/dev/zero")
    elif how == "oversized":
        with open(path, "wb") as file:
            file.truncate(MAX_FILE_BYTES + 1)
    else:
        try:
            os.mknod(path, 0o666 | 0o020000, os.makedev(1, 5))  # /dev/zero
        except PermissionError:
            pytest.skip("only root makes devices")


def content(path: Path) -> dict[str, bytes]:
    paths = [path, *path.rglob("*")] if path.is_dir() else [path]
    return {str(p): p.read_bytes() for p in paths if p.is_file()}


def refused(tamis, command: str) -> str:
    """All that it says; of several studies, those that can be are finished."""
    with bounded():
        code, out, err = tamis(*COMMANDS[command].split())
    assert code == 2, err
    assert not out or command == "studies again"
    lines = [line for line in err.splitlines() if line.startswith("tamis: ")]
    assert lines == err.splitlines()[-1:], err
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(("command", "name", "how"), CASES, ids=lambda part: part.replace(" ", "-"))
def test_nothing_below_a_folder_is_reached_through_a_link(tamis, here, command, name, how):
    outside = here.parent / "outside"
    put(here / name, how, outside)
    before = content(outside) if how == "link" else None
    assert name.rpartition("/")[2] in refused(tamis, command)
    if before is not None:
        assert content(outside) == before
        assert (here / name).is_symlink()


@pytest.mark.parametrize(("command", "name", "how"), TYPED, ids=lambda part: part.replace(" ", "-"))
def test_a_file_that_is_named_is_a_regular_one_of_bounded_size(tamis, here, command, name, how):
    put(here / name, how, here.parent / "outside")
    refused(tamis, command)


@pytest.fixture(scope="module")
def zeros():
    """200 MB that compress to nearly nothing."""
    return np.zeros(25 << 20)


def packed_model(content: bytes, zeros: np.ndarray) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("model.json", "{}")
        with file.open("a.npy", "w") as array:
            np.save(array, zeros)
    return sink.getvalue()


def packed_cell(content: bytes, zeros: np.ndarray) -> bytes:
    """The same cell with one more column, and a right checksum."""
    table = pa.ipc.open_file(content).read_all()
    metadata = dict(table.schema.metadata)
    known = len(seal.CHECKSUM_MARK + seal.NO_SUM)
    metadata[b"sum"] = seal.CHECKSUM_MARK + seal.NO_SUM + metadata[b"sum"][known:]
    ends = np.linspace(0, len(zeros), table.num_rows + 1).astype(np.int32)
    table = table.append_column("zeros", pa.ListArray.from_arrays(ends, zeros))
    made = seal._arrow_file(table.replace_schema_metadata(metadata), packed=True)
    before, _, behind = made.rpartition(seal.CHECKSUM_MARK + seal.NO_SUM)
    return before + seal.CHECKSUM_MARK + seal.sum_of(before, behind) + behind


def packed_index(content: bytes, zeros: np.ndarray) -> bytes:
    sink = io.BytesIO()
    table = pa.table({"iris": pa.LargeListArray.from_arrays([0, len(zeros)], zeros)})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as file:
        file.write_table(table)
    body = sink.getvalue()
    return (
        index.INDEX_MAGIC + index.INDEX_VERSION + b"\n" + index._body_checksum(body) + b"\n" + body
    )


CELL = "study/cells/0/0/*.arrow"
PACKED = [
    ("predict", "study/model.npz", packed_model, "unpacks to"),
    ("evaluate", "study/model.npz", packed_model, "unpacks to"),
    ("rma again", "arrays.npz", packed_model, "unpacks to"),
    ("resume", CELL, packed_cell, "is damaged, or of another fold or study: delete it"),
    ("match", "x.index", packed_index, "is no ontology index that fits together"),
]


@pytest.mark.parametrize(("command", "name", "pack", "says"), PACKED, ids=lambda p: str(p)[:9])
def test_what_unpacks_to_much_is_not_unpacked(tamis, here, zeros, command, name, pack, says):
    path = min(here.glob(name))
    path.write_bytes(pack(path.read_bytes(), zeros))
    assert path.stat().st_size < 4 << 20
    assert says in refused(tamis, command)


@pytest.mark.parametrize("how", ["moved", "copied", "linked", "parent linked"])
def test_an_honest_folder_works_wherever_it_lies(tamis, here, how):
    """As do links that a person names, and a model behind a link of his own."""
    place = here.parent / "elsewhere"
    if how == "moved":
        shutil.move(here / "study", place)
        (here / "study").symlink_to(place)
    elif how == "copied":
        shutil.copytree(here / "study", place)
    elif how == "linked":
        place.symlink_to(here / "study")
    else:
        (here.parent / "up").symlink_to(here)
        place = here.parent / "up" / "study"
    for words in (
        f"report {place}",
        f"compare {place} other",
        f"predict {place}/model.npz table.csv --id id",
        f"{STUDY} --out {place} --resume",
        "study " + f"{STUDY} --out study --resume".partition(" ")[2],
    ):
        code, _, err = tamis(*words.split())
        assert code == 0, err
    Path("mine.npz").symlink_to(place / "model.npz")
    assert tamis(*["predict", "mine.npz", "table.csv", "--id", "id"])[0] == 0
    Path("their.html").write_text("")
    Path("page.html").symlink_to("their.html")
    assert tamis("report", str(place), "--out", "page.html")[0] == 0
    assert Path("page.html").is_symlink()
    assert Path("their.html").read_text().startswith("<!doctype html>")


def test_a_model_comes_through_a_pipe_that_is_open(tamis, here):
    """As from `<(...)`."""
    content = Path("study/model.npz").read_bytes()
    expected = tamis(*COMMANDS["predict"].split())[1]
    reading, writing = os.pipe()
    writer = threading.Thread(target=lambda: os.write(writing, content) and os.close(writing))
    writer.start()
    code, out, err = tamis("predict", f"/dev/fd/{reading}", "table.csv", "--id", "id")
    os.close(reading)
    writer.join()
    assert code == 0, err
    assert out == expected


@pytest.mark.parametrize("how", ["link", "link to itself", "pipe"])
def test_a_page_is_not_written_through_a_link_of_a_study(tamis, here, how):
    """One that a person names, but that lies in what may be a stranger's folder."""
    put(here / "study" / "p.tsv", how, here.parent / "outside")
    words = [*COMMANDS["predict"].split(), "--out", "study/p.tsv", "--force"]
    with bounded():
        code, out, err = tamis(*words)
    assert (code, out) == (2, "")
    assert "p.tsv" in err
    if how == "link":
        assert (here.parent / "outside").read_text() == "theirs"
