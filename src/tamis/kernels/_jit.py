"""The only source of numba's decorator.

Importing this module imports numba (about half a second), so the floors above import
compiled kernels inside the functions that call them, never at module level.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def jit(function: Callable[..., Any]) -> Any:
    """Compile on first call; keep the machine code for the next process.

    numba writes its cache beside the source, or under the user's cache folder when the
    package folder is read-only. Where neither can be written the kernel still works: it
    is compiled anew in each process.
    """
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # "cannot cache function: no locator available"
        return numba.njit(nogil=True, error_model="numpy")(function)
