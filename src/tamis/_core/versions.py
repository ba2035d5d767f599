"""Versions of what a result depends on."""

from __future__ import annotations

import platform

from .. import __version__

LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "pandas", "pyarrow", "skops")


def versions() -> dict[str, str]:
    """Versions of everything a result depends on."""
    from importlib.metadata import version

    found = {"tamis": __version__, "python": platform.python_version()}
    return {**found, **{name: version(name) for name in LIBRARIES}}
