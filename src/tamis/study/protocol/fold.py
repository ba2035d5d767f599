"""An outer training set with its inner parts, as methods see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..._core.interfaces import Part, Seeds
from ..._core.streams import stream
from ...classifiers.base.scaling import MAX_STANDARDISED
from ...data.walks import each_block
from ...kernels.medians import impute_medians
from ...kernels.units import column_units, in_units, magnitudes_of_rows, shared_units
from ...preparation.chain import Chain
from ...selection._parts import TrainingParts
from ...selection._table_parts import TableParts
from .design import Design
from .observed_levels import observed_level_columns


@dataclass(frozen=True)
class View:
    """The table that a part sees: that of all parts, or its own once steps are fitted to it.

    Attributes
    ----------
    design : Design
    parts : TrainingParts
        Of the design's rows.
    at : int
        The part among them.
    train, test : ndarray
        Rows of the design: the part's own, and those it predicts.
    chain : Chain or None
        The steps.
    """

    design: Design
    parts: TrainingParts
    at: int
    train: np.ndarray
    test: np.ndarray
    chain: Chain | None = None


@dataclass(frozen=True)
class Fold:
    """The outer training set (0), its inner parts (1, 2, ...), and the rows each predicts.

    Attributes
    ----------
    design : Design
    y : ndarray of shape (n,)
        Codes of the run, which may be permuted.
    parts : TrainingParts
    tests : sequence of ndarray
        Rows that each part predicts.
    seed : int
    key : tuple
        (permutation, repeat, fold).
    n_classes : int
        Or 1 (`Response.n_outputs`).
    collects_evidence : bool
        Whether its rankings give evidence.
    chain : Chain or None
        Steps that the full table went through, one sample at a time.
    prepared : sequence of View
        One a part where steps were fitted to each.
    """

    design: Design
    y: np.ndarray
    parts: TrainingParts
    tests: Sequence[np.ndarray]
    seed: int
    key: tuple[Any, ...]
    n_classes: int = 2
    collects_evidence: bool = False
    chain: Chain | None = None
    prepared: Sequence[View] = ()

    @property
    def learnt(self) -> np.ndarray:
        """What methods are given of all rows (n,): class codes, or values."""
        return self.design.labels.response.learnt(self.y)

    def outer_part(self) -> Fold:
        """Without the inner parts."""
        parts = parts_of(self.design, self.y, self.parts.rows[:1])
        return replace(self, parts=parts, tests=self.tests[:1])

    @cached_property
    def views(self) -> Sequence[View]:
        """What each part sees of the features."""
        return self.prepared or [
            View(self.design, self.parts, k, rows, self.tests[k], self.chain)
            for k, rows in enumerate(self.parts.rows)
        ]

    def __len__(self) -> int:
        return len(self.parts)

    def streams(self, *key: object) -> Sequence[Seeds]:
        """Random streams of a name, one a part; made when needed, as most rankings draw none."""
        return _Streams(self.seed, (*key, *self.key), len(self))

    def part(self, k: int, own: bool = False, filled: bool = True) -> Part:
        """A part with categories spread over columns, missing values filled or not."""
        covariates, _ = self._covariates(k)
        view = self.views[k]
        X = view.parts.matrix(view.at) if filled else view.parts.X[view.train]
        return Part(
            X,
            self.parts.labels(k),
            self.n_classes,
            covariates,
            outer=self.collects_evidence and k == 0,
            own=own,
        )

    def code_part(self, k: int, own: bool = False) -> Part:
        """A part with categories as codes, missing values left out."""
        covariates, _ = self._covariates(k)
        view = self.views[k]
        return Part(
            view.design.coded(view.train),
            self.parts.labels(k),
            self.n_classes,
            covariates,
            view.design.code_levels,
            outer=self.collects_evidence and k == 0,
            own=own,
        )

    def others(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The rows a part predicts: X in the table's units, and covariates, filled as its own."""
        view = self.views[k]
        parts = view.parts
        test = parts.X[view.test]
        if len(parts.incomplete):
            medians = impute_medians(parts.X[view.train], parts.incomplete)
            impute_medians(test, parts.incomplete, medians)
        return np.clip(test, -MAX_STANDARDISED, MAX_STANDARDISED, out=test), np.clip(
            self._covariates(k)[1], -MAX_STANDARDISED, MAX_STANDARDISED
        )

    def filled(self, k: int, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Covariates and columns of X for a part's rows and its test rows, NaN filled."""
        Z, view, design = self.seen_z(k), self.views[k], self.views[k].design
        train = _side_by_side(Z[self.parts.rows[k]], design.values(view.train, columns))
        test = _side_by_side(Z[self.tests[k]], design.values(view.test, columns))
        if not Z.shape[1] and not len(design.incomplete):
            return train, test
        own = np.flatnonzero(np.isin(columns, design.incomplete)) + Z.shape[1]
        holes = np.concatenate([np.flatnonzero(np.isnan(Z).any(axis=0)), own])
        if len(holes):
            impute_medians(test, holes, impute_medians(train, holes))
        return train, test

    def as_it_is(
        self, k: int, features: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, dict[int, int]]:
        """Covariates and features as they are for a part's rows and its test rows; which columns
        hold codes, and of how many levels."""
        Z, view, design = self.design.covariates, self.views[k], self.views[k].design
        train = _side_by_side(Z[self.parts.rows[k]], design.as_it_is(view.train, features))
        test = _side_by_side(Z[self.tests[k]], design.as_it_is(view.test, features))
        return train, test, design.levels_of(features)

    def fitted_on(self, columns: np.ndarray, covariates: bool = True) -> np.ndarray:
        """Covariates, or none, and columns of the outer training set, nothing filled."""
        Z, view = self.seen_z(0), self.views[0]
        Z = Z if covariates else Z[:, :0]
        return _side_by_side(Z[self.parts.rows[0]], view.design.values(view.train, columns))

    def _covariates(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Of a part's rows and of its test rows, in units of their own."""
        Z = self.seen_z(k)
        train, test = Z[self.parts.rows[k]], Z[self.tests[k]]
        holes = np.flatnonzero(np.isnan(Z).any(axis=0))
        if len(holes):
            impute_medians(test, holes, impute_medians(train, holes))
        units = self._units_z(k)
        return in_units(train, units), in_units(test, units)

    @property
    def covariate_units(self) -> np.ndarray:
        """What covariates are divided by in the outer part, (q,)."""
        return self._units_z(0)

    def _units_z(self, k: int) -> np.ndarray:
        return column_units(self.seen_z(k)[self.parts.rows[k]])

    def seen_z(self, k: int) -> np.ndarray:
        """Columns of the covariates that a part has, all rows; of a final one all there are."""
        design = self.design
        if not design.levels_z or not len(self.tests[k]):
            return design.Z
        return design.Z[:, observed_level_columns(design.Z, self.parts.rows[k], design.owner_z)]


@dataclass(frozen=True)
class _Streams(Sequence[Seeds]):
    seed: int
    key: tuple[object, ...]
    size: int

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, k: Any) -> Any:
        if not -self.size <= k < self.size:
            raise IndexError(k)
        return stream(self.seed, *self.key, k % self.size)


def _side_by_side(Z: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Both side by side; X itself where Z has no column, for X may be large."""
    return np.hstack([Z, X]) if Z.shape[1] else X


def parts_of(design: Design, y: np.ndarray, rows: Sequence[np.ndarray]) -> TrainingParts:
    """Training sets of a design, with codes y (n,) that may be permuted."""
    (n, p), response = design.X.shape, design.labels.response
    y, n_classes = response.learnt(y), response.n_outputs
    steady = design.steady_rows is not None and n - len(rows[0]) <= design.steady_rows
    units = np.ones(p) if steady else None  # else by these rows
    if isinstance(design.X, np.ndarray):
        return TrainingParts(design.X, y, rows, design.incomplete, units, n_classes)
    if units is None:
        found = each_block(design.X, lambda _, block: magnitudes_of_rows(block, rows[0]))
        units = shared_units(np.concatenate(found))
    return TableParts(design.X, y, rows, design.incomplete, units, n_classes)
