"""Genotypes of thousands of people: files as geneticists have them, and what is scanned in them.

Everything works on blocks of variants at two bits a call. What needs compiled kernels is imported
when it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .genotypes import Genotypes
from .open import open_genotypes
from .quality import quality_control
from .quality_result import QualityControl

if TYPE_CHECKING:
    from .pairs import pair_scan
    from .pairs_result import PairScan
    from .scan import mtd_scan
    from .scan_result import MTDScan
    from .simulate import simulate_cohort

_HOME = {
    "MTDScan": "scan_result",
    "PairScan": "pairs_result",
    "mtd_scan": "scan",
    "pair_scan": "pairs",
    "simulate_cohort": "simulate",
}
__all__ = [
    "Genotypes",
    "MTDScan",
    "PairScan",
    "QualityControl",
    "mtd_scan",
    "open_genotypes",
    "pair_scan",
    "quality_control",
    "simulate_cohort",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
