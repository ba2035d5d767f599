"""The only source of numba's decorators.

Importing this module imports numba (about half a second), so the floors above import
compiled kernels inside the functions that call them, never at module level.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Mapping
from functools import cache, partial
from threading import Lock, Timer
from time import monotonic
from typing import Any

import numba
from numba.core import event
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from ._cache import choose_folder, hash_sources
from ._parts import compile_alone, compile_of_parts, is_tried

# held while numba's cache folder, a setting of the process, is exchanged for one kernel
_one_at_a_time = Lock()
SILENT_SECONDS = 2.0  # seconds a process may spend compiling before it says so


class _Compiling(event.Listener):
    """Says that kernels are compiled when it takes long, and pauses Python's garbage collector.

    A compiler keeps what it makes, so that the collector walks over a growing heap again and again
    and frees little: a sixth of the time.
    """

    def __init__(self) -> None:
        # seconds left until the message, 0 or less once it was given; functions being compiled,
        # one inside the other; start of the outermost
        self.left, self.depth, self.since = SILENT_SECONDS, 0, 0.0
        self.collects = False  # whether the collector was on, to be put back as it was
        self.word: Timer | None = None

    def on_start(self, event: Any) -> None:
        """numba compiles one function at a time, and within it those that it calls.

        Only the outermost counts: it stops the collector and starts the timer of the message.
        """
        self.depth += 1
        if self.depth == 1:
            self.collects = gc.isenabled()
            gc.disable()
        if self.depth == 1 and self.left > 0:
            self.since, self.word = monotonic(), Timer(self.left, self.tell)
            self.word.daemon = True  # the program may end without waiting for the timer
            self.word.start()

    def on_end(self, event: Any) -> None:
        """Take the time of this function off what is left until the message.

        Seconds add up over functions: many short ones are worth the message too.
        """
        self.depth -= 1
        if self.depth == 0 and self.collects:
            gc.enable()
        if self.depth == 0 and self.word is not None:
            self.word.cancel()
            self.left -= monotonic() - self.since

    def tell(self) -> None:
        """Print the message, once in a process."""
        from .._core.progress import tell_of_compiling

        self.left = 0.0
        tell_of_compiling()


event.register("numba:compile", _Compiling())


def jit(function: Callable[..., Any], **options: Any) -> Any:
    """Compile on first call; keep the machine code for the next process.

    It is kept in a folder for these sources (`_cache`). Where no folder can be written, the kernel
    is compiled anew in each process.
    """
    # nogil: threads run kernels side by side. "numpy": x / 0 is inf or nan, as in NumPy; without
    # the test for an exception loops with divisions become vectors
    options = {"nogil": True, "error_model": "numpy", **options}
    try:
        return _with_cache(function, options)
    except RuntimeError:  # "cannot cache function: no locator available"
        return _compiled_kernel(function, options)


def jit_sums(function: Callable[..., Any]) -> Any:
    """`jit` with sums in any order: vectorised, and as deterministic as the machine code."""
    return jit(function, fastmath={"reassoc", "contract"})


def _with_cache(function: Callable[..., Any], options: Mapping[str, object]) -> Any:
    """The kernel with its cache, whose folder numba reads from its settings when it is made."""
    settings: Any = numba.config
    if settings.DISABLE_JIT:  # plain Python, for debugging
        return function
    version = _sources_version()
    if version is None:  # no sources to compare, as in a frozen program: nobody edits them
        return _cached_kernel(function, options)
    with _one_at_a_time:
        given = getattr(settings, "CACHE_DIR", "")
        folder = _cache_folder(version, given)
        if folder is None:
            return _compiled_kernel(function, options)
        settings.CACHE_DIR = folder
        try:
            return _cached_kernel(function, options)
        finally:
            settings.CACHE_DIR = given  # other users of numba in the process keep their folder


def _cached_kernel(function: Callable[..., Any], options: Mapping[str, object]) -> Any:
    kernel = _compiled_kernel(function, {**options, "cache": True})
    # instance attributes hide the methods of numba's cache, of this kernel alone
    files = kernel._cache._cache_file
    files.save = partial(_save_by_key, files)
    kernel._cache.load_overload = partial(_load_alone, kernel._cache)
    return kernel


def _load_alone(cache: Any, signature: Any, context: Any) -> Any:
    """numba's `load_overload` without its first step, the import of all rules of compiling.

    That import takes .4 seconds. Kept machine code needs none of the rules, only the runtime that
    counts references to its arrays; compiling imports the rules anyway.
    """
    rtsys.initialize(context)
    with cache._guard_against_spurious_io_errors():
        return cache._load_overload(signature, context)


def _compiled_kernel(function: Callable[..., Any], options: Mapping[str, object]) -> Any:
    njit: Any = numba.njit  # its type hints lack the option below
    # no second entry point for C: only Python and other kernels call kernels
    kernel = njit(**{**options, "no_cfunc_wrapper": True})(function)
    if not is_tried():
        return kernel
    if "fastmath" in options:  # the order of its sums must not depend on its callers
        compile_alone(kernel)
    else:
        compile_of_parts(kernel)
    return kernel


def _save_by_key(files: Any, key: object, code: object) -> None:
    """Keep machine code in a file named by a hash of its key: types, processor and bytecode.

    numba numbers these files by the index it has read: of two processes that compile a kernel for
    two types at once, one may overwrite the file that the index of the other points to, and the
    wrong code is run. Here at worst one entry is missing from the index, and is compiled again.
    """
    # 64 bits of the hash, as numba's file names want a number
    name = files._data_name(int(hashlib.sha256(dumps(key)).hexdigest()[:16], 16))
    files._save_data(name, code)  # before the index, which must not name a file yet to come
    files._save_index({**files._load_index(), key: name})


@cache
def _sources_version() -> str | None:
    return hash_sources()


@cache
def _cache_folder(version: str, given: str) -> str | None:
    folder = choose_folder(version, given)
    return None if folder is None else str(folder)
