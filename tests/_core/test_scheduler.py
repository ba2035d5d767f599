"""Clients of a scheduler: who answers, which workers there are, how a call ends."""

from __future__ import annotations

import logging
import socket
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from tamis import __version__
from tamis._core import scheduler
from tamis._core.errors import DataError, PlanError
from tamis._core.scheduler import Workers, on_scheduler, own_version

ADDRESS = "tcp://here:8786"


class Client:
    """One of a cluster whose workers have these versions."""

    def __init__(self, *versions, own=__version__, late=False):
        self.versions = {f"tcp://w{k}": one for k, one in enumerate(versions)}
        self.own, self.late, self.status, self.waits = own, late, "running", []

    def wait_for_workers(self, n_workers, timeout):
        self.waits.append((n_workers, timeout))
        if self.late:
            raise TimeoutError

    def run(self, function, on_error):
        assert (function, on_error) == (own_version, "return")
        return self.versions

    def run_on_scheduler(self, function):
        if isinstance(self.own, Exception):
            raise self.own
        assert function() == __version__
        return self.own

    def ncores(self):
        return {one: 2 + k for k, one in enumerate(self.versions)}

    def close(self, timeout):
        self.status = f"closed in {timeout}"


def test_workers_are_counted_with_their_threads():
    client = Client(__version__, __version__)
    assert scheduler._checked_workers(client, ADDRESS) == Workers(2, 5)
    assert client.waits == [(1, scheduler.SCHEDULER_WAIT_SECONDS)]


@pytest.mark.parametrize(
    ("client", "says"),
    [
        (Client(late=True), "has no worker: start some with `dask worker tcp://here:8786`"),
        (Client(__version__, "0.1"), f": the worker tcp://w1 has Tamis 0.1, here is {__version__}"),
        (Client(ImportError()), f": the worker tcp://w0 has no Tamis, here is {__version__}"),
        (Client(own=ImportError()), f": the scheduler has no Tamis, here is {__version__}"),
        (Client(own="0.1"), f": the scheduler has Tamis 0.1, here is {__version__}"),
    ],
)
def test_workers_of_other_versions_are_refused(client, says):
    with pytest.raises(PlanError) as error:
        scheduler._checked_workers(client, ADDRESS)
    assert str(error.value) == f"--scheduler '{ADDRESS}'{says if says[0] == ':' else f' {says}'}"


class Listening:
    """What a library for clusters is asked, where somebody listens or not."""

    def __init__(self, monkeypatch, place=("here", 1), connects=None, client=None):
        self.closed = 0
        self.comm = SimpleNamespace(get_address_host_port=lambda address: raised_or(place))
        self.given = None
        self.client = client

        def create_connection(at, seconds):
            assert (at, seconds) == (place, scheduler.SCHEDULER_WAIT_SECONDS)
            raised_or(connects)
            return SimpleNamespace(close=self.close)

        monkeypatch.setattr(scheduler, "create_connection", create_connection)

    def close(self):
        self.closed += 1

    def Client(self, *args, **more):
        self.given = (args, more)
        return raised_or(self.client)


def raised_or(value):
    if isinstance(value, Exception):
        raise value
    return value


def test_a_client_is_closed_at_the_end(monkeypatch):
    client = Client()
    library = Listening(monkeypatch, client=client)
    calls = []

    def look():
        with scheduler._connected_client(library, ADDRESS) as found:
            calls.append((found, library.closed))  # of whoever looked whether somebody listens
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        look()
    assert calls == [(client, 1)]
    assert library.given == ((ADDRESS,), {"timeout": 10, "set_as_default": True})
    assert client.status == "closed in 10"


@pytest.mark.every
@pytest.mark.parametrize(
    ("address", "fails", "says"),
    [
        (ADDRESS, {"connects": socket.gaierror("no host")}, ": nobody answers there (no host); "
         "start one with `dask scheduler` and name its address, such as tcp://host:8786"),
        ("tls://here:1", {"connects": OSError("refused")}, ": nobody answers there (refused); start"
         " one with `dask scheduler --protocol tls` and its certificates and name its address, such"
         " as tls://host:8786"),
        (ADDRESS, {"place": ValueError("no port")}, " is no address that can be used (no port); "
         "write one such as tcp://host:8786"),
        ("tls://here:1", {"place": OverflowError("port")}, " is no address that can be used (port);"
         " write one such as tls://host:8786"),
        (ADDRESS, {"client": OSError()}, ": what listens there is no Dask scheduler that answers by"
         " tcp://; if it has certificates, write tls:// for tcp:// and give Dask the certificates"),
        ("tls://here:1", {"client": ValueError()}, ": no connection by TLS; "
         + scheduler.CERTIFICATES_ADVICE),
    ],
)  # fmt: skip
def test_where_nobody_answers_it_says_how_to_begin_one(monkeypatch, address, fails, says):
    with (
        pytest.raises(PlanError) as error,
        scheduler._connected_client(Listening(monkeypatch, **fails), address),
    ):
        pass
    assert str(error.value) == f"--scheduler '{address}'{says}"


def test_logs_of_a_library_are_silent_for_a_while():
    log, other = logging.getLogger("mine_logs.inner"), logging.getLogger("mine_logs2")
    log.setLevel(logging.DEBUG)

    def look():
        with scheduler._without_logs("mine_logs"):
            assert not log.isEnabledFor(logging.CRITICAL)
            assert other.isEnabledFor(logging.CRITICAL)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        look()
    assert log.level == logging.DEBUG


@pytest.fixture
def connected(monkeypatch):
    """Calls within a cluster of one worker that is made up."""
    pytest.importorskip("distributed", reason="needs Dask: pip install '.[dask]'")
    client = Client(__version__)

    @contextmanager
    def connect(library, address):
        yield client

    monkeypatch.setattr(scheduler, "_connected_client", connect)
    return client


def test_work_inside_goes_to_the_cluster(connected, monkeypatch):
    from joblib.parallel import get_active_backend

    from tamis._core.dask_backend import DaskBackend

    lines, given = [], []
    monkeypatch.setattr(DaskBackend, "__init__", lambda self, **more: given.append(more))
    with on_scheduler(ADDRESS, lines.append) as workers:
        assert workers == Workers(1, 2)
        assert type(get_active_backend()[0]) is DaskBackend
    assert lines == [f"{ADDRESS}: 1 worker, 2 threads"]
    assert given[0]["wait_for_workers_timeout"] == scheduler.SCHEDULER_WAIT_SECONDS
    assert type(get_active_backend()[0]) is not DaskBackend
    with on_scheduler(None) as workers:
        assert workers is None


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        ("running", OSError("no file"), OSError),  # of a file here
        ("closed", OSError("no stream"), DataError),
        ("running", ValueError("no number"), ValueError),
    ],
)
def test_a_scheduler_that_is_lost_is_told(connected, monkeypatch, status, error, kind):
    from tamis._core.dask_backend import DaskBackend

    monkeypatch.setattr(DaskBackend, "__init__", lambda self, **given: None)
    connected.status = status
    with pytest.raises(kind) as raised, on_scheduler(ADDRESS):
        raise error
    if kind is DataError:
        assert "the scheduler at 'tcp://here:8786' was lost on the way: start" in str(raised.value)
    else:
        assert raised.value is error
