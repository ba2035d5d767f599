"""Steps one after the other, fitted to one training part and carried to every other row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from .._core.arrays import unfit, whole_numbers
from .._core.interfaces import Arrays, FittedStep
from .._core.rows import find_row

Named = tuple[str, Mapping[str, Any]]  # a step as a plan names it, and its parameters


@dataclass(frozen=True)
class Chain:
    """Fitted steps on the numeric columns of a table; 0/1 columns of categories pass by.

    Attributes
    ----------
    names : tuple of (name, parameters)
    steps : tuple of FittedStep
    numeric, passing : ndarray
        Columns of the table that enter the steps, and those that pass by.
    order : ndarray
        Which of [what the steps give, what passes] each output is.
    """

    names: tuple[Named, ...]
    steps: tuple[FittedStep, ...]
    numeric: np.ndarray
    passing: np.ndarray
    order: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        """The column of the table behind each output."""
        return np.concatenate([self._given(len(self.steps)), self.passing])[self.order]

    def transform(self, X: np.ndarray) -> np.ndarray:
        """The outputs for rows of the table X (m, p), each row by itself."""
        values = X[:, self.numeric]
        for step in self.steps:
            values = step.transform(values)
        return np.ascontiguousarray(np.hstack([values, X[:, self.passing]])[:, self.order])

    def followed_by(self, after: Self) -> Self:
        """Both as one; `self` keeps every column."""
        return type(self)(
            (*self.names, *after.names), (*self.steps, *after.steps), after.numeric,
            after.passing, after.order,
        )  # fmt: skip

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The chain for some of its outputs, in this order, and the columns that it needs.

        These are rising, and the chain's table is made of them.
        """
        n_given = len(self._given(len(self.steps)))
        places = self.order[outputs]
        given, passing = np.unique(places[places < n_given]), np.unique(places[places >= n_given])
        wanted, slim = given, []
        for step in reversed(self.steps):
            slimmer, wanted = step.only(wanted)
            slim.append(slimmer)
        entering, beside = self.numeric[wanted], self.passing[passing - n_given]
        inputs = np.sort(np.concatenate([entering, beside]))
        less = type(self)(
            self.names, tuple(reversed(slim)), np.searchsorted(inputs, entering),
            np.searchsorted(inputs, beside),
            np.searchsorted(np.concatenate([given, passing]), places),
        )  # fmt: skip
        return less, inputs

    def to_arrays(self) -> list[Arrays]:
        """Those of each step, and last the order of the outputs."""
        order = {"order": self.order.astype(np.float64)}
        return [*(step.to_arrays() for step in self.steps), order]

    def _given(self, k: int) -> np.ndarray:
        """The column of the table behind each column that the first k steps give."""
        columns = self.numeric
        for step in self.steps[:k]:
            columns = columns[step.columns]
        return columns


def fit_chain(
    steps: Sequence[Named],
    X: np.ndarray,
    y: np.ndarray,
    numeric: np.ndarray,
    known: Mapping[int, FittedStep] | None = None,
) -> tuple[Chain, np.ndarray]:
    """Fit each step to what those before it give.

    Parameters
    ----------
    steps : sequence of (name, parameters)
    X : ndarray of shape (n, p)
        Training rows; categories spread over 0/1 columns.
    y : ndarray of shape (n,)
        Class codes.
    numeric : ndarray of shape (p,) of bool
        The others pass by.
    known : mapping of place to FittedStep, optional
        Steps that are fitted already.

    Returns
    -------
    Chain
    ndarray
        What it makes of X.
    """
    entering, passing = np.flatnonzero(numeric), np.flatnonzero(~numeric)
    values, columns, fitted = X[:, entering], entering, []
    for at, (name, parameters) in enumerate(steps):
        if known and at in known:
            one = known[at]
        else:
            one = find_row(name, "prepare").build(parameters).learn(values, y)
        values = one.transform(values)
        columns = columns[one.columns]
        fitted.append(one)
    order = np.argsort(np.concatenate([columns, passing]), kind="stable")
    chain = Chain(tuple(steps), tuple(fitted), entering, passing, order)
    return chain, np.ascontiguousarray(np.hstack([values, X[:, passing]])[:, order])


def revived_chain(names: Sequence[Named], arrays: Sequence[Arrays], numeric: np.ndarray) -> Chain:
    """A chain from its arrays, each step by its row.

    Raises
    ------
    ModelError, PlanError
        They do not fit together, or no such step is installed.
    """
    if len(arrays) != len(names) + 1:
        raise unfit("steps")
    entering, passing = np.flatnonzero(numeric), np.flatnonzero(~numeric)
    n_columns, steps = len(entering), []
    for (name, parameters), own in zip(names, arrays[:-1], strict=True):
        row = find_row(name, "prepare")
        one = row.build(row.validated(parameters)).from_arrays(dict(own), n_columns)
        n_columns = len(one.columns)
        steps.append(one)
    given = arrays[-1].get("order")
    if not (type(given) is np.ndarray and given.dtype == np.float64 and given.ndim == 1):
        raise unfit("order")
    order = whole_numbers(given, 0, n_columns + len(passing), "order")
    return Chain(tuple(names), tuple(steps), entering, passing, order)
