"""The matrix that rankers and classifiers see: categories spread out, covariates set apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..._core.errors import PlanError, listed_names
from ..._core.registry import rows_of
from ..._core.rows import RankerRow
from ..._core.tables import Columns
from ...data.counted import all_row_counts, counted_table
from ...data.dataset import Dataset
from ...data.indicators import spread_columns, spread_width
from ...data.walks import dense_text, each_block, narrowed_columns, table_without, taken_submatrix
from ...kernels.units import ANY_ROWS, in_units, is_ordinary, rows_by_size, steady_rows, table_units
from .error_costs import Costs
from .splits import Labels


def distinct_numbers(numbers: np.ndarray) -> np.ndarray:
    """`np.unique`, at once where they rise already, as columns of a wide table do.

    Examples
    --------
    >>> distinct_numbers(np.array([2, 1, 2])).tolist()
    [1, 2]
    """
    return numbers if (np.diff(numbers) > 0).all() else np.unique(numbers)


@dataclass(frozen=True)
class Design:
    """A `Dataset` as numbers.

    A category of two levels is one 0/1 column, one of more levels a column for each; levels
    that a training set has no row of are taken out there (`observed_level_columns`). A missing
    category is missing in all of them.

    Attributes
    ----------
    X : ndarray of shape (n, P), float64, C order; or `Columns`
        Columns of the features that selection may choose from; no matrix if the data are none.
    owner : ndarray of shape (P,)
        The feature (column of the Dataset) behind each column of X.
    Z : ndarray of shape (n, q)
        Columns of the covariates, part of every model.
    incomplete : ndarray
        Columns of X with a missing value.
    raw : ndarray of shape (n, n_features) or None
        The features as they are, categories as codes, missing as NaN; only with categories.
    discrete : ndarray of shape (n_features,) or None
        Which of `raw` are categories.
    names : sequence of str
        Of the Dataset's columns.
    code_levels : mapping of column of `raw` to number of levels
        Of those.
    labels : Labels
    raw_z : ndarray or None
        As `raw`, of the covariates; only with categories among these.
    levels_z : mapping of column of `raw_z` to number of levels
    numeric : ndarray of shape (P,) of bool
        Which columns of X are no 0/1 columns of a category.
    blocks : mapping of name to ndarray
        Features of each block.
    created : tuple of str
        Features that steps may create, by the names that steps give them: the last of `names`,
        where they may be called otherwise.
    by_size : ndarray of shape (3, P) or None
        Its `rows_by_size`, where X is no matrix.
    costs : Costs or None
        What errors cost, if the plan says so.
    """

    X: np.ndarray | Columns
    owner: np.ndarray
    Z: np.ndarray
    incomplete: np.ndarray
    labels: Labels
    raw: np.ndarray | None = None
    discrete: np.ndarray | None = None
    code_levels: Mapping[int, int] = field(default_factory=dict)
    names: Sequence[str] = ()
    numeric: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    blocks: Mapping[str, np.ndarray] = field(default_factory=dict)
    created: tuple[str, ...] = ()
    raw_z: np.ndarray | None = None
    levels_z: Mapping[int, int] = field(default_factory=dict)
    by_size: np.ndarray | None = None
    costs: Costs | None = None

    @cached_property
    def features(self) -> np.ndarray:
        """Features (Dataset columns) that selection may choose from."""
        return distinct_numbers(self.owner)

    def widths_of(self, features: np.ndarray) -> np.ndarray:
        """How many columns each of some features has."""
        if self.plain:
            return np.ones(len(features), dtype=np.int64)
        left, right = (np.searchsorted(self.owner, features, side) for side in ("left", "right"))
        return right - left

    @cached_property
    def plain(self) -> bool:
        """Whether every feature is one column."""
        return len(self.features) == len(self.owner)

    @cached_property
    def one_to_one(self) -> bool:
        """Whether every feature of the Dataset may be chosen and is one column, of its number."""
        return bool(self.plain and len(self.owner) and self.owner[-1] == len(self.owner) - 1)

    @cached_property
    def steady_rows(self) -> int | None:
        """Of X: None where parts may differ in units of single columns."""
        if self.by_size is None and is_ordinary(self.matrix):  # as nearly always
            return ANY_ROWS
        return steady_rows(rows_by_size(self.matrix) if self.by_size is None else self.by_size)

    @property
    def matrix(self) -> np.ndarray:
        """X, where it is one."""
        assert isinstance(self.X, np.ndarray)
        return self.X

    def values(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Rows of some columns of X."""
        if isinstance(self.X, np.ndarray) and self.X.flags.c_contiguous:
            from ...kernels.gathered import gathered_submatrix

            return gathered_submatrix(self.X, rows, columns)
        return taken_submatrix(self.X, rows, columns)

    def coded(self, rows: np.ndarray) -> np.ndarray:
        """Rows of `raw` in the units of a table, for rankers that take categories as codes."""
        assert self.raw is not None
        assert self.discrete is not None
        raw, units = self.raw[rows], np.ones(len(self.discrete))
        units[~self.discrete] = table_units(raw[:, ~self.discrete])
        return in_units(raw, units)

    @property
    def owner_z(self) -> np.ndarray:
        """The category behind each column of Z (q,), -1 for a number."""
        counts = [self.levels_z.get(j, 0) for j in range(self.covariates.shape[1])]
        places = np.where(np.array(counts, dtype=np.int64) > 0, np.arange(len(counts)), -1)
        return np.repeat(places, [spread_width(n) for n in counts])

    @property
    def covariates(self) -> np.ndarray:
        """Covariates as they are, one column each."""
        return self.Z if self.raw_z is None else self.raw_z

    def as_it_is(self, rows: np.ndarray, features: np.ndarray) -> np.ndarray:
        """Rows of some features (Dataset columns), one column each: codes, NaN for missing."""
        columns = np.searchsorted(self.features, features)
        return self.values(rows, columns) if self.raw is None else self.raw[np.ix_(rows, columns)]

    def levels_of(self, features: np.ndarray) -> dict[int, int]:
        """Which columns of [covariates, features] hold codes, and of how many levels."""
        places, q = np.searchsorted(self.features, features).tolist(), self.covariates.shape[1]
        own = {q + k: self.code_levels[f] for k, f in enumerate(places) if f in self.code_levels}
        return {**self.levels_z, **own}

    @cached_property
    def possible_owner(self) -> np.ndarray:
        """The feature behind each column of X, then those that steps may create."""
        first = len(self.names) - len(self.created)
        return np.concatenate([self.owner, first + np.arange(len(self.created))])

    def features_of(self, block: str) -> np.ndarray:
        """Features of a block, those that steps create of it too."""
        first = len(self.names) - len(self.created)
        made = [first + k for k, n in enumerate(self.created) if n.startswith(f"{block}:")]
        return np.concatenate([self.blocks[block], np.array(made, dtype=np.int64)])

    def columns_of_block(self, block: str) -> np.ndarray:
        """Columns of X and of what steps may create behind it, of a block."""
        return np.flatnonzero(np.isin(self.possible_owner, self.features_of(block)))

    def restricted(self, blocks: Sequence[str]) -> Design:
        """The columns of some blocks alone; features keep their numbers."""
        wanted = np.concatenate([self.blocks[name] for name in blocks])
        kept = np.flatnonzero(np.isin(self.owner, wanted))
        own = np.flatnonzero(np.isin(self.features, wanted))
        place = {int(f): k for k, f in enumerate(own)}
        return replace(
            self.narrowed(kept, narrowed_columns(self.X, kept)),
            raw=None if self.raw is None else self.raw[:, own],
            discrete=None if self.discrete is None else self.discrete[own],
            code_levels={place[f]: n for f, n in self.code_levels.items() if f in place},
        )

    def narrowed(self, kept: np.ndarray, X: np.ndarray | Columns) -> Design:
        """Some of the columns of X, which are given, rising; features keep their numbers."""
        incomplete = self.incomplete
        if len(incomplete):
            incomplete = np.searchsorted(kept, np.intersect1d(kept, incomplete))
        return replace(
            self,
            X=X,
            owner=self.owner[kept],
            numeric=self.numeric[kept],
            incomplete=incomplete,
            by_size=None if self.by_size is None else self.by_size[:, kept],
        )

    def with_rows(self, rows: np.ndarray, labels: Labels, costs: Costs | None) -> Design:
        """Some of the rows of a matrix, which may have copies, with labels and costs of theirs."""
        X = self.matrix[rows]
        incomplete = np.flatnonzero(np.isnan(X).any(axis=0))
        return replace(
            self,
            X=X,
            Z=self.Z[rows],
            incomplete=incomplete,
            labels=labels,
            costs=costs,
            raw=None if self.raw is None else self.raw[rows],
            raw_z=None if self.raw_z is None else self.raw_z[rows],
        )

    def columns_of(self, features: np.ndarray) -> np.ndarray:
        """Columns of X of some features (Dataset columns), in their order."""
        if self.one_to_one:
            return features
        starts = np.searchsorted(self.owner, features, side="left")
        if self.plain:
            return starts
        stops = np.searchsorted(self.owner, features, side="right")
        ranges = [np.arange(a, b) for a, b in zip(starts, stops, strict=True)]
        return np.concatenate(ranges) if ranges else np.zeros(0, dtype=np.int64)


