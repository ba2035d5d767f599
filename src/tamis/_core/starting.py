"""Python's collector of garbage rests while a command starts.

What is imported stays: to look through it again and again is a seventh of a short command.
"""

from __future__ import annotations

import gc

GC_THRESHOLD = 300_000  # objects: more than most commands have when their work begins
_DEFAULT_THRESHOLDS = gc.get_threshold()


def begin_to_load() -> None:
    """Look only once there is plenty, until `end_loading`."""
    gc.set_threshold(GC_THRESHOLD, *_DEFAULT_THRESHOLDS[1:])


def end_loading() -> None:
    """Where work begins: collect as usual again, and never look at what there is now."""
    if gc.get_threshold()[0] == GC_THRESHOLD:
        gc.freeze()
        gc.set_threshold(*_DEFAULT_THRESHOLDS)
