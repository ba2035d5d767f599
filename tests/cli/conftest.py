"""The command, run in this process."""

from __future__ import annotations

import sys

import pytest

from tamis._core.progress import Progress
from tamis.cli.main import run


@pytest.fixture
def tamis(monkeypatch, capsys):
    """Run the command in this process: (exit code, stdout, stderr), without its progress, which
    goes by the clock."""
    monkeypatch.setattr(Progress, "LONG", 600.0)
    monkeypatch.setattr(Progress, "_say", lambda *_: None)
    monkeypatch.setattr(Progress, "compiling_told", True)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["tamis", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            run()
        out, err = capsys.readouterr()
        return stop.value.code, out, err

    return call
