"""Everything that keeps a table from being read, collected and reported at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .._core.errors import DataError, counted_noun, listed_names, shorten_text

MAX_LISTED_FAULTS = 12  # faults that are listed
Remedy = Mapping[str, bool | str | tuple[str, ...]]  # arguments of `read_table`


class Fault(DataError):
    """One thing that keeps a table from being read.

    Attributes
    ----------
    count : int
        How many cells, rows or columns have it: the commonest is reported first.
    remedy : mapping
        Arguments of `read_table` with which this is read; empty where only the user can know.
    alike : tuple of str
        A kind of fault, and the column that has it: of one kind the first is reported, and how many
        more columns have it.
    """

    def __init__(
        self,
        message: str,
        count: int = 1,
        remedy: Remedy | None = None,
        alike: tuple[str, str] | None = None,
    ):
        super().__init__(message)
        self.count, self.remedy, self.alike = count, dict(remedy or {}), alike

    @property
    def drops(self) -> tuple[str, ...]:
        """Columns that the remedy leaves out."""
        drop = self.remedy.get("drop")
        return drop if isinstance(drop, tuple) else ()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.count, self.remedy, self.alike)


class Faults(DataError):
    """Several faults of one table, a line each.

    Attributes
    ----------
    faults : tuple of Fault
        The commonest first.
    what : str
        What comes of them.
    """

    def __init__(self, table: str, faults: Iterable[Fault], what: str = "cannot be read yet"):
        self.table, self.faults, self.what = table, tuple(faults), what
        super().__init__("\n".join(self.lines))  # for pickle and repr

    @property
    def lines(self) -> list[str]:
        """How many there are, and each of them."""
        head = f"{shorten_text(self.table)!r} {self.what}, for {len(self.faults)} reasons:"
        lines = [f"{k}. {fault}" for k, fault in enumerate(self.faults[:MAX_LISTED_FAULTS], 1)]
        more = len(self.faults) - MAX_LISTED_FAULTS
        return [head, *lines, *([f"and {more:,} more"] if more > 0 else [])]

    def __str__(self) -> str:
        return "\n  ".join(self.lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.table, self.faults, self.what)


def reworded_error(
    error: DataError,
    change: Callable[[str], str],
    remedy: Callable[[Remedy], Remedy] = dict,
) -> DataError:
    """An error, or each of several faults, with another text, and another remedy."""
    if isinstance(error, Faults):
        faults = (Fault(change(str(f)), f.count, remedy(f.remedy)) for f in error.faults)
        return Faults(error.table, faults)
    if isinstance(error, Fault):
        return Fault(change(str(error)), error.count, remedy(error.remedy), error.alike)
    return DataError(change(str(error)))


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
        kinds: dict[str, list[Fault]] = {}
        for fault in {str(fault): fault for fault in self.found}.values():
            kinds.setdefault(fault.alike[0] if fault.alike else str(fault), []).append(fault)
        together = [_faults_together(faults) for faults in kinds.values()]
        if len(together) == 1:
            raise together[0]
        if together:
            raise Faults(table, sorted(together, key=lambda fault: -fault.count))


def _faults_together(faults: list[Fault]) -> Fault:
    """Faults of one kind as one."""
    first, *others = faults
    if not others:
        return first
    remedy: dict[str, Any] = {}
    for fault in faults:
        add_remedy(remedy, fault.remedy)
    columns = [fault.alike[1] for fault in others if fault.alike]
    what = counted_noun(len(columns), "more column")
    return Fault(
        f"{first}; so with {what}: {listed_names(columns, 3)}", sum(f.count for f in faults), remedy
    )


def add_remedy(arguments: dict[str, Any], remedy: Remedy) -> None:
    """Put arguments of `read_table` beside those that are there; what the user said stays."""
    for key, value in remedy.items():
        if isinstance(value, tuple):
            arguments[key] = tuple(dict.fromkeys([*arguments.get(key, ()), *value]))
        elif not arguments.get(key):
            arguments[key] = value
