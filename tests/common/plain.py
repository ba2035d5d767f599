"""Kernels that quick tests run as plain Python, since they take longest to compile.

No command that is tested there uses them. The full tier compiles them.
"""

from __future__ import annotations

import importlib
import pkgutil
import re

PLAIN = re.compile(
    r"tamis\.kernels\.(adaboost|elastic_net\.(descent|newton|path|systems|walk|working_set))"
)


def import_plain() -> None:
    """Import all kernels, those of `PLAIN` undecorated.

    What compiled kernels call has to be compiled, so the others are imported first.
    """
    import numba

    import tamis.kernels

    found = pkgutil.walk_packages(tamis.kernels.__path__, "tamis.kernels.")
    names = [one.name for one in found if not one.ispkg]
    for name in names:
        if not PLAIN.fullmatch(name):
            importlib.import_module(name)
    numba.config.DISABLE_JIT = 1
    try:
        for name in filter(PLAIN.fullmatch, names):
            importlib.import_module(name)
    finally:
        numba.config.DISABLE_JIT = 0
