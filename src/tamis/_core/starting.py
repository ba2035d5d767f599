"""What a command spares itself while it starts."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType

UNUSED = ("numpy.f2py", "numpy.testing")  # SciPy asks NumPy for each of its names
PLENTY = 300_000  # objects: more than any command has when its work begins
_USUAL = gc.get_threshold()


def begin_to_load() -> None:
    """Let the collector of garbage rest, and import what nobody uses on its first use.

    What is imported stays: to look through it again and again is a seventh of a short command.
    """
    sys.meta_path.insert(0, _OnFirstUse())
    gc.set_threshold(PLENTY, *_USUAL[1:])


def end_loading() -> None:
    """Where work begins: collect as usual again, and never look at what there is now."""
    if gc.get_threshold()[0] == PLENTY:
        gc.freeze()
        gc.set_threshold(*_USUAL)


class _OnFirstUse(MetaPathFinder):
    """The modules of `UNUSED`, loaded when something of them is asked for: 50 ms."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name in UNUSED else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec
