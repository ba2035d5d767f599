"""Worker processes that are forked from one that has loaded what they need."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from multiprocessing import forkserver
from pathlib import Path
from threading import Timer

import numpy as np
import pytest

from common.at_work import at_work, sum_of
from tamis._core.errors import DataError
from tamis._core.fork_server import (
    end_server,
    forked_workers,
    is_started,
    start_server,
)
from tamis._core.shared_arrays import shared_value

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no server elsewhere")


@pytest.fixture
def server():
    start_server("colorsys")  # which nothing else loads
    yield
    end_server()
    assert not is_started()


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def wait_until_gone(pids: set[int]) -> None:
    until = time.monotonic() + 10
    while not all(map(gone, pids)):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_processes_have_what_the_server_has_and_end_with_the_call(server):
    assert is_started()
    found: set[tuple[int, bool]] = set()
    with forked_workers(2) as executor:
        while len(found) < 2:  # the second may begin late
            found |= set(executor.map(at_work, [0.1] * 8))
    assert len(found) == 2
    assert all(loaded for _, loaded in found)
    wait_until_gone({pid for pid, _ in found})


def test_nobody_waits_for_what_they_are_doing(server):
    start, pids = time.monotonic(), set()

    def fails() -> None:
        with forked_workers(1) as executor:
            pids.add(executor.submit(at_work).result()[0])
            executor.submit(at_work, 100.0)
            raise ValueError("of the caller")

    with pytest.raises(ValueError, match="of the caller"):
        fails()
    wait_until_gone(pids)
    assert time.monotonic() - start < 50


def test_workers_are_ended_in_the_middle_of_a_result(server):
    """What was sent of it is no end of it: Python would wait for the rest."""

    def fails(seconds: float) -> None:
        with forked_workers(2) as executor:
            found = [executor.submit(bytes, 20_000_000) for _ in range(20)]
            found[0].result()
            time.sleep(seconds)
            raise ValueError("of the caller")

    for k in range(5):
        with pytest.raises(ValueError, match="of the caller"):
            fails(k / 200)


@pytest.mark.quick
def test_what_fails_there_is_raised_here(server):
    with pytest.raises(ZeroDivisionError), forked_workers(1) as executor:
        executor.submit(divmod, 1, 0).result()
    with pytest.raises(EOFError, match="Ran out of input"), forked_workers(1) as executor:
        executor.submit(pickle.loads, b"").result()  # nobody was killed


def test_one_that_is_killed_is_told(server):
    def kills_one() -> None:
        with forked_workers(1) as executor:
            pid, _ = executor.submit(at_work).result()
            waits = executor.submit(at_work, 100.0)
            os.kill(pid, signal.SIGKILL)
            waits.result()

    with pytest.raises(DataError, match=r"^a worker process was killed \(SIGKILL\)"):
        kills_one()


def test_a_server_that_is_killed_is_told_where_it_is_waited_for(server):
    pid = forkserver._forkserver._forkserver_pid
    os.kill(pid, signal.SIGSTOP)
    Timer(0.5, os.kill, (pid, signal.SIGKILL)).start()
    with (
        pytest.raises(DataError, match=r"^a worker process was killed"),
        forked_workers(1) as executor,
    ):
        executor.submit(at_work)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # its socket may close before it has ended
    with forked_workers(1) as executor:  # of another one
        assert executor.submit(at_work).result()[1]


def test_without_a_socket_there_is_no_server(tmp_path):
    """Its name would be longer than a system takes."""
    folder = tmp_path / ("x" * 90)
    folder.mkdir()
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from tamis._core.fork_server import is_started, start_server\n"
            "start_server('colorsys')\nprint(is_started())",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.split() == ["False"]
    assert done.stderr == ""


def test_arrays_are_shared_and_nobody_changes_those_of_others(server):
    x = np.arange(100_000.0)
    with shared_value({"x": x, "new": 7.0}) as place, forked_workers(2) as executor:
        for total, kept, writes in executor.map(sum_of, [place] * 8):
            assert total == x.sum() + 7  # and not what another has added
            assert kept
            assert writes
    path = place.partition(":")[0]
    assert not os.path.exists(path) or os.readlink(path) != "/memfd:tamis (deleted)"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_loads_leaves_signals_to_its_parent(tmp_path, number):
    (tmp_path / "slow.py").write_text("import time\nprint('loads', flush=True)\ntime.sleep(100)\n")
    script = (
        "import sys\n"
        "from tamis._core.fork_server import end_server, start_server\n"
        "start_server('slow')\n"
        "sys.stdin.read()\n"
        "end_server()\n"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
    )
    assert program.stdout.readline() == "loads\n"
    children = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
    for pid in map(int, children):
        os.kill(pid, number)
    time.sleep(0.2)
    assert not any(map(gone, map(int, children)))
    out, err = program.communicate(timeout=60)
    assert (out, err) == ("", "")
    wait_until_gone(set(map(int, children)))


def test_a_script_is_not_begun_again_and_a_server_at_work_ends_with_it(tmp_path):
    """Neither by the server nor by workers, though it has no guard."""
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(100)\n")
    (tmp_path / "script.py").write_text(
        "import os, sys\n"
        "from tamis._core.fork_server import end_server, forked_workers, start_server\n"
        "print('begun')\n"
        "start_server(sys.argv[1])\n"
        "if sys.argv[1] == 'colorsys':\n"
        "    with forked_workers(1) as executor:\n"
        "        print(executor.submit(abs, -1).result())\n"
        "end_server()\n"
    )
    for module, lines in (("colorsys", ["begun", "1"]), ("slow", ["begun"])):
        path = os.pathsep.join([str(tmp_path), *sys.path])
        done = subprocess.run(  # which waits for all that have its stdout
            [sys.executable, "script.py", module],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert done.stdout.split() == lines
        assert done.stderr == ""
