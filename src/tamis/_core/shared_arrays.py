"""Large arrays in memory that workers of this computer map, so that all have one copy. On Linux.

A value goes to them as a pickle without its arrays: these stay as they are, or are written behind
each other (protocol 5 of pickle, whose buffers are out of band).
"""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import pickle
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from .fork_server import is_started
from .process_cache import cached_in_process

MIN_SHARED_BYTES = 1 << 24  # bytes from which an array is worth it
ALIGNMENT = 64  # bytes: NumPy and compiled loops are faster so
_files: dict[int, tuple[int, int]] = {}  # by address: the file in memory, and its size


def empty_table(shape: tuple[int, int]) -> np.ndarray:
    """Room for a table, as of `np.empty`; in shared memory if workers wait for one.

    Examples
    --------
    >>> empty_table((2, 3)).shape
    (2, 3)
    """
    found = _shared_room(shape, np.dtype(float)) if is_started() else None
    return np.empty(shape) if found is None else found


def in_shared_memory(X: np.ndarray) -> np.ndarray:
    """A copy of a large array in C order that `shared_value` does not copy again; the array itself
    if it is there already, is small, in another order, or there is no memory of this kind.

    Examples
    --------
    >>> X = np.arange(6.0).reshape(2, 3)
    >>> in_shared_memory(X) is X
    True
    """
    if not X.flags.c_contiguous or _shared_file(X.data) is not None:
        return X
    found = _shared_room(X.shape, X.dtype)
    if found is None:
        return X
    found[...] = X
    return found


def _shared_room(shape: tuple[int, ...], kind: np.dtype[Any]) -> np.ndarray | None:
    n_bytes = math.prod(shape) * kind.itemsize
    if n_bytes < MIN_SHARED_BYTES or not hasattr(os, "memfd_create"):
        return None
    file = os.memfd_create("tamis-table")
    try:
        os.posix_fallocate(file, 0, n_bytes)  # or a page that is missing would end the process
        memory = mmap.mmap(file, n_bytes)
    except OSError:
        os.close(file)
        return None
    found = np.frombuffer(memory, kind).reshape(shape)
    address = found.__array_interface__["data"][0]
    _files[address] = (file, n_bytes)
    weakref.finalize(memory, _forget, address).atexit = False
    return found


def _shared_file(raw: memoryview) -> int | None:
    """The file in memory that is exactly these bytes."""
    if not raw.nbytes:
        return None
    address = np.frombuffer(raw, np.uint8).__array_interface__["data"][0]
    file, n_bytes = _files.get(address, (None, 0))
    return file if n_bytes == raw.nbytes else None


def _forget(address: int) -> None:
    file, _ = _files.pop(address)
    os.close(file)


@contextlib.contextmanager
def shared_value(value: Any) -> Iterator[str]:
    """A place from which processes here take a value with `taken_value`."""
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps(value, 5, buffer_callback=buffers.append)
    with os.fdopen(os.memfd_create("tamis"), "w+b") as memory:
        own, places = _path_of(memory.fileno()), list[tuple[str, int, int]]()
        for buffer in buffers:
            raw = buffer.raw()
            if (file := _shared_file(raw)) is not None:
                places.append((_path_of(file), 0, raw.nbytes))
                continue
            memory.seek(-memory.tell() % ALIGNMENT, os.SEEK_CUR)
            places.append((own, memory.tell(), raw.nbytes))
            memory.write(raw)
        start = memory.tell()
        pickle.dump((places, text), memory)
        memory.flush()
        yield f"{own}:{start}"


def _path_of(file: int) -> str:
    return f"/proc/{os.getpid()}/fd/{file}"


def taken_value(place: str) -> Any:
    """What is at a place of `shared_value`. Its arrays are in memory once; what a process writes to
    them it alone sees."""
    return cached_in_process("shared", place, lambda: _read_value(place), 1)


def _read_value(place: str) -> Any:
    path, start = place.rsplit(":", 1)
    with open(path, "rb") as memory:
        memory.seek(int(start))
        places, text = pickle.load(memory)
    found = {name: _mapped(name) for name in {name for name, _, _ in places}}
    return pickle.loads(text, buffers=[found[name][at : at + n] for name, at, n in places])


def _mapped(path: str) -> memoryview:
    with open(path, "rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
