"""A Dask scheduler and workers as processes of their own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
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
    """What runs; more workers can be started."""

    folder: Path
    port: int
    settings: dict[str, str]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    protocol: str = "tcp"

    @property
    def address(self) -> str:
        return f"{self.protocol}://127.0.0.1:{self.port}"

    @property
    def scheduler(self) -> subprocess.Popen[bytes]:
        return self.processes[0]

    @property
    def workers(self) -> list[subprocess.Popen[bytes]]:
        return self.processes[1:]

    def start(self, *command: str) -> None:
        """A process that writes a log."""
        with open(self.folder / f"{len(self.processes)}.log", "wb") as log:
            self.processes.append(
                subprocess.Popen(
                    (*DASK, *command, "--host", "127.0.0.1", "--no-dashboard"),
                    stdout=log,
                    stderr=log,
                    cwd=self.folder,
                    env={**os.environ, **self.settings},
                )
            )

    def start_workers(self, number: int, threads: int = 1) -> None:
        """Each a process of its own, without one that starts it again."""
        for _ in range(number):
            self.start("worker", self.address, "--nthreads", str(threads), "--no-nanny")

    def wait(self) -> None:
        """Until all that was started is there."""
        wait_for(b"Scheduler at", self.folder / "0.log")
        for k in range(1, len(self.processes)):
            wait_for(b"Registered to", self.folder / f"{k}.log")


@contextmanager
def cluster(
    folder: Path, workers: int = 2, threads: int = 1, protocol: str = "tcp", **settings: str
) -> Iterator[Cluster]:
    """On a free port of this machine, with settings in the environment; ended at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = Cluster(folder, port, settings, protocol=protocol)
    try:
        running.start("scheduler", "--port", str(port), "--protocol", protocol)
        running.start_workers(workers, threads)
        running.wait()
        yield running
    finally:
        for process in running.processes:
            process.kill()
        for process in running.processes:
            process.wait()
