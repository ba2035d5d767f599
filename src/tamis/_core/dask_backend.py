"""joblib's Dask backend, for workers that die and files that only workers have.

joblib's own (1.6) puts large arguments on one worker, with which they die; it has tasks unpacked by
the scheduler, which may not see what they open; and it waits for good for a task that fails before
it begins or that workers die of. Here a task is sealed until a worker runs it, and fails aloud.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import cloudpickle
from joblib import parallel_config
from joblib._dask import DaskDistributedBackend

NAME = "tamis-dask"


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

    async def _to_func_args(self, func: Any) -> tuple[_Batch, bytes]:
        return _Batch(), cloudpickle.dumps(func.items)

    async def _collect(self) -> None:
        while self._continue:
            async for future, result in self.waiting_futures:
                self._results.pop(future)
                callback = self._callbacks.pop(future)
                callback(_Failed(result[1]) if future.status == "error" else result)
            await asyncio.sleep(0.01)

    def retrieve_result_callback(self, out: Any) -> Any:
        if isinstance(out, _Failed):
            raise out.error
        return super().retrieve_result_callback(out)
