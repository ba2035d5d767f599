"""Trying mutants: quick tests first, then the full ones for those that survived."""

from __future__ import annotations

import hashlib
import json
import math
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutate.child import Task
from mutate.draw import Mutant
from mutate.near import READERS, Imports, Recorded, is_test
from mutate.slots import KERNELS, PLENTY, Kernels, Outcome, Slot, files_of, listed

SEEN = ("killed", "endless")
ENDED = "ended"
ROUNDS = 3  # attempts at those of which one said nothing


@dataclass(frozen=True)
class Result:
    """What came of a mutant in a stage, a line of the file of results."""

    key: str
    stage: str  # quick or full
    what: str
    test: str
    seconds: float
    cpu: float


class Campaign:
    """Working copies of a checkout, what is known of its tests, and results so far."""

    def __init__(self, checkout: Path, jobs: int):
        memory = checkout / ".mutate"
        memory.mkdir(exist_ok=True)
        (memory / ".gitignore").write_text("*\n")
        os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        shared = checkout.parent / "shared/data"
        if shared.is_dir():
            os.environ.setdefault("TAMIS_DATA", str(shared))
        names = listed(checkout)
        first = Slot(checkout, memory / "slots/0", names)
        others = (Slot(first.folder, memory / f"slots/{k}", names) for k in range(1, jobs))
        self.slots, self.memory, self.root = [first, *others], memory, first.folder
        self.imports = Imports(self.root)
        self.kernels = Kernels(self.imports, memory / "kernels")
        self.kernels.take(checkout)
        self.recorded = Recorded(memory, self.root)
        self.normal = dict(self.recorded.seconds)  # of tests
        self.sound, self.unsound = set(self.normal), set[str]()
        self.results: dict[tuple[str, str], Result] = {}
        self.out: Path | None = None

    def keep(self, out: Path) -> None:
        """Results go to a file; those of a run that did not end go on, mutant by mutant."""
        lines = out.read_text(encoding="utf-8").splitlines() if out.is_file() else []
        if lines and lines[-1] != ENDED:
            done = [Result(**json.loads(line)) for line in lines if line.endswith("}")]
            self.results = {(one.key, one.stage): one for one in done}
            print(f"{len(done)} results of {out} go on", file=sys.stderr)
        out.parent.mkdir(parents=True, exist_ok=True)
        kept = [json.dumps(vars(one)) + "\n" for one in self.results.values()]
        out.write_text("".join(kept), encoding="utf-8")
        self.out = out

    def end(self) -> None:
        """The next run with this file begins anew."""
        if self.out is not None:
            with self.out.open("a", encoding="utf-8") as file:
                file.write(ENDED + "\n")

    def quick(self, mutants: list[Mutant], limit: float) -> None:
        self._stage("quick", mutants, limit, self.quick_tests)

    def full(self, mutants: list[Mutant], limit: float) -> None:
        self._stage("full", mutants, limit, lambda mutant: (self.full_files(mutant), None))

    def quick_tests(self, mutant: Mutant) -> tuple[list[str], list[str] | None]:
        """Files, nearest first, and the tests that ran the changed lines, where that is known."""
        near = self.imports.tests(mutant.path) or self.full_files(mutant)
        tests = self.recorded.tests(mutant.path, mutant.lines)
        if not tests:  # perhaps what an import runs: a constant
            return [*near[:1], *READERS, *near[1:]], None
        place = {file: k for k, file in enumerate(near)}
        ran = sorted(files_of(tests), key=lambda file: place.get(file, len(near)))
        if mutant.path.startswith(KERNELS):  # only what runs as plain Python is recorded of it
            return list(dict.fromkeys([*near[:1], *ran, *near[1:]])), None
        return ran, tests

    def full_files(self, mutant: Mutant) -> list[str]:
        """What imports the file, nearest first, then all other tests of the rooms that do."""
        near, rooms = self.imports.tests(mutant.path), self.imports.rooms_above(mutant.path)
        others = {one for one in self.imports.names if is_test(one) and one.split("/")[1] in rooms}
        return near + sorted(others - set(near))

    def _stage(
        self,
        stage: str,
        mutants: list[Mutant],
        limit: float,
        choose: Callable[[Mutant], tuple[list[str], list[str] | None]],
    ) -> None:
        """Each mutant, again without those tests that turn out to fail without it."""
        options = ["--tier", stage]
        left = [one for one in mutants if (one.key, stage) not in self.results]
        for _ in range(ROUNDS):
            if not left:
                break
            told, busy = Progress(stage, len(left), len(self.slots)), dict[str, float]()

            def attempt(slot: int, mutant: Mutant, told: Any = told, busy: Any = busy) -> None:
                files, only = choose(mutant)
                task = Task(
                    *("", "", options, files, only, sorted(self.unsound)),
                    kernels=self.kernels.written(slot, mutant),
                )
                outcome = self.slots[slot].run(task, limit, mutant, self.normal)
                self._add(mutant, stage, outcome)
                busy[mutant.key] = outcome.busy
                told.tell(mutant, outcome)

            self._in_slots(attempt, left)
            results = [self.results[one.key, stage] for one in mutants]
            telling = [r for r in results if r.what in SEEN or busy.get(r.key, 0.0) > PLENTY]
            self._check([result.test for result in telling], options)
            left = [one for one in mutants if self._is_unsure(self.results[one.key, stage], busy)]

    def _is_unsure(self, result: Result, busy: Mapping[str, float]) -> bool:
        """Killed by a test that fails anyway, or in a test that now is seen to be endless."""
        usual = self.normal.get(result.test, math.inf)
        endless = result.what == "timeout" and busy.get(result.key, 0.0) > max(PLENTY, 20 * usual)
        return endless or result.test in self.unsound

    def _check(self, tests: Iterable[str], options: list[str]) -> None:
        """Run once without a mutant the tests that killed one, or that took longest."""
        asked = sorted({one for one in tests if one} - self.sound - self.unsound)
        shares = [part for k in range(len(self.slots)) if (part := asked[k :: len(self.slots)])]

        def attempt(slot: int, part: list[str]) -> None:
            kernels = self.kernels.written(slot)
            task = Task(*("", "", options, files_of(part), part), stop=False, kernels=kernels)
            outcome = self.slots[slot].run(task, 3600.0)
            bad = set(part).intersection(outcome.seen.failed)
            if outcome.what == "timeout" or not outcome.seen.package:  # it ended there
                bad.add(outcome.test)
            self.unsound |= bad
            self.sound |= set(part) - bad
            self.normal.update(outcome.seen.seconds)

        self._in_slots(attempt, shares)
        for test in sorted(self.unsound.intersection(asked)):
            print(f"not counted, for it fails without a change: {test}", file=sys.stderr)

    def record(self, under: list[str], limit: float) -> None:
        """Run the quick tests once and keep which of them ran each line."""
        from coverage import Coverage

        files = sorted(p for p in self.imports.names if is_test(p) and p.startswith(tuple(under)))
        data, seconds = self.memory / "coverage", dict[str, float]()
        for old in self.memory.glob("coverage*"):
            old.unlink()
        options = ["--tier", "quick"]
        groups = [files[k : k + 12] for k in range(0, len(files), 12)]
        told = Progress("record", len(groups), len(self.slots))

        def attempt(slot: int, part: list[str]) -> None:
            kernels = self.kernels.written(slot)
            task = Task(*("", "", options, part), stop=False, kernels=kernels, coverage=str(data))
            outcome = self.slots[slot].run(task, limit)
            seconds.update(outcome.seen.seconds)
            told.tell(None, outcome)

        self._in_slots(attempt, groups)
        os.chdir(self.root)  # paths are relative
        cover = Coverage(data_file=str(data), config_file=False)
        cover.combine([str(self.memory)])
        cover.save()
        sources = {
            p: hashlib.sha256((self.root / p).read_bytes()).hexdigest() for p in self.imports.names
        }
        kept = {"seconds": seconds, "sources": sources}
        (self.memory / "recorded.json").write_text(json.dumps(kept))

    def _add(self, mutant: Mutant, stage: str, outcome: Outcome) -> None:
        result = Result(mutant.key, stage, outcome.what, outcome.test, outcome.seconds, outcome.cpu)
        self.results[mutant.key, stage] = result
        if self.out is not None:
            with self.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(vars(result)) + "\n")

    def _in_slots(self, attempt: Callable[[int, Any], None], things: Iterable[Any]) -> None:
        """Things one after the other in whichever slot is free; the first error is raised."""
        waiting, errors = queue.SimpleQueue[Any](), list[BaseException]()
        for thing in things:
            waiting.put(thing)

        def work(slot: int) -> None:
            try:
                while not errors:
                    attempt(slot, waiting.get_nowait())
            except queue.Empty:
                pass
            except BaseException as error:
                errors.append(error)

        threads = [
            threading.Thread(target=work, args=(k,), daemon=True) for k in range(len(self.slots))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]


class Progress:
    """A line on stderr for each that is done."""

    def __init__(self, stage: str, number: int, jobs: int):
        self.stage, self.number, self.done = stage, number, 0
        self.began, self.jobs, self.lock = time.monotonic(), jobs, threading.Lock()

    def tell(self, mutant: Mutant | None, outcome: Outcome) -> None:
        with self.lock:
            self.done += 1
            spent = time.monotonic() - self.began
            left = spent / self.done * (self.number - self.done) / 60
            what = outcome.what
            if mutant is not None:
                what += f"  {mutant.path}:{mutant.line} {mutant.kind}  {outcome.test}"
            print(
                f"[{self.stage} {self.done}/{self.number}] {what}  {outcome.seconds:.0f} s "
                f"({outcome.cpu:.0f} CPU); about {left:.0f} min left",
                file=sys.stderr,
                flush=True,
            )
