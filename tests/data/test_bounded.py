"""What another process sends of a file: messages, arrays, how it ended."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.data import bounded, bounded_child, limits
from tamis.data.bounded import Messages, messages_of

PATH = Path("made.h5ad")
NUMBERS = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


class Unfit(Exception):
    pass


def written(stream, prepare=lambda: None):
    """What the process writes that runs a job."""
    out, job = io.BytesIO(), SimpleNamespace(prepare=prepare, stream=stream, Unfit=Unfit, KIND="x")
    bounded_child.main(job, "made.h5ad", {"layer": "counts"}, 7, 1000, out)
    return out.getvalue()


BOUND_MEMORY, BOUND_TIME = bounded_child._bound_memory, bounded_child._bound_time


@pytest.fixture(autouse=True)
def limits_set(monkeypatch):
    """Of this process none are set; those that would be are kept."""
    found = []
    monkeypatch.setattr(bounded_child, "_bound_memory", lambda size: found.append(("bytes", size)))
    monkeypatch.setattr(bounded_child, "_bound_time", lambda s: found.append(("seconds", s)))
    return found


def test_messages_and_arrays_arrive_as_they_were_sent(limits_set):
    def stream(path, wanted, tell):
        tell({"what": "names", "path": path, **wanted})
        tell({"what": "block", "dtype": "<f8", "shape": NUMBERS.shape}, NUMBERS)
        tell({"what": "text"}, b"a,b\n")

    read = Messages(io.BytesIO(written(stream)), PATH, 0, "")
    names = {"what": "names", "path": "made.h5ad", "layer": "counts", "bytes": 0}
    assert read.next() == names
    block = read.next()
    assert block["bytes"] == 48
    assert read.array(block).tolist() == NUMBERS.tolist()
    assert read.content(read.next()) == b"a,b\n"
    assert read.next() == {"what": "done", "bytes": 0}
    with pytest.raises(EOFError):
        read.next()
    # the libraries are loaded before memory counts; each message has its own seconds
    assert limits_set == [("bytes", 1000), *[("seconds", 7)] * 5]


@pytest.mark.parametrize(
    ("raised", "says"),
    [
        (Unfit("has no modality 'rna'"), "'made.h5ad' has no modality 'rna'"),
        (ValueError("of\n two lines"), "'made.h5ad' is not a readable x: of two lines"),
        (ValueError("y" * 130), f"'made.h5ad' is not a readable x: {'y' * 120}"),
        (KeyError(), "'made.h5ad' is not a readable x: KeyError"),
        (SystemExit(), "'made.h5ad' is not a readable x: SystemExit"),
        (MemoryError(), "'made.h5ad' takes more than 5 MB while being read: sort it"),
    ],
)
def test_what_is_raised_there_is_raised_here(raised, says):
    def stream(path, wanted, tell):
        tell({"what": "names"})
        raise raised

    read = Messages(io.BytesIO(written(stream)), PATH, 5_000_000, "sort it")
    assert read.next()["what"] == "names"
    with pytest.raises(DataError) as error:
        read.next()
    assert str(error.value) == says


def test_nobody_is_told_where_nobody_listens():
    def stream(path, wanted, tell):
        raise BrokenPipeError

    assert written(stream) == b""


def test_a_file_without_advice_of_its_own_is_too_large_as_any(monkeypatch):
    monkeypatch.setattr(bounded.memory, "available_bytes", lambda: 2_000_000_000)
    sent = json.dumps({"what": "memory"}).encode() + b"\n"
    with pytest.raises(DataError) as error:
        Messages(io.BytesIO(sent), PATH, 5_000_000, "").next()
    assert str(error.value).startswith(
        "'made.h5ad' does not fit in memory: it takes more than 5 MB while being read, 2.0 GB is"
    )


@pytest.mark.parametrize("sent", [b"", b'{"what": "names"}', b"a warning\n"])
def test_what_ends_early_or_is_no_message_is_an_end(sent):
    with pytest.raises(EOFError):
        Messages(io.BytesIO(sent), PATH, 0, "").next()
    with pytest.raises(EOFError):
        Messages(io.BytesIO(b"1234"), PATH, 0, "").content({"bytes": 5})


class Process:
    """One that has sent this and ended so."""

    def __init__(self, sent, code):
        self.stdout, self.code, self.killed = io.BytesIO(sent), code, False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert self.killed

    def wait(self):
        return self.code

    def kill(self):
        self.killed = True


@pytest.fixture
def begun(monkeypatch, tmp_path):
    """Reads a file by a process that is made up."""

    def read(process, swollen=""):
        given = []
        monkeypatch.setattr(bounded, "begin_reader", lambda *args: given.append(args) or process)
        monkeypatch.setattr(limits, "most_expanded", lambda path: 4_000_000)
        monkeypatch.setenv("TAMIS_READER_SECONDS", "9")
        with messages_of(Path("job.py"), PATH, ["x"], "the library", swollen) as found:
            found.next()
        assert given == [(Path("job.py"), PATH, ["x"], 9, 4_000_000)]
        return found

    return read


def test_the_process_ends_with_what_it_was_for(begun):
    process = Process(b'{"what": "done", "bytes": 0}\n', 0)
    assert begun(process).most == 4_000_000
    assert process.killed


@pytest.mark.parametrize(
    ("code", "swollen", "says"),
    [
        (
            -signal.SIGPROF,
            "",
            "a part of it took more than 9 s of work; store it again, or set TAMI",
        ),
        (-signal.SIGKILL, "", "it made the system end the process that read it, "),
        (-signal.SIGSEGV, "", "is damaged: the library ended with -11 while reading it; store it"),
        (3, "sort it", "is damaged: the library ended with 3 while reading it; store it again"),
        (-signal.SIGABRT, "sort it", "takes more than 4 MB while being read: sort it"),
        (-signal.SIGABRT, "", "is damaged: the library ended with -6 while reading it"),
    ],
)
def test_how_a_process_ended_is_told(begun, code, swollen, says):
    process = Process(b"", code)
    with pytest.raises(DataError) as error:
        begun(process, swollen)
    assert says in str(error.value)
    assert process.killed


def test_a_process_that_cannot_be_started_is_told(monkeypatch, begun):
    def fails(*_):
        raise OSError("no processes")

    monkeypatch.setattr(limits, "most_expanded", lambda path: 1)
    monkeypatch.setattr(bounded, "begin_reader", fails)
    monkeypatch.setattr(sys, "executable", "")
    with (
        pytest.raises(DataError, match=r"could not be started by no Python: no processes$"),
        messages_of(Path("job.py"), PATH, [], "the library"),
    ):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="what is held is told by Linux")
@pytest.mark.parametrize(
    ("soft", "set_to"),
    [
        (None, 5000),  # without a limit, and beyond what is held
        (5001, 5000),
        (5000, None),
        (10, None),
    ],
)
def test_memory_is_bounded_beyond_what_is_held(monkeypatch, soft, set_to):
    import resource

    held, found = 0, []
    hard = resource.RLIM_INFINITY

    def getrlimit(kind):
        assert kind == resource.RLIMIT_AS
        return hard if soft is None else held + soft, hard

    monkeypatch.setattr(resource, "getrlimit", getrlimit)
    monkeypatch.setattr(resource, "setrlimit", lambda kind, both: found.append(both))
    statm = io.StringIO("25 3 1 1 0 2 0\n")
    monkeypatch.setattr("builtins.open", lambda path: statm)
    held = 25 * os.sysconf("SC_PAGE_SIZE")
    BOUND_MEMORY(5000)
    assert found == ([] if set_to is None else [(held + set_to, hard)])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@pytest.mark.parametrize(("seconds", "set_to"), [(7, 7), (0, 1), (10**10, 10**9)])
def test_time_is_bounded_by_a_timer_that_never_is_none(monkeypatch, seconds, set_to):
    found = []
    monkeypatch.setattr(signal, "setitimer", lambda *given: found.append(given))
    BOUND_TIME(seconds)
    assert found == [(signal.ITIMER_PROF, set_to)]
