"""An outer training part with its inner parts, as methods see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.interfaces import Part, Seeds
from ..._core.streams import stream
from ...kernels.medians import impute
from ...kernels.units import column_units, in_units
from ...selection._parts import TrainingParts
from .design import Design


@dataclass(frozen=True)
class Fold:
    """The outer training part (0), its inner parts (1, 2, ...), and the rows each predicts.

    Attributes
    ----------
    design : Design
    y : ndarray of shape (n,)
        Class codes of the run, which may be permuted.
    parts : TrainingParts
    tests : sequence of ndarray
        Rows that each part predicts.
    seed : int
    key : tuple
        (permutation, repeat, fold).
    n_classes : int
    told : bool
        Whether its rankings are asked for evidence.
    """

    design: Design
    y: np.ndarray
    parts: TrainingParts
    tests: Sequence[np.ndarray]
    seed: int
    key: tuple[Any, ...]
    n_classes: int = 2
    told: bool = False

    def __len__(self) -> int:
        return len(self.parts)

    def streams(self, *key: object) -> list[Seeds]:
        """Random streams of a name, one a part."""
        return [stream(self.seed, *key, *self.key, k) for k in range(len(self))]

    def part(self, k: int, own: bool = False) -> Part:
        """A part with categories spread over columns, missing values filled."""
        covariates, _ = self._covariates(k)
        return Part(
            self.parts.matrix(k), self.parts.labels(k), self.n_classes, covariates,
            outer=self.told and k == 0, own=own,
        )  # fmt: skip

    def code_part(self, k: int, own: bool = False) -> Part:
        """A part with categories as codes, missing values left out."""
        design, rows = self.design, self.parts.rows[k]
        covariates, _ = self._covariates(k)
        return Part(
            design.coded[rows], self.parts.labels(k), self.n_classes, covariates,
            design.code_levels, outer=self.told and k == 0, own=own,
        )  # fmt: skip

    def others(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The rows a part predicts: X in the table's units, and covariates, filled as its own."""
        parts = self.parts
        test = parts.X[self.tests[k]]
        if len(parts.incomplete):
            medians = impute(parts.X[parts.rows[k]], parts.incomplete)
            impute(test, parts.incomplete, medians)
        return test, self._covariates(k)[1]

    def filled(self, k: int, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Covariates and columns of X for a part's rows and its test rows, NaN filled."""
        design, rows, tests = self.design, self.parts.rows[k], self.tests[k]
        train = np.hstack([design.Z[rows], design.X[np.ix_(rows, columns)]])
        test = np.hstack([design.Z[tests], design.X[np.ix_(tests, columns)]])
        q = design.Z.shape[1]
        own = np.flatnonzero(np.isin(columns, design.incomplete)) + q
        holes = np.concatenate([design.incomplete_z, own])
        if len(holes):
            impute(test, holes, impute(train, holes))
        return train, test

    def _covariates(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Of a part's rows and of its test rows, in units of their own."""
        design = self.design
        train, test = design.Z[self.parts.rows[k]], design.Z[self.tests[k]]
        if len(design.incomplete_z):
            impute(test, design.incomplete_z, impute(train, design.incomplete_z))
        units = self.covariate_units
        return in_units(train, units), in_units(test, units)

    @property
    def covariate_units(self) -> np.ndarray:
        """What covariates are divided by, (q,)."""
        return column_units(self.design.Z)
