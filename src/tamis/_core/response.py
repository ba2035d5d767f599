"""What a method learns from: the class of each sample, or a number.

The samples of a study have integer codes. A `Response` says what they stand for: the names of
classes, or the distinct values of a number. Splits, permutations and methods ask it and need not
know which it is. What a study makes of its predictions is in `study/results/outcomes.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from .errors import counted_noun

ResponseKind = Literal["class", "number"]
RESPONSE_KINDS: tuple[ResponseKind, ...] = ("class", "number")
CLASSES: tuple[ResponseKind, ...] = ("class",)
NUMBERS: tuple[ResponseKind, ...] = ("number",)
# what the outcome is called after an indefinite article, in messages
RESPONSE_NOUNS: dict[ResponseKind, str] = {"class": "classes", "number": "a number"}


def response_kind(name: str) -> ResponseKind:
    """An outcome by its name."""
    return next(kind for kind in RESPONSE_KINDS if kind == name)


MAX_STRATA = 5  # parts of equal size by which folds are alike in a number


class Response:
    """What the codes (n,) of samples stand for.

    Attributes
    ----------
    kind : {"class", "number"}
    n_outputs : int
        Columns of what a predictor says of samples: classes, or 1.
    """

    kind: ClassVar[ResponseKind]

    @property
    def n_outputs(self) -> int:
        """Of classes their number."""
        raise NotImplementedError

    def learnt(self, codes: np.ndarray) -> np.ndarray:
        """What methods are given of samples (n,): class codes as they are, or values."""
        raise NotImplementedError

    def strata(
        self, codes: np.ndarray, groups: np.ndarray | None, folds: int = 1
    ) -> tuple[np.ndarray, tuple[str, ...]]:
        """What so many folds share out evenly: the stratum of each sample (n,), and their names."""
        raise NotImplementedError

    def stratum_text(self, name: str, count: int, unit: str) -> str:
        """``class 'a' has 3 samples``."""
        raise NotImplementedError

    def is_unit(self, codes: np.ndarray) -> bool:
        """Whether samples of a group with these codes exchange them with another group's."""
        raise NotImplementedError

    def permuted(
        self, codes: np.ndarray, groups: np.ndarray | None, draw: np.random.Generator
    ) -> np.ndarray:
        """The codes of samples that may be exchanged, permuted; groups are the units."""
        raise NotImplementedError


@dataclass(frozen=True)
class ClassResponse(Response):
    """Classes by name, the positive of two last."""

    names: tuple[str, ...]
    kind: ClassVar[ResponseKind] = "class"

    @property
    def n_outputs(self) -> int:
        """Classes."""
        return len(self.names)

    def learnt(self, codes: np.ndarray) -> np.ndarray:
        """The codes."""
        return codes

    def strata(
        self, codes: np.ndarray, groups: np.ndarray | None, folds: int = 1
    ) -> tuple[np.ndarray, tuple[str, ...]]:
        """The classes."""
        return codes, self.names

    def stratum_text(self, name: str, count: int, unit: str) -> str:
        """With the class."""
        return f"class {name!r} has {counted_noun(count, unit)}"

    def is_unit(self, codes: np.ndarray) -> bool:
        """Where all are of one class; others, such as matched pairs, are permuted inside."""
        return bool((codes == codes[0]).all())

    def permuted(
        self, codes: np.ndarray, groups: np.ndarray | None, draw: np.random.Generator
    ) -> np.ndarray:
        """Groups of one class exchange it; in the others classes are permuted inside the group."""
        if groups is None:
            return draw.permutation(codes)
        members = [np.flatnonzero(groups == name) for name in np.unique(groups)]
        pure = [rows for rows in members if self.is_unit(codes[rows])]
        found = codes.copy()
        if pure:
            dealt = draw.permutation([codes[rows[0]] for rows in pure])
            for rows, code in zip(pure, dealt, strict=True):
                found[rows] = code
        for rows in members:
            if not self.is_unit(codes[rows]):
                found[rows] = draw.permutation(codes[rows])
        return found


@dataclass(frozen=True)
class NumberResponse(Response):
    """A number; code k is the k-th of its distinct values.

    Attributes
    ----------
    values : ndarray
        Rising.
    """

    values: np.ndarray = field(repr=False)
    kind: ClassVar[ResponseKind] = "number"

    @property
    def n_outputs(self) -> int:
        """One."""
        return 1

    def learnt(self, codes: np.ndarray) -> np.ndarray:
        """The values."""
        return self.values[codes]

    def strata(
        self, codes: np.ndarray, groups: np.ndarray | None, folds: int = 1
    ) -> tuple[np.ndarray, tuple[str, ...]]:
        """Up to five parts of equal size by value, each of at least a unit for every fold; a group
        counts with its mean."""
        unit = (
            np.arange(len(codes)) if groups is None else np.unique(groups, return_inverse=True)[1]
        )
        sizes = np.bincount(unit)
        means = np.bincount(unit, self.learnt(codes)) / sizes
        count = 1 if folds < 2 else min(max(len(sizes) // folds, 1), MAX_STRATA)
        place = np.empty(len(sizes), dtype=np.int64)
        place[np.argsort(means, kind="stable")] = np.arange(len(sizes))
        names = tuple(f"{k + 1} of {count}" for k in range(count))
        return (place * count // len(sizes))[unit], names

    def stratum_text(self, name: str, count: int, unit: str) -> str:
        """Of all of them."""
        return f"there are {counted_noun(count, unit)}"

    def is_unit(self, codes: np.ndarray) -> bool:
        """Always."""
        return True

    def permuted(
        self, codes: np.ndarray, groups: np.ndarray | None, draw: np.random.Generator
    ) -> np.ndarray:
        """Groups of one size exchange all their values, in a random order inside; those that are
        alone in their size deal theirs out anew, group after group."""
        if groups is None:
            return draw.permutation(codes)
        members = [np.flatnonzero(groups == name) for name in np.unique(groups)]
        found, rest = codes.copy(), list[np.ndarray]()
        for size in sorted({len(rows) for rows in members}):
            alike = [rows for rows in members if len(rows) == size]
            if len(alike) > 1:
                _exchange(codes, found, alike, draw)
            else:
                rest += alike
        _exchange(codes, found, rest, draw)
        return found


def _exchange(
    codes: np.ndarray, found: np.ndarray, members: Sequence[np.ndarray], draw: np.random.Generator
) -> None:
    """Deal the codes of groups, one after the other in a random order, to the groups in theirs."""
    if not members:
        return
    order = draw.permutation(len(members))
    dealt = np.concatenate([draw.permutation(codes[members[k]]) for k in order])
    found[np.concatenate(members)] = dealt


def response_of_numbers(values: np.ndarray) -> tuple[NumberResponse, np.ndarray]:
    """The response of some values (n,), and their codes.

    Examples
    --------
    >>> response, codes = response_of_numbers(np.array([2.5, 1.0, 2.5]))
    >>> codes.tolist(), response.learnt(codes).tolist()
    ([1, 0, 1], [2.5, 1.0, 2.5])
    """
    levels, codes = np.unique(values, return_inverse=True)
    return NumberResponse(levels), codes.astype(np.int64)
