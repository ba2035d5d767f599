"""What is sent to workers of Dask, and what comes back, without any."""

from __future__ import annotations

import asyncio
import pickle
from types import SimpleNamespace

import cloudpickle
import pytest

pytest.importorskip("distributed", reason="needs Dask: pip install '.[dask]'")

from distributed import KilledWorker

from tamis._core import dask_backend
from tamis._core.dask_backend import DaskBackend, _Batch, _Failed, _sealed_tasks, _SharedBytes
from tamis._core.errors import DataError, PlanError
from tamis._core.shared import Shared


def opened(times=1):
    return times


def cannot(error):
    raise error


class Unreadable:
    """Reading it raises."""

    def __init__(self, error):
        self.error = error

    def __reduce__(self):
        return cannot, (self.error,)


class Unsendable:
    def __reduce__(self):
        raise TypeError("no\nbytes of it")


def backend(**own):
    """One of no client."""
    made = DaskBackend.__new__(DaskBackend)
    made.__dict__.update(own)
    return made


class Table(Shared):
    """Counts in a file how often it is read."""

    def __init__(self, log):
        self.log = log

    def __setstate__(self, state):
        self.__dict__.update(state)
        with open(self.log, "a") as file:
            file.write("x")


def test_what_tasks_share_is_sealed_once_and_opened_once(tmp_path):
    table, log = Table(tmp_path / "log"), tmp_path / "log"
    tasks = [(opened, (), {"times": k}) for k in (2, 3)]
    sealed, shared = _sealed_tasks([*tasks, (isinstance, (table, Table), {}), (id, (table,), {})])
    assert shared == [table, table]  # each place, one object
    kept = _SharedBytes(cloudpickle.dumps(table))
    sent = pickle.loads(pickle.dumps(kept))
    assert (sent.content, sent.opened) == (kept.content, None)
    found = _Batch()([sealed, sent, sent])
    assert found[:3] == [2, 3, True]
    assert found[3] == id(sent.opened)
    assert log.read_text() == "x"
    assert repr(_Batch()) == "tamis"
    assert str(tmp_path).encode() not in sealed


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (PlanError("no code"), PlanError, r"^on here: no code$"),
        (DataError("no file"), DataError, r"^no file$"),
        (
            ModuleNotFoundError("no\nmodule"),
            PlanError,
            r"^the worker on here cannot open what it is sent \(ModuleNotFoundError: no.*module\)",
        ),
    ],
)
def test_what_a_worker_cannot_open_says_where(monkeypatch, error, kind, says):
    monkeypatch.setattr(dask_backend, "node", lambda: "here")
    kept = _SharedBytes(cloudpickle.dumps(Unreadable(error)))
    with pytest.raises(kind, match=says):
        kept.open()
    assert kept.opened is None


class Client:
    """Keeps what is submitted and cancelled."""

    def __init__(self, cores=(), status="running"):
        self.status, self.submitted, self.cancelled = status, [], []
        self.loop = SimpleNamespace(add_callback=lambda call, *args, **more: call(*args, **more))
        self.scheduler = SimpleNamespace(ncores=self.ncores)
        self.cores = list(cores)

    def submit(self, make, content, key):
        self.submitted.append((make, content, key))
        return f"future {len(self.submitted)}"

    def cancel(self, futures, asynchronous):
        self.cancelled.append((futures, asynchronous))

    async def ncores(self):
        return self.cores.pop(0)


def test_each_thing_that_is_shared_is_sent_once(tmp_path):
    table, other = Table(tmp_path / "a"), Table(tmp_path / "b")
    made = backend(client=Client(), _sent={})
    tasks = [(opened, (one,), {}) for one in (table, other, table)]
    batch, [sealed, *futures] = asyncio.run(made._to_func_args(SimpleNamespace(items=tasks)))
    assert isinstance(batch, _Batch)
    assert futures == ["future 1", "future 2", "future 1"]
    assert [make for make, *_ in made.client.submitted] == [_SharedBytes] * 2
    assert [pickle.loads(content).log for _, content, _ in made.client.submitted] == [
        table.log,
        other.log,
    ]
    keys = [key for *_, key in made.client.submitted]
    assert len({*keys}) == 2
    assert all(key.startswith("tamis-shared-") for key in keys)
    a, b, c = (_SharedBytes(cloudpickle.dumps(one)) for one in (table, other, table))
    assert [one.log for one in batch([sealed, a, b, c])] == [table.log, other.log, table.log]


