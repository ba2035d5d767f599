"""Columns of a table of probes: which probe set each is of, by its name.

The first perfect match of ``1007_s_at`` has the name of the set itself, the next ones
``1007_s_at#2``, ``1007_s_at#3`` and so on; their mismatches are ``1007_s_at#mm``,
``1007_s_at#mm2``. So the column that stands for the set in results has its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from .._core.arrays import taken_lists
from .._core.errors import DataError, shorten_text
from .probe_sets import ProbeSets
from .reading.cdf_file import NO_CELL, CdfFile

PROBE_PATTERN = re.compile(r"(.+?)(?:#(?:(mm)(\d{1,6})?|(\d{1,6})))?\Z", re.DOTALL)


@dataclass(frozen=True)
class ProbeColumns:
    """Perfect matches and mismatches among the columns of a table.

    Attributes
    ----------
    labels : ndarray of shape (q,), dtype object
        The probe set of each perfect match.
    pm : ndarray of shape (q,)
        Its column, rising.
    mm : ndarray of shape (q,)
        The column of its mismatch; -1 where there is none.
    numbers : ndarray of shape (q,)
        Its place in its set, as names say; by that the probes of a set are sorted.
    """

    labels: np.ndarray
    pm: np.ndarray
    mm: np.ndarray
    numbers: np.ndarray

    @classmethod
    def of(cls, names: Sequence[str]) -> Self:
        """By the names of columns; one without a ``#`` is the first of its set.

        Raises
        ------
        DataError
            There is a mismatch without its perfect match, or two columns are one probe.

        Examples
        --------
        >>> found = ProbeColumns.of(["121_at", "121_at#2", "121_at#mm2", "AFFX"])
        >>> found.labels.tolist(), found.pm.tolist(), found.mm.tolist()
        (['121_at', '121_at', 'AFFX'], [0, 1, 3], [-1, 2, -1])
        """
        matches: tuple[dict, dict] = {}, {}
        for column, name in enumerate(names):
            found = PROBE_PATTERN.match(name)
            label, mismatch, *numbers = found.groups() if found else (name, None)
            probe = label, int(next(filter(None, numbers), 1))
            if matches[bool(mismatch)].setdefault(probe, column) != column:
                raise DataError(
                    f"columns {shorten_text(name)!r} and another one are the same probe"
                )
        perfect, mismatches = matches
        if lost := mismatches.keys() - perfect.keys():
            name = names[min(mismatches[probe] for probe in lost)]
            raise DataError(
                f"column {shorten_text(name)!r} is the mismatch of a probe that is not there"
            )
        labels = np.empty(len(perfect), dtype=object)
        labels[:] = [label for label, _ in perfect]
        mm = [mismatches.get(probe, NO_CELL) for probe in perfect]
        numbers = [number for _, number in perfect]
        return cls(
            labels, *(np.array(each, np.int64) for each in ([*perfect.values()], mm, numbers))
        )

    @classmethod
    def in_order(cls, labels: np.ndarray, mm: np.ndarray | None = None) -> Self:
        """Each column is a perfect match; the probes of a set have the order of the columns."""
        every = np.arange(len(labels))
        return cls(labels, every, np.full(len(labels), NO_CELL) if mm is None else mm, every)

    def sets(self) -> ProbeSets:
        """The probe sets in the order of the columns of their first probes, that is those of their
        names; their columns are places in `pm`."""
        sets = ProbeSets.by_first(self.labels)
        of = np.repeat(np.arange(len(sets.names)), np.diff(sets.starts))
        columns = sets.columns[np.lexsort((self.numbers[sets.columns], of))]
        order = np.argsort(columns[sets.starts[:-1]])
        places, starts = taken_lists(sets.starts, order)
        return ProbeSets(sets.names[order], columns[places], starts)


def probe_names(cdf: CdfFile) -> Iterator[str]:
    """Names of the perfect matches of a CDF, then of the mismatches that there are."""
    sizes = np.diff(cdf.offsets)
    for name, size in zip(cdf.names, sizes, strict=True):
        yield name
        yield from (f"{name}#{k}" for k in range(2, size + 1))
    paired = iter((cdf.mm != NO_CELL).tolist())
    for name, size in zip(cdf.names, sizes, strict=True):
        for k in range(1, size + 1):
            if next(paired):
                yield f"{name}#mm{k if k > 1 else ''}"
