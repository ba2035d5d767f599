"""Processes of a study: none outlives it, and one that is killed, or a signal, is one line."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest
from joblib import cpu_count

from common.studies import make_data
from common.tables import PLAN, write_table
from tamis._core.errors import DataError, counted_noun
from tamis._core.workers import A_CORE, end_workers
from tamis.study import run_study
from tamis.study.store import Store

pytestmark = [
    pytest.mark.longer,
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]
MARK = "TAMIS_TEST_MARK"
COMMAND = "from tamis.cli.main import run\nrun()"
END = 5.0  # seconds within which all have ended


class Marked:
    """A study of two workers, whose processes can be told from all others."""

    def __init__(self, folder: Path, *more: object):
        self.mark = uuid4().hex
        asked = ("study", "made.csv", "--target", "diagnosis", "--plan", "plan.toml")
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *asked, "--n-jobs", "2", *map(str, more)],
            cwd=folder,
            env={**os.environ, MARK: self.mark},
            stderr=subprocess.PIPE,
            text=True,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def alive(self) -> dict[int, str]:
        """Process ids and command lines."""
        found = {}
        for folder in Path("/proc").iterdir():
            try:
                if f"{MARK}={self.mark}".encode() not in (folder / "environ").read_bytes():
                    continue
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z":
                    found[int(folder.name)] = (folder / "cmdline").read_text().replace("\0", " ")
            except (OSError, ValueError):  # no process, or gone meanwhile
                continue
        return found

    def is_forked(self, process: int) -> bool:
        """From the server, whose command line such a process has."""
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            parent = Path(f"/proc/{state[1]}/cmdline").read_text()
        except (OSError, ValueError):
            return False
        return "multiprocessing.forkserver" in parent

    def workers(self) -> list[int]:
        return [
            process
            for process, text in self.alive().items()
            if "popen_loky" in text or self.is_forked(process)
        ]

    def wait_for_workers(self) -> list[int]:
        while len(found := self.workers()) < 2:
            assert self.process.poll() is None, self.process.stderr.read()
            time.sleep(0.01)
        return found

    def left(self) -> dict[int, str]:
        """Who is alive although the process has ended for a while; they are ended here."""
        self.process.wait()
        until = time.monotonic() + END
        while (found := self.alive()) and time.monotonic() < until:
            time.sleep(0.05)
        for process in found:
            os.kill(process, signal.SIGKILL)
        return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("processes")
    write_table(folder / "made.csv", make_data(n=60, p=400))
    (folder / "plan.toml").write_text(PLAN.replace("permutations = 1", "permutations = 300"))
    return folder


def kill_at_moments(folder: Path, moments: int, seed: int) -> None:
    """Some from the very start, most while workers start; every other time in a new folder, with
    forked workers, else in one that is gone on with, with joblib's."""
    draw, working = random.Random(seed), 0
    for k in range(moments):
        out = ("--out", f"killed{seed}", "--resume") if k % 2 else ("--out", f"new{seed}-{k}")
        study = Marked(folder, *out)
        if k % 4 > 1:
            study.wait_for_workers()
            time.sleep(draw.uniform(0, 2))
        else:
            time.sleep(draw.uniform(0, 3))
        working += bool(study.workers())
        study.process.kill()
        assert study.left() == {}, k
        study.process.communicate()
    assert 2 * working >= moments


@pytest.mark.full
def test_no_worker_outlives_a_killed_study(folder):
    kill_at_moments(folder, 4, 1)


@pytest.mark.slow
def test_no_worker_outlives_fifty_killed_studies(folder):
    kill_at_moments(folder, 50, 2)


@pytest.mark.parametrize(
    ("number", "send", "delay"),
    [
        (signal.SIGTERM, os.kill, 1.0),  # as a scheduler or an administrator does
        (signal.SIGHUP, os.killpg, 1.0),  # a closed terminal
        (signal.SIGINT, os.killpg, 0.1),  # Ctrl-C reaches the workers, too, here as they start
    ],
)
def test_stopped_twice_it_says_one_line(folder, number, send, delay):
    study = Marked(folder, "--out", f"stopped{number}", "--quiet", "--permutations", "999")
    study.wait_for_workers()
    time.sleep(delay)
    for _ in range(2):
        send(study.process.pid, number)
        time.sleep(0.05)
    out, err = study.process.communicate(timeout=60)
    assert study.process.returncode in (130, -number)  # the second may meet an end of Python's
    assert out == ""
    assert err.strip() == "tamis: stopped; what is finished is kept (continue with --resume)"
    assert study.left() == {}


