"""A Dask scheduler and workers as processes of their own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

DASK = (sys.executable, "-m", "dask")


def wait_for(words: bytes, log: Path, most: float = 60.0) -> None:
    """Until a process has said something."""
    end = time.monotonic() + most
    while words not in log.read_bytes():
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.05)


@dataclass
class Cluster:
    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def cluster(folder: Path, workers: int = 2, **settings: str) -> Iterator[Cluster]:
    """On a free port of this machine, with settings in the environment; ended at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    plain = ("--host", "127.0.0.1", "--no-dashboard")
    commands = [
        (*DASK, "scheduler", "--port", str(port), *plain),
        *[(*DASK, "worker", address, "--nthreads", "1", "--no-nanny", *plain)] * workers,
    ]
    env = {**os.environ, **settings}
    started = []
    try:
        for command in commands:
            with open(folder / f"{len(started)}.log", "wb") as log:
                started.append(
                    subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=env)
                )
        wait_for(b"Scheduler at", folder / "0.log")
        for k in range(1, workers + 1):
            wait_for(b"Registered to", folder / f"{k}.log")
        yield Cluster(address, started[0], started[1:])
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()
