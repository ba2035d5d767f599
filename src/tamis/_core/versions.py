"""Versions of what a result depends on."""

from __future__ import annotations

import platform
from functools import cache

from .. import __version__

REPORTED_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "pandas", "pyarrow", "skops")


def library_versions() -> dict[str, str]:
    """Versions of everything a result depends on."""
    found = {"tamis": __version__, "python": platform.python_version()}
    return {**found, **{name: _installed_version(name) for name in REPORTED_LIBRARIES}}


@cache
def _installed_version(name: str) -> str:
    """Read from the installation, which takes milliseconds."""
    from importlib.metadata import version

    return version(name)
