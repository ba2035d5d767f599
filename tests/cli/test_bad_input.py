"""Every kind of bad input ends the command with one line on stderr and exit code 2."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAD = "sample,class,g1,g2\n"
ROWS = "".join(f"s{i},{'ab'[i % 2]},{i}.5,{i * i % 7}\n" for i in range(24))

FILES = {
    "empty file": (b"", "is empty"),
    "header only": (HEAD.encode(), "row"),
    "no target": (HEAD.replace("class", "klass").encode() + ROWS.encode(), "'klass'"),
    "one class": ((HEAD + ROWS.replace(",b,", ",a,")).encode(), "one class only"),
    "all-missing column": (
        (HEAD + "".join(f"s{i},{'ab'[i % 2]},{i},\n" for i in range(24))).encode(),
        "no value at all: 'g2'",
    ),
    "infinite value": ((HEAD + ROWS.replace(",3.5,", ",inf,")).encode(), "infinite value"),
    "duplicate features": ((HEAD.replace("g2", "g1") + ROWS).encode(), "'g1'"),
    "duplicate samples": ((HEAD + ROWS + ROWS).encode(), "s0"),
    "not UTF-8": ((HEAD + ROWS).replace("g2", "gяж").encode("koi8-r"), "--encoding"),
    "ragged rows": ((HEAD + ROWS + "s99,a,1\n").encode(), "line 26"),
    "numeric target": (
        ("sample,class,g1\n" + "".join(f"s{i},{i * 0.37},{i}\n" for i in range(40))).encode(),
        "regression",
    ),
    "text in a number column": ((HEAD + ROWS.replace(",4.5,", ",high,")).encode(), "'high'"),
    "overflowing value": ((HEAD + ROWS.replace(",3.5,", ",1e200,")).encode(), "overflows"),
    "decimal commas": (
        (HEAD + ROWS).replace(",", ";").replace(".5", ",5", 1).encode(),
        "decimal comma",
    ),
    "more folds than members": ((HEAD + "".join(ROWS.splitlines(True)[:4])).encode(), "folds"),
}


def in_own_process(*arguments, before=""):
    """The command in a process of its own."""
    code = f"{before}\nimport sys\nfrom tamis.cli.main import run\nrun()"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True
    )


def study_of(kind, folder):
    """Arguments of a study of a bad table, and what is said of it."""
    content, says = FILES[kind]
    path = folder / "table.csv"
    path.write_bytes(content)
    return ("study", path, "--target", "class", "--out", folder / "out", "--n-jobs", 1), says


@pytest.mark.parametrize("kind", FILES)
def test_bad_tables(kind, tmp_path, tamis):
    arguments, says = study_of(kind, tmp_path)
    code, out, err = tamis(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("tamis: ")
    assert err.count("\n") == 1
    assert says in err
    assert not (tmp_path / "out").exists()


def test_a_process_of_its_own_says_the_same(tmp_path, tamis):
    arguments, _ = study_of("ragged rows", tmp_path)
    done = in_own_process(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == tamis(*arguments)


def test_a_table_larger_than_memory(tmp_path):
    """A hundred megabytes of text under a limit that leaves no room for it."""
    path = tmp_path / "table.csv"
    row = ",".join(["1"] * 20_000)
    with open(path, "w", encoding="utf-8") as file:
        file.write("class," + ",".join(f"g{j}" for j in range(20_000)) + "\n")
        file.writelines(f"{'ab'[i % 2]},{row}\n" for i in range(2_500))
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))"
    done = in_own_process(
        "study", path, "--target", "class", "--out", tmp_path / "out", before=limit
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "memory" in done.stderr
