"""The only source of numba's decorators.

Importing this module imports numba (about half a second), so the floors above import
compiled kernels inside the functions that call them, never at module level.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def jit(function: Callable[..., Any], **options: Any) -> Any:
    """Compile on first call; keep the machine code for the next process.

    numba writes its cache beside the source, or under the user's cache folder when the
    package folder is read-only. Where neither can be written the kernel still works: it
    is compiled anew in each process.
    """
    options = {"nogil": True, "error_model": "numpy", **options}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # "cannot cache function: no locator available"
        return numba.njit(**options)(function)


def sums(function: Callable[..., Any]) -> Any:
    """`jit` with sums in any order: vectorised, and as deterministic as the machine code."""
    return jit(function, fastmath={"reassoc", "contract"})
