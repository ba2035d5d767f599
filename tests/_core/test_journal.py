"""The journal: one owner at a time, told by name; nothing else is opened in its place."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from platform import node

import pytest

from tamis._core import journal, locks
from tamis._core.errors import StoreError
from tamis._core.journal import JOURNAL_NAME, Journal

OWNER = """
import sys, time
from tamis._core.journal import Journal
with Journal(sys.argv[1]) as journal:
    if len(sys.argv) > 2:
        journal.write(event="begin")
    print("there", flush=True)
    time.sleep(60)
"""


def lines(folder):
    return [json.loads(line) for line in (folder / JOURNAL_NAME).read_text().splitlines()]


def refused(folder, says):
    with pytest.raises(StoreError, match=says) as error:
        Journal(folder)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 500
    return str(error.value)


@pytest.fixture
def owner(tmp_path):
    """Another process that works in a folder."""
    started = []

    def start(*more):
        command = [sys.executable, "-c", OWNER, str(tmp_path), *more]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE))
        assert started[-1].stdout.readline() == b"there\n"
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_it_tells_who_owns_the_folder_and_what_happened(tmp_path):
    with Journal(tmp_path / "new") as own:
        own.write(event="begin", tasks=3)
    first, second = lines(tmp_path / "new")
    assert abs(first.pop("time") - time.time()) < 60
    assert first == {"event": "owner", "host": node(), "pid": os.getpid()}
    assert second["tasks"] == 3
    with Journal(tmp_path / "new") as own:
        own.write(event="done")
    assert [line["event"] for line in lines(tmp_path / "new")] == ["owner", "begin"] + [
        "owner",
        "done",
    ]


def test_a_journal_of_owners_alone_goes_with_the_last(tmp_path, owner):
    with Journal(tmp_path):
        assert (tmp_path / JOURNAL_NAME).exists()
    assert not (tmp_path / JOURNAL_NAME).exists()
    owner().kill()
    while True:  # the system lets go when the process has gone
        try:
            Journal(tmp_path).close()
            break
        except StoreError:
            time.sleep(0.01)
    assert not (tmp_path / JOURNAL_NAME).exists()


@pytest.mark.parametrize("told", [(), ("more",)])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_who_comes_second_is_told_who_is_there_until_that_dies(tmp_path, owner, how, told):
    process = owner(*told)
    said = refused(tmp_path, f"in use by process {process.pid} on {node()} since 20")
    assert said.startswith(repr(str(tmp_path)))
    assert said.endswith("wait until that is done, or choose another folder with --out")
    process.send_signal(how)
    process.wait()
    with Journal(tmp_path) as own:
        own.write(event="begin")
        refused(tmp_path, f"in use by process {os.getpid()} on")


def test_threads_of_a_process_exclude_each_other(tmp_path):
    barrier, won, lost = threading.Barrier(8), [], []

    def start():
        barrier.wait()
        try:
            won.append(Journal(tmp_path))
        except StoreError as error:
            lost.append(str(error))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert [f"process {os.getpid()} on" in said for said in lost] == [True] * 7
    won[0].close()


def test_nobody_inherits_it(tmp_path):
    """Neither a copy of the process nor another program that it starts."""
    own = Journal(tmp_path)
    own.write(event="begin")
    process = subprocess.Popen(["sleep", "60"], close_fds=False)
    there, here = os.pipe()
    copy = os.fork()
    if copy == 0:
        own.close()
        os.write(here, b".")
        time.sleep(60)
    try:
        os.read(there, 1)
        refused(tmp_path, "in use")
        own.close()
        Journal(tmp_path).close()
    finally:
        process.kill()
        process.wait()
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
    assert [line["event"] for line in lines(tmp_path)] == ["owner", "begin", "owner"]


def test_an_owner_about_to_say_who_it_is_is_waited_for(tmp_path, owner):
    """Until then the last line is of one that is gone."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    process = owner()
    text = (tmp_path / JOURNAL_NAME).read_text()
    assert f'"pid": {process.pid}' in text
    (tmp_path / JOURNAL_NAME).write_text(text.replace(str(process.pid), str(gone.pid)))

    def say():
        time.sleep(0.3)
        with open(tmp_path / JOURNAL_NAME, "a") as file:
            file.write(text)

    thread = threading.Thread(target=say)
    thread.start()
    refused(tmp_path, f"in use by process {process.pid} on")
    thread.join()


