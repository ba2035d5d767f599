"""Memory that a worker frees is kept for its next task.

glibc gives blocks above a threshold back to the system when they are freed, and each task of a
worker asks for the same again: page by page, cleared by the kernel. Of a study of 500 x 60,000 that
was up to two fifths of the CPU time. glibc raises the threshold by itself, to 32 MB at most, if a
block of that size happens to be freed.
"""

from __future__ import annotations

import ctypes
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)
KEPT_BLOCK_BYTES = 1 << 27  # bytes of a block up to which it is kept, at most
KEPT_TOP_BYTES = 1 << 28  # bytes that are kept at the end of the heap, at most


def keep_freed_memory() -> bool:
    """Of this process, from now on; whether that could be said, which glibc alone understands."""
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(
        mallopt(M_MMAP_THRESHOLD, KEPT_BLOCK_BYTES) and mallopt(M_TRIM_THRESHOLD, KEPT_TOP_BYTES)
    )