def refuse_undense(method: str, design: Design) -> None:
    """For a method that looks at all columns at once."""
    if not isinstance(design.X, np.ndarray):
        raise PlanError(
            f"{method!r} looks at all columns at once, and this table ({dense_text(design.X)}) is "
            f"not held as one: select by one of {listed_names(_walking_rankers(), 20)}, or let a "
            "step keep some "
            'of its columns, such as prepare = [{name = "variance", share = 0.01}]'
        )


def _walking_rankers() -> list[str]:
    """Rankers that go by blocks of columns."""
    made = [(row.name, row.build({})) for row in rows_of(RankerRow) if row.target]
    return [name for name, one in made if one.by_parts and one.walks]


def build_design(data: Dataset, created: Mapping[str, str] | None = None) -> Design:
    """The design of a data set, with the features that steps may create behind its own
    (`created_names`)."""
    created = created or {}
    if not isinstance(data.X, np.ndarray):
        return _undense_design(data, created)
    X, owner = spread_columns(data, data.ranked)
    Z, _ = spread_columns(data, np.asarray(data.covariates, dtype=np.int64))
    some = np.isnan(X.min(initial=0.0))  # a third of the time of telling which
    incomplete = np.flatnonzero(np.isnan(X.min(axis=0))) if some else np.zeros(0, dtype=np.int64)
    raw = discrete = None
    levels, levels_z = (_level_counts(data, columns) for columns in (data.ranked, data.covariates))
    if levels:
        raw = np.ascontiguousarray(data.X[:, data.ranked])
        discrete = np.isin(np.arange(raw.shape[1]), list(levels))
    raw_z = data.take(None, data.covariates) if levels_z else None
    return Design(
        X,
        owner,
        Z,
        incomplete,
        _labels_of(data),
        raw,
        discrete,
        levels,
        (*data.feature_names, *created.values()),
        ~np.isin(owner, list(data.levels)),
        data.blocks,
        tuple(created),
        raw_z,
        levels_z,
    )


