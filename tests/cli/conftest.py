"""The command, run in this process."""

from __future__ import annotations

import sys

import pytest

from tamis._core.progress import Progress
from tamis.cli.main import run


@pytest.fixture
def tamis(monkeypatch, capsys):
    """Run the command in this process: (exit code, stdout, stderr), without its progress, which
    goes by the clock, and a study without workers, which take longer to start than it does."""
    monkeypatch.setattr(Progress, "LONG", 600.0)
    monkeypatch.setattr(Progress, "_say", lambda *_: None)
    monkeypatch.setattr(Progress, "compiling_reported", True)

    def call(*arguments):
        words = list(map(str, arguments))
        if words[:1] == ["study"] and not {"--n-jobs", "--scheduler", "--help"} & set(words):
            words += ["--n-jobs", "1"]
        monkeypatch.setattr(sys, "argv", ["tamis", *words])
        with pytest.raises(SystemExit) as stop:
            run()
        out, err = capsys.readouterr()
        return stop.value.code, out, err

    return call
