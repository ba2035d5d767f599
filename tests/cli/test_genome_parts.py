"""`tamis genome mtd`, `mixed` and `pairs` in parts, as a user meets them."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tamis.genome import open_genotypes, simulate_cohort

COMMANDS = {
    "mtd": ["mtd", "made", "--permutations", "19", "--strata", "FID", "--chr", "1"],
    "pairs": ["pairs", "made", "--permutations", "19", "--keep", "30", "--chr", "2"],
    "mixed": ["mixed", "made", "--draws", "19", "--covar", "age.txt"],
}


@pytest.fixture(scope="module")
def around(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scans")
    simulate_cohort(
        folder / "made", [40, 20], [20, 40], 2000, frequencies=(0.2, 0.5), missing=0.02, seed=3
    )
    samples = open_genotypes(folder / "made").samples
    rows = [
        f"{f} {i} {k % 7}" for k, (f, i) in enumerate(zip(samples.family, samples.id, strict=True))
    ]
    (folder / "age.txt").write_text("\n".join(["FID IID age", *rows]) + "\n")
    return folder


@pytest.fixture
def here(around, tmp_path, monkeypatch):
    """A folder of its own, with the genotypes."""
    for path in around.iterdir():
        shutil.copy(path, tmp_path / path.name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    """All files but journals, which have times."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "journal.jsonl"
    }


@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    [pytest.param(k, marks=pytest.mark.quick if k == "mtd" else ()) for k in COMMANDS],
)
def test_joined_parts_are_one_run_byte_for_byte(here, tamis, name):
    for k in (3, 1, 2):
        code, out, err = tamis("genome", *COMMANDS[name], "--part", f"{k}/3")
        assert code == 0, err
        assert out.startswith(f"part {k}/3 in 'tamis-{name}-made-parts/{k}-of-3': ")
    join = ("--join", f"tamis-{name}-made-parts", "--json", "--out", "out")
    code, joined, err = tamis("genome", *COMMANDS[name], *join)
    assert code == 0, err
    first = content(here / "out")
    shutil.rmtree(here / "out")
    code, one, _ = tamis("genome", *COMMANDS[name], "--json", "--out", "out")
    assert joined == one
    assert first == content(here / "out")
    assert {"results.json", "pairs.json"} & first.keys()
    assert "report.html" in first


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--part", "1/2", "--join", "x"], "--part computes and --join puts together"),
        (["--part", "3"], "give K/N"),
        (["--join", "nowhere"], "cannot read 'nowhere'"),
        (["--join", ""], "is no folder"),
        (["--part", "1/5000"], "500 variant blocks"),
    ],
)
def test_what_cannot_be_is_told(here, tamis, more, says):
    code, out, err = tamis("genome", "mtd", "made", *more)
    assert code == 2
    assert says in err
    assert not out


def test_a_part_takes_no_folder_of_others(here, tamis):
    (here / "mine").mkdir()
    (here / "mine" / "notes.txt").write_text("x")
    for out in ("mine", "made.bed"):
        code, _, err = tamis("genome", "mtd", "made", "--part", "1/2", "--out", out)
        assert code == 2, err
    assert (here / "mine" / "notes.txt").read_text() == "x"
    code, _, err = tamis("genome", "mtd", "made", "--part", "1/2", "--out", "a")
    code, _, err = tamis("genome", "mtd", "made", "--part", "2/2", "--out", "a")
    assert code == 2
    assert "holds part 1/2" in err
    again = ("--part", "2/2", "--out", "a", "--force")
    code, _, err = tamis("genome", "mtd", "made", *again)
    assert code == 0, err
    code, _, err = tamis("genome", "mtd", "made", "--out", "a")
    assert code == 2
    assert "holds another result" in err
    code, _, err = tamis("genome", "pairs", "made", "--chr", "2", "--part", "2/2", "--out", "a")
    assert code == 2
    assert "the options differ" in err


@pytest.mark.longer
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("name", COMMANDS)
def test_parts_killed_at_any_time_come_to_one_run(here, name):
    base = [sys.executable, "-m", "tamis", "genome", *COMMANDS[name], "--quiet"]
    rng = np.random.default_rng(len(name))
    for k in (1, 2):
        line = [*base, "--part", f"{k}/2"]
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.8, 2.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        subprocess.run(line, check=True, capture_output=True)
    found = []
    for more in (["--join", f"tamis-{name}-made-parts"], []):
        subprocess.run([*base, *more, "--out", "out"], check=True, capture_output=True)
        found.append(content(here / "out"))
        shutil.rmtree(here / "out")
    assert found[0] == found[1]
