"""Everything that keeps a table from being read, collected and told at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .._core.errors import DataError, shorten

MOST = 12  # faults that are told


class Fault(DataError):
    """One thing that keeps a table from being read.

    Attributes
    ----------
    count : int
        How many cells, rows or columns have it: the commonest is told first.
    remedy : mapping
        Arguments of `read_table` with which this is read; empty where only the user can know.
    """

    def __init__(self, message: str, count: int = 1, remedy: Mapping[str, Any] | None = None):
        super().__init__(message)
        self.count, self.remedy = count, dict(remedy or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.count, self.remedy)


class Faults(DataError):
    """Several faults of one table, a line each.

    Attributes
    ----------
    faults : tuple of Fault
        The commonest first.
    """

    def __init__(self, table: str, faults: Iterable[Fault]):
        self.table, self.faults = table, tuple(faults)
        super().__init__("\n".join(self.lines))  # for pickle and repr

    @property
    def lines(self) -> list[str]:
        """How many there are, and each of them."""
        head = f"{shorten(self.table)!r} cannot be read yet, for {len(self.faults)} reasons:"
        lines = [f"{k}. {fault}" for k, fault in enumerate(self.faults[:MOST], 1)]
        more = len(self.faults) - MOST
        return [head, *lines, *([f"and {more:,} more"] if more > 0 else [])]

    def __str__(self) -> str:
        return "\n  ".join(self.lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.table, self.faults)


class FaultList:
    """Faults found so far."""

    def __init__(self, found: Iterable[Fault] = ()):
        self.found = list(found)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Note a fault that is raised inside, and go on behind it."""
        try:
            yield
        except Fault as fault:
            self.found.append(fault)

    def raise_any(self, table: str) -> None:
        """Tell all of them, if there are any.

        Raises
        ------
        Fault, Faults
        """
        told = {str(fault): fault for fault in self.found}
        if len(told) == 1:
            raise self.found[0]
        if told:
            raise Faults(table, sorted(told.values(), key=lambda fault: -fault.count))