def test_what_cannot_be_sent_is_the_error_of_its_task():
    made = backend(client=Client(), _sent={})
    tasks = SimpleNamespace(items=[(opened, (Unsendable(),), {})])
    batch, [sealed] = asyncio.run(made._to_func_args(tasks))
    with pytest.raises(DataError, match=r"^this cannot be sent to a worker \(TypeError: no.*of it"):
        batch([sealed])


def test_failures_are_raised_where_results_are_waited_for():
    made = backend()
    with pytest.raises(ZeroDivisionError, match="of nothing"):
        made.retrieve_result_callback(_Failed(ZeroDivisionError("of nothing")))
    killed = KilledWorker("task", SimpleNamespace(address="tcp://x"), 3)
    with pytest.raises(DataError, match="workers died one after the other on the same") as error:
        made.retrieve_result_callback(_Failed(killed))
    assert error.value.__cause__ is killed
    assert made.retrieve_result_callback([3]) == [3]


def test_results_and_failures_reach_those_who_wait():
    heard = []
    done, failed = SimpleNamespace(status="finished"), SimpleNamespace(status="error")
    gone = SimpleNamespace(status="finished")
    error = ZeroDivisionError("of nothing")

    class Waiting:
        def __aiter__(self):
            return self.all()

        async def all(self):
            for one in ((done, [1]), (failed, (ZeroDivisionError, error)), (gone, [2])):
                yield one
            made._continue = False

    names = {id(done): "done", id(failed): "failed"}

    class ByIdentity(dict):
        def pop(self, key, default=None):
            return super().pop(id(key), default)

    callbacks = ByIdentity(dict.fromkeys(names, heard.append))
    results = ByIdentity(dict.fromkeys([*names, id(gone)]))
    made = backend(_continue=True, waiting_futures=Waiting(), _callbacks=callbacks)
    made._results = results
    asyncio.run(made._collect())
    assert heard == [[1], _Failed(error)]
    assert (results, callbacks) == ({}, {})


@pytest.mark.parametrize(
    ("cores", "wait", "fails"),
    [
        ([{}, {}, {}], 1.5, True),  # after 0, 1 and 2 seconds
        ([{}, {}, {"a": 1}, {}, {}], 1.5, True),  # one was there after 2 seconds
        ([{}, {}], 2.5, False),
    ],
)
def test_what_waits_fails_once_no_worker_is_left(monkeypatch, cores, wait, fails):
    now, heard = [0.0], []

    async def sleep(seconds):
        now[0] += seconds
        made._continue = bool(made.client.cores)

    loop = SimpleNamespace(time=lambda: now[0])
    parts = {"sleep": sleep, "get_running_loop": lambda: loop}
    monkeypatch.setattr(dask_backend, "asyncio", SimpleNamespace(**parts))
    monkeypatch.setattr(dask_backend, "WORKER_WAIT_SECONDS", wait)
    made = backend(_continue=True, client=Client(cores), _callbacks={1: heard.append})
    asyncio.run(made._watch())
    assert made.client.cores == []
    assert now == [len(cores) - (1.0 if fails else 0.0)]
    if not fails:
        assert (heard, len(made._callbacks)) == ([], 1)
        return
    [failed] = heard
    assert str(failed.error) == "no worker of the scheduler is left: start some and run this again"
    assert made._callbacks == {}


def test_workers_are_counted_as_two_at_least(monkeypatch):
    """Of one joblib asks nothing, and does its work itself."""
    counts = iter([1, 2, 5])
    monkeypatch.setattr(
        dask_backend.DaskDistributedBackend, "effective_n_jobs", lambda self, n: next(counts)
    )
    assert [backend().effective_n_jobs(-1) for _ in range(3)] == [2, 2, 5]

    def late(self, n_jobs):
        raise TimeoutError

    monkeypatch.setattr(dask_backend.DaskDistributedBackend, "effective_n_jobs", late)
    with pytest.raises(DataError, match="no worker of the scheduler is left"):
        backend().effective_n_jobs(-1)


@pytest.mark.parametrize("status", ["running", "closed"])
def test_what_nobody_waits_for_is_cancelled(monkeypatch, status):
    base = dask_backend.DaskDistributedBackend
    monkeypatch.setattr(base, "abort_everything", lambda self, ensure_ready: None)
    made = backend(client=Client(status=status), _sent={1: 2}, _callbacks={"f": 1}, _results={1: 1})
    made.abort_everything()
    assert made.client.cancelled == ([(["f"], True)] if status == "running" else [])
    assert (made._sent, made._callbacks, made._results) == ({}, {}, {})
