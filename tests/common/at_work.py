"""What is sent to worker processes, which import it."""

from __future__ import annotations

import os
import sys
import time

from tamis._core.shared_arrays import taken_value


def at_work(seconds: float = 0.1) -> tuple[int, bool]:
    """Each process is given time to take one; and whether it has what the server loads."""
    time.sleep(seconds)
    return os.getpid(), "colorsys" in sys.modules


def sum_of(place: str) -> tuple[float, bool, bool]:
    """Of an array whose first number this process counts up, once; whether it is kept, and can be
    written."""
    value = taken_value(place)
    value["x"][0] += value.pop("new", 0.0)
    return float(value["x"].sum()), taken_value(place) is value, value["x"].flags.writeable
