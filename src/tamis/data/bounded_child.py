"""A process in which a library reads a file that may end it or hold it up: here it does no harm.

It runs this file, and a job beside it, loaded by its path: nothing of the package is imported. A
job has `prepare()`, which imports its libraries, `stream(path, request, tell)`, an exception
`Unfit` with a message for the user, and `KIND`, what it reads. Messages go to stdout, each a line
of JSON and the bytes that it describes. The last is `done`, or the `error` to be reported.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, TypedDict

MAX_TIMER_SECONDS = 10**9  # seconds that a timer takes
Tell = Callable[..., None]  # of a message, and perhaps an array or bytes behind it


class Message(TypedDict, total=False):
    """A line of JSON: what it is of, and what such a message has."""

    what: str
    bytes: int  # that follow
    text: str | bool  # of an error; of a column of `obs` whether it holds text
    dtype: str
    shape: list[int]
    names: list[str]  # of sheets or modalities
    chosen: bool  # the sheet is there
    sheet: str
    others: list[str]
    width: int
    rows: list[str]
    columns: list[str]
    by: str  # how blocks of the matrix lie
    layers: list[str]
    symbols: list[str | None] | None
    start: int  # of a block
    name: str  # of a column of `obs`
    values: list[str | None]


def main(job: Any, path: str, request: Any, seconds: int, memory: int, out: BinaryIO) -> None:
    """Write the stream.

    Parameters
    ----------
    job : module
    path : str
    request : object
        What the job is to read, as JSON has it.
    seconds, memory : int
        A message takes no more seconds of a processor, and all of it no more bytes.
    out : binary file
    """

    def tell_parent(message: Message, content: Any = b"") -> None:
        content = memoryview(content)
        out.write(json.dumps({**message, "bytes": content.nbytes}).encode() + b"\n")
        out.write(content)
        out.flush()
        _bound_time(seconds)

    try:
        job.prepare()
        _bound_memory(memory)
        _bound_time(seconds)
        job.stream(path, request, tell_parent)
    except BrokenPipeError:
        return
    except job.Unfit as error:
        tell_parent({"what": "error", "text": str(error)})
    except MemoryError:
        tell_parent({"what": "memory"})
    except BaseException as error:  # of files that are wrong, the libraries raise whatever comes up
        reason = " ".join(str(error).split()) or type(error).__name__
        tell_parent({"what": "error", "text": f"is not a readable {job.KIND}: {reason[:120]}"})
    else:
        tell_parent({"what": "done"})


def loaded_job(job: str) -> Any:
    """A job by its path."""
    spec = importlib.util.spec_from_file_location("job", job)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _bound_memory(size: int) -> None:
    """From now on no more than that many bytes beyond what the process has."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # only where systems have it
        import resource

        with open("/proc/self/statm") as file:
            held = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or soft > held + size:
            resource.setrlimit(resource.RLIMIT_AS, (held + size, hard))


def _bound_time(seconds: int) -> None:
    """The system ends the process when it has worked for so many more, wherever it is by then."""
    if hasattr(signal, "setitimer"):
        # 0 would be no end
        signal.setitimer(signal.ITIMER_PROF, min(max(seconds, 1), MAX_TIMER_SECONDS))


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed
    job, path, request, seconds, memory = sys.argv[1:]
    main(loaded_job(job), path, json.loads(request), int(seconds), int(memory), answers)
