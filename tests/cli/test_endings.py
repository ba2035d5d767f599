"""How a command ends: its exit code, and the line that it leaves, whatever was raised in it."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

import click
import pytest
from click.exceptions import Exit

from tamis._core import fork_server, memory_limits, starting, terminal
from tamis._core.errors import DataError
from tamis.cli import main as module
from tamis.cli.main import lacks_memory, was_interrupted

STOPPED = "tamis: stopped; the result is not complete (run it again)\n"


class Several(DataError):
    @property
    def lines(self):
        return ["two things are wrong", "the first", "the second"]


def caused(error, cause):
    error.__cause__ = cause
    return error


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs a command that raises or returns this; its exit code and what is on stderr."""
    for of, name in [
        (starting, "begin_to_load"),
        (memory_limits, "sparing_libraries"),
        (terminal, "occupy_closed_streams"),
        (terminal, "give_up_stdout"),
        (module, "import_nothing_from_here"),
        (module.signal, "signal"),
    ]:
        monkeypatch.setattr(of, name, lambda *_: None)
    monkeypatch.setattr(module.warnings, "showwarning", None)
    monkeypatch.setattr(sys, "argv", ["tamis", "methods"])
    ended = []
    monkeypatch.setattr(fork_server, "end_server", lambda: ended.append(True))
    monkeypatch.setitem(
        sys.modules, "tamis._core.workers", SimpleNamespace(end_workers=lambda: None)
    )

    def call(given):
        def command(standalone_mode):
            assert standalone_mode is False
            if isinstance(given, BaseException):
                raise given
            return given

        monkeypatch.setattr(module.main, "main", command)
        with pytest.raises(SystemExit) as stop:
            module.run()
        assert ended.pop()
        return stop.value.code, capsys.readouterr().err

    return call


@pytest.mark.every
@pytest.mark.parametrize(
    ("given", "code", "line"),
    [
        (None, 0, ""),
        (3, 3, ""),
        ("text", 0, ""),
        (Exit(4), 4, ""),
        (DataError("no file"), 2, "tamis: no file\n"),
        (Several("x"), 2, "tamis: two things are wrong\n  the first\n  the second\n"),
        (click.UsageError("no such\noption"), 2, "tamis: no such option\n"),
        (click.Abort(), 130, STOPPED),
        (KeyboardInterrupt(), 130, STOPPED),
        (caused(SystemError("of Numba"), KeyboardInterrupt()), 130, STOPPED),
        (caused(OSError("of a terminal"), KeyboardInterrupt()), 130, STOPPED),
        (FileNotFoundError(2, "No such file", "a\nb"), 2, "tamis: 'a\\nb': No such file\n"),
        (OSError(28, "No space left"), 2, "tamis: No space left\n"),
        (OSError("odd"), 2, "tamis: odd\n"),
        (MemoryError(), 2, "tamis: not enough memory for this; use fewer features or a machine "
         "with more\n"),
        (RuntimeError("can't start new thread"), 2, "tamis: not enough memory for this; use fewer "
         "features or a machine with more\n"),
    ],
)  # fmt: skip
def test_what_is_raised_is_an_exit_code_and_a_line(run, given, code, line):
    assert run(given) == (code, line)


@pytest.mark.parametrize("error", [SystemError("of Numba"), RuntimeError("x"), ImportError("y")])
def test_a_fault_of_the_program_is_raised(run, error):
    with pytest.raises(type(error)):
        run(error)


@pytest.mark.parametrize("unread", [True, False])
def test_a_pipe_that_nobody_reads_is_no_fault(run, monkeypatch, unread):
    monkeypatch.setattr(terminal, "is_unread", lambda opened: unread)
    error = BrokenPipeError(32, "Broken pipe")
    expected = (0, "") if unread else (2, "tamis: Broken pipe\n")
    assert run(error) == expected
    by_click = SystemExit(1)
    by_click.__context__ = error
    assert run(by_click) == expected
    assert run(SystemExit(7)) == (7, "")


def test_nothing_on_a_closed_stdout_is_told(run, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert run(None) == (0, "")
    code, line = run(0)  # of --help and --version
    assert (code, line) == (2, f"tamis: {terminal.CLOSED_STDOUT_MESSAGE}\n")


@pytest.mark.every
@pytest.mark.parametrize(
    ("error", "memory", "stopped"),
    [
        (MemoryError(), True, False),
        (caused(ImportError("x"), MemoryError()), True, False),
        (ImportError("libx.so: failed to map segment from it"), True, False),
        (caused(RuntimeError("x"), OSError("Cannot allocate memory")), True, False),
        (ImportError("no module"), False, False),
        (None, False, False),
        (caused(SystemError("x"), caused(ValueError("y"), KeyboardInterrupt())), False, True),
    ],
)
def test_causes_are_looked_for_behind_an_error(error, memory, stopped):
    assert (lacks_memory(error), was_interrupted(error)) == (memory, stopped)


def test_modules_of_the_working_directory_are_not_found(monkeypatch, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), str(elsewhere), "elsewhere/.."])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(elsewhere), ".", str(tmp_path)]))
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    module.import_nothing_from_here()
    assert sys.path == [str(elsewhere)]
    assert os.environ["PYTHONPATH"] == str(elsewhere)
    assert os.environ["PYTHONSAFEPATH"] == "1"


def test_where_tamis_lies_everything_is_found(monkeypatch):
    import tamis

    monkeypatch.chdir(os.path.join(os.path.dirname(tamis.__file__), os.pardir))
    monkeypatch.setattr(sys, "path", before := ["", "x"])
    module.import_nothing_from_here()
    assert sys.path == before
