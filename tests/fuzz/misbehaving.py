"""What a reader must not do, so that the watch itself is tested."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tamis._core.errors import DataError


def warm() -> None:
    """Nothing to do."""


def ask(path: Path) -> None:
    """What the file says."""
    DOES[path.read_text()]()


class _Raw(DataError):
    def __str__(self) -> str:
        return str(self.args[0])


def _says(text: str) -> None:
    raise _Raw(text)


DOES = {
    "reads": lambda: None,
    "refuses": lambda: _says("'x' is damaged"),
    "crashes": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "hangs": lambda: time.sleep(60),
    "takes all": lambda: bytearray(1 << 30),
    "fails": lambda: 1 / 0,
    "raves": lambda: _says("x" * 500),
    "paints": lambda: _says("\x1b[31m"),
}