def _labels_of(data: Dataset) -> Labels:
    """What splits look at."""
    outcome = None if data.numbers is None else data.response
    return Labels(
        data.codes,
        data.classes,
        data.groups,
        data.split,
        data.batches,
        intra_group_correlation=data.intra_group_correlation,
        outcome=outcome,
    )


def _level_counts(data: Dataset, columns: Sequence[int] | np.ndarray) -> dict[int, int]:
    """Which of some columns are categories, by place, and of how many levels."""
    if not data.levels:
        return {}
    return {k: len(data.levels[int(j)]) for k, j in enumerate(columns) if int(j) in data.levels}


def _undense_design(data: Dataset, created: Mapping[str, str]) -> Design:
    """That of a table which is no matrix: its covariates are."""
    assert not isinstance(data.X, np.ndarray)
    Z, _ = spread_columns(data, np.asarray(data.covariates, dtype=np.int64))
    levels_z = _level_counts(data, data.covariates)
    X = table_without(data.X, data.covariates)
    missing, by_size = missing_and_sizes(X)
    return Design(
        X,
        data.ranked,
        Z,
        np.flatnonzero(missing),
        _labels_of(data),
        names=(*data.feature_names, *created.values()),
        created=tuple(created),
        numeric=np.ones(len(missing), dtype=bool),
        by_size=by_size,
        blocks=data.blocks,
        raw_z=data.take(None, data.covariates) if levels_z else None,
        levels_z=levels_z,
    )


def missing_and_sizes(X: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Which columns have a missing value (P,), and their `rows_by_size` (3, P)."""
    if (table := counted_table(X)) is not None:
        counts = np.concatenate([counts for _, counts in all_row_counts(table)])
        by_size = np.zeros((3, len(counts)), dtype=np.int64)
        by_size[0] = counts[:, 1:-1].sum(axis=1)
        return counts[:, -1] > 0, by_size
    found = each_block(X, lambda _, block: (np.isnan(block).any(axis=0), rows_by_size(block)))
    missing, sizes = zip(*found, strict=True)
    return np.concatenate(missing), np.concatenate(sizes, axis=1)
