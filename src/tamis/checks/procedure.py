"""What the checks know of a method: runs of it, and what was fitted in them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from .._core.interfaces import Beliefs
from .._core.parameters import Parameters
from .._core.rows import PlanRow

Arrays = Mapping[str, np.ndarray]


Say = Callable[[Any], Arrays]  # of rows, what is said of them


@dataclass(frozen=True)
class Fitted:
    """Something fitted to a training set that says something of other rows.

    Attributes
    ----------
    name : str
        In words.
    outputs : mapping of name to ndarray
        What was said of the held-out rows in the run, one entry a row.
    make : callable
        Fits it again; gives the held-out rows as it takes them (an array, `Beliefs`, or a tuple of
        such), what says of such rows, and what gives the same of one read back from its arrays.
    tolerance : float
        By which what is refitted may differ from `outputs`.
    known : ndarray or None
        Of a step: where what it makes of the rows has to be a number.
    """

    name: str
    outputs: Arrays
    make: Callable[[], tuple[Any, Say, Callable[[], Say]]]
    tolerance: float = 1e-8
    known: np.ndarray | None = None

    @cached_property
    def _made(self) -> tuple[Any, Say, Callable[[], Say]]:
        return self.make()

    @property
    def rows(self) -> Any:
        """The held-out rows as it takes them."""
        return self._made[0]

    def say(self, rows: Any) -> Arrays:
        """What it says of rows."""
        return self._made[1](rows)

    def revived(self) -> Say:
        """The same of what is read back from its arrays."""
        return self._made[2]()


@dataclass(frozen=True)
class Run:
    """What a method did on an outer fold.

    Attributes
    ----------
    learnt : mapping of name to ndarray
        What it learnt of the training sets.
    inner : mapping of name to ndarray
        What it said of the rows that inner parts hold out; they are in the outer training set.
    fitted : sequence of Fitted
        To the outer training set.
    moved : bool
        Whether the global random generators are elsewhere than before.
    """

    learnt: Arrays
    inner: Arrays
    fitted: list[Fitted]
    moved: bool = False

    @property
    def few(self) -> list[Fitted]:
        """The first and the last predictor, and the steps."""
        predictors = [one for one in self.fitted if one.known is None]
        steps = [one for one in self.fitted if one.known is not None]
        return [*predictors[:1], *predictors[1:][-1:], *steps]

    @property
    def outputs(self) -> dict[str, np.ndarray]:
        """What was said of the held-out rows."""
        return {f"{f.name}: {k}": v for f in self.fitted for k, v in f.outputs.items()}

    @property
    def everything(self) -> dict[str, np.ndarray]:
        """All of it."""
        return {**self.learnt, **self.inner, **self.outputs}


@dataclass(frozen=True)
class Settings:
    """What a method under check is given.

    Attributes
    ----------
    parameters : mapping
        Of its row.
    grid : mapping of name to list
        Grid points of a classifier.
    """

    parameters: Parameters = field(default_factory=dict)
    grid: Mapping[str, object] = field(default_factory=dict)


class Procedure(Protocol):
    """A method under check. What does not apply to a role raises `Inapplicable`."""

    row: PlanRow
    settings: Settings
    kinds: list[str]  # tables on which most checks look at it

    def start(self) -> dict[str, str]:
        """Run on every table; what the engine itself refuses of it, by the code of its check.

        Raises
        ------
        PlanError
            It does not run on the plainest.
        """
        ...

    def run(self, kind: str, seed: int = 0) -> Run:
        """On a made-up table, from this state of the global random generators."""
        ...

    def kept_run(self, kind: str) -> Run:
        """The first run on a table, made once."""
        ...

    def run_changed(self, kind: str, part: int, values: bool = True) -> Run:
        """The same with other labels in the rows that a part holds out, and wild values."""
        ...

    def run_for_one(self, kind: str) -> Run:
        """With the first of the held-out rows alone."""
        ...

    def fits_of_one_object(self) -> list[Arrays]:
        """What one object learns from some rows, from others, and from the first again."""
        ...


@contextmanager
def global_state(seed: int) -> Iterator[Callable[[], bool]]:
    """The global generators of NumPy and Python at a state of their own, and back; gives whether
    they have moved."""
    numpys, pythons = np.random.get_state(), random.getstate()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)

    def random_state_now() -> tuple[Any, ...]:
        _, keys, *rest = np.random.get_state()  # noqa: NPY002
        return np.asarray(keys).tobytes(), *rest, random.getstate()

    before = random_state_now()
    try:
        yield lambda: random_state_now() != before
    finally:
        np.random.set_state(numpys)  # noqa: NPY002
        random.setstate(pythons)


def taken_rows(rows: Any, which: np.ndarray) -> Any:
    """Some of the rows that something fitted takes."""
    if isinstance(rows, tuple):
        return tuple(None if one is None else taken_rows(one, which) for one in rows)
    return rows.take(which) if isinstance(rows, Beliefs) else rows[which]


def count_rows(rows: Any) -> int:
    """How many they are."""
    return len(rows[0]) if isinstance(rows, tuple) else len(rows)


def first_difference(a: Arrays, b: Arrays, tolerance: float = 0.0) -> str:
    """The name of the first entry in which two differ by more than this; empty where none does."""
    if a.keys() != b.keys():
        return sorted(a.keys() ^ b.keys())[0]
    for name, one in a.items():
        other = b[name]
        if one.shape != other.shape:
            return name
        if one.dtype.kind == "f":
            if not np.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True):
                return name
        elif not np.array_equal(one, other):
            return name
    return ""
