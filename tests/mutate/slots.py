"""Working copies in which mutants are tried, one a worker."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import multiprocessing
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from mutate.child import Seen, Task, run
from mutate.draw import PACKAGE, Mutant
from mutate.near import Imports

KERNELS = f"{PACKAGE}/kernels/"
UNTOUCHED = (f"{KERNELS}_jit.py", f"{KERNELS}_cache.py")  # mutants of these have no hook
PLENTY, COMPILED = 60.0, 120.0  # seconds that a test may take at least, if it is compiled anew


@dataclass(frozen=True)
class Outcome:
    """Of one run: "killed", "endless", "passed" or "timeout"."""

    what: str
    test: str
    seconds: float
    cpu: float
    busy: float  # seconds of the last test
    seen: Seen


class Slot:
    """A copy of the checkout, with its times; mutants come and go."""

    def __init__(self, root: Path, folder: Path, wanted: set[str]):
        self.folder, self.last = folder, 0.0
        folder.mkdir(parents=True, exist_ok=True)
        for top in ("src", "tests"):
            for file in (folder / top).rglob("*"):
                inside = file.relative_to(folder).as_posix()
                if file.is_file() and "__pycache__" not in inside and inside not in wanted:
                    file.unlink()
        for name in wanted:
            source, copy = root / name, folder / name
            if not copy.exists() or _stamp(copy) != _stamp(source):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy)

    def run(
        self,
        task: Task,
        limit: float,
        mutant: Mutant | None = None,
        normal: Mapping[str, float] | None = None,
    ) -> Outcome:
        """Run tests, of a mutant if there is one, at most so many seconds."""
        with tempfile.TemporaryDirectory(
            prefix="tamis-mutate-", ignore_cleanup_errors=True
        ) as work:
            task = replace(task, slot=str(self.folder), work=work)
            if mutant is None:
                return self._run(task, limit)
            file = self.folder / mutant.path
            kept = file.stat()
            self.last = max(time.time(), self.last + 2)  # bytecode goes by whole seconds
            try:
                file.write_text(mutant.after, encoding="utf-8")
                os.utime(file, (self.last, self.last))
                least = COMPILED if mutant.path.startswith(KERNELS) else PLENTY
                return self._run(task, limit, normal or {}, least)
            finally:
                file.write_text(mutant.before, encoding="utf-8")
                os.utime(file, ns=(kept.st_atime_ns, kept.st_mtime_ns))

    def _run(
        self,
        task: Task,
        limit: float,
        normal: Mapping[str, float] = MappingProxyType({}),
        least: float = PLENTY,
    ) -> Outcome:
        began, what, now, busy = time.monotonic(), "", "", 0.0
        process = server().Process(target=run, args=(task,))
        process.start()
        while process.is_alive() and not what:
            process.join(0.2)
            if not task.now.exists():
                continue
            now = task.now.read_text() or now
            usual = 5.0 if now.endswith("(import)") else normal.get(now, math.inf)
            most = max(least, 20 * usual)
            busy = time.time() - task.now.stat().st_mtime
            if busy > most:
                what = "endless"
            elif time.monotonic() - began > limit:
                what = "timeout"
        with contextlib.suppress(ProcessLookupError):  # its own session, whatever is left of it
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
        seconds, seen = time.monotonic() - began, Seen(cpu=time.monotonic() - began)
        if task.result.exists():
            seen = Seen(**json.loads(task.result.read_text()))
            if not seen.package.startswith(f"{task.slot}/"):
                raise RuntimeError(f"tests imported {seen.package}, not the copy in {task.slot}")
            what, now = ("killed", seen.failed[0]) if seen.failed else ("passed", "")
        elif not what:  # it crashed
            what = "killed"
            if now == "the first import":
                raise RuntimeError(Path(task.work, "log").read_text()[-2000:])
        return Outcome(what, now, round(seconds, 1), seen.cpu, busy, seen)


def listed(root: Path) -> set[str]:
    """What git knows or would."""
    ask = ["git", "ls-files", "-coz", "--exclude-standard"]
    names = subprocess.run(ask, cwd=root, capture_output=True, check=True).stdout.decode()
    return {name for name in names.split("\0") if name and (root / name).is_file()}


class Kernels:
    """Folders of machine code, one a kernel module, named after the sources it is made of."""

    def __init__(self, imports: Imports, folder: Path):
        self.folder, self.root = folder, imports.root
        self.parts = {
            path: sorted(one for one in imports.all_of(path) if one.startswith(KERNELS))
            for path in imports.names
            if path.startswith(KERNELS) and not path.endswith("__init__.py")
        }
        self.names = imports.names
        self.contents = {path: (self.root / path).read_bytes() for path in self.parts}
        self.plain = self.folders()

    def folders(self, mutant: Mutant | None = None) -> dict[str, str]:
        """The folder of each module."""
        contents = dict(self.contents)
        if mutant is not None and mutant.path in contents:
            contents[mutant.path] = mutant.after.encode()
        digests = {path: hashlib.sha256(content).digest() for path, content in contents.items()}
        return {
            self.names[path]: str(
                self.folder
                / hashlib.sha256(
                    path.encode() + b"".join(digests[one] for one in parts if one in digests)
                ).hexdigest()[:16]
            )
            for path, parts in self.parts.items()
        }

    def written(self, slot: int, mutant: Mutant | None = None) -> str | None:
        """The file that tells a run; none for a mutant of what finds the folders."""
        if mutant is not None and mutant.path in UNTOUCHED:
            return None
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"of_slot_{slot}.json"
        file.write_text(json.dumps(self.folders(mutant)))
        return str(file)

    def take(self, checkout: Path) -> None:
        """Machine code that the checkout has of the same sources; what mutants left goes."""
        kept = {Path(one).name for one in self.plain.values()}
        for old in self.folder.glob("*/"):
            if old.name not in kept:
                shutil.rmtree(old, ignore_errors=True)
        roots = sorted((checkout / KERNELS / "__pycache__/numba").glob("*/"), key=_stamp)
        for path in self.parts if roots else ():
            here, source = checkout / path, Path(self.plain[self.names[path]])
            sha = hashlib.sha1(str(here.parent).encode()).hexdigest()  # as numba names folders
            for code in (roots[-1] / f"{here.parent.name}_{sha}").glob(f"{here.stem}.*.nb?"):
                if self._is_of(checkout, path, code) and not (source / code.name).exists():
                    source.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(code, source)

    def _is_of(self, checkout: Path, path: str, code: Path) -> bool:
        """Whether sources are older than machine code, and as they are in the copies."""
        made = code.stat().st_mtime
        return all(
            (checkout / one).stat().st_mtime < made
            and (checkout / one).read_bytes() == self.contents.get(one, b"")
            for one in self.parts[path]
            if one in self.contents
        )


def server() -> multiprocessing.context.ForkServerContext:
    """The process that all runs are forked from."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["mutate.preload"])
    return context


def files_of(tests: Iterable[str]) -> list[str]:
    """Files of test ids, each once."""
    return list(dict.fromkeys(test.split("::")[0].removesuffix(" (import)") for test in tests))


def _stamp(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_mtime_ns, found.st_size
