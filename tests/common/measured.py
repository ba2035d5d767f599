"""What the quick tests cost, and which kernels they compile: the tables of tests/measured.

`just measure` writes them anew, `costs.tsv` by a run of all that is not marked slow and
`kernels.tsv` by one of the quick tests. `costs.tsv`: seconds of each test function that takes over
`DEAR`, which leaves it to the full tier, waiting for browsers and workers counted, without
compiling and without fixtures that others share; where files are named, only the lines of their
tests are written anew. `kernels.tsv`: seconds, module, function and types of each kernel that is
compiled, which `common.compiled` compiles ahead; where files are named, only the lines of
modules of `common.plain` that their tests compile are written anew.
"""

from __future__ import annotations

import signal
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from time import monotonic, thread_time
from typing import Any

import pytest
from numba.core import event

from common.compiled import LIST, types_text
from common.plain import PLAIN
from common.tiers import COSTS, DEAR

LONGEST = 60  # seconds after which a test is ended, and known to be dear


class Compiling(event.Listener):
    """A listener of numba's that keeps what is compiled by itself, not within another kernel."""

    def __init__(self) -> None:
        self.kernels: list[tuple[float, str, str, str]] = []
        self.depth, self.since, self.seconds = 0, 0.0, 0.0

    def on_start(self, event: Any) -> None:
        self.depth += 1
        self.since = thread_time() if self.depth == 1 else self.since

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            taken = thread_time() - self.since
            self.seconds += taken
            kernel = event.data["dispatcher"].py_func
            line = (round(taken, 2), kernel.__module__, kernel.__qualname__)
            self.kernels.append((*line, types_text(event.data["args"])))


class Recorder:
    """In a worker: measures each item. In the controller: gathers and writes."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.costs: defaultdict[str, float] = defaultdict(float)
        self.shared = 0.0  # seconds of fixtures of a wider scope
        self.compiling = Compiling()
        event.register("numba:compile", self.compiling)
        self.kernels: dict[tuple[str, str, str], float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Any:
        began, compiled, within = monotonic(), self.compiling.seconds, self.shared
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self.shared = within + monotonic() - began - (self.compiling.seconds - compiled)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        began, compiled, shared = monotonic(), self.compiling.seconds, self.shared
        signal.signal(signal.SIGALRM, _too_long)
        signal.alarm(LONGEST)
        try:
            return (yield)
        finally:
            signal.alarm(0)
            taken = (
                monotonic() - began - (self.compiling.seconds - compiled) - (self.shared - shared)
            )
            self.costs[item.nodeid.split("[")[0]] += taken

    def pytest_testnodedown(self, node: Any) -> None:
        self._gather(node.workeroutput["costs"], node.workeroutput["kernels"])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        config: Any = session.config
        if hasattr(config, "workeroutput"):
            config.workeroutput["costs"] = dict(self.costs)
            config.workeroutput["kernels"] = self.compiling.kernels
            return
        own = dict(self.costs)
        self.costs.clear()
        self._gather(own, self.compiling.kernels)
        if self.what == "costs":
            kept = _other_costs(self.costs) if config.option.file_or_dir else []
            _write(COSTS, [*kept, *((s, test) for test, s in self.costs.items() if s >= DEAR)])
            return
        some = bool(config.option.file_or_dir)
        before = (line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines())
        again = {module for module, *_ in self.kernels} if some else None  # None: all of them
        kept = [
            (float(s), *key)
            for s, *key in before
            if _is_plain(key[0]) != some or (again is not None and key[0] not in again)
        ]
        found = [(s, *key) for key, s in self.kernels.items() if _is_plain(key[0]) == some]
        _write(LIST, kept + [line for line in found if line[1].startswith("tamis.")])

    def _gather(self, costs: dict[str, float], kernels: list[Any]) -> None:
        for test, seconds in costs.items():
            self.costs[test] += seconds
        for seconds, *key in kernels:  # both workers may have compiled it
            self.kernels.setdefault(tuple(key), seconds)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--measure", choices=("costs", "kernels"), required=True)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(config.getoption("measure")), "recorder")


def _too_long(*_: object) -> None:
    raise TimeoutError(f"over {LONGEST} s")


def _is_plain(module: str) -> bool:
    return bool(PLAIN.fullmatch(module))


def _other_costs(measured: Collection[str]) -> list[tuple[float, str]]:
    """Lines of the table of tests that were not measured."""
    lines = (line.split("\t") for line in COSTS.read_text(encoding="utf-8").splitlines())
    return [(float(seconds), test) for seconds, test in lines if test not in measured]


def _write(table: Path, lines: Any) -> None:
    texts = [
        "\t".join((f"{seconds:.2f}", *rest))
        for seconds, *rest in sorted(lines, key=lambda one: (-one[0], one))
    ]
    table.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
