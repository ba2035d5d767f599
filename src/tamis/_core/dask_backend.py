"""joblib's Dask backend, for workers that die and files that only workers have.

joblib's own (1.6) puts large arguments on one worker, with which they die; it has tasks unpacked by
the scheduler, which may not see what they open; and it waits for good for a task that fails before
it begins, or that workers die of, or when none is left. Here a task is sealed until a worker runs
it, and fails aloud.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import cloudpickle
from joblib import parallel_config
from joblib._dask import DaskDistributedBackend

from .errors import DataError

NAME = "tamis-dask"
PATIENCE = 30  # seconds without a worker, in which one may be started again


@dataclass(frozen=True)
class _Failed:
    """In the place of a result."""

    error: BaseException


class _Batch:
    """Runs sealed tasks, with one thread: a worker has its threads for as many tasks."""

    def __call__(self, tasks: bytes) -> list[Any]:
        with parallel_config(backend="threading", n_jobs=1):
            return [call(*args, **named) for call, args, named in cloudpickle.loads(tasks)]

    def __repr__(self) -> str:
        return "tamis"


class DaskBackend(DaskDistributedBackend):
    """As joblib's otherwise."""

    def effective_n_jobs(self, n_jobs: int) -> int:
        try:
            return super().effective_n_jobs(n_jobs)
        except TimeoutError as error:
            raise _none_left() from error

    def start_call(self) -> None:
        super().start_call()
        self.client.loop.add_callback(self._watch)

    async def _to_func_args(self, func: Any) -> tuple[_Batch, bytes]:
        return _Batch(), cloudpickle.dumps(func.items)

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
            elif clock() - seen > PATIENCE:
                waiting = list(self._callbacks.values())
                self._callbacks.clear()
                for callback in waiting:
                    callback(_Failed(_none_left()))
                return
            await asyncio.sleep(1)

    def retrieve_result_callback(self, out: Any) -> Any:
        if isinstance(out, _Failed):
            raise out.error
        return super().retrieve_result_callback(out)


def _none_left() -> DataError:
    return DataError("no worker of the scheduler is left: start some and run this again")
