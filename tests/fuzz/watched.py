"""Spoiled inputs given to a process that is watched, so that a signal or a hang is seen."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

LONGEST = 500  # characters of a message
TESTS = Path(__file__).resolve().parents[1]


class Watched:
    """A process that answers for inputs, begun again whenever it ends.

    Parameters
    ----------
    questions : str
        A module with `ask`, of a path, and `warm`.
    seconds : float
        That an input may take.
    bounds : bool
        Compiled kernels check their indices, in another cache.

    Attributes
    ----------
    slowest : float
        Seconds that an input took, at most.
    """

    def __init__(self, questions: str, seconds: float = 5.0, bounds: bool = False):
        self.questions, self.seconds = questions, seconds
        paths = [str(TESTS), *sys.path]
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "ARROW_DEFAULT_MEMORY_POOL": "system",  # others take address space ahead of need
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        if bounds:
            self._environment |= {
                "NUMBA_BOUNDSCHECK": "1",
                "NUMBA_CACHE_DIR": str(Path.home() / ".cache" / "tamis-fuzz-bounds"),
            }
        self._process: subprocess.Popen[str] | None = None
        self._warm = False
        self.slowest = 0.0

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def ask(self, path: Path) -> tuple[str, str]:
        """What was said of an input, and what was the fault, if there was one."""
        if self._process is None:
            command = [sys.executable, "-m", "fuzz.child", self.questions]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=self._environment,
                stderr=subprocess.DEVNULL,
            )
            self._warm = False
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        start = time.monotonic()
        process.stdin.write(json.dumps(str(path)) + "\n")
        process.stdin.flush()
        # the first input waits for imports, and for kernels that no cache has yet
        seconds = self.seconds if self._warm else 600
        ready, _, _ = select.select([process.stdout], [], [], seconds)
        line = process.stdout.readline() if ready else ""
        if not line:
            if not ready:
                process.kill()
            code = process.wait()
            self._process = None
            return "", f"no answer in {seconds} s" if not ready else f"the process ended: {code}"
        if self._warm:
            self.slowest = max(self.slowest, time.monotonic() - start)
        self._warm = True
        found = json.loads(line)
        return found["said"], found["fault"] or unfit_message(found["said"])

    def _end(self) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()
            self._process = None


def unfit_message(said: str) -> str:
    """What is wrong with a message, if anything is."""
    for line in said.split("\n"):
        if len(line) >= LONGEST:
            return f"a line of {len(line):,} characters: {line[:LONGEST]!r}"
        if not all(letter.isprintable() for letter in line):
            return f"a line with control characters: {line!r}"
    return ""
