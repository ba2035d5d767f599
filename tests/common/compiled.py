"""Kernels compiled before the tests start, by as many processes as there are cores.

`measured/kernels.tsv` has what the quick tests compile, and what these run as plain Python and the
full tier compiles (`common.plain`), a line each: seconds, module, function and types
(`common.measured` writes it). The first test that calls it compiles what is missing there.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from common.plain import PLAIN
from common.tiers import COSTS

LIST = COSTS.with_name("kernels.tsv")


def compile_listed(processes: int, tier: str) -> None:
    """Compile what is listed, a module a task, those that take longest first; say so."""
    kept = _kept(tier)
    if kept is not None and kept.exists():
        return
    listed = listed_kernels()
    if tier == "quick":
        listed = {module: own for module, own in listed.items() if not PLAIN.fullmatch(module)}
    tasks = sorted(listed.items(), key=lambda task: -sum(line[0] for line in task[1]))
    total = sum(line[0] for _, lines in tasks for line in lines)
    count = sum(len(lines) for _, lines in tasks)
    began = time.monotonic()
    _say(f"compiling {count} kernels in {processes} processes, about {total / processes:.0f} s")
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(_compile, module, lines): lines for module, lines in tasks}
        left, shown = total, total
        for done in as_completed(running):
            done.result()
            left -= sum(line[0] for line in running[done])
            if shown - left > 10 * processes:
                _say(f"compiling kernels: about {left / processes:.0f} s left")
                shown = left
    _say(f"kernels compiled in {time.monotonic() - began:.0f} s")
    if kept is not None:
        kept.touch()


def _compile(module: str, lines: list[tuple[float, str, str]]) -> None:
    found = importlib.import_module(module)
    for _, name, types in lines:
        kernel = getattr(found, name, None)
        if hasattr(kernel, "compile"):  # else the list is older than the sources
            with suppress(Exception):  # the test that calls it says what is wrong with a kernel
                kernel.compile(read_types(types))


def types_text(found: Any) -> str:
    """Types of numba as text for `read_types`: `repr` does not say where a named tuple is from."""
    from numba.core import types

    if isinstance(found, tuple):
        return f"({''.join(f'{types_text(one)}, ' for one in found)})"
    if isinstance(found, types.NamedTuple | types.NamedUniTuple):
        made = found.instance_class
        return f"named({types_text(tuple(found.types))}, {made.__module__!r}, {made.__name__!r})"
    if isinstance(found, types.BaseTuple):
        return f"BaseTuple.from_types({types_text(tuple(found.types))})"
    return repr(found)


def read_types(text: str) -> Any:
    """The types of a line of our own table."""
    from numba.core import types

    def named(fields: tuple[Any, ...], module: str, name: str) -> Any:
        return types.BaseTuple.from_types(fields, getattr(importlib.import_module(module), name))

    return eval(text, {**vars(types), "bool": types.boolean, "named": named})


def listed_kernels() -> dict[str, list[tuple[float, str, str]]]:
    """Seconds, name and types of the kernels of each module."""
    split = [line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines()]
    return {
        module: [(float(seconds), name, types) for seconds, _, name, types in lines]
        for module, lines in groupby(sorted(split, key=lambda line: line[1]), lambda line: line[1])
    }


def _kept(tier: str) -> Path | None:
    """A file beside the machine code of these sources that says that all of the list is there."""
    from tamis.kernels._cache import choose_folder, hash_sources

    version = hash_sources()
    folder = choose_folder(version, os.environ.get("NUMBA_CACHE_DIR", "")) if version else None
    digest = hashlib.sha256(LIST.read_bytes()).hexdigest()[:12]
    return folder / f"listed-{tier}-{digest}" if folder is not None else None


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