@pytest.mark.parametrize(
    "line",
    [
        '"event": "owner"',
        '{"time": 1, "event": "owner"}',
        '{"time": 1e999, "event": "owner", "host": "h", "pid": 1}',
        '{"time": "x", "event": "owner", "host": "h", "pid": []}',
        '{"time": 1, "event": "owner", "host": "h", "pid": ' + "9" * 5000 + "}",
        "",
    ],
)
def test_an_owner_that_cannot_be_read_is_another_process(tmp_path, owner, monkeypatch, line):
    monkeypatch.setattr(journal, "OWNER_WAIT_SECONDS", 0.1)
    owner()
    (tmp_path / JOURNAL_NAME).write_text('{"time": 1, "event": "begin"}\n' + line + "\n")
    refused(tmp_path, "is in use by another process: wait")


def test_a_host_cannot_steer_the_terminal(tmp_path, owner):
    owner()
    line = {"time": 1, "event": "owner", "host": "\x1b[31m\u202e" + "h" * 1000, "pid": 5}
    (tmp_path / JOURNAL_NAME).write_text(json.dumps(line) + "\n")
    refused(tmp_path, r"process 5 on \?\[31m\?hhh")


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "private").write_text("kept")
    for place in ("private", "missing"):
        (tmp_path / JOURNAL_NAME).symlink_to(tmp_path / place)
        refused(tmp_path, "is no plain file: choose another folder with --out")
        (tmp_path / JOURNAL_NAME).unlink()
    assert (tmp_path / "private").read_text() == "kept"
    assert not (tmp_path / "missing").exists()


def test_a_link_that_comes_between_two_looks_is_not_followed(tmp_path, monkeypatch):
    (tmp_path / "private").write_text("")
    (tmp_path / JOURNAL_NAME).symlink_to(tmp_path / "private")
    monkeypatch.setattr(journal.os, "lstat", os.stat)
    refused(tmp_path, "cannot write '.*journal.jsonl'")
    assert (tmp_path / "private").read_text() == ""


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_nothing_but_a_file_is_opened(tmp_path, monkeypatch, kind):
    place = tmp_path / JOURNAL_NAME
    os.mkfifo(place) if kind == "fifo" else place.mkdir()
    refused(tmp_path, "is no plain file")
    plain = os.stat(__file__)
    monkeypatch.setattr(journal.os, "lstat", lambda path: plain)  # as it was a moment ago
    refused(tmp_path, "is no plain file" if kind == "fifo" else "cannot write")


@pytest.mark.parametrize("text", ["x", '{"entry": 1}\n', '[{"time": 1}]', "\n"])
def test_somebody_elses_journal_is_left_alone(tmp_path, text):
    (tmp_path / JOURNAL_NAME).write_text(text)
    refused(tmp_path, "is no journal of Tamis: choose another folder")
    assert (tmp_path / JOURNAL_NAME).read_text() == text


@pytest.mark.parametrize("text", ["", '{"ti', '{"time": 5, "event": "ow'])
def test_one_that_was_never_finished_is_gone_on_with(tmp_path, text):
    (tmp_path / JOURNAL_NAME).write_text(text)
    with Journal(tmp_path) as own:
        own.write(event="begin")
    assert '"begin"' in (tmp_path / JOURNAL_NAME).read_text()


@pytest.mark.parametrize("code", ["ENOLCK", "EOPNOTSUPP"])
def test_a_file_system_without_locks_is_remarked(tmp_path, monkeypatch, code):
    def unable(handle):
        raise OSError(getattr(errno, code), "unable")

    monkeypatch.setattr(locks, "_lock_file", unable)
    with pytest.warns(UserWarning, match="knows no locks: see to it that nothing else works there"):
        Journal(tmp_path).close()


def test_a_disk_that_is_full_is_one_line(tmp_path):
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        refused(tmp_path, "cannot write '.*journal.jsonl': File too large; free some space")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []
