"""The command, run in this process."""

from __future__ import annotations

import sys

import pytest

from tamis.cli.main import run


@pytest.fixture
def tamis(monkeypatch, capsys):
    """Run the command in this process: (exit code, stdout, stderr)."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["tamis", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            run()
        out, err = capsys.readouterr()
        return stop.value.code, out, err

    return call
