"""Limits of memory: too low a one is one line before libraries are loaded, never a hang."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from common.studies import make_data
from common.tables import write_table
from tamis._core import memory_limits
from tamis._core.errors import DataError
from tamis._core.memory_limits import (
    ADDRESS_SPACE_MB,
    cgroup_limit,
    process_limits,
    require_memory,
    sparing_libraries,
)
from tamis.cli.main import lacks_memory

COMMAND = "from tamis.cli.main import run\nrun()"
MB = 1 << 20


@pytest.mark.parametrize(
    ("limits", "group", "words"),
    [
        ({"-v": 1_199 * MB}, None, "1,199 MB by `ulimit -v`, and this needs 1,200 MB at least"),
        ({"-d": 399 * MB}, None, "399 MB by `ulimit -d`, and this needs 400 MB at least"),
        ({}, 399 * MB, "399 MB by the container or job, and this needs 400 MB at least"),
        ({"-v": 1_200 * MB, "-d": 400 * MB}, 400 * MB, None),
        ({}, None, None),
    ],
)
def test_what_is_needed(monkeypatch, limits, group, words):
    monkeypatch.setattr(memory_limits, "process_limits", lambda: limits)
    monkeypatch.setattr(memory_limits, "cgroup_limit", lambda: group)
    if words is None:
        assert require_memory() is None
        return
    with pytest.raises(DataError) as refused:
        require_memory()
    assert str(refused.value).startswith(f"memory is limited to {words}, more for large tables: ")
    assert "run it in " in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text", "limit"),
    [
        ("memory.max", "max\n", None),
        ("memory.max", f"{300 * MB}\n", 300 * MB),
        ("memory/memory.limit_in_bytes", f"{2**63 - 4096}\n", None),
        ("memory/memory.limit_in_bytes", f"{700 * MB}\n", 700 * MB),
        ("other", "7", None),
    ],
)
def test_the_limit_of_a_control_group(monkeypatch, tmp_path, name, text, limit):
    (tmp_path / "memory").mkdir()
    (tmp_path / name).write_text(text)
    monkeypatch.setattr(memory_limits, "CGROUP_FOLDER", tmp_path)
    assert cgroup_limit() == limit


def test_libraries_are_sparing_under_a_limit_alone(monkeypatch):
    names = ("ARROW_DEFAULT_MEMORY_POOL", "OPENBLAS_NUM_THREADS")
    for limits, before, after in (
        ({}, (None, None), (None, None)),
        ({"-v": 1 << 40}, (None, None), ("system", "1")),
        ({"-d": 1 << 40}, ("jemalloc", None), ("jemalloc", "1")),
    ):
        monkeypatch.setattr(memory_limits, "process_limits", lambda limits=limits: limits)
        for name, value in zip(names, before, strict=True):
            monkeypatch.setenv(name, value or "")
            if value is None:
                monkeypatch.delenv(name)
        sparing_libraries()
        assert tuple(map(os.environ.get, names)) == after


@pytest.mark.parametrize(
    ("error", "lacks"),
    [
        (MemoryError(), True),
        (ImportError("libx.so: failed to map segment from shared object"), True),
        (ImportError("libx.so: cannot allocate memory in static TLS block"), True),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("cannot join thread before it is started"), False),
        (ImportError("No module named 'x'"), False),
    ],
)
def test_errors_of_memory_that_ran_out(error, lacks):
    assert lacks_memory(error) is lacks
    later = RuntimeError("cannot join thread before it is started")
    later.__context__ = error
    assert lacks_memory(later) is lacks


def limited(folder, limit, megabytes, *words):
    """Run under a limit of the module `resource`: seconds, exit code, stdout and stderr."""
    resource = pytest.importorskip("resource")

    def set_limit():
        resource.setrlimit(getattr(resource, limit), (megabytes * MB, megabytes * MB))

    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=set_limit,
    )
    return time.monotonic() - began, done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("limited")
    write_table(folder / "made.csv", make_data(n=40, p=25))
    return folder


STUDY = ("study", "made.csv", "--target", "diagnosis", "--permutations", "10")


@pytest.mark.longer
@pytest.mark.skipif(sys.platform != "linux", reason="limits are Linux's")
@pytest.mark.parametrize(
    ("limit", "megabytes", "words"),
    [
        ("RLIMIT_AS", 200, STUDY),
        ("RLIMIT_AS", 700, STUDY),
        ("RLIMIT_AS", ADDRESS_SPACE_MB - 1, STUDY),
        ("RLIMIT_DATA", 150, STUDY),
        ("RLIMIT_AS", 700, ("interact", "made.csv", "--target", "diagnosis")),
        ("RLIMIT_AS", 700, ("look", "made.csv")),
        ("RLIMIT_AS", 700, ("demo",)),
    ],
)
def test_too_low_a_limit_is_one_line_at_once(folder, limit, megabytes, words):
    seconds, code, out, err = limited(folder, limit, megabytes, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    option = {"RLIMIT_AS": "-v", "RLIMIT_DATA": "-d"}[limit]
    assert err.startswith(f"tamis: memory is limited to {megabytes:,} MB by `ulimit {option}`, ")
    assert seconds < 10


@pytest.mark.longer
@pytest.mark.skipif(sys.platform != "linux", reason="limits are Linux's")
def test_help_needs_no_memory(folder):
    for words in (("--help",), ("--version",), ("study", "--help")):
        _, code, out, err = limited(folder, "RLIMIT_AS", 500, *words)
        assert (code, bool(out), err) == (0, True, "")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits are Linux's")
def test_a_study_under_limits_runs_right_or_ends_in_one_line(folder):
    """Forked workers, and one process; the same bytes as without a limit."""

    def files(name):
        return {
            path.relative_to(folder / name): path.read_bytes()
            for path in (folder / name).rglob("*")
            if path.is_file() and path.name != "journal.jsonl"
        }

    subprocess.run(
        [sys.executable, "-c", COMMAND, *STUDY, "--out", "free/study"], cwd=folder, check=True
    )
    for limit, steps in (
        ("RLIMIT_AS", (200, 600, 1_000, ADDRESS_SPACE_MB, 1_400, 1_600, 2_000, 3_000, 6_000)),
        ("RLIMIT_DATA", (100, 200, 300, 400, 600, 1_000)),
    ):
        for megabytes in steps:
            for n_jobs in ("1", "2"):
                name = f"{limit}{megabytes}-{n_jobs}"
                asked = (*STUDY, "--out", f"{name}/study", "--n-jobs", n_jobs)
                _, code, _, err = limited(folder, limit, megabytes, *asked)
                assert "Traceback" not in err, name
                if code == 0:
                    assert files(name) == files("free"), name
                else:
                    assert (code, err.count("\n"), "memory is limited" in err) == (2, 1, True), name


def test_no_limit_is_no_limit():
    resource = pytest.importorskip("resource")
    known = {"-v": resource.RLIMIT_AS, "-d": resource.RLIMIT_DATA}
    for option, which in known.items():
        limited_here = resource.getrlimit(which)[0] != resource.RLIM_INFINITY
        assert (option in process_limits()) == limited_here
