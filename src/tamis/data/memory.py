"""How much memory a table may take: what the system, the cgroup and the limits leave."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .._core.errors import DataError
from .._core.memory_limits import CGROUP_FOLDER, process_limits
from . import limits

SLACK_BYTES = 64 << 20  # blocks in flight, names, the libraries' own buffers


def available_bytes() -> int:
    """Bytes that this process can still take: the least of what the limits leave.

    Examples
    --------
    >>> available_bytes() > 0
    True
    """
    room = [1 << 62]
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                room.append(int(line.split()[1]) * 1024)
    if len(room) == 1:  # not Linux
        with contextlib.suppress(OSError, ValueError, AttributeError):
            room.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    with contextlib.suppress(OSError, ValueError):
        limit = (CGROUP_FOLDER / "memory.max").read_text().strip()
        if limit != "max":
            room.append(int(limit) - int((CGROUP_FOLDER / "memory.current").read_text()))
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = Path("/proc/self/statm").read_text().split()
        used = {"-v": int(pages[0]), "-d": int(pages[5])}
        for option, limit_here in process_limits().items():
            room.append(limit_here - used[option] * os.sysconf("SC_PAGE_SIZE"))
    return max(0, min(room))


def check_memory(needed: float, path: Path, detail: str) -> None:
    """Refuse, before reading, a table that would not fit, or that is far more than its file.

    Raises
    ------
    DataError
        `needed` bytes are more than `available_bytes()`, or than `limits.most_expanded`.
    """
    check_room(needed, path.name, detail)
    check_expansion(needed, path, detail)


def check_room(needed: float, what: str, detail: str) -> None:
    """Refuse what needs more bytes than are free."""
    free = available_bytes()
    if needed + SLACK_BYTES > free:
        raise too_large(what, f"needs about {bytes_text(needed + SLACK_BYTES)} ({detail})", free)


def check_expansion(needed: float, path: Path, detail: str) -> None:
    """Refuse what is far more than its file."""
    if needed > limits.most_expanded(path):
        raise DataError(
            f"{path.name!r} would take {bytes_text(needed)} ({detail}) for a file of "
            f"{bytes_text(path.stat().st_size)}, which looks made to fill the memory; "
            f"{limits.EXPANSION_LIMIT.more}"
        )


def release_memory() -> None:
    """Give back to the system what Arrow keeps for its next buffers: 10 MB after 22,000 columns."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()


def too_large(what: str, needs: str, free: int | None = None) -> DataError:
    """The one line for a table that does not fit."""
    free = available_bytes() if free is None else free
    return DataError(
        f"{what!r} does not fit in memory: it {needs}, {bytes_text(free)} is free; leave out "
        "columns before reading, or use a machine with more memory"
    )


def bytes_text(size: float) -> str:
    """Bytes for people.

    Examples
    --------
    >>> bytes_text(3.2e9), bytes_text(5e6)
    ('3.2 GB', '5 MB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
