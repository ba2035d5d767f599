"""What every benchmark shares: data, clocks, versions, Markdown tables."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

# One thread each, set before any library that starts threads is imported.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# numba imports the library `coverage` if it can, and beside a script that would be coverage.py.
if "coverage" not in sys.modules:
    sys.modules["coverage"] = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Timing:
    """Best of several runs, in seconds."""

    wall: float
    cpu: float
    value: Any


def timed(function: Callable[[], Any], repeats: int = 1) -> Timing:
    """Run a function; keep the run with the least wall time."""
    best = None
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        value = function()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if best is None or wall < best.wall:
            best = Timing(wall, cpu, value)
    assert best is not None
    return best


def shared_folder() -> Path:
    """The folder of real data sets, or one line on stderr and exit code 2."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    for place in (os.environ.get("TAMIS_DATA"), beside):
        if place and (Path(place) / "expression").is_dir():
            return Path(place)
    print("needs the shared real data sets: set TAMIS_DATA to their folder", file=sys.stderr)
    raise SystemExit(2)


def shared_set(name: str):
    """One shared expression set as a Dataset."""
    from tamis.data import read_table

    return read_table(shared_folder() / "expression" / f"{name}.parquet", target="class")


def versions(*libraries: str) -> str:
    """Python, library versions and the processor's architecture, for the table's caption."""
    named = [f"{name} {version(name)}" for name in ("tamis", *libraries)]
    python = f"Python {platform.python_version()}"
    return f"{python}, {', '.join(named)}, {platform.machine()}, one thread each"


def markdown(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(header)} |", f"|{' --- |' * len(header)}"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join(lines)
