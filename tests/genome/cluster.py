"""A Dask scheduler and workers as processes of their own."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

DASK = (sys.executable, "-m", "dask")


@dataclass
class Cluster:
    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """On a free port of this machine; everything is ended at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    plain = ("--host", "127.0.0.1", "--no-dashboard")
    commands = [
        (*DASK, "scheduler", "--port", str(port), *plain),
        *[(*DASK, "worker", address, "--nthreads", "1", "--no-nanny", *plain)] * workers,
    ]
    started = []
    try:
        for command in commands:
            with open(folder / f"{len(started)}.log", "wb") as log:
                started.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=folder))
        yield Cluster(address, started[0], started[1:])
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()
