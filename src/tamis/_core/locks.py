"""Locks of the system on open files, which end with the process, however that ends."""

from __future__ import annotations

import errno
import os
import sys

UNSUPPORTED_ERRORS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS}
LOCKED_ERRORS = {errno.EAGAIN, errno.EACCES, errno.EDEADLK}


def locked_file(handle: int) -> bool | None:
    """Lock an open file, at once or not at all: False if somebody else has the lock, None where
    the file system knows none."""
    try:
        _lock_file(handle)
    except OSError as error:
        if error.errno in UNSUPPORTED_ERRORS:
            return None
        if error.errno in LOCKED_ERRORS:
            return False
        raise
    return True


if sys.platform == "win32":
    import msvcrt

    def _lock_file(handle: int) -> None:
        os.lseek(handle, 1 << 30, os.SEEK_SET)  # others may read what is before
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock_file(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
