"""What a process makes once and keeps for the tasks that come later."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.RLock()  # what is made may need something else that is kept
_things: dict[str, OrderedDict[Hashable, Any]] = {}


def cached_in_process(kind: str, key: Hashable, make: Callable[[], T], most: int) -> T:
    """What `make` gives, made when a key is first requested.

    A worker of a cluster gets many tasks on one file, and opens it once.

    Parameters
    ----------
    kind : str
    key : hashable
    make : callable
    most : int
        Of a kind; what was requested longest ago goes.

    Examples
    --------
    >>> from tamis._core.process_cache import cached_in_process
    >>> cached_in_process("lists", 1, list, 1) is cached_in_process("lists", 1, list, 1)
    True
    """
    with _lock:
        own = _things.setdefault(kind, OrderedDict())
        if key not in own:
            own[key] = make()
            if len(own) > most:
                own.popitem(last=False)
        own.move_to_end(key)
        return own[key]
