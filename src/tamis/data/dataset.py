"""`Dataset`: a table with a class column, and everything a study must know about it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._core.errors import (
    DataError,
    counted_noun,
    listed_names,
    listed_parts,
    nearest_hint,
    shorten_text,
)
from .._core.response import ClassResponse, NumberResponse, Response, response_of_numbers
from .._core.tables import Table
from .class_heading import number_heading
from .faults import Fault
from .walks import dense_text, taken_submatrix

HASHED_VALUES = 1 << 17  # values that are brought into one form together: 1 MB


@dataclass(frozen=True)
class Dataset:
    """Samples in rows, features in columns, and the labels beside them.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features), float64, C order; or `Table`
        NaN is missing. A categorical column holds the integer codes of its `levels`. A table that
        is no matrix may have levels in its covariates only.
    y : ndarray of shape (n_samples,) of str, or None
        Class labels; None for a table to predict, and where the outcome is a number.
    feature_names, sample_names : tuple of str
    classes : tuple of str
        In the order of the class codes. With two classes the positive one comes last.
    levels : mapping of column index to tuple of str
        The declared levels of the categorical columns; columns not named are numeric.
    groups : ndarray of shape (n_samples,) of str, or None
        Rows of one group (a patient, a family) are never split.
    intra_group_correlation : ndarray of shape (n_samples,) or None
        How alike errors inside each one's group are at least, from 0 to 1, for intervals; None:
        as copies, 1.
    split : ndarray of shape (n_samples,) of str, or None
        Predefined outer folds.
    batches : ndarray of shape (n_samples,) of str, or None
        What was measured together: an array run, a plate, a study.
    blocks : mapping of name to ndarray
        The columns of each block, where the table was put together of several.
    covariates : tuple of int
        Columns kept in every model and never ranked.
    notes : tuple of str
        What the reader decided and the user should see.
    doubts : tuple of str
        Those notes that put the figures of a study in doubt, such as rows of one patient.
    positive_named : bool
        Whether the positive class was chosen, or is merely the last in order.
    numbers : ndarray of shape (n_samples,), float64, or None
        The outcome, where it is a number.
    log_target : bool
        `numbers` are natural logarithms of what the table has.
    labels : mapping of feature name to str
        Symbols of features, shown to people beside the names (`labels.display_name`); no result
        depends on them.
    """

    X: np.ndarray | Table
    y: np.ndarray | None
    feature_names: tuple[str, ...]
    sample_names: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    levels: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    groups: np.ndarray | None = None
    split: np.ndarray | None = None
    covariates: tuple[int, ...] = ()
    target: str = "class"
    name: str = "table"
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    positive_named: bool = False
    batches: np.ndarray | None = None
    blocks: Mapping[str, np.ndarray] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    intra_group_correlation: np.ndarray | None = None
    numbers: np.ndarray | None = None
    log_target: bool = False

    def __post_init__(self) -> None:
        if not self.sample_names:
            names = tuple(str(i + 1) for i in range(self.X.shape[0]))
            object.__setattr__(self, "sample_names", names)
        coded = [self.feature_names[j] for j in sorted(set(self.levels) - set(self.covariates))]
        if coded and not isinstance(self.X, np.ndarray):
            raise DataError(
                f"{self.name!r}: X is no matrix, so only covariates may have levels, not "
                f"{listed_names(coded)}; leave these out of levels, or give X as a matrix"
            )
        if self.numbers is not None:
            object.__setattr__(self, "numbers", _checked_numbers(self, self.numbers))
        if self.y is not None and self.y.dtype.kind != "U":
            object.__setattr__(self, "y", np.array([str(label) for label in self.y]))
        for noun, name in (("batch", "batches"), ("group", "groups"), ("split", "split")):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _checked_names(self, noun, getattr(self, name)))
        if self.blocks:
            object.__setattr__(self, "blocks", _checked_blocks(self.blocks, self.ranked, self.name))
        if self.y is not None and not self.classes:
            object.__setattr__(self, "classes", tuple(sorted(set(map(str, self.y)))))

    @property
    def shape(self) -> tuple[int, int]:
        """(n_samples, n_features)."""
        return self.X.shape[0], self.X.shape[1]

    @property
    def matrix(self) -> np.ndarray:
        """X, for what looks at all columns at once; `DataError` where it is no matrix."""
        if isinstance(self.X, np.ndarray):
            return self.X
        raise DataError(
            f"{self.name!r} is no matrix ({dense_text(self.X)}), and this looks at all columns at "
            "once; give it as one: data.take(None, columns) of some columns is"
        )

    @property
    def has_target(self) -> bool:
        """Whether the outcome of each sample is known."""
        return self.y is not None or self.numbers is not None

    @cached_property
    def _coded_numbers(self) -> tuple[NumberResponse, np.ndarray]:
        assert self.numbers is not None
        return response_of_numbers(self.numbers)

    @property
    def response(self) -> Response:
        """What `codes` stand for: the classes, or the values of a number."""
        return ClassResponse(self.classes) if self.numbers is None else self._coded_numbers[0]

    @property
    def codes(self) -> np.ndarray:
        """Class codes, (n_samples,) int64, into `classes`; of a number those of its values."""
        if self.numbers is not None:
            return self._coded_numbers[1]
        if self.y is None:
            raise DataError(f"{self.name!r} has no class column; name it with target=")
        index = {label: code for code, label in enumerate(self.classes)}
        return np.array([index[label] for label in self.y], dtype=np.int64)

    @property
    def ranked(self) -> np.ndarray:
        """Columns that selection may choose from: all but the covariates."""
        return np.delete(np.arange(self.X.shape[1]), np.asarray(self.covariates, dtype=np.int64))

    def with_positive(self, positive: str) -> Dataset:
        """The same data with `positive` as the positive (last) class."""
        if positive not in self.classes:
            raise DataError(
                f"positive class {positive!r} is not in column {self.target!r}: "
                f"{nearest_hint(positive, self.classes)}"
            )
        rest = tuple(c for c in self.classes if c != positive)
        return replace(self, classes=(*rest, positive), positive_named=True)

    def take(
        self,
        rows: Sequence[int] | np.ndarray | None,
        columns: Sequence[int] | np.ndarray | None = None,
    ) -> np.ndarray:
        """The matrix of some rows and columns, as a copy."""
        return taken_submatrix(self.X, _index_array(rows), _index_array(columns))

    def column(self, feature: int) -> np.ndarray:
        """One column, (n_samples,)."""
        if isinstance(self.X, np.ndarray):
            return self.X[:, feature]
        return self.take(None, [feature])[:, 0]

    def walk(self, rows: np.ndarray | None = None, width: int = 4096) -> Iterator[Any]:
        """(start, block) over column blocks at most `width` wide."""
        if not isinstance(self.X, np.ndarray):
            for at, block in self.X.walk(width):
                yield at.start, block if rows is None else block[rows]
                del block  # before the next is made
            return
        for start in range(0, self.X.shape[1], width):
            block = self.X[:, start : start + width]
            yield start, block if rows is None else block[rows]

    def digest(self) -> str:
        """SHA-256 over everything that a study's result depends on.

        Equal tables have equal digests: the sign of a zero, the kind of NaN, the memory order
        of X and the type that holds the names make no difference. A table that is no matrix has
        a digest of its own.
        """
        return self.digests()[0]

    def digests(self) -> tuple[str, str]:
        """`digest`, and the SHA-256 of samples, labels, features and values alone: two readings
        that differ in groups, batches, splits, covariates or the positive class share it."""
        h = hashlib.sha256()
        if isinstance(self.X, np.ndarray):
            step = max(1, HASHED_VALUES // max(self.shape[1], 1))
            for start in range(0, len(self.X), step):
                block = np.ascontiguousarray(self.X[start : start + step] + 0.0, dtype="<f8")
                if np.isnan(block.min(initial=0.0)):
                    block[np.isnan(block)] = np.nan
                h.update(block.data)
        else:
            h.update(self.X.digest().encode())
        levels = sorted(self.levels.items())
        for names in (self.y, self.feature_names, self.sample_names):
            _add_part(h, names)
        values = h.copy()
        _add_part(values, levels)
        for part in (
            self.classes,
            levels,
            self.groups,
            self.split,
            self.covariates,
            self.target,
        ):
            _add_part(h, part)
        for part in (self.batches, self.intra_group_correlation):
            if part is not None:
                _add_part(h, part)
        if self.numbers is not None:
            _add_part(h, ["number", self.log_target, *self.numbers.tolist()])
        if self.blocks:
            _add_part(h, {name: columns.tolist() for name, columns in self.blocks.items()})
        return h.hexdigest(), values.hexdigest()

    def number_text(self) -> str:
        """The values of the number to predict."""
        assert self.numbers is not None
        low, median, high = np.quantile(self.numbers, [0.0, 0.5, 1.0]).tolist()
        return number_heading(self.target, low, median, high, self.log_target)

    def __repr__(self) -> str:
        counts = ""
        if self.numbers is not None:
            counts = self.number_text()
        if self.y is not None:
            counts = listed_parts(
                f"{shorten_text(c)} {int(np.sum(self.y == c))}" for c in self.classes
            )
        return f"Dataset({self.name!r}: {self.shape[0]} x {self.shape[1]}; {counts})"


def _checked_names(data: Dataset, noun: str, given: Any) -> np.ndarray:
    """The batch, group or split of each sample as text; a sample without one is refused."""
    values = list(given)
    if len(values) != data.shape[0]:
        raise DataError(
            f"{data.name!r} has {counted_noun(data.shape[0], 'sample')} and {len(values):,} values "
            f"of its {noun}: give one for each"
        )
    lost = [str(i + 1) for i, one in enumerate(values) if one is None or one != one]
    if lost:
        raise DataError(
            f"{data.name!r} has no {noun} for {counted_noun(len(lost), 'sample')}: "
            f"{listed_names(lost)}"
        )
    return np.array([str(one) for one in values], dtype=str)


def _checked_numbers(data: Dataset, given: Any) -> np.ndarray:
    """The outcome as finite numbers, one a sample."""
    found = np.asarray(given, dtype=np.float64)
    if found.shape != (data.shape[0],):
        raise DataError(
            f"{data.name!r} has {counted_noun(data.shape[0], 'sample')} and numbers of shape "
            f"{found.shape}: give one for each"
        )
    if not np.isfinite(found).all():
        lost = [data.sample_names[i] for i in np.flatnonzero(~np.isfinite(found))]
        raise DataError(f"{data.name!r} has no finite {data.target!r} for {listed_names(lost)}")
    return found + 0.0  # no -0


def _checked_blocks(
    blocks: Mapping[str, object], ranked: np.ndarray, name: str
) -> dict[str, np.ndarray]:
    """Columns of each block as whole numbers, all of them features."""
    found = {block: np.asarray(columns, dtype=np.int64) for block, columns in blocks.items()}
    for block, columns in found.items():
        if not np.isin(columns, ranked).all():
            raise DataError(f"{name!r}: block {block!r} has columns that are no features of it")
    return found


def _add_part(h: Any, part: Any) -> None:
    plain = part.tolist() if isinstance(part, np.ndarray) else part
    h.update(json.dumps(plain, default=int).encode())
    h.update(b"\x00")


def _index_array(which: Sequence[int] | np.ndarray | None) -> np.ndarray | None:
    """Numbers of rows or columns, also of a mask; an empty list has no floats. None stays."""
    if which is None:
        return None
    index = np.asarray(which)
    if index.dtype == bool:
        return np.flatnonzero(index)
    return index if index.size else index.astype(np.intp)


def check_unique(names: Sequence[str], what: str, advice: str = "make them unique") -> None:
    """Refuse duplicate names, naming some of them."""
    if len({*names}) == len(names):
        return
    seen: set[str] = set()
    again = [n for n in names if n in seen or seen.add(n)]  # type: ignore[func-returns-value]
    if again:
        raise Fault(f"duplicate {what}: {listed_names(dict.fromkeys(again))}; {advice}", len(again))
