"""All that is printed: nothing steers a terminal, nothing is lost without a word."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis._core import terminal
from tamis._core.errors import MAX_MESSAGE_LENGTH, DataError, StoreError, message_line

HOSTILE = "a\x1b[31m\x9b2J\u202eb\x00\x7f\udc80é漢"


def printed(monkeypatch, write, encoding="utf-8"):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    write()
    return stream.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "utf-16-le"])
def test_no_character_steers_or_stops_it(monkeypatch, encoding):
    text = printed(monkeypatch, lambda: terminal.print_text(HOSTILE), encoding)
    assert text.rstrip("\n").isprintable()
    assert text.startswith("a?[31m?2J?b???")
    found = printed(monkeypatch, lambda: terminal.print_json({"x": HOSTILE}), encoding)
    assert found.rstrip("\n").isprintable()
    assert json.loads(found) == {"x": HOSTILE}


def test_a_table_is_whole_or_refused(monkeypatch):
    table = "s\tp\nsé\x1b\t0.5\n"
    found = printed(monkeypatch, lambda: terminal.print_table(table))
    assert found == "s\tp\nsé?\t0.5\n"
    with pytest.raises(StoreError, match=r"ascii and cannot hold 'é': set PYTHONIOENCODING=utf-8"):
        printed(monkeypatch, lambda: terminal.print_table(table), "ascii")


def test_closed_streams(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    terminal.say_to_user("nobody hears")
    for write in (terminal.print_text, terminal.print_table, terminal.print_json):
        with pytest.raises(StoreError, match="standard output is closed"):
            write("x")


@given(st.text(max_size=2000))
def test_messages_are_one_printable_line(text):
    line = str(DataError(text))
    assert line == message_line(text)
    assert line.isprintable()
    assert len(line) <= MAX_MESSAGE_LENGTH
    assert message_line(line) == line


def test_a_long_message_keeps_its_ends():
    line = message_line("what is wrong " + "x" * 5000 + " what to do")
    assert len(line) == MAX_MESSAGE_LENGTH
    assert line.startswith("what is wrong")
    assert line.endswith("what to do")


def test_a_long_message_is_not_cut_within_a_quoted_name():
    name = "a long name of a metabolite, with its adduct [M+H]+"
    for k in range(60):
        start = f"column {name!r} holds {'x' * k}{'numbers ' * 45}(it isn't) "
        line = message_line(
            f"{start}: leave it out with drop=[{name!r}], or id='a' and id=\"5'-N\""
        )
        assert len(line) <= MAX_MESSAGE_LENGTH
        head, tail = line.split(" ... ")
        assert start.startswith(head)
        assert tail.endswith("id='a' and id=\"5'-N\"")
        assert tail.count(name) + tail.count("metabolite") in (0, 2)


def test_nothing_else_prints():
    room = Path(tamis.__file__).parent
    prints = re.compile(r"(?<![\w.>] )(?<![\w.])print\(|click\.echo\(|sys\.std(out|err)\.write\(")
    code = re.compile(r"^\s*(>>>|\.\.\.).*$", re.MULTILINE)
    found = [
        path.name
        for path in room.rglob("*.py")
        if prints.search(code.sub("", path.read_text(encoding="utf-8")))
    ]
    assert found == []


TAMIS = f"{sys.executable} -c 'from tamis.cli.main import run; run()'"


@pytest.mark.longer
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("where", "code", "says"),
    [
        ("> /dev/full", 2, "tamis: cannot write to standard output: No space left on device"),
        (">&-", 2, "tamis: standard output is closed"),
        ("2>&- > /dev/null", 0, ""),
        ("2> /dev/full > /dev/full", 2, ""),
    ],
)
def test_streams_that_take_nothing(where, code, says):
    done = subprocess.run(["sh", "-c", f"{TAMIS} methods {where}"], capture_output=True, text=True)
    assert done.returncode == code
    assert done.stderr.startswith(says)
    assert done.stderr.count("\n") == bool(says)


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("words", ["--help", "--version", "study --help"])
def test_help_that_goes_nowhere(words):
    done = subprocess.run(["sh", "-c", f"{TAMIS} {words} >&-"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("tamis: standard output is closed")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("words", ["--help", "methods"])
def test_a_pipe_that_nobody_reads(words):
    run, write = os.pipe()
    os.close(run)
    try:
        command = ["sh", "-c", f"{TAMIS} {words}"]
        done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (0, "")