def test_a_hundred_thousand_workers_are_a_few_and_stop_at_once(folder):
    """Forked ones, and with --resume joblib's; none is left."""
    most = A_CORE * cpu_count()
    for more in ((), ("--resume",)):
        asked = ("--n-jobs", "100000", *more)
        study = Marked(folder, "--out", "hundred", *asked)
        study.wait_for_workers()
        time.sleep(2.0)
        assert len(study.workers()) <= most
        began = time.monotonic()
        os.killpg(study.process.pid, signal.SIGINT)
        out, err = study.process.communicate(timeout=60)
        assert time.monotonic() - began < 2 * END  # one second where nothing else runs
        assert study.left() == {}
        assert study.process.returncode == 130
        remarks = [line for line in err.splitlines() if "--n-jobs" in line]
        of = f"{most} workers, {A_CORE} for each of {counted_noun(cpu_count(), 'core')}"
        assert remarks == [f"  --n-jobs 100000: {of}; more would be no faster"]
        assert out == ""
        assert "Traceback" not in err


def test_a_terminal_that_is_closed_stops_a_study_that_draws_its_progress(folder):
    """The end of the progress cannot be drawn there, which is no fault of the input."""
    ours, theirs = os.openpty()
    asked = ("study", "made.csv", "--target", "diagnosis", "--n-jobs", "1", "--out", "closed")
    script = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n" + COMMAND
    study = subprocess.Popen(
        [sys.executable, "-c", script, *asked],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    drawn = b""
    while b" left " not in drawn:
        drawn += os.read(ours, 1000)
    os.close(ours)  # the system hangs up
    assert study.wait(timeout=60) == 130


WAITING = """
import multiprocessing
import time
from pathlib import Path

from sklearn.naive_bayes import GaussianNB

KILLED = Path(__file__).with_name("killed")
fits = 0


class Waiting(GaussianNB):
    def fit(self, X, y):
        global fits
        fits += multiprocessing.parent_process() is not None
        while fits > 6 and not KILLED.exists():  # two tasks of three fits are sent at once
            time.sleep(0.01)
        return super().fit(X, y)
"""


def test_a_worker_killed_for_memory_is_one_line_and_nothing_is_lost(tmp_path, monkeypatch):
    """Workers wait for the kill once they have given a result, so that they have tasks left."""
    (tmp_path / "waiting.py").write_text(WAITING)
    monkeypatch.syspath_prepend(str(tmp_path))
    data, put, written, killed = make_data(), Store.put, [], []
    method = {"select": "moderated_t", "sizes": [2], "classify": ["waiting:Waiting"]}
    inner = {"folds": 2, "repeats": 1}
    plan = {"method": [method], "outer": {"folds": 4}, "inner": inner, "permutations": 4}
    run_study(data, plan, tmp_path / "whole")

    def put_and_kill(store, path, content, **more):
        put(store, path, content, **more)
        written.append(path)
        workers = multiprocessing.active_children()  # none while the first tasks are done here
        if workers and not killed:
            killed.append(workers[0].pid)
            os.kill(workers[0].pid, signal.SIGKILL)
            (tmp_path / "killed").touch()

    monkeypatch.setattr("tamis.study.workers.START_SECONDS", 0.0)  # however short the study is
    monkeypatch.setattr(Store, "put", put_and_kill)
    end_workers()  # of an earlier test in this process, which would be killed in their place
    with pytest.raises(DataError, match=r"^a worker process was killed \(SIGKILL\).*--resume$"):
        run_study(data, plan, tmp_path / "s", n_jobs=2)
    before = {path: (tmp_path / "s" / path).stat().st_mtime_ns for path in written}
    run_study(data, plan, tmp_path / "s", n_jobs=2, if_exists="resume")
    assert before
    assert {path: (tmp_path / "s" / path).stat().st_mtime_ns for path in before} == before
    for path in (tmp_path / "whole").rglob("*"):
        if path.is_file() and path.name != "journal.jsonl":
            again = tmp_path / "s" / path.relative_to(tmp_path / "whole")
            assert again.read_bytes() == path.read_bytes()
