"""One run of some tests, in a process that is forked for it."""

from __future__ import annotations

import ctypes
import json
import os
import runpy
import signal
import sys
import time
from dataclasses import asdict, dataclass, field
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

HOOK = Path(__file__).with_name("hook")
COVERAGE = """[run]
core = ctrace
source = {slot}/src
relative_files = true
parallel = true
data_file = {data}
patch = subprocess
context = ${{TAMIS_MUTATE_TEST-}}
"""


@dataclass(frozen=True)
class Task:
    """What to run where."""

    slot: str  # a working copy
    work: str  # a folder for what the run writes
    options: list[str]  # of pytest
    files: list[str]  # nearest first
    only: list[str] | None = None  # test ids; all of the files without
    without: list[str] = field(default_factory=list)  # test ids
    stop: bool = True  # at the first failure
    kernels: str | None = None  # the folders of machine code
    coverage: str | None = None  # a data file

    @property
    def now(self) -> Path:
        """A file that holds the test at work, written when it starts."""
        return Path(self.work, "now")

    @property
    def result(self) -> Path:
        return Path(self.work, "result.json")


@dataclass
class Seen:
    """What came of it."""

    failed: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)  # of tests that passed
    cpu: float = 0.0
    package: str = ""


class Watch:
    """A plugin of pytest that writes down what happens."""

    def __init__(self, task: Task, seen: Seen, cover: Any = None):
        self.task, self.seen, self.cover = task, seen, cover
        self.files = {Path(task.slot, file) for file in task.files}
        self.only = None if task.only is None else set(task.only)
        self.without, self.spent = set(task.without), dict[str, float]()

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Files of another tier are given too: pytest takes one that yields nothing for missing."""
        return False if collection_path in self.files else None

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        keep = self.only
        items[:] = [
            item
            for item in items
            if item.nodeid not in self.without
            and (keep is None or item.nodeid in keep or item.nodeid.split("::")[0] in keep)
        ]

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.seen.failed.append(f"{report.nodeid} (import)")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.task.now.write_text(nodeid)
        self._in_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        name = report.nodeid
        self.spent[name] = self.spent.get(name, 0.0) + report.duration
        if report.failed and name not in self.seen.failed:
            self.seen.failed.append(name)
        elif report.when == "teardown" and name not in self.seen.failed:
            self.seen.seconds[name] = round(self.spent[name], 3)

    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> None:
        """What a fixture of several tests runs, all tests of the file run."""
        if fixturedef.scope in ("module", "class", "package"):
            self._in_context(request.node.nodeid.split("::")[0])

    def pytest_runtest_call(self, item: Any) -> None:
        self._in_context(item.nodeid)

    def _in_context(self, name: str) -> None:
        if self.cover:
            os.environ["TAMIS_MUTATE_TEST"] = name
            self.cover.switch_context(name)


def run(task: Task) -> None:
    """Run the tests in batches, twice as many files each time: the nearest are soon done."""
    os.setsid()
    if sys.platform == "linux":  # end with the server, which ends with whoever asked for the run
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    server: Any = forkserver._forkserver  # tests have one of their own; this handle keeps ours
    os.close(server._forkserver_alive_fd)
    server._forkserver_alive_fd = server._forkserver_address = server._forkserver_pid = None
    log = os.open(str(Path(task.work, "log")), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    here = Path(__file__).parents[2]
    first = [str(Path(task.slot, "src")), str(Path(task.slot, "tests")), str(HOOK)]
    sys.path[:] = first + [p for p in sys.path if p not in (str(here / "src"), str(here / "tests"))]
    os.chdir(task.slot)
    os.environ |= {"PYTHONPATH": os.pathsep.join(first), "TMPDIR": task.work, "CI": "1"}
    if task.kernels:
        os.environ["TAMIS_MUTATE_KERNELS"] = task.kernels
    task.now.write_text("the first import")
    runpy.run_path(str(HOOK / "sitecustomize.py"))
    cover = _coverage(task) if task.coverage else None
    if cover and sys.platform == "linux":  # one processor: no workers, whose lines are not seen
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {processors[int(Path(task.slot).name) % len(processors)]})
    seen = Seen()
    _run_batches(task, seen, cover)
    import tamis

    seen.package = str(tamis.__file__)
    if cover:
        cover.stop()
        cover.save()
    times = os.times()
    seen.cpu = round(sum(times[:4]), 2)
    half = task.result.with_suffix(".half")
    half.write_text(json.dumps(asdict(seen)))
    half.replace(task.result)
    os._exit(0)


def _run_batches(task: Task, seen: Seen, cover: Any) -> None:
    import pytest

    start, size = 0, 1 if task.stop else len(task.files)
    while start < len(task.files) and not (task.stop and seen.failed):
        files, start, size = task.files[start : start + size], start + size, 2 * size
        task.now.write_text(f"{files[0]} (import)")
        shared = ["-n0", "-q", "-p", "no:cacheprovider", *(["-x"] if task.stop else [])]
        base = f"--basetemp={task.work}/tmp{time.monotonic_ns()}"
        pytest.main(
            [*task.options, *shared, "--tb=short", base, *files],
            plugins=[Watch(task, seen, cover)],
        )


def _coverage(task: Task) -> Any:
    from coverage import Coverage

    settings = Path(task.work, "coveragerc")
    settings.write_text(COVERAGE.format(slot=task.slot, data=task.coverage))
    cover = Coverage(config_file=str(settings))
    cover.start()
    return cover
