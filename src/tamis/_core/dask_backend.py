"""joblib's Dask backend, for workers that die and files that only workers have.

joblib's own (1.6) puts large arguments on one worker, with which they die; it has tasks unpacked by
the scheduler, which may not see what they open; it does the work of a single worker itself; and it
waits for good for a task that fails before it begins, or that workers die of, or when none is left.
Here a task is sealed until a worker runs it, and fails aloud. What tasks share (`Shared`) is a task
of Dask's before theirs: workers get it from each other, and if all who had it are gone, the
scheduler has one make it again.
"""

from __future__ import annotations

import asyncio
import io
import pickle
import threading
from dataclasses import dataclass
from platform import node
from typing import Any
from uuid import uuid4

import cloudpickle
from distributed import KilledWorker
from joblib import parallel_config
from joblib._dask import DaskDistributedBackend

from .errors import DataError, PlanError, TamisError, shorten_text
from .shared import Shared

BACKEND_NAME = "tamis-dask"
WORKER_WAIT_SECONDS = 30  # seconds without a worker, in which one may be started again


@dataclass(frozen=True)
class _Failed:
    """In the place of a result."""

    error: BaseException


class _SharedBytes:
    """Something shared, as a worker keeps it for its tasks: bytes, opened by the first of them."""

    opening = threading.Lock()

    def __init__(self, content: bytes):
        self.content = content
        self.opened: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _SharedBytes, (self.content,)

    def open(self) -> Any:
        with self.opening:
            if self.opened is None:
                self.opened = self._read()
            return self.opened

    def _read(self) -> Any:
        try:
            return pickle.loads(self.content)
        except PlanError as error:  # code that is not there, say; others tell where they are
            raise PlanError(f"on {node()}: {error}") from error
        except TamisError:
            raise
        except Exception as error:  # of whatever an object does when it is read
            said = shorten_text(f"{type(error).__name__}: {error}", 200)
            raise PlanError(
                f"the worker on {node()} cannot open what it is sent ({said}): it needs the "
                "packages and files that are here"
            ) from error


class _Sealer(cloudpickle.Pickler):
    """Pickles tasks, but for what they share: that stays in a list."""

    def __init__(self, file: io.BytesIO):
        super().__init__(file)
        self.shared: list[Shared] = []

    def persistent_id(self, obj: Any) -> int | None:
        if not isinstance(obj, Shared):
            return None
        self.shared.append(obj)
        return len(self.shared) - 1


class _Opener(pickle.Unpickler):
    def __init__(self, tasks: bytes, shared: list[_SharedBytes]):
        super().__init__(io.BytesIO(tasks))
        self.shared = shared

    def persistent_load(self, pid: int) -> Any:
        return self.shared[pid].open()


class _Batch:
    """Runs sealed tasks, with one thread: a worker has its threads for as many tasks."""

    def __call__(self, tasks: list[Any]) -> list[Any]:
        sealed, *shared = tasks
        with parallel_config(backend="threading", n_jobs=1):
            return [call(*args, **named) for call, args, named in _Opener(sealed, shared).load()]

    def __repr__(self) -> str:
        return "tamis"


class DaskBackend(DaskDistributedBackend):
    """As joblib's otherwise."""

    def effective_n_jobs(self, n_jobs: int) -> int:
        try:
            return max(2, super().effective_n_jobs(n_jobs))  # of 1 joblib asks nothing
        except TimeoutError as error:
            raise _none_left() from error

    def start_call(self) -> None:
        super().start_call()
        self._sent: dict[int, tuple[Shared, Any]] = {}  # by id, which holds while it is here
        self.client.loop.add_callback(self._watch)

    def stop_call(self) -> None:
        super().stop_call()
        self._sent.clear()

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """What nobody waits for any more is not begun."""
        super().abort_everything(ensure_ready)
        if self.client.status == "running":
            self.client.loop.add_callback(
                self.client.cancel, list(self._callbacks), asynchronous=True
            )
        self._callbacks.clear()
        self._results.clear()
        self._sent.clear()

    async def _to_func_args(self, func: Any) -> tuple[_Batch, list[Any]]:
        try:
            sealed, shared = _sealed_tasks(func.items)
            return _Batch(), [sealed, *map(self._future_of, shared)]
        except Exception as error:  # of any object's own pickling; nobody would hear of it here
            said = shorten_text(f"{type(error).__name__}: {error}", 200)
            failure = DataError(f"this cannot be sent to a worker ({said})")
            return _Batch(), [cloudpickle.dumps([(_raise_error, (failure,), {})])]

    def _future_of(self, shared: Shared) -> Any:
        """What stands for something shared in the tasks that are sent."""
        if id(shared) not in self._sent:
            content = cloudpickle.dumps(shared)
            future = self.client.submit(_SharedBytes, content, key=f"tamis-shared-{uuid4().hex}")
            self._sent[id(shared)] = shared, future
        return self._sent[id(shared)][1]

    async def _collect(self) -> None:
        while self._continue:
            async for future, result in self.waiting_futures:
                self._results.pop(future, None)
                callback = self._callbacks.pop(future, None)
                if callback is not None:
                    callback(_Failed(result[1]) if future.status == "error" else result)
            await asyncio.sleep(0.01)

    async def _watch(self) -> None:
        """What waits fails once there has been no worker for too long."""
        clock = asyncio.get_running_loop().time
        seen = clock()
        while self._continue and self.client.status == "running":
            if await self.client.scheduler.ncores():
                seen = clock()
            elif clock() - seen > WORKER_WAIT_SECONDS:
                waiting = list(self._callbacks.values())
                self._callbacks.clear()
                for callback in waiting:
                    callback(_Failed(_none_left()))
                return
            await asyncio.sleep(1)

    def retrieve_result_callback(self, out: Any) -> Any:
        if isinstance(out, _Failed):
            if isinstance(out.error, KilledWorker):
                raise DataError(
                    "workers died one after the other on the same task, as they do where memory is "
                    "short: give them more of it, or fewer threads each"
                ) from out.error
            raise out.error
        return super().retrieve_result_callback(out)


def _sealed_tasks(tasks: Any) -> tuple[bytes, list[Shared]]:
    file = io.BytesIO()
    sealer = _Sealer(file)
    sealer.dump(tasks)
    return file.getvalue(), sealer.shared


def _raise_error(error: Exception) -> None:
    raise error


def _none_left() -> DataError:
    return DataError("no worker of the scheduler is left: start some and run this again")
