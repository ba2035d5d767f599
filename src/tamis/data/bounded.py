"""Files read by another process (`bounded_child`), which a library may end or hold up."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from .._core.errors import DataError
from . import limits, memory
from .bounded_child import Message

CHILD_SCRIPT = Path(__file__).with_name("bounded_child.py")


def begin_reader(
    job: Path, path: Path, request: Any, seconds: int, most: int
) -> subprocess.Popen[bytes]:
    """The process that reads what is requested of a file, in so many seconds a message, and in so
    many bytes."""
    command = [sys.executable, "-P", CHILD_SCRIPT, job, path, json.dumps(request), seconds, most]
    none = subprocess.DEVNULL
    return subprocess.Popen(
        list(map(str, command)), stdin=none, stdout=subprocess.PIPE, stderr=none
    )


@contextmanager
def messages_of(
    job: Path, path: Path, request: Any, library: str, swollen: str = ""
) -> Iterator[Messages]:
    """What a job reads of a file.

    Parameters
    ----------
    job, path : Path
    request : object
        What JSON can say.
    library : str
        What reads the file, for a message.
    swollen : str
        What to do about a file that takes more memory than it may; empty: as with any table.

    Raises
    ------
    DataError
        The file is wrong, or the process ended too early.
    """
    most = min(memory.available_bytes(), limits.most_expanded(path))
    try:
        process = begin_reader(job, path, request, limits.READER_SECONDS.value, most)
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path.name!r} is read by another process, which could not be started by "
            f"{sys.executable or 'no Python'}: {error}"
        ) from error
    with process as child:
        assert child.stdout is not None
        try:
            yield Messages(child.stdout, path, most, swollen)
        except EOFError:
            code = child.wait()
            if swollen and code == -signal.SIGABRT:  # as Rust ends for want of memory
                raise _too_large(path, most, swollen) from None
            raise _early_end_error(path, code, library) from None
        finally:
            child.kill()


class Messages:
    """What the other process sends; `EOFError` where it ends too early."""

    def __init__(self, stream: IO[bytes], path: Path, most: int, swollen: str):
        self.stream, self.path, self.most, self.swollen = stream, path, most, swollen

    def next(self) -> Message:
        """A message; `DataError` if it is one."""
        line = self.stream.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        try:
            message = json.loads(line)
        except ValueError:  # something else was printed
            raise EOFError from None
        if message["what"] == "error":
            raise DataError(f"{self.path.name!r} {message['text']}")
        if message["what"] == "memory":
            raise _too_large(self.path, self.most, self.swollen)
        return message

    def content(self, message: Message) -> bytes:
        """The bytes that follow a message."""
        content = self.stream.read(message["bytes"])
        if len(content) < message["bytes"]:
            raise EOFError
        return content

    def array(self, message: Message) -> np.ndarray:
        """The array that follows a message."""
        dtype, shape = np.dtype(message["dtype"]), message["shape"]
        assert math.prod(shape) * dtype.itemsize == message["bytes"]
        return np.frombuffer(self.content(message), dtype).reshape(shape)


def _too_large(path: Path, most: int, swollen: str) -> DataError:
    needs = f"takes more than {memory.bytes_text(most)} while being read"
    if swollen:
        return DataError(f"{path.name!r} {needs}: {swollen}")
    return memory.too_large(path.name, needs)


def _early_end_error(path: Path, code: int, library: str) -> DataError:
    """Of a process that ended too early."""
    if hasattr(signal, "SIGPROF") and code == -signal.SIGPROF:
        seconds = limits.READER_SECONDS
        return DataError(
            f"{path.name!r} is damaged, or very slow to read: a part of it took more than "
            f"{seconds.value:,} s of work; store it again, or set {seconds.variable} higher"
        )
    if hasattr(signal, "SIGKILL") and code == -signal.SIGKILL:
        return memory.too_large(path.name, "made the system end the process that read it")
    return DataError(
        f"{path.name!r} is damaged: {library} ended with {code} while reading it; store it again"
    )
