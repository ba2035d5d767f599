"""One thread for BLAS and OpenMP: sums depend on how many there are, results may not. One job for
joblib, where what runs is a task itself."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """A context in which the libraries loaded so far use one thread.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     bool(np.all(np.ones((2, 2)) @ np.ones((2, 2)) == 2))
    True
    """
    found = _threaded_libraries(len(sys.modules))
    if all(library.num_threads == 1 for library in found.lib_controllers):
        return nullcontext()  # cheaper to ask than to say again
    return found.limit(limits=1)


def one_job() -> AbstractContextManager[Any]:
    """A context in which joblib starts nothing and uses no cluster, unless one is named.

    Examples
    --------
    >>> import os
    >>> from joblib import Parallel, delayed, parallel_config
    >>> with parallel_config(n_jobs=2), one_job():
    ...     Parallel()([delayed(os.getpid)()]) == [os.getpid()]
    True
    """
    from joblib import parallel_config

    return parallel_config(backend="sequential", n_jobs=1)


@lru_cache(maxsize=1)
def _threaded_libraries(n_modules: int) -> Any:
    """Looked up again when a module has been imported, which may have loaded a library."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
