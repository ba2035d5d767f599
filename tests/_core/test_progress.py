"""Progress: silent while short, on stderr only, and never when quiet."""

from __future__ import annotations

import io
import sys

import pytest

from tamis._core import progress
from tamis._core.progress import Progress


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until told."""

    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def run(clock, total, seconds_each, **options):
    with Progress(total, "cells", **options) as bar:
        for _ in range(total):
            clock.now += seconds_each
            bar.advance()
    return bar


def test_short_work_prints_nothing(clock, capfd):
    assert run(clock, 100, 0.0199).done == 100
    assert capfd.readouterr() == ("", "")


def test_long_work_prints_lines_to_stderr_and_never_to_stdout(clock, capfd):
    run(clock, 10, 1.0)
    out, err = capfd.readouterr()
    assert out == ""
    assert err == "cells: 3 of 10, about 7 s left\n"


def test_the_first_step_does_not_set_the_pace(clock, capfd):
    with Progress(11, "cells") as bar:
        clock.now += 60  # it also compiles
        bar.advance()
        assert capfd.readouterr().err == ""
        clock.now += 1
        bar.advance()
    assert capfd.readouterr().err == "cells: 2 of 11, about 9 s left\n"


def test_no_time_left_is_told_by_two_steps_in_a_row(clock, capfd):
    """The second may be done with the first: a pace of a tenth of a second says nothing."""
    with Progress(500, "cells") as bar:
        clock.now += 20
        bar.advance()
        clock.now += 0.1
        bar.advance()
        assert capfd.readouterr().err == ""
        clock.now += 0.9
        bar.advance(18)
    assert capfd.readouterr().err == "cells: 20 of 500, about 25 s left\n"


def test_long_times_are_told_in_minutes(clock, capfd):
    with Progress(101, "cells") as bar:
        bar.advance()
        clock.now += 6
        bar.advance()
    assert capfd.readouterr().err == "cells: 2 of 101, about 10 min left\n"


def test_lines_are_half_a_minute_apart(clock, capfd):
    run(clock, 100, 1.0)
    lines = capfd.readouterr().err.splitlines()
    assert lines == [
        "cells: 3 of 100, about 97 s left",
        "cells: 34 of 100, about 66 s left",
        "cells: 65 of 100, about 35 s left",
        "cells: 96 of 100, about 4 s left",
    ]


def test_in_a_notebook_one_line_is_written_anew(clock, monkeypatch):
    kind = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})
    stream = kind()
    monkeypatch.setattr(sys, "stderr", stream)
    run(clock, 100, 0.45)
    lines = stream.getvalue().split("\r")
    assert lines[:3] == ["", "cells: 5 of 100, about 43 s left", "cells: 7 of 100, about 42 s left"]
    assert 40 < len(lines) < 60  # half a second apart
    assert lines[-1].split("  ")[0] == "cells: 100 of 100 in 45 s"
    assert {len(line.rstrip("\n")) for line in lines[2:-1]} >= {32, 33}
    assert stream.getvalue().count("\n") == 1
    quick = kind()
    monkeypatch.setattr(sys, "stderr", quick)
    run(clock, 3, 0.1)
    assert quick.getvalue() == ""


def test_patience_can_be_set(clock, capfd):
    run(clock, 3, 1.0, patience=0.5)
    assert capfd.readouterr().err == "cells: 2 of 3, about 1 s left\n"


def test_quiet_prints_nothing_and_still_counts(clock, capfd):
    assert run(clock, 50, 10.0, quiet=True).done == 50
    assert capfd.readouterr() == ("", "")


def test_many_steps_at_once_and_none(clock, capfd):
    with Progress(100, "cells") as bar:
        clock.now += 5
        bar.advance(0)  # nothing done: no pace, and no division by it
        bar.advance(40)
        assert capfd.readouterr().err == ""
        clock.now += 5
        bar.advance(20)
    assert bar.done == 60
    assert capfd.readouterr().err == "cells: 60 of 100, about 10 s left\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("quiet", [False, True])
def test_a_bar_on_a_terminal(clock, capfd, monkeypatch, quiet):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with Progress(10, "cells", quiet=quiet) as bar:
        bar.advance()
        assert terminal.getvalue() == ""
        clock.now += 3
        bar.advance()
        bar.advance()
    assert ("cells" in terminal.getvalue()) == (not quiet)
    assert capfd.readouterr().out == ""


def test_the_bar_stops_when_the_work_fails(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    bar = Progress(10, "cells")

    def work():
        with bar:
            bar.advance()
            clock.now += 3
            bar.advance()
            assert bar._bar.live.is_started
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert not bar._bar.live.is_started


@pytest.mark.parametrize(("advances", "told"), [(0, True), (1, False)])
def test_a_first_step_that_takes_long_is_told_of(monkeypatch, capsys, advances, told):
    monkeypatch.setattr(Progress, "LONG", 0.05)
    with Progress(3, "trees") as bar:
        for _ in range(advances):
            bar.advance()
        bar._word.join()
    assert ("trees: starting; the first step is slow" in capsys.readouterr().err) == told


def test_work_in_one_step_that_takes_long_is_told_of(monkeypatch, capsys):
    monkeypatch.setattr(Progress, "LONG", 0.05)
    with Progress(1, "learning") as bar:
        bar._word.join()
    assert capsys.readouterr().err == "learning: this takes a while\n"


@pytest.mark.parametrize("quiet", [False, True])
def test_compiling_is_told_of_once_and_while_progress_is(capsys, quiet, monkeypatch):
    monkeypatch.setattr(Progress, "compiling_reported", False)
    progress.tell_of_compiling()
    with Progress(3, "trees", quiet):
        progress.tell_of_compiling()
        progress.tell_of_compiling()
    progress.tell_of_compiling()
    assert capsys.readouterr().err.count("Compiling for the first use: ") == (not quiet)


def test_speed_is_told_of_many_steps(clock, capfd):
    with Progress(1_000_000, "variants") as bar:
        for _ in range(4):
            clock.now += 1
            bar.advance(50_000)
    err = capfd.readouterr().err
    assert err == "variants: 150,000 of 1,000,000, 50,000 a second, about 17 s left\n"
