"""Work past one machine: what can leave this process goes to the workers of a Dask scheduler."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from socket import create_connection
from typing import Any

from .. import __version__
from .errors import DataError, PlanError, counted_noun, require_library, shorten_text

CERTIFICATES_ADVICE = (
    "Dask takes the certificates from its settings distributed.comm.tls.ca-file, client.cert and "
    "client.key (DASK_DISTRIBUTED__COMM__TLS__CA_FILE, ...__CLIENT__CERT, ...__CLIENT__KEY), which "
    "have to be those of the scheduler: https://distributed.dask.org/en/stable/tls.html"
)
SCHEDULER_WAIT_SECONDS = 10  # seconds for a scheduler to answer, and for a first worker to come


def own_version() -> str:
    """Of Tamis, where this runs."""
    return __version__


@dataclass(frozen=True)
class Workers:
    """How many processes of a cluster there are, and how many threads these have in all."""

    processes: int
    threads: int


@contextmanager
def on_scheduler(
    address: str | None, say: Callable[[str], object] = str
) -> Iterator[Workers | None]:
    """Let everything inside that `joblib.parallel_config` can move run on a cluster.

    A worker that dies is replaced by the others, which do its tasks again; results do not depend on
    who did what. Files are opened by the workers at the same paths. Only ask a scheduler you trust:
    what it sends is run. Its port is open to whoever reaches it, who can then run code as the users
    of the scheduler, its workers and its clients; without TLS what is sent can be read on the way.

    Parameters
    ----------
    address : str or None
        Such as ``tcp://host:8786``, or ``tls://host:8786`` with the certificates that Dask's
        settings name; None: nothing changes.
    say : callable
        Called with a line on how many workers there are.

    Yields
    ------
    Workers or None
        Those there are at the beginning; others may come.

    Raises
    ------
    MissingExtraError
        Dask is not installed.
    PlanError
        Nobody answers, certificates do not fit, there is no worker, or a worker has another
        version of Tamis.
    DataError
        The scheduler or too many workers are lost on the way.
    """
    if address is None:
        yield None
        return
    distributed = require_library("distributed", "dask", "--scheduler")
    from dask import config
    from joblib import parallel_config, register_parallel_backend

    from .dask_backend import BACKEND_NAME, DaskBackend

    register_parallel_backend(BACKEND_NAME, DaskBackend)
    # its logs are tracebacks; what matters comes as an error
    with _without_logs("distributed"), _connected_client(distributed, address) as client:
        workers = _checked_workers(client, address)
        size = (
            f"{counted_noun(workers.processes, 'worker')}, "
            f"{counted_noun(workers.threads, 'thread')}"
        )
        say(f"{address}: {size}")
        try:
            with (
                config.set({"distributed.admin.large-graph-warning-threshold": "1PB"}),
                parallel_config(
                    backend=BACKEND_NAME, wait_for_workers_timeout=SCHEDULER_WAIT_SECONDS
                ),
            ):
                yield workers
        except (distributed.client.FutureCancelledError, OSError) as error:
            if isinstance(error, OSError) and client.status == "running":
                raise  # of a file here
            raise DataError(
                f"the scheduler at {address!r} was lost on the way: start it and run this again"
            ) from error


@contextmanager
def _without_logs(library: str) -> Iterator[None]:
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] == library]
    logs = [logging.getLogger(name) for name in names]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)


@contextmanager
def _connected_client(distributed: Any, address: str) -> Iterator[Any]:
    named, by_tls = f"--scheduler {shorten_text(address)!r}", address.startswith("tls://")
    example = "tls://host:8786" if by_tls else "tcp://host:8786"
    try:
        # a client that fails leaves a thread behind, and asks longer: someone has to listen first
        place = distributed.comm.get_address_host_port(address)
        create_connection(place, SCHEDULER_WAIT_SECONDS).close()
    except OSError as error:
        how = " --protocol tls` and its certificates" if by_tls else "`"
        raise PlanError(
            f"{named}: nobody answers there ({shorten_text(error)}); start one with `dask "
            f"scheduler{how} and name its address, such as {example}"
        ) from error
    except (ValueError, TypeError, OverflowError) as error:
        raise PlanError(
            f"{named} is no address that can be used ({shorten_text(error)}); write one such as "
            f"{example}"
        ) from error
    try:
        client = distributed.Client(address, timeout=SCHEDULER_WAIT_SECONDS, set_as_default=True)
    except (OSError, ValueError, TypeError) as error:
        if by_tls:
            raise PlanError(f"{named}: no connection by TLS; {CERTIFICATES_ADVICE}") from error
        raise PlanError(
            f"{named}: what listens there is no Dask scheduler that answers by tcp://; if it has "
            "certificates, write tls:// for tcp:// and give Dask the certificates"
        ) from error
    try:
        yield client
    finally:
        client.close(timeout=SCHEDULER_WAIT_SECONDS)


def _checked_workers(client: Any, address: str) -> Workers:
    """Those there are; all must have this version."""
    try:
        client.wait_for_workers(1, timeout=SCHEDULER_WAIT_SECONDS)
    except TimeoutError as error:
        raise PlanError(
            f"--scheduler {address!r} has no worker: start some with `dask worker {address}`"
        ) from error
    versions = client.run(own_version, on_error="return")
    found = {f"worker {worker}": version for worker, version in versions.items()}
    try:
        found["scheduler"] = client.run_on_scheduler(own_version)
    except ImportError:
        found["scheduler"] = None
    for who, version in found.items():
        if version != __version__:
            other = f"Tamis {version}" if isinstance(version, str) else "no Tamis"
            raise PlanError(
                f"--scheduler {address!r}: the {who} has {other}, here is {__version__}"
            )
    return Workers(len(versions), sum(client.ncores().values()))
