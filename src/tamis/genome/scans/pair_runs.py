"""Runs of a scan of all pairs of variants, whose tasks can go to other machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any, ClassVar
from uuid import uuid4

import numpy as np

from ..._core.process_cache import cached_in_process
from ...interactions.pairs.pair_runs import Best, PairRuns, Scan
from ..readers.genotypes import Genotypes

BLOCK_VARIANTS = 1 << 10  # variants unpacked at once


@dataclass(frozen=True, eq=False)
class Calls:
    """Of some variants and samples of those taken; a process that gets it more than once, in tasks
    on another machine, reads the file once.

    Attributes
    ----------
    genotypes : Genotypes
    columns : ndarray of int64
        Variants, rising.
    known : ndarray of int64
        Samples.
    key : str
        Of this one.
    """

    genotypes: Genotypes
    columns: np.ndarray
    known: np.ndarray
    key: str = field(default_factory=lambda: uuid4().hex)

    def __reduce__(self) -> tuple[Callable[..., Calls], tuple[Any, ...]]:
        return _received_calls, (self.genotypes, self.columns, self.known, self.key)

    @cached_property
    def copies(self) -> np.ndarray:
        """Of allele 1 (p, n) int8, -1 missing."""
        from ...kernels.genotypes.words import unpack_copies

        genotypes, columns, known = self.genotypes, self.columns, self.known
        places = known if genotypes.rows is None else genotypes.rows[known]
        every = np.array_equal(places, np.arange(genotypes.n_file))
        taken = genotypes
        if len(columns) < genotypes.shape[1]:
            taken = genotypes.subset(variants=columns)
        found = np.empty((len(columns), len(known)), dtype=np.int8)
        for piece in taken.pieces(BLOCK_VARIANTS):
            part = found[piece.place]
            if every:
                unpack_copies(piece.packed(), genotypes.n_file, part)
            else:
                part[:] = unpack_copies(piece.packed(), genotypes.n_file)[:, places]
        return found

    @cached_property
    def turned(self) -> Any:
        """Bits by sample, of which those of any labels are made."""
        from ...kernels.genotypes.pair_planes import turn_calls

        return turn_calls(self.copies)


def _received_calls(*calls: Any) -> Calls:
    return cached_in_process("calls", calls[-1], lambda: Calls(*calls), 1)


@dataclass(frozen=True)
class GenotypePairs(PairRuns):
    """Runs between two classes, whose tasks can go to other machines."""

    calls: Calls

    WHERE: ClassVar[dict[str, str]] = {"prefer": "threads"}

    def scan(self, run: int) -> Scan:
        """Tables are counted in registers."""
        return RunScan(self.calls, self.labels(run), self.by_interaction)


@dataclass(frozen=True, eq=False)
class RunScan:
    """Scans blocks in one run. Bits are made by whoever first needs them, once in a process.

    Attributes
    ----------
    calls : Calls
    y : ndarray of shape (n,) of int64
        Class codes of this run.
    by_interaction : bool
    key : str
        Of this one.
    """

    calls: Calls
    y: np.ndarray
    by_interaction: bool
    key: str = field(default_factory=lambda: uuid4().hex)
    _lock: Lock = field(default_factory=Lock)
    _planes: list[Any] = field(default_factory=list)

    def __reduce__(self) -> tuple[Callable[..., RunScan], tuple[Any, ...]]:
        return _received_run, (self.calls, self.y, self.by_interaction, self.key)

    def __call__(self, block: int, keep: int, floor: float) -> Best:
        from ...kernels.genotypes.pair_planes import pair_planes
        from ...kernels.genotypes.pairs import scan_pairs

        with self._lock:
            if not self._planes:
                self._planes.append(pair_planes(self.calls.turned, self.y))
        return scan_pairs(self._planes[0], block, self.by_interaction, keep, floor)


def _received_run(*run: Any) -> RunScan:
    return cached_in_process("runs of pairs", run[-1], lambda: RunScan(*run), 2)
