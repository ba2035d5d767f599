"""Limits of memory that a process is given, looked at before libraries are loaded.

Under a tight one OpenBLAS asks for memory for good, at full load and deaf to Ctrl-C; others end the
process, or fail to be imported with a traceback.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .errors import DataError

CGROUP_FOLDER = Path("/sys/fs/cgroup")
# MB: of addresses, of which a study of 40 samples and 25 features takes 813 at most; of data, of
# which it takes 237; and of memory proper, for all processes together
ADDRESS_SPACE_MB, DATA_MB, RESIDENT_MB = 1_200, 400, 400


def process_limits() -> dict[str, int]:
    """Bytes that this process may take of what `ulimit` calls -v (addresses) and -d (data), for
    those that are limited."""
    found = {}
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        for option, which in (("-v", resource.RLIMIT_AS), ("-d", resource.RLIMIT_DATA)):
            soft = resource.getrlimit(which)[0]
            if soft != resource.RLIM_INFINITY:
                found[option] = soft
    return found


def cgroup_limit() -> int | None:
    """Bytes that all processes of the control group may take, if they are limited."""
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError):
            found = int((CGROUP_FOLDER / name).read_text())
            return found if found < 1 << 60 else None  # version 1 writes a huge number for none
    return None


def sparing_libraries() -> None:
    """Where addresses or data are limited, keep libraries from reserving what they do not need:
    Arrow's allocator a gigabyte, each thread of OpenBLAS a hundred megabytes. Results do not depend
    on it. What the user has set stays."""
    if process_limits():
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def require_memory() -> None:
    """Refuse to begin with less than libraries and a small study take.

    Raises
    ------
    DataError
    """
    limits = process_limits()
    known = (
        (limits.get("-v"), ADDRESS_SPACE_MB, "`ulimit -v`", "a shell in which that is higher"),
        (limits.get("-d"), DATA_MB, "`ulimit -d`", "a shell in which that is higher"),
        (cgroup_limit(), RESIDENT_MB, "the container or job", "one that is given more"),
    )
    for limit, least, what, where in known:
        if limit is not None and limit < least << 20:
            raise DataError(
                f"memory is limited to {limit >> 20:,} MB by {what}, and this needs {least:,} MB "
                f"at least, more for large tables: run it in {where}"
            )
