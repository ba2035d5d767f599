"""Genotypes of thousands of people: files as geneticists have them, and what is scanned in them.

Everything works on blocks of variants at two bits a call. What needs compiled kernels is imported
when it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .genotypes import Genotypes
from .open import open_genotypes

if TYPE_CHECKING:
    from .projection import RandomSignProjection
    from .scan import mtd_scan
    from .scan_result import MTDScan
    from .simulate import simulate_cohort

_HOME = {
    "MTDScan": "scan_result", "RandomSignProjection": "projection", "mtd_scan": "scan",
    "simulate_cohort": "simulate",
}  # fmt: skip
__all__ = [
    "Genotypes", "MTDScan", "RandomSignProjection", "mtd_scan", "open_genotypes",
    "simulate_cohort",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
